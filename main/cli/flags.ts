import { Option } from 'commander'
import { z } from 'zod'
import { type Described, demand, isNumeric } from '../bake/demand.ts'
import { type BakeOptions, type BakeOptionsInput, bakeOptions, type Flag, flags } from '../bake/options.ts'
import { Problem } from '../model/problem.ts'

/** Heading in the help under which each option of a bake stands. */
const groups: Record<keyof BakeOptions, string> = {
  anim: 'What to bake:',
  all: 'What to bake:',
  mesh: 'What to bake:',
  fps: 'Time:',
  start: 'Time:',
  end: 'Time:',
  frameRange: 'Time:',
  frames: 'Time:',
  loop: 'Time:',
  rootMotion: 'Time:',
  rootAxes: 'Time:',
  rootNode: 'Time:',
  encoding: 'Textures:',
  content: 'Textures:',
  normals: 'Textures:',
  tangents: 'Textures:',
  maxSize: 'Layout:',
  orientation: 'Layout:',
  stack: 'Layout:',
  columns: 'Layout:',
  guardRows: 'Layout:',
  dedupeFrames: 'Layout:',
  pot: 'Layout:',
  target: 'Files:',
  profile: 'Files:',
  axes: 'Files:',
  players: 'Files:',
  scale: 'Files:',
  meshFormat: 'Files:',
  rest: 'Files:',
  name: 'Files:',
  output: 'Files:',
  overwrite: 'Files:',
  limit: 'Result:',
  maxError: 'Result:',
}

/** The options of a bake as flags, in the order of their groups. */
export function bakeFlags(): Option[] {
  return Object.entries(groups).map(([key, group]) => flagOf(key as keyof BakeOptions).helpGroup(group))
}

/**
 * One option of a bake as a flag: spelling, help, default and check all come from its schema.
 * Its parser throws a Problem `usage` that says what the value must be.
 */
export function flagOf(key: keyof BakeOptions): Option {
  const schema = bakeOptions.shape[key] as z.ZodType
  const flag = spellingOf(key)
  const json = z.toJSONSchema(schema, { io: 'input' }) as Described
  const value = json.items ?? json
  const kinds = value.anyOf ?? [value]
  const argument = flag.value === undefined ? '' : flag.alone === undefined ? ` <${flag.value}>` : ` [${flag.value}]`
  const option = new Option(`${flag.short ? `-${flag.short}, ` : ''}--${flag.long}${argument}`, describe(json, value, flag.absent))
  if (flag.value === undefined) return option
  if (flag.alone !== undefined) option.preset(flag.alone)
  return option.argParser((text: string, before: unknown) => {
    const number = kinds.some(isNumeric) ? parseNumber(text) : undefined
    const parsed = number ?? (kinds.every(isNumeric) ? undefined : text)
    const several = flag.list ? text.split(',') : [parsed]
    const checked = schema.safeParse(flag.repeat ? several : parsed)
    if (parsed === undefined || !checked.success) throw new Problem('usage', refusal(flag, value, text, checked.error))
    return flag.repeat ? [...((before as unknown[] | undefined) ?? []), ...several] : parsed
  })
}

/** The options of a bake among the values that commander has read. */
export function bakeValues(values: Record<string, unknown>): BakeOptionsInput {
  const keys = Object.keys(groups) as (keyof BakeOptions)[]
  const valueOf = (key: keyof BakeOptions) => values[new Option(`--${spellingOf(key).long}`).attributeName()]
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]).filter(([, value]) => value !== undefined))
}

function spellingOf(key: keyof BakeOptions): Flag {
  const flag = flags.get(bakeOptions.shape[key])
  if (!flag) throw new TypeError(`the option ${key} has no flag`)
  return flag
}

function describe(json: Described, value: Described, absent: string | undefined): string {
  const notes: string[] = []
  if (value.enum) notes.push(value.enum.join(', '))
  const start = json.default
  if (absent !== undefined) notes.push(`default: ${absent}`)
  else if (start !== undefined) notes.push(`default: ${String(start)}`)
  return notes.length > 0 ? `${json.description} (${notes.join('; ')})` : json.description!
}

/** A decimal number, or undefined for any other text (also for what `Number` would let pass: nothing, hexadecimal, Infinity). */
function parseNumber(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined
}

/** A sentence that says what the value of a flag must be. */
function refusal(flag: Flag, value: Described, text: string, error: z.ZodError | undefined): string {
  const sentence = `--${flag.long} ${demand(value, error?.issues[0])}${text === '' ? '' : `, got '${text}'`}.`
  const alone = flag.alone === undefined ? '' : ` Where it is to stand alone, put it last or write --${flag.long}=${flag.alone}.`
  return sentence + alone
}
