import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPose } from '../../main/model/animated-model.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { buildFbx, type CurveSource, type ModelSource } from '../readers/fbx/build-fbx.ts'
import { printTable } from './print-table.ts'

const POINTS = 25_000
const BONES = 67
const FRAMES = 500
const FPS = 30

/** Seconds and bytes that opening and posing the rig may take. */
const MOST_SECONDS = 5
const MOST_BYTES = 2 ** 30

/**
 * A character as Mixamo writes them: joints that take their parent's scale along their own axes (RrSs), every channel of every
 * joint with a key a frame, up to four influences a point, normals and texture coordinates.
 */
function buildRig(): Uint8Array {
  const bones: ModelSource[] = Array.from({ length: BONES }, (_, i) => ({
    name: `mixamorig:Bone${i}`,
    type: 'LimbNode',
    parent: i > 0 ? `mixamorig:Bone${Math.floor((i - 1) / 2)}` : undefined,
    properties: { InheritType: 0, RotationActive: 1, PreRotation: [0, 0, i], 'Lcl Translation': [1, i % 5, 0] },
  }))
  const columns = 250
  const rows = POINTS / columns
  const points = Array.from({ length: POINTS }, (_, i) => [i % columns, Math.floor(i / columns), Math.sin(i)]).flat()
  const polygons = Array.from({ length: (columns - 1) * (rows - 1) }, (_, i) => {
    const corner = (i % (columns - 1)) + Math.floor(i / (columns - 1)) * columns
    return [corner, corner + 1, corner + 1 + columns, corner + columns]
  })
  const corners = polygons.flat()
  const clusters = bones.map(({ name }, bone) => {
    const moved = Array.from({ length: POINTS }, (_, i) => i).filter((i) => [0, 1, 2, 3].some((k) => (i + k * 7) % BONES === bone))
    return { bone: name, points: moved, weights: moved.map(() => 0.25), transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }
  })
  const keys = (value: (frame: number) => number): [number, number][] => Array.from({ length: FRAMES }, (_, f) => [f / FPS, value(f)])
  const curves = bones.flatMap(({ name }, i): CurveSource[] => [
    { target: name, property: 'Lcl Rotation', keys: { X: keys((f) => i + f / 10), Y: keys((f) => Math.sin(f / 9) * 20), Z: keys((f) => f % 7) } },
    { target: name, property: 'Lcl Translation', keys: { X: keys(() => 1), Y: keys(() => i % 5), Z: keys((f) => f / 1000) } },
    { target: name, property: 'Lcl Scaling', keys: { X: keys(() => 1), Y: keys(() => 1), Z: keys(() => 1) } },
  ])
  const normals = corners.flatMap(() => [0, 0, 1])
  const uvs = corners.flatMap((corner) => [corner % columns, corner / columns])
  return buildFbx({
    models: [...bones, { name: 'Body', mesh: { points, polygons, normals, uvs, skin: { clusters } } }],
    takes: [{ name: 'mixamo.com', start: 0, stop: (FRAMES - 1) / FPS, curves }],
  })
}

describe('a rig as Mixamo writes them', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rig-'))
    await writeFile(join(folder, 'rig.fbx'), buildRig())
  })
  afterAll(() => rm(folder, { recursive: true }))

  it(`of ${POINTS} points, ${BONES} bones and ${FRAMES} frames opens, and poses every frame`, async () => {
    const begin = performance.now()
    const { model } = await readModel(join(folder, 'rig.fbx'))
    const opened = performance.now()
    const pose = createPose(model)
    for (let frame = 0; frame < FRAMES; frame++) model.pose(model.clips[0], frame / FPS, pose)
    const posed = performance.now()
    const { maxRSS } = process.resourceUsage()

    const seconds = [opened - begin, posed - opened].map((time) => time / 1000)
    printTable(['open s', 'pose all s', 'peak MB (with the test itself)'], [[...seconds.map((s) => s.toFixed(2)), (maxRSS / 1024).toFixed(0)]])
    expect(model.meshes[0].vertexCount).toBeGreaterThanOrEqual(POINTS)
    expect(model.skins[0].joints).toHaveLength(BONES)
    expect(seconds[0] + seconds[1]).toBeLessThan(MOST_SECONDS)
    expect(maxRSS * 1024).toBeLessThan(MOST_BYTES)
  })
})
