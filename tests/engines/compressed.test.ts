import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPose } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { SHARED } from './engine.ts'
import { printTable } from './print-table.ts'

const SYNTH = join(SHARED, 'corpus/synth')

/** Twice half a step of 11 bits, Draco's default. */
const DRACO_STEP = 2 / 2 ** 11
/** Weights of a byte each: as many half steps as a vertex has influences, and as much again for their sum. */
const weightSteps = (influences: number) => influences / 255
/** The rotations of joints are kept in 14 bits of half a turn. */
const MESHOPT_STEP = 2 / 2 ** 13

const CASES = [
  { name: 'skin_4inf', influences: 4 },
  { name: 'skin_8inf_joints1', influences: 8 },
  { name: 'morph_plus_skin', influences: 4 },
  { name: 'mixed_skin_rigid_static', influences: 4 },
].flatMap(({ name, influences }) => [
  { packed: `compressed/${name}_draco`, twin: name, step: DRACO_STEP },
  { packed: `compressed/${name}_quant`, twin: name, step: weightSteps(influences) },
  { packed: `compressed/${name}_meshopt`, twin: `compressed/${name}_quant`, step: MESHOPT_STEP },
])

describe.skipIf(!existsSync(SYNTH))('compressed glTF against its uncompressed twin', () => {
  const rows: string[][] = []
  afterAll(() => printTable(['file', 'twin', 'vertices', 'error / diagonal', 'step / diagonal'], rows))

  it.each(CASES.map((one) => [one.packed, one] as const))('%s', async (_, { packed, twin, step }) => {
    const expected = await sample(join(SYNTH, `${twin}.glb`))
    const found = await sample(join(SYNTH, `${packed}.glb`))
    expect(found.model.clips).toHaveLength(expected.model.clips.length)
    const share = Math.max(farthest(found.ways, expected.ways), farthest(expected.ways, found.ways)) / expected.diagonal
    rows.push([packed, twin, String(found.ways.length), share.toExponential(1), step.toExponential(1)])
    expect(share).toBeLessThanOrEqual(step)
  })
})

/** The way of each vertex through nine times of every clip. */
async function sample(file: string) {
  const { model } = await readModel(file)
  const identity = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  const evaluator = createEvaluator(model, [...model.meshes.keys()], identity)
  const pose = createPose(model)
  const frames = model.clips.flatMap((clip) =>
    Array.from({ length: 9 }, (_, i) => {
      const frame = evaluator.createFrame({ normals: false, tangents: false })
      model.pose(clip, clip.start + ((clip.end - clip.start) * i) / 8, pose)
      evaluator.evaluate(pose, frame)
      return frame.positions
    }),
  )
  const ways = Array.from({ length: evaluator.vertexCount }, (_, v) => frames.flatMap((frame) => [...frame.subarray(v * 3, v * 3 + 3)]))
  const extents = [0, 1, 2].map((axis) => {
    const along = ways.flatMap((way) => way.filter((_, i) => i % 3 === axis))
    return along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b))
  })
  return { model, ways, diagonal: Math.hypot(...extents) }
}

/** Draco numbers its vertices anew, so each is held against the one that goes the same way. */
function farthest(from: number[][], to: number[][]): number {
  return Math.max(
    ...from.map((way) =>
      to.reduce((best, other) => {
        let squared = 0
        for (let i = 0; i < way.length && squared < best * best; i += 3) {
          squared = Math.max(squared, (way[i] - other[i]) ** 2 + (way[i + 1] - other[i + 1]) ** 2 + (way[i + 2] - other[i + 2]) ** 2)
        }
        return Math.min(best, Math.sqrt(squared))
      }, Infinity),
    ),
  )
}
