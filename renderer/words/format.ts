/*
 * Numbers as the window shows them: a no-break space before the unit, three significant digits, decimal bytes, and the
 * separators of the system's language. Whatever is copied out of the window (a command line) has its own, fixed spelling.
 */

/** Keeps a number and its unit on one line. */
const GAP = '\u00a0'

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const significant = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })
const fixed = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)

/** A count in full: `1,599`. */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** A count and what it counts: `1 clip`, `1,599 vertices`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`
}

/** Three significant digits: `30.2`, `0.0123`, `1,620`. */
export function formatNumber(value: number): string {
  return significant.format(value)
}

/** A number with that many digits behind the separator, at most three. */
export function formatFixed(value: number, digits: number): string {
  return fixed[digits].format(value)
}

/** Decimal bytes in the unit that fits: `812 bytes`, `163 kB`, `16.8 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${whole.format(bytes)}${GAP}${bytes === 1 ? 'byte' : 'bytes'}`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  // 999.5 and more would round to 1,000 of the smaller unit.
  while (value >= 999.5 && units.length > 1) {
    value /= 1000
    units.shift()
  }
  return `${significant.format(value)}${GAP}${units[0]}`
}

/** Bytes in megabytes, so that the figures beside each other compare: `0.39 MB`, `16.8 MB`, `under 0.01 MB`. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1e6
  if (megabytes > 0 && megabytes < 0.005) return `under ${fixed[2].format(0.01)}${GAP}MB`
  return `${megabytes < 10 ? fixed[2].format(megabytes) : significant.format(megabytes)}${GAP}MB`
}

/** A length of a clip or a moment in it: `3.42 s` with two digits, `0.331 s` with three. */
export function formatSeconds(seconds: number, digits = 2): string {
  return `${fixed[digits].format(seconds)}${GAP}s`
}

/** How long something took: `0.41 s`, `12.3 s`, `2 min 5 s`. */
export function formatTook(seconds: number): string {
  if (seconds < 59.95) return `${seconds < 0.01 ? fixed[2].format(0.01) : significant.format(seconds)}${GAP}s`
  const total = Math.round(seconds)
  return total < 3600 ? `${Math.floor(total / 60)}${GAP}min ${total % 60}${GAP}s` : formatHours(total)
}

/** What is left of a wait: `0:07 left`, `4:10 left`, `1 h 5 min left`. */
export function formatTimeLeft(seconds: number): string {
  const total = Math.ceil(seconds)
  if (total >= 3600) return `${formatHours(total)} left`
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')} left`
}

function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}${GAP}h ${minutes % 60}${GAP}min`
}

/** An error as a distance: `1.47 mm`, `under 0.01 mm`. */
export function formatMillimetres(millimetres: number): string {
  return atLeast(millimetres, 0.01, `${GAP}mm`, 'under ')
}

/** The same in a table: `< 0.01 mm`. */
export function formatMillimetresShort(millimetres: number): string {
  return atLeast(millimetres, 0.01, `${GAP}mm`, `<${GAP}`)
}

/** An error as a share: `0.012 %`, `under 0.0001 %`. */
export function formatPercent(percent: number): string {
  return atLeast(percent, 0.0001, `${GAP}%`, 'under ')
}

/** An error of a direction: `0.94°`, `< 0.01°`. */
export function formatDegrees(degrees: number): string {
  return atLeast(degrees, 0.01, '°', `<${GAP}`)
}

function atLeast(value: number, smallest: number, unit: string, below: string): string {
  if (value === 0) return `0${unit}`
  return value < smallest ? `${below}${significant.format(smallest)}${unit}` : `${significant.format(value)}${unit}`
}

/** Size of a texture: `1,599 × 35 px`. */
export function formatPixels(width: number, height: number): string {
  return `${whole.format(width)}${GAP}×${GAP}${whole.format(height)}${GAP}px`
}

/** Size of a model: `25.2 × 79.0 × 154.7 m`, in the largest unit in which its longest side is one or more. */
export function formatSize(size: readonly [number, number, number]): string {
  const largest = Math.max(...size)
  const [factor, unit] = largest >= 1 || largest === 0 ? [1, 'm'] : largest >= 0.01 ? [100, 'cm'] : [1000, 'mm']
  const digits = largest * factor < 10 ? 2 : 1
  return `${size.map((side) => fixed[digits].format(side * factor)).join(`${GAP}×${GAP}`)}${GAP}${unit}`
}

/** A length in metres of which one digit is enough: `20 m`, `0.5 m`. */
export function formatLength(metres: number): string {
  return `${significant.format(metres)}${GAP}m`
}

/**
 * Cuts a path from the left, so that its end stays: `…/meadow/vat`.
 *
 * @param most characters that may be shown
 */
export function shortenPath(path: string, most: number): string {
  if (path.length <= most) return path
  const separator = path.includes('\\') ? '\\' : '/'
  const parts = path.split(separator)
  let shown = parts.pop() ?? ''
  while (parts.length > 0) {
    const longer = `${parts[parts.length - 1]}${separator}${shown}`
    if (longer.length + 2 > most) break
    shown = longer
    parts.pop()
  }
  return shown.length + 2 > most ? `…${shown.slice(shown.length - most + 1)}` : `…${separator}${shown}`
}

/** Folder and file name of a path of any system. */
export function splitPath(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return { folder: at > 0 ? path.slice(0, at) : path.slice(0, at + 1), name: path.slice(at + 1) }
}
