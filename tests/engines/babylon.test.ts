import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPose } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { SHARED } from './engine.ts'
import { printTable } from './print-table.ts'

const CORPUS = join(SHARED, 'corpus/babylon')
/** Share of the diagonal. */
const TOLERANCE = 1e-6

type Matrix = number[]
interface Animation { property: string; framePerSecond: number; keys: { frame: number; values: number[] }[] }
interface Node {
  id: string
  parentId?: string | null
  position?: number[]
  rotationQuaternion?: number[] | null
  rotation?: number[]
  scaling?: number[]
  animations?: Animation[]
  positions?: number[] | null
  skeletonId?: number
  morphTargetManagerId?: number
  matricesIndices?: number[]
  matricesWeights?: number[]
}
interface File {
  meshes: Node[]
  skeletons: { id: number; bones: { parentBoneIndex: number; matrix: Matrix; animation: Animation | null }[] }[]
  morphTargetManagers: { id: number; targets: { influence: number; positions: number[]; animations: Animation[] }[] }[]
}

/** Row vectors: `a` first. */
const multiply = (a: Matrix, b: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[i - (i % 4) + k] * b[k * 4 + (i % 4)], 0))

function invert(m: Matrix): Matrix {
  // Gauss and Jordan, on the matrix with the identity beside it.
  const rows = [0, 1, 2, 3].map((r) => [...m.slice(r * 4, r * 4 + 4), ...[0, 1, 2, 3].map((c) => (c === r ? 1 : 0))])
  for (let c = 0; c < 4; c++) {
    const below = [0, 1, 2, 3].slice(c)
    const pivot = below.reduce((best, r) => (Math.abs(rows[r][c]) > Math.abs(rows[best][c]) ? r : best), c)
    const swapped = [rows[pivot], rows[c]]
    ;[rows[c], rows[pivot]] = swapped
    rows[c] = rows[c].map((value) => value / rows[c][c])
    for (let r = 0; r < 4; r++) if (r !== c) rows[r] = rows[r].map((value, i) => value - rows[r][c] * rows[c][i])
  }
  return rows.flatMap((row) => row.slice(4))
}

const transform = ([x, y, z]: number[], m: Matrix): number[] => [0, 1, 2].map((i) => x * m[i] + y * m[4 + i] + z * m[8 + i] + m[12 + i])

function compose([x, y, z, w]: number[], scaling: number[], position: number[]): Matrix {
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ]
  return [...rows.flatMap((row, i) => [...row.map((value) => value * scaling[i]), 0]), ...position, 1]
}

const atKey = (animation: Animation | null | undefined, frame: number) => animation?.keys.find((key) => key.frame === frame)?.values

/** The positions of all meshes at a frame where every animation has a key, read from the file and nothing else. */
function independentReading(file: File, frame: number | null): number[][] {
  const value = (animations: Animation[] | undefined, property: string) =>
    frame === null ? undefined : atKey(animations?.find((animation) => animation.property === property), frame)
  const world = (node: Node): Matrix => {
    const turn = value(node.animations, 'rotationQuaternion') ?? node.rotationQuaternion ?? [0, 0, 0, 1]
    const local = compose(turn, value(node.animations, 'scaling') ?? node.scaling!, value(node.animations, 'position') ?? node.position!)
    const parent = file.meshes.find(({ id }) => id === node.parentId)
    return parent ? multiply(local, world(parent)) : local
  }
  return file.meshes.flatMap((node) => {
    if (!node.positions?.length) return []
    let points = Array.from({ length: node.positions.length / 3 }, (_, i) => node.positions!.slice(i * 3, i * 3 + 3))
    const targets = file.morphTargetManagers?.find(({ id }) => id === node.morphTargetManagerId)?.targets ?? []
    points = points.map((point, i) =>
      targets.reduce((moved, { positions, influence, animations }) => {
        const weight = value(animations, 'influence')?.[0] ?? influence
        return moved.map((number, axis) => number + weight * (positions[i * 3 + axis] - point[axis]))
      }, point),
    )
    const bones = file.skeletons.find(({ id }) => id === node.skeletonId)?.bones
    if (bones) {
      const absolute = (matrices: Matrix[]) => {
        const all: Matrix[] = []
        bones.forEach(({ parentBoneIndex: parent }, i) => (all[i] = parent < 0 ? matrices[i] : multiply(matrices[i], all[parent])))
        return all
      }
      const bind = absolute(bones.map(({ matrix }) => matrix)).map(invert)
      const now = absolute(bones.map(({ matrix, animation }) => (frame === null ? undefined : atKey(animation, frame)) ?? matrix))
      const skinning = now.map((matrix, i) => multiply(bind[i], matrix))
      points = points.map((point, i) => {
        const weights = node.matricesWeights!.slice(i * 4, i * 4 + 4)
        const sum = weights.reduce((a, b) => a + b)
        const parts = weights.map((weight, k) => {
          const bone = (node.matricesIndices![i] >> (k * 8)) & 255
          return weight === 0 ? [0, 0, 0] : transform(point, skinning[bone]).map((value) => (value * weight) / sum)
        })
        return [0, 1, 2].map((axis) => parts.reduce((total, part) => total + part[axis], 0))
      })
    }
    const matrix = world(node)
    return points.map((point) => transform(point, matrix)).map(([x, y, z]) => [-x, y, z])
  })
}

