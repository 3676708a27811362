import type { MorphTarget } from '../model/animated-model.ts'

/**
 * Meshes whose vertices are given frame by frame become morph targets, one a frame but the first, which is the mesh itself.
 * At any time at most two of them weigh something, so that a pose costs as much as any other.
 *
 * @param frames `[frame]` of `[vertex][xyz]`
 */
export function targetsOfFrames(frames: { positions: Float32Array; normals: Float32Array | null }[]): MorphTarget[] {
  const [first, ...others] = frames
  return others.map(({ positions, normals }, i) => ({
    name: `frame_${i + 1}`,
    positions: positions.map((value, at) => value - first.positions[at]),
    normals: normals && first.normals && normals.map((value, at) => value - first.normals![at]),
    tangents: null,
  }))
}

/**
 * Weights of these targets at a place between frames: on a straight line from one to the next, held at both ends.
 *
 * @param frame 0 is the first
 */
export function writeFrameWeights(frame: number, out: Float64Array): void {
  out.fill(0)
  const within = Math.min(Math.max(frame, 0), out.length)
  const before = Math.floor(within)
  const part = within - before
  if (before > 0) out[before - 1] = 1 - part
  if (part > 0) out[before] = part
}
