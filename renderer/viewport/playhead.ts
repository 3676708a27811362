import type { SidecarClip } from '../../main/bake/sidecar.ts'

/** The two frames of a clip that are shown at some moment, and how much of the second one (the VAT format, section 7). */
export interface Playhead {
  first: number
  second: number
  /** 0..1 */
  blend: number
}

/**
 * The frames of a clip at a time.
 *
 * @param seconds since the clip's beginning; any number
 */
export function playheadAt(clip: Pick<SidecarClip, 'loop' | 'fps' | 'frameCount'>, seconds: number): Playhead {
  const { loop, fps, frameCount } = clip
  if (frameCount === 1) return { first: 0, second: 0, blend: 0 }
  const last = frameCount - 1
  const position = loop ? modulo(seconds * fps, frameCount) : Math.min(Math.max(seconds * fps, 0), last)
  const first = Math.min(Math.floor(position), last)
  return { first, second: loop ? (first + 1) % frameCount : Math.min(first + 1, last), blend: position - first }
}

function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor
}
