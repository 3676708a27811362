import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createPose, type AnimatedModel, type Clip } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { identity } from '../../main/model/matrix.ts'
import { readModel } from '../../main/readers/read-model.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))

interface OracleClip {
  /** Index of the clip, or null for the nodes at rest. */
  clip: number | null
  times: number[]
  /** Offsets of `[frame][vertex][xyz]` in the numbers. */
  meshes: { node: number; primitive: number; vertexCount: number; positions: number; normals: number | null }[]
}

const index = JSON.parse(readFileSync(`${FIXTURES}oracle-numbers.json`, 'utf8')) as Record<string, OracleClip[]>
const bytes = readFileSync(`${FIXTURES}oracle-numbers.bin`)
const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))

/** Positions and normals of all meshes, as we evaluate them: `[frame]` of `[mesh]` of `[vertex][xyz]`. */
function evaluate(model: AnimatedModel, clip: Clip | null, times: number[]) {
  const evaluator = createEvaluator(model, [...model.meshes.keys()], identity())
  const pose = createPose(model)
  const frame = evaluator.createFrame({ normals: true, tangents: false })
  return times.map((time) => {
    model.pose(clip, time, pose)
    evaluator.evaluate(pose, frame)
    return model.meshes.map(({ vertexCount }, mesh) => {
      const [start, end] = [evaluator.firstVertices[mesh] * 3, (evaluator.firstVertices[mesh] + vertexCount) * 3]
      return { positions: frame.positions.slice(start, end), normals: frame.normals!.slice(start, end) }
    })
  })
}

function diagonalOf(positions: Float32Array[]): number {
  const extents = [0, 1, 2].map((axis) => {
    const values = positions.flatMap((array) => [...array].filter((_, i) => i % 3 === axis))
    return Math.max(...values) - Math.min(...values)
  })
  return Math.hypot(...extents)
}

/** The largest distance between two points, or unit vectors, of the same number. */
function farthest(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length)
  let worst = 0
  for (let i = 0; i < a.length; i += 3) worst = Math.max(worst, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]))
  return worst
}

describe.each(Object.entries(index))('%s', (name, clips) => {
  test('has the meshes and clips that the oracle found', async () => {
    const { model } = await readModel(`${FIXTURES}models/${name}`)
    expect(model.clips).toHaveLength(clips.filter(({ clip }) => clip !== null).length)
    const found = model.meshes.map(({ node, primitive, vertexCount }) => ({ node, primitive, vertexCount }))
    expect(found).toEqual(clips[0].meshes.map(({ node, primitive, vertexCount }) => ({ node, primitive, vertexCount })))
    expect(model.meshes.every(({ normals }, mesh) => (normals === null) === (clips[0].meshes[mesh].normals === null))).toBe(true)
  })

  test.each(clips.map((clip) => [clip.clip, clip] as const))('clip %s: every vertex is where the oracle puts it', async (_, truth) => {
    const { model } = await readModel(`${FIXTURES}models/${name}`)
    const clip = truth.clip === null ? null : model.clips[truth.clip]
    if (clip) expect([clip.start, clip.end]).toEqual([truth.times[0], truth.times.at(-1)])
    const frames = evaluate(model, clip, truth.times)
    const at = (offset: number, vertexCount: number, frame: number, frames = 1) =>
      numbers.subarray(offset + frame * vertexCount * 3, offset + (frame + frames) * vertexCount * 3)

    const all = truth.meshes.map(({ positions, vertexCount }) => at(positions, vertexCount, 0, truth.times.length))
    const tolerance = 1e-6 * diagonalOf(all)
    expect(tolerance).toBeGreaterThan(0)
    frames.forEach((meshes, frame) => {
      truth.meshes.forEach(({ positions, normals, vertexCount }, mesh) => {
        expect(farthest(meshes[mesh].positions, at(positions, vertexCount, frame))).toBeLessThanOrEqual(tolerance)
        if (normals !== null) expect(farthest(meshes[mesh].normals, at(normals, vertexCount, frame))).toBeLessThanOrEqual(1e-6)
      })
    })
  })
})
