import { Problem } from '../../model/problem.ts'

/** A mesh's points frame by frame, as a file beside the model has them. */
export interface VertexCache {
  /** `[frame]`: seconds, ascending, at least one. */
  times: number[]
  /** `[frame]` of `[point][xyz]`, in the space and unit of the mesh. */
  frames: Float32Array[]
}

/** @param file name of the cache */
export function brokenCache(file: string, what: string): Problem {
  return new Problem('input', `${file} is broken: ${what}. Write the vertex cache again.`)
}

/**
 * Where a time lies between frames: 1.5 is midway from the second to the third, and both ends are held.
 *
 * @param times ascending, at least one
 */
export function frameAt(times: number[], time: number): number {
  const next = times.findIndex((other) => other > time)
  if (next < 0) return times.length - 1
  if (next === 0) return 0
  return next - 1 + (time - times[next - 1]) / (times[next] - times[next - 1])
}