/** Frames at which every animation of the file has a key; null is the file at rest. */
const FILES: [file: string, fps: number, frames: (number | null)[]][] = [
  ['maya_penguin/maya_penguin.babylon', 30, [null, 1, 100, 240, 478]],
  ['maya_SimpleAnim.babylon', 30, [null, 1, 75]],
  ['max_AnimatedMorphCube.babylon', 30, [null, 0, 30, 60, 100]],
  ['maya_AnimatedMorphCube.babylon', 24, [null, 1, 30, 60]],
]

describe.skipIf(!existsSync(CORPUS))('.babylon against an independent reading of the file', () => {
  const rows: string[][] = []
  afterAll(() => printTable(['file', 'frame', 'error / diagonal'], rows))

  it.each(FILES.flatMap(([name, fps, frames]) => frames.map((frame) => [name, frame, fps] as const)))('%s, frame %s', async (name, frame, fps) => {
    const path = join(CORPUS, name)
    const expected = independentReading(JSON.parse(readFileSync(path, 'utf8')) as File, frame)
    const { model } = await readModel(path)
    const identity = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    const evaluator = createEvaluator(model, [...model.meshes.keys()], identity)
    const found = evaluator.createFrame({ normals: false, tangents: false })
    const pose = createPose(model)
    model.pose(frame === null ? null : model.clips[0], (frame ?? 0) / fps, pose)
    evaluator.evaluate(pose, found)

    // A mesh of several materials comes in parts, so its vertices are compared as a set.
    const points = Array.from({ length: found.positions.length / 3 }, (_, i) => [...found.positions.subarray(i * 3, i * 3 + 3)])
    const extents = [0, 1, 2].map((axis) => {
      const along = expected.map((point) => point[axis])
      return along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b))
    })
    const error = Math.max(farthest(points, expected), farthest(expected, points)) / Math.hypot(...extents)
    rows.push([name, String(frame ?? 'rest'), error.toExponential(1)])
    expect(error).toBeLessThanOrEqual(TOLERANCE)
  })
})

/** The largest distance of any point from the nearest of the others. */
function farthest(points: number[][], others: number[][]): number {
  const near = [...others].sort(([a], [b]) => a - b)
  return points.reduce((worst, point) => {
    // Those that come near in X stand together, so it suffices to look around there.
    let low = 0
    for (let high = near.length; low < high; ) {
      const middle = (low + high) >> 1
      if (near[middle][0] < point[0]) low = middle + 1
      else high = middle
    }
    let best = Infinity
    const look = (from: number, step: number) => {
      for (let i = from; i >= 0 && i < near.length && Math.abs(near[i][0] - point[0]) < best; i += step) {
        best = Math.min(best, Math.hypot(near[i][0] - point[0], near[i][1] - point[1], near[i][2] - point[2]))
      }
    }
    look(low, 1)
    look(low - 1, -1)
    return Math.max(worst, best)
  }, 0)
}
