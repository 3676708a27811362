import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPose, type AnimatedModel, type Clip } from '../../../main/model/animated-model.ts'
import { createEvaluator } from '../../../main/model/evaluate.ts'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readModel } from '../../../main/readers/read-model.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'obj-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** A quad whose last corner is lifted by `height`. */
const quad = (height: number) => `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 ${height}\nf 1 2 3 4\n`

function positionsAt(model: AnimatedModel, clip: Clip | null, time = 0): number[][] {
  const identity = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  const evaluator = createEvaluator(model, [...model.meshes.keys()], identity)
  const pose = createPose(model)
  const frame = evaluator.createFrame({ normals: true, tangents: false })
  model.pose(clip, time, pose)
  evaluator.evaluate(pose, frame)
  return Array.from({ length: frame.positions.length / 3 }, (_, v) => [...frame.positions.subarray(v * 3, v * 3 + 3)])
}

describe('numbered .obj files', () => {
  it('are the frames of one clip, in the order of their numbers', async () => {
    await write('wave_9.obj', quad(1))
    await write('wave_10.obj', quad(4))
    await write('wave_11.obj', quad(2))
    await write('wave_x.obj', 'no frame')
    const { model, file, external } = await readModel(join(folder, 'wave_*.obj'), DEFAULT_LIMITS, 10)
    expect(model.clips).toEqual([{ name: 'wave', index: 0, start: 0, end: 0.2 }])
    expect([0, 0.05, 0.1, 0.2, 9].map((time) => positionsAt(model, model.clips[0], time)[3][2])).toEqual([1, 2.5, 4, 2, 2])
    expect(positionsAt(model, null)[3][2]).toBe(1)
    expect([...model.meshes[0].indices]).toEqual([0, 1, 2, 0, 2, 3])
    expect(file).toBe(join(folder, 'wave_9.obj'))
    expect(external?.map((entry) => entry.file)).toEqual([join(folder, 'wave_10.obj'), join(folder, 'wave_11.obj')])
  })

  it('are found from one of them', async () => {
    await write('a1.obj', quad(0))
    await write('a2.obj', quad(1))
    const { model } = await readModel(join(folder, 'a2.obj'))
    expect(model.clips[0].end).toBeCloseTo(1 / 30)
  })

  it('share vertices where corners agree, and keep normals, coordinates and materials', async () => {
    const text = (z: number) => `mtllib m.mtl
v 0 0 ${z}\nv 1 0 ${z}\nv 1 1 ${z}\nv 0 1 ${z}
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
vn 0 0 1\nvn 0 ${z} 1
usemtl Red\nf 1/1/1 2/2/1 3/3/1
usemtl Blue\nf -4/-4/-1 -2/-2/-1 -1/-1/-1\n`
    await write('m.mtl', 'newmtl Red\nKd 1 0 0\nnewmtl Blue\nKd 0 0 1\nd 0.5\n')
    await write('s1.obj', text(0))
    await write('s2.obj', text(1))
    const { model, appearance, external } = await readModel(join(folder, 's*.obj'))
    expect(external?.map(({ file }) => file)).toEqual([join(folder, 's2.obj'), join(folder, 'm.mtl')])
    expect(model.materials).toEqual(['Red', 'Blue'])
    expect(model.meshes.map(({ vertexCount, material }) => [vertexCount, material])).toEqual([[3, 0], [3, 1]])
    expect([...model.meshes[1].attributes[0].array]).toEqual([0, 1, 1, 0, 0, 0])
    expect([...model.meshes[1].morphTargets[0].normals!.subarray(0, 3)]).toEqual([0, 1, 0])
    const [red, blue] = appearance.getRoot().listMaterials()
    expect([red.getBaseColorFactor(), blue.getBaseColorFactor()]).toEqual([[1, 0, 0, 1], [0, 0, 1, 0.5]])
  })

  it.each([
    ['another number of points', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n', 'f_2.obj has 3 points where f_1.obj has 4'],
    ['another number of faces', `${quad(0)}f 1 2 3\n`, 'f_2.obj has 2 faces where f_1.obj has 1'],
    ['another face', quad(0).replace('f 1 2 3 4', 'f 1 3 2 4'), 'f_2.obj has another face 1 than f_1.obj'],
    ['a point that is not there', quad(0).replace('f 1 2 3 4', 'f 1 2 3 9'), 'f_2.obj is broken: line 5 uses 9, but there are 4'],
    ['words for numbers', quad(0).replace('v 1 0 0', 'v 1 zero 0'), 'f_2.obj is broken: line 2 should have 3 numbers'],
  ])('are refused by their name where one has %s', async (_, text, sentence) => {
    await write('f_1.obj', quad(0))
    await write('f_2.obj', text)
    await expect(readModel(join(folder, 'f_*.obj'))).rejects.toThrow(sentence)
  })

  it('are refused where there are none, or where the star stands for no number', async () => {
    await expect(readModel(join(folder, 'f_*.obj'))).rejects.toThrow('f_*.obj stands for no file in')
    await expect(readModel(join(folder, '*_*.obj'))).rejects.toThrow('*_*.obj has 2 stars. Put one star in place of the number')
  })

  it('are no animation where there is one', async () => {
    await write('only.obj', quad(0))
    const { model } = await readModel(join(folder, 'only.obj'))
    expect([model.clips, model.morphSets, model.meshes.length]).toEqual([[], [], 1])
  })

  it('are refused where they take more than allowed', async () => {
    for (const i of [1, 2, 3]) await write(`f_${i}.obj`, quad(i))
    const reading = readModel(join(folder, 'f_*.obj'), { ...DEFAULT_LIMITS, morphs: 7 })
    await expect(reading).rejects.toThrow('f_*.obj has 8 vertices in its morph targets, and at most 7 are allowed')
  })
})
