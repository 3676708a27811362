import { toSrgb } from '../srgb.ts'

/** A text as a literal of C#: JSON's escapes are among those of C#, but for two ends of lines that JSON lets stand. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029\u0085]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A number as a literal of the type float. */
export function decimal(value: number): string {
  return `${String(value)}f`
}

/** `new Vector2(…)` and so on, by how many numbers there are. */
export function vector(values: readonly number[]): string {
  return `new Vector${values.length}(${values.map(decimal).join(', ')})`
}

/**
 * A colour with its opacity.
 *
 * @param space colours of materials are given as on the display, those of light as they are
 */
export function color([red, green, blue, alpha]: readonly number[], space: 'display' | 'linear'): string {
  const given = space === 'display' ? [red, green, blue].map(toSrgb) : [red, green, blue]
  return `new Color(${[...given, alpha].map(decimal).join(', ')})`
}
