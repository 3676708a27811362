/*
 * Numbers as people read them: three significant digits, a space before the unit, decimal bytes. Sentences are English, so
 * the separators are, too, whatever the system's language: output that is compared or searched must not depend on it.
 */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const rounded = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A count in full: `1,599`. */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** A count and what it counts: `1 clip`, `1,599 vertices`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Three significant digits: `30.2`, `0.0123`, `1,620`. */
export function formatNumber(value: number): string {
  return rounded.format(value)
}

/** Decimal bytes: `812 bytes`, `484 kB`, `16.8 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  if (bytes < 1000) return formatCounted(bytes, 'byte')
  let value = bytes / 1000
  // 999.5 and more would round to 1,000 of the smaller unit.
  while (value >= 999.5 && units.length > 1) {
    value /= 1000
    units.shift()
  }
  return `${formatNumber(value)} ${units[0]}`
}

/** A length of time: `1.16 s`, `2 min 5 s`, `1 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 59.95) return `${formatNumber(seconds)} s`
  const total = Math.round(seconds)
  if (total < 3600) return `${Math.floor(total / 60)} min ${total % 60} s`
  return formatHours(total)
}

/** What is left of a wait: `0:07 left`, `4:10 left`, `1 h 5 min left`. */
export function formatTimeLeft(seconds: number): string {
  const total = Math.ceil(seconds)
  if (total >= 3600) return `${formatHours(total)} left`
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')} left`
}

function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** An error as a distance: `1.47 mm`, `under 0.01 mm`. */
export function formatMillimetres(millimetres: number): string {
  return atLeast(millimetres, 0.01, ' mm')
}

/** An error as a share: `0.94 %`, `under 0.0001 %`. */
export function formatPercent(percent: number): string {
  return atLeast(percent, 0.0001, ' %')
}

/** An error of a direction: `0.94°`, `under 0.01°`. */
export function formatDegrees(degrees: number): string {
  return atLeast(degrees, 0.01, '°')
}

function atLeast(value: number, smallest: number, unit: string): string {
  if (value === 0) return `0${unit}`
  return value < smallest ? `under ${smallest}${unit}` : `${formatNumber(value)}${unit}`
}

/**
 * Lines of columns that stand one below the other, two spaces apart.
 *
 * @param rows  `[row][column]`; rows may be shorter than others
 * @param right columns that are aligned at their right end, as numbers are
 */
export function formatTable(rows: string[][], right: number[] = []): string[] {
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  )
}
