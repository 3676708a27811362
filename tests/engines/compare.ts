import { meshesOf, type BakedClip } from './bake-corpus.ts'
import type { Truth } from './corpus.ts'

/** How far the positions of a bake are from the truth. */
export interface PositionComparison {
  /** Largest distance of a vertex from the truth, in metres. */
  error: number
  /** Of the box around all true vertices in all frames. */
  diagonal: number
}

export function comparePositions(clip: BakedClip, truth: Truth): PositionComparison {
  const { positions, vertexCounts } = clip.decoded
  const stride = vertexCounts.reduce((sum, count) => sum + count, 0) * 3
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  let squared = 0
  for (const { key, firstVertex, vertexCount } of meshesOf(clip)) {
    const expected = truth.get(key)!.positions
    const length = vertexCount * 3
    for (let i = 0; i < expected.length; i += 3) {
      const at = Math.floor(i / length) * stride + firstVertex * 3 + (i % length)
      let distance = 0
      for (let axis = 0; axis < 3; axis++) {
        const value = expected[i + axis]
        min[axis] = Math.min(min[axis], value)
        max[axis] = Math.max(max[axis], value)
        distance += (positions[at + axis] - value) ** 2
      }
      squared = Math.max(squared, distance)
    }
  }
  return { error: Math.sqrt(squared), diagonal: Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) }
}

/** How far the normals of a bake are from the truth, where the file has any. */
export interface NormalComparison {
  /** Largest angle, in degrees. */
  degrees: number
  compared: number
  /** Left out because there is no true normal: the file's is zero, or the matrix is singular. */
  untold: number
}

export function compareNormals(clip: BakedClip, truth: Truth): NormalComparison {
  const normals = clip.decoded.normals!
  const stride = clip.decoded.vertexCounts.reduce((sum, count) => sum + count, 0) * 3
  const result: NormalComparison = { degrees: 0, compared: 0, untold: 0 }
  for (const { key, firstVertex, vertexCount } of meshesOf(clip)) {
    const expected = truth.get(key)!.normals
    if (!expected) continue
    const length = vertexCount * 3
    for (let i = 0; i < expected.length; i += 3) {
      const at = Math.floor(i / length) * stride + firstVertex * 3 + (i % length)
      const [x, y, z] = expected.subarray(i, i + 3)
      if (!(Math.hypot(x, y, z) > 0.5)) {
        result.untold++
        continue
      }
      const [u, v, w] = normals.subarray(at, at + 3)
      // From the cross product as well: the cosine alone knows nothing of angles below 0.02 degrees.
      const sine = Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u)
      const degrees = (Math.atan2(sine, x * u + y * v + z * w) * 180) / Math.PI
      result.degrees = Math.max(result.degrees, degrees)
      result.compared++
    }
  }
  return result
}
