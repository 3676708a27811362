import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readFbx } from '../../../main/readers/fbx/read-fbx.ts'
import { buildFbx, type FbxSource, type MeshSource } from './build-fbx.ts'
import { positionsAt } from '../positions-at.ts'

const METRES = { UnitScaleFactor: 100 }
const TRIANGLE: MeshSource = { points: [0, 0, 0, 1, 0, 0, 0, 1, 0], polygons: [[0, 1, 2]] }
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

const read = async (source: FbxSource) =>
  (await readFbx('/nowhere/model.fbx', 'model.fbx', buildFbx(source), { file: 'model.fbx', limits: DEFAULT_LIMITS, spent: 0 })).model

/** Public reports of faults in other programs that read FBX, each as the smallest file that shows it. */
describe('faults that were reported of others', () => {
  const slide = (from: number, to: number) => ({
    target: 'Box',
    property: 'Lcl Translation' as const,
    keys: { X: [[from, from], [to, to]] as [number, number][] },
  })
  const takes = [
    { name: 'wiggle', start: 1 / 24, stop: 20 / 24, curves: [slide(1 / 24, 20 / 24)] },
    { name: 'spin', start: 20 / 24, stop: 40 / 24, curves: [slide(20 / 24, 40 / 24)] },
    { name: 'hop', start: 2, stop: 2.25, curves: [slide(2, 2.25)] },
  ]

  it('godotengine/godot#90553: every take but the first starts with frozen frames', async () => {
    const model = await read({ settings: METRES, models: [{ name: 'Box', mesh: TRIANGLE }], takes })
    for (const clip of model.clips) {
      const [first, next] = [0, 1 / 24].map((time) => positionsAt(model, clip, clip.start + time)[0][0])
      expect(first).toBeCloseTo(clip.start, 5)
      expect(next - first).toBeCloseTo(1 / 24, 5)
    }
  })

  it('facebookincubator/FBX2glTF#181: all clips get the length of the longest one', async () => {
    const model = await read({ settings: METRES, models: [{ name: 'Box', mesh: TRIANGLE }], takes })
    expect(model.clips.map(({ start, end }) => Math.round((end - start) * 24))).toEqual([19, 20, 6])
  })

  it('mrdoob/three.js#11895 and #13466: pivots and geometric offsets are ignored or applied to the wrong thing', async () => {
    const properties = { RotationPivot: [1, 0, 0], ScalingPivot: [1, 0, 0], 'Lcl Rotation': [0, 0, 90], 'Lcl Scaling': [2, 2, 2], GeometricTranslation: [0, 0, 5] }
    const models = [{ name: 'Box', mesh: TRIANGLE, properties }, { name: 'Child', parent: 'Box', mesh: TRIANGLE }]
    const model = await read({ settings: METRES, models })
    expect(positionsAt(model, null)).toEqual([[1, -2, 10], [1, 0, 10], [-1, -2, 10], [1, -2, 0], [1, 0, 0], [-1, -2, 0]])
  })

  it('mrdoob/three.js#14903: characters come out broken whose joints do not inherit scale', async () => {
    const at = (x: number) => [...IDENTITY.slice(0, 12), x, 0, 0, 1]
    const bone = (name: string, parent: string | undefined, properties: Record<string, number | number[]>) => ({
      name,
      parent,
      type: 'LimbNode' as const,
      properties: { InheritType: 2, 'Lcl Translation': [parent ? 1 : 0, 0, 0], ...properties },
    })
    const clusters = [
      { bone: 'Hips', points: [0, 1], weights: [1, 1], transform: at(0), transformLink: at(0) },
      { bone: 'Spine', points: [2], weights: [1], transform: at(-1), transformLink: at(1) },
    ]
    const model = await read({
      settings: METRES,
      models: [
        bone('Hips', undefined, { 'Lcl Scaling': [3, 1, 1] }),
        bone('Spine', 'Hips', {}),
        { name: 'Body', mesh: { points: [0, 0, 0, 1, 0, 0, 2, 1, 0], polygons: [[0, 1, 2]], skin: { clusters } } },
      ],
    })
    // The hips' scale moves the spine away, and does not stretch what follows it.
    expect(positionsAt(model, null)).toEqual([[0, 0, 0], [3, 0, 0], [4, 1, 0]])
  })
})
