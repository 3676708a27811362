import { parseErrorLimit } from './options.ts'
import type { Report } from './sidecar.ts'

/**
 * Whether errors hold a limit such as `0.5mm` or `0.1%`; always where there is none.
 *
 * @param alsoBetween indices of the clips in which it has to hold between samples, too
 */
export function isWithin({ position }: Report, limit: string | undefined, alsoBetween: number[] = []): boolean {
  if (limit === undefined) return true
  const { unit, value } = parseErrorLimit(limit)
  return [position, ...alsoBetween.map((clip) => position.clips[clip].betweenSamples)].every(
    ({ maxMillimetres, maxPercent }) => (unit === 'mm' ? maxMillimetres : maxPercent) <= value,
  )
}
