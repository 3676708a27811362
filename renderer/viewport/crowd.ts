import type { Sidecar } from '../../main/bake/sidecar.ts'
import { boxDiagonal, type Box } from '../../main/model/box.ts'
import type { CrowdOptions } from './view.ts'

export const LARGEST_CROWD = 10_000

/** A crowd as the player's instances need it. */
export interface Crowd {
  count: number
  /** `[instance][16]`, column-major, in the model's space: where each one stands. */
  matrices: Float32Array
  /** `[instance][4]`: seconds ahead, frames of the clips before its own, frames (negative where it does not loop), frames a second. */
  playback: Float32Array
  /** Box around all instances, in the model's space. */
  bounds: Box
}

/** Neighbours far enough apart that they do not touch, and the rows a little askew. */
export function suitingSpacing(bounds: Box): number {
  return Math.max(bounds.max[0] - bounds.min[0], bounds.max[2] - bounds.min[2], boxDiagonal(bounds) / 3) * 1.15
}

/**
 * Places the instances of a crowd on a square, the first one in the middle where the model itself stands, the others around it.
 * The same options give the same crowd.
 *
 * @param bounds box around the model in all frames, in its own space
 */
export function layOutCrowd(options: CrowdOptions, { clips }: Pick<Sidecar, 'clips'>, bounds: Box): Crowd {
  const count = Math.round(Math.min(Math.max(options.count, 1), LARGEST_CROWD))
  const spacing = options.spacing ?? suitingSpacing(bounds)
  const dealt = options.clips.filter((clip) => clips[clip])
  const chosen = dealt.length > 0 ? dealt : clips.map((_, index) => index)
  const framesBefore = clips.map((_, index) => clips.slice(0, index).reduce((sum, { frameCount }) => sum + frameCount, 0))
  const matrices = new Float32Array(count * 16)
  const playback = new Float32Array(count * 4)
  let reach = 0
  for (let instance = 0; instance < count; instance++) {
    const [column, row] = spiral(instance)
    reach = Math.max(reach, Math.abs(column), Math.abs(row))
    const m = instance * 16
    matrices[m] = matrices[m + 5] = matrices[m + 10] = matrices[m + 15] = 1
    matrices[m + 12] = column * spacing
    matrices[m + 14] = row * spacing

    const index = chosen[Math.floor(scatter(instance, Math.SQRT2) * chosen.length)]
    const clip = clips[index]
    const cycle = Math.max(clip.frameCount / clip.fps, 1e-6)
    const share = options.phase === 'random' ? scatter(instance, (Math.sqrt(5) - 1) / 2) : options.phase === 'wave' ? (column + row) / 12 : 0
    const secondsAhead = (share - Math.floor(share)) * cycle
    playback.set([secondsAhead, framesBefore[index], clip.loop ? clip.frameCount : -clip.frameCount, clip.fps], instance * 4)
  }
  const grown = reach * spacing
  return {
    count,
    matrices,
    playback,
    bounds: {
      min: [bounds.min[0] - grown, bounds.min[1], bounds.min[2] - grown],
      max: [bounds.max[0] + grown, bounds.max[1], bounds.max[2] + grown],
    },
  }
}

/** Places of a square grid in rings around the middle: 0 is the middle, 1 to 8 lie around it, and so on. */
function spiral(index: number): [column: number, row: number] {
  if (index === 0) return [0, 0]
  const ring = Math.ceil((Math.sqrt(index + 1) - 1) / 2)
  const side = ring * 2
  const along = index - (side - 1) ** 2
  const step = along % side
  switch (Math.floor(along / side)) {
    case 0:
      return [ring, step - ring + 1]
    case 1:
      return [ring - step - 1, ring]
    case 2:
      return [-ring, ring - step - 1]
    default:
      return [step - ring + 1, -ring]
  }
}

/**
 * Numbers 0..1 that are spread evenly and look random: multiples of an irrational number. Two that are used together need different ones.
 */
function scatter(index: number, irrational: number): number {
  const value = (index + 0.5) * irrational
  return value - Math.floor(value)
}
