import type { ErrorCurve } from '../../main/worker/preview-contract.ts'

/** Which points of a curve are shown: at the samples, or midway between them. */
export type Moments = 'samples' | 'between'

/** `[point]`: seconds from the beginning of the clip, and errors in millimetres. */
export interface ErrorPoints {
  times: number[]
  max: number[]
  rms: number[]
}

/** The points of one kind. The two kinds differ so much that one line through both would only show that they do. */
export function pointsOf(curve: ErrorCurve, moments: Moments): ErrorPoints {
  const wanted = [...curve.frames.keys()].filter((point) => Number.isInteger(curve.frames[point]) === (moments === 'samples'))
  return {
    times: wanted.map((point) => curve.times[point]),
    max: wanted.map((point) => curve.maxMillimetres[point]),
    rms: wanted.map((point) => curve.rmsMillimetres[point]),
  }
}
