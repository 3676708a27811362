import type { Progress } from '../../main/bake/contract.ts'

/** The three passes that a bake shows: one bar each. */
export type Pass = 'bounds' | 'encoding' | 'verifying'

export interface Pace {
  /** 0..1 over all passes. */
  share: number
  /** 0..1 of each pass. */
  passes: Record<Pass, number>
  pass: Pass | null
  /** The bake tries out rates and encodings, before the first pass. */
  choosing: boolean
  /** Frame of the running pass, from 1. */
  frame: number
  frames: number
  /** Frames a second of the running pass; null while too little has been seen to tell. */
  rate: number | null
  /** Seconds; null while too little has been seen to tell. */
  left: number | null
}

/**
 * Turns the counts of a bake (vertex-frames over all its passes) into what a person follows.
 *
 * @param frames   frames of the bake
 * @param measures whether there is a pass that measures the bounds
 */
export function createPaceMeter(frames: number, measures: boolean) {
  // Verifying compares at the samples and midway between them: two units of work a frame (main/bake/bake.ts).
  const units = (measures ? 1 : 0) + 1 + 2
  const begins = { bounds: 0, encoding: measures ? 1 : 0, verifying: units - 2 }
  const lengths = { bounds: measures ? 1 : 0, encoding: 1, verifying: 2 }
  /** Where and when the counting and the running pass began. */
  let start: { share: number; time: number } | null = null
  let passStart: { pass: Pass; frame: number; time: number } | null = null

  /** @param now milliseconds of any clock */
  return function note(progress: Progress, now: number): Pace {
    const share = progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0
    if (progress.total > 0) start ??= { share, time: now }
    const at = share * units
    const passShare = (pass: Pass) => (lengths[pass] === 0 ? 1 : Math.min(1, Math.max(0, (at - begins[pass]) / lengths[pass])))
    const passes = { bounds: passShare('bounds'), encoding: passShare('encoding'), verifying: passShare('verifying') }
    const pass = passOf(progress.stage)
    const frame = pass ? Math.min(frames, Math.max(1, Math.ceil(passes[pass] * frames - 1e-6))) : 0
    if (pass && passStart?.pass !== pass) passStart = { pass, frame, time: now }
    const seen = passStart && now - passStart.time >= 300 && frame > passStart.frame
    const rate = pass && passStart && seen ? (frame - passStart.frame) / ((now - passStart.time) / 1000) : null
    const left =
      start && share > start.share && now - start.time >= 500 ? ((now - start.time) / 1000 / (share - start.share)) * (1 - share) : null
    return { share, passes, pass, choosing: progress.stage === 'choosing', frame, frames, rate, left }
  }
}

function passOf(stage: Progress['stage']): Pass | null {
  switch (stage) {
    case 'measuring':
      return 'bounds'
    case 'encoding':
    case 'writing':
      return 'encoding'
    case 'verifying':
    case 'publishing':
      return 'verifying'
    case 'reading':
    case 'choosing':
      return null
  }
}
