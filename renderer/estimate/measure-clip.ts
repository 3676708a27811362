import type { AnimatedModel, Clip, Pose } from '../../main/model/animated-model.ts'
import { boxDiagonal, createBox, growBox } from '../../main/model/box.ts'
import type { Evaluator, Frame } from '../../main/model/evaluate.ts'
import type { MeasuredClip } from './consequences.ts'

/** Moments of a clip that are looked at: both ends, and evenly between them. */
const MOMENTS = 9

/** What a look at a clip needs. */
export interface Looker {
  model: Pick<AnimatedModel, 'clips'>
  evaluator: Evaluator
  /** The chosen meshes at rest. */
  rest: Frame
  /** The pose at a time of a clip. */
  pose(clip: Clip, time: number): Promise<Pose>
  /** Lets the window draw and answer between two moments. */
  pause(): Promise<void>
}

/**
 * Looks at some moments of a clip, one at a time, to estimate what a bake of it will come to. Extremes between the moments are
 * missed, which makes the estimate a little too small: it is shown with "≈".
 */
export async function measureClip(looker: Looker, clip: Clip): Promise<MeasuredClip> {
  const { evaluator, rest } = looker
  const wanted = { normals: false, tangents: false }
  const first = evaluator.createFrame(wanted)
  const frame = evaluator.createFrame(wanted)
  const offsets = new Float32Array(rest.positions.length)
  const all = createBox()
  const ends = createBox()
  const away = createBox()
  let seam = 0
  for (let moment = 0; moment < MOMENTS; moment++) {
    const isEnd = moment === 0 || moment === MOMENTS - 1
    const at = moment === 0 ? first : frame
    const time = isEnd ? (moment === 0 ? clip.start : clip.end) : clip.start + ((clip.end - clip.start) * moment) / (MOMENTS - 1)
    evaluator.evaluate(await looker.pose(clip, time), at)
    growBox(all, at.positions)
    if (isEnd) growBox(ends, at.positions)
    for (let i = 0; i < offsets.length; i++) offsets[i] = at.positions[i] - rest.positions[i]
    growBox(away, offsets)
    if (moment === MOMENTS - 1) seam = largestDistance(first.positions, at.positions)
    await looker.pause()
  }
  return { seam, endsDiagonal: boxDiagonal(ends), box: all, offsets: away }
}

function largestDistance(a: Float32Array, b: Float32Array): number {
  let squared = 0
  for (let i = 0; i < a.length; i += 3) {
    squared = Math.max(squared, (a[i] - b[i]) ** 2 + (a[i + 1] - b[i + 1]) ** 2 + (a[i + 2] - b[i + 2]) ** 2)
  }
  return Math.sqrt(squared)
}
