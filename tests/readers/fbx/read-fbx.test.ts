import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readFbx } from '../../../main/readers/fbx/read-fbx.ts'
import { buildFbx, type FbxSource, type MeshSource, type ModelSource } from './build-fbx.ts'
import { positionsAt, rounded } from '../positions-at.ts'

const read = (source: FbxSource, limits = DEFAULT_LIMITS) =>
  readFbx('/nowhere/model.fbx', 'model.fbx', buildFbx(source), { file: 'model.fbx', limits, spent: 0 })

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const TRIANGLE: MeshSource = { points: [0, 0, 0, 1, 0, 0, 0, 1, 0], polygons: [[0, 1, 2]] }
/** A triangle in metres, so that numbers can be read off. */
const METRES = { UnitScaleFactor: 100 }

describe('space', () => {
  it('makes metres of the unit of the file', async () => {
    const { model } = await read({ settings: { UnitScaleFactor: 2.54 }, models: [{ name: 'Box', mesh: TRIANGLE }] })
    expect(positionsAt(model, null)).toEqual([[0, 0, 0], [0.0254, 0, 0], [0, 0.0254, 0]])
  })

  it('turns Z up into Y up', async () => {
    const settings = { ...METRES, UpAxis: 2, UpAxisSign: 1, FrontAxis: 1, FrontAxisSign: -1, CoordAxis: 0, CoordAxisSign: 1 }
    const { model } = await read({ settings, models: [{ name: 'Box', mesh: { ...TRIANGLE, points: [0, 0, 0, 1, 0, 2, 0, 3, 0] } }] })
    expect(positionsAt(model, null)).toEqual([[0, 0, 0], [1, 2, 0], [0, 0, -3]])
  })
})

