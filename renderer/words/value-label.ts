import type { BakeOptions } from '../../main/bake/options.ts'
import { formatCount } from './format.ts'
import { contentLabels, encodingLabels, loopLabels, meshFormatLabels, normalLabels, targetLabels } from './labels.ts'

const named: Partial<Record<keyof BakeOptions, Record<string, string>>> = {
  target: targetLabels,
  encoding: encodingLabels,
  content: contentLabels,
  normals: normalLabels,
  loop: loopLabels,
  meshFormat: meshFormatLabels,
}

const units: Partial<Record<keyof BakeOptions, string>> = { fps: 'fps', maxSize: 'px', start: 's', end: 's', frames: 'frames' }

/** A value as the window shows it, with its unit: `30 fps`, `EXR half`. Null where there is no value. */
export function valueLabel(key: keyof BakeOptions, value: unknown): string | null {
  if (value === undefined) return null
  const label = named[key]?.[String(value)]
  if (label !== undefined) return label
  const text = typeof value === 'number' ? (Number.isInteger(value) ? formatCount(value) : value.toLocaleString()) : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
  return units[key] ? `${text}\u00a0${units[key]}` : text
}
