import { parseErrorLimit } from './options.ts'
import type { Report } from './sidecar.ts'

/** Whether the errors at the samples hold a limit such as `0.5mm` or `0.1%`; always where there is none. */
export function isWithin(report: Report, limit: string | undefined): boolean {
  if (limit === undefined) return true
  const { unit, value } = parseErrorLimit(limit)
  return (unit === 'mm' ? report.position.maxMillimetres : report.position.maxPercent) <= value
}