describe('meshes', () => {
  it('makes a mesh of each material, and counts V from the top', async () => {
    const mesh: MeshSource = {
      points: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
      polygons: [[0, 1, 2], [0, 2, 3]],
      uvs: [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1],
      materials: [1, 0],
    }
    const models = [{ name: 'Quad', mesh, materials: ['Red', 'Blue'] }]
    const { model } = await read({ materials: [{ name: 'Blue' }, { name: 'Red' }], models })
    expect(model.materials).toEqual(['Blue', 'Red'])
    expect(model.meshes.map(({ name, primitive, material, vertexCount }) => [name, primitive, material, vertexCount])).toEqual([
      ['Quad', 0, 1, 3],
      ['Quad', 1, 0, 3],
    ])
    expect([...model.meshes[1].attributes[0].array]).toEqual([0, 1, 1, 1, 1, 0])
  })

  it('puts the geometric transform into the mesh alone, and turns mirrored triangles over', async () => {
    const models = [
      { name: 'Box', mesh: TRIANGLE, properties: { GeometricTranslation: [5, 0, 0], GeometricScaling: [-1, 1, 1] } },
      { name: 'Child', parent: 'Box', mesh: TRIANGLE },
    ]
    const { model } = await read({ settings: METRES, models })
    expect(positionsAt(model, null)).toEqual([[5, 0, 0], [4, 0, 0], [5, 1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
    expect([...model.meshes[0].indices]).toEqual([0, 2, 1])
  })

  it('shows a mesh under each of its nodes', async () => {
    const models = [{ name: 'A', mesh: TRIANGLE }, { name: 'B', meshOf: 'A', properties: { 'Lcl Translation': [0, 0, 7] } }]
    const { model } = await read({ settings: METRES, models })
    expect(positionsAt(model, null).slice(3)).toEqual([[0, 0, 7], [1, 0, 7], [0, 1, 7]])
  })

  it('refuses positions that are not finite, and names the mesh', async () => {
    const broken = read({ models: [{ name: 'Box', mesh: { ...TRIANGLE, polygons: [[0, 1, 9]] } }] })
    await expect(broken).rejects.toThrow('model.fbx is broken: the positions of "Box" have 3 numbers that are not finite')
  })

  it('refuses more vertices than allowed', async () => {
    const large = read({ models: [{ name: 'Box', mesh: TRIANGLE }] }, { ...DEFAULT_LIMITS, vertices: 2 })
    await expect(large).rejects.toThrow('model.fbx has 3 vertices in its scene, and at most 2 are allowed')
  })
})

describe('transforms', () => {
  it('turns about pivots, before and behind the rotation that is animated', async () => {
    const properties = { RotationPivot: [1, 0, 0], 'Lcl Rotation': [0, 0, 90], PreRotation: [0, 0, 90], PostRotation: [0, 0, 90] }
    const { model } = await read({ settings: METRES, models: [{ name: 'Box', mesh: TRIANGLE, properties: { ...properties, RotationActive: 1 } }] })
    expect(positionsAt(model, null)).toEqual([[1, -1, 0], [1, 0, 0], [0, -1, 0]])
  })

  it.each([
    ['RSrs: like everyone else', 1, [2, 2, 1], [[2, 0, 0], [2, 2, 0], [0, 0, 0]]],
    ['RrSs: the scale of the parent along the own axes', 0, [2, 1, 1], [[2, 0, 0], [2, 2, 0], [1, 0, 0]]],
    ['Rrs: the parent without its scale, which moves the origin alone', 2, [2, 2, 1], [[2, 0, 0], [2, 1, 0], [1, 0, 0]]],
  ])('inherits scale as %s', async (_, inheritType, scale, expected) => {
    const properties = { InheritType: inheritType, 'Lcl Translation': [1, 0, 0], 'Lcl Rotation': [0, 0, 90] }
    const models: ModelSource[] = [
      { name: 'Parent', properties: { 'Lcl Scaling': scale } },
      { name: 'Box', parent: 'Parent', mesh: TRIANGLE, properties },
    ]
    const { model } = await read({ settings: METRES, models })
    expect(positionsAt(model, null)).toEqual(expected)
  })
})

/** A strip of three points on two bones along X, bound where they are. */
function strip(weights: { points: number[]; weights: number[] }[], type?: string): FbxSource {
  const bones = weights.map((_, i) => ({
    name: `Bone${i}`,
    type: 'LimbNode' as const,
    parent: i > 0 ? `Bone${i - 1}` : undefined,
    properties: { 'Lcl Translation': [i > 0 ? 1 : 0, 0, 0] },
  }))
  const at = (x: number) => [...IDENTITY.slice(0, 12), x, 0, 0, 1]
  const clusters = weights.map((cluster, i) => ({ bone: `Bone${i}`, ...cluster, transform: at(-i), transformLink: at(i) }))
  const mesh = { points: [0, 0, 0, 1, 0, 0, 2, 0, 0], polygons: [[0, 1, 2]], skin: { type, clusters } }
  return { settings: METRES, models: [...bones, { name: 'Strip', mesh, properties: { 'Lcl Translation': [0, 9, 0] } }] }
}

const TURN = { target: 'Bone1', property: 'Lcl Rotation' as const, keys: { Z: [[0, 0], [1, 90]] as [number, number][] } }

describe('skins', () => {
  it('follows the bones from where they were bound, wherever the mesh has gone', async () => {
    const source = strip([{ points: [0, 1], weights: [1, 1] }, { points: [2], weights: [1] }])
    const { model } = await read({ ...source, takes: [{ name: 'Turn', start: 0, stop: 1, curves: [TURN] }] })
    expect(positionsAt(model, model.clips[0], 1)).toEqual([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
  })

  it('divides by the sum of weights, and lets points without weights follow the mesh', async () => {
    const { model } = await read(strip([{ points: [1, 2], weights: [0.2, 3] }, { points: [1, 2], weights: [0.2, 1] }]))
    const { influences } = model.meshes[0]
    expect([...influences!.weights].map(rounded)).toEqual([0, 0, 0.5, 0.5, 0.75, 0.25])
    expect(model.warnings).toContainEqual({
      code: 'weights-zero',
      count: 1,
      message: 'Let 1 vertex without skin weights follow the node of the mesh: Strip.',
    })
    expect(positionsAt(model, null)[0]).toEqual([0, 9, 0])
  })

  it('counts every influence, also beyond eight', async () => {
    const { model } = await read(strip(Array.from({ length: 12 }, () => ({ points: [2], weights: [1] }))))
    expect(model.meshes[0].influences!.perVertex).toBe(12)
    expect([...model.meshes[0].influences!.weights.subarray(24)].map(rounded)).toEqual(new Array(12).fill(rounded(1 / 12)))
  })

  it.each([
    ['wholly', 'DualQuaternion', undefined, true],
    ['partly', 'Blend', [0, 0.5, 0], true],
    ['by none of their points', 'Blend', [0, 0, 0], false],
    ['not at all', 'Linear', undefined, false],
  ])('say which mesh is skinned with dual quaternions: %s', async (_, type, blendWeights, isSaid) => {
    const source = strip([{ points: [0, 1, 2], weights: [1, 1, 1] }], type)
    source.models.at(-1)!.mesh!.skin!.blendWeights = blendWeights
    const { model } = await read(source)
    const sentence = 'Skinned 1 mesh linearly that the file skins with dual quaternions: Strip.'
    expect(model.warnings.map(({ message }) => message)).toEqual(isSaid ? [sentence] : [])
  })

  it.each([
    ['Maya', [1, 0.9992, 0.5], 1],
    ['Maya', [1, 0.99999999, 0.5], 0],
    ['Blender (stable FBX IO)', [1, 0.9992, 0.5], 0],
  ])('say how many points lack the smallest weights, which Maya does not write: %s, %j', async (program, weights, count) => {
    const source = strip([{ points: [0, 1, 2], weights }, { points: [2], weights: [0.5] }])
    const { model } = await read({ ...source, program })
    const sentence = 'Scaled the weights of 1 point to sum up to 1, of which Maya left the smallest out of the file: Strip.'
    expect(model.warnings.map(({ message }) => message)).toEqual(count > 0 ? [sentence] : [])
  })
})

describe('blend shapes', () => {
  const raised = (height: number) => ({ points: [2], deltas: [0, height, 0] })
  const shown = async (percent: number, channel: { fullWeights?: number[]; shapes: ReturnType<typeof raised>[] }) => {
    const mesh = { ...TRIANGLE, channels: [{ name: 'Up', percent, ...channel }] }
    const { model } = await read({ settings: METRES, models: [{ name: 'Face', mesh }] })
    return positionsAt(model, null)[2][1] - 1
  }

  it.each([[0, 0], [50, 0.5], [100, 1], [150, 1.5], [-20, -0.2]])('moves by %d per cent of a shape', async (percent, height) => {
    expect(await shown(percent, { fullWeights: [100], shapes: [raised(1)] })).toBeCloseTo(height)
  })

  it.each([[25, 2], [50, 4], [75, 3], [100, 2], [125, 1]])('goes through in-between shapes: %d per cent', async (percent, height) => {
    expect(await shown(percent, { fullWeights: [50, 100], shapes: [raised(4), raised(2)] })).toBeCloseTo(height)
  })

  it('moves each vertex as far as the vertex group of a Blender shape key says', async () => {
    const shape = { points: [0, 2], deltas: [0, 1, 0, 0, 1, 0] }
    const mesh = { ...TRIANGLE, channels: [{ name: 'Up', percent: 100, fullWeights: [100, 25], shapes: [shape] }] }
    const { model } = await read({ settings: METRES, models: [{ name: 'Face', mesh }] })
    expect(positionsAt(model, null)).toEqual([[0, 1, 0], [1, 0, 0], [0, 1.25, 0]])
  })

  it('turns deltas with the geometric transform, but does not move them', async () => {
    const mesh = { ...TRIANGLE, channels: [{ name: 'Up', percent: 100, shapes: [raised(1)] }] }
    const properties = { GeometricTranslation: [5, 0, 0], GeometricRotation: [0, 0, 90] }
    const { model } = await read({ settings: METRES, models: [{ name: 'Face', mesh, properties }] })
    expect(positionsAt(model, null)[2]).toEqual([3, 0, 0])
  })
})

describe('takes', () => {
  const slide = (from: number, to: number) => ({
    target: 'Box',
    property: 'Lcl Translation' as const,
    keys: { X: [[from, from], [to, to]] as [number, number][] },
  })
  const models = [{ name: 'Box', mesh: TRIANGLE }]

  it('begin and end where the file says, else with their keys', async () => {
    const takes = [
      { name: 'Declared', start: 1, stop: 2, curves: [slide(1, 2)] },
      { name: 'Keys', curves: [slide(5, 8)] },
    ]
    const { model } = await read({ settings: METRES, models, takes })
    expect(model.clips).toEqual([
      { name: 'Declared', index: 0, start: 1, end: 2 },
      { name: 'Keys', index: 1, start: 5, end: 8 },
    ])
    expect(positionsAt(model, model.clips[1], 6.5)[0]).toEqual([6.5, 0, 0])
  })

  it('leave what they do not animate at rest, whichever was shown before', async () => {
    const other = { target: 'Box', property: 'Lcl Rotation' as const, keys: { Z: [[0, 90], [1, 90]] as [number, number][] } }
    const takes = [{ name: 'Slide', curves: [slide(0, 1)] }, { name: 'Turn', curves: [other] }]
    const { model } = await read({ settings: METRES, models, takes })
    const before = positionsAt(model, model.clips[1], 1)
    positionsAt(model, model.clips[0], 1)
    expect(positionsAt(model, model.clips[1], 1)).toEqual(before)
    expect(positionsAt(model, null)).toEqual([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
  })

  it('animate blend shapes', async () => {
    const mesh = { ...TRIANGLE, channels: [{ name: 'Up', shapes: [{ points: [2], deltas: [0, 4, 0] }] }] }
    const curves = [{ target: 'Up', property: 'DeformPercent' as const, keys: { X: [[0, 0], [1, 200]] as [number, number][] } }]
    const { model } = await read({ settings: METRES, models: [{ name: 'Face', mesh }], takes: [{ name: 'Rise', curves }] })
    expect(positionsAt(model, model.clips[0], 0.25)[2]).toEqual([0, 3, 0])
  })

  it('blend layers of rotations as Maya does, as if their order were XYZ, and turn in their own', async () => {
    const held = (degrees: number): [number, number][] => [[0, degrees], [1, degrees]]
    const turned = (axis: 'X' | 'Z') => ({
      target: 'Box',
      property: 'Lcl Rotation' as const,
      keys: { X: held(0), Y: held(0), Z: held(0), [axis]: held(90) },
    })
    const source = (order: number): FbxSource => ({
      settings: METRES,
      models: [{ name: 'Box', mesh: TRIANGLE, properties: { RotationOrder: order, RotationActive: 1 } }],
      takes: [{ name: 'Turn', curves: [turned('Z')], layers: [[turned('X')]] }],
    })
    const [xyz, zyx] = await Promise.all([read(source(0)), read(source(5))])
    expect(positionsAt(xyz.model, xyz.model.clips[0])[1]).toEqual([0, 1, 0])
    expect(positionsAt(zyx.model, zyx.model.clips[0])[1]).toEqual([0, 0, 1])
    expect([xyz, zyx].map(({ model }) => model.warnings.map(({ message }) => message))).toEqual([
      [],
      ['Blended 1 layer of rotations whose order is not XYZ, which can be slightly off: Box.'],
    ])
  })

  it('warn of animated visibility', async () => {
    const curves = [slide(0, 1), { target: 'Box', property: 'Visibility' as const, keys: { X: [[0, 1], [1, 0]] as [number, number][] } }]
    const { model } = await read({ models, takes: [{ name: 'Blink', curves }] })
    expect(model.warnings.map(({ message }) => message)).toEqual(['Ignored the animated visibility of 1 mesh: Box.'])
  })
})

describe('what is no FBX', () => {
  it.each([
    ['text', 'hello world'],
    ['a cut header', 'Kaydara FBX Binary  \0\x1a\0'],
    ['a header alone', 'Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0'],
    ['a brace that closes nothing', '; FBX 7.4.0 project file\n}\nObjects: {\n}\n'],
    ['an unknown version', '; FBX 8.0.0 project file\nFBXHeaderExtension: {\nFBXVersion: 8000\n}\nObjects: {\n}\n'],
  ])('is refused: %s', async (_, text) => {
    const budget = { file: 'model.fbx', limits: DEFAULT_LIMITS, spent: 0 }
    const reading = readFbx('/nowhere/model.fbx', 'model.fbx', new TextEncoder().encode(text), budget)
    await expect(reading).rejects.toThrow(/^model\.fbx cannot be read as FBX \(.+\)\. Export the model again\.$/)
  })
})
