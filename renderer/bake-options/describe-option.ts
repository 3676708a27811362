import { z } from 'zod'
import { type BakeOptions, bakeOptions, type Flag, flags } from '../../main/bake/options.ts'

export type OptionKey = keyof BakeOptions

/** Which numbers an option may be. */
export interface NumberLimits {
  minimum: number | null
  /** The minimum itself is not allowed. */
  exclusive: boolean
  maximum: number | null
  whole: boolean
}

/** What the schema says of one option: all that its control needs to know. It may be any of several kinds of value. */
export interface OptionDescription {
  key: OptionKey
  /** The schema's sentence, with a capital letter and a full stop. */
  sentence: string
  /** Undefined where the option has no default and may stay away. */
  default: unknown
  /** Words that it may be, in order: the values of an enumeration, or what may stand in place of a number. */
  words: readonly string[]
  /** Null where it cannot be a number. */
  number: NumberLimits | null
  /** It may be a text that is none of the words. */
  text: boolean
  /** It is on or off. */
  onOff: boolean
  /** It holds several values. */
  list: boolean
  flag: Flag
}

/** The part of JSON Schema that the options use. */
interface Described {
  description?: string
  type?: string
  default?: unknown
  enum?: string[]
  const?: string
  anyOf?: Described[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

const described = new Map<OptionKey, OptionDescription>()

/** Every option, in the order of the schema. */
export const optionKeys = Object.keys(bakeOptions.shape) as OptionKey[]

/** What the schema says of an option. */
export function describeOption(key: OptionKey): OptionDescription {
  const known = described.get(key)
  if (known) return known
  const json = z.toJSONSchema(bakeOptions.shape[key] as z.ZodType, { io: 'input' }) as Described
  const flag = flags.get(bakeOptions.shape[key])
  if (!flag) throw new TypeError(`the option ${key} has no flag`)
  const kinds = json.anyOf ?? [json]
  const number = kinds.find(({ type }) => type === 'number' || type === 'integer')
  const description: OptionDescription = {
    key,
    sentence: sentenceOf(json.description ?? ''),
    default: json.default,
    words: kinds.flatMap((kind) => kind.enum ?? kind.const ?? []),
    number: number ? limitsOf(number) : null,
    text: kinds.some((kind) => kind.type === 'string' && kind.enum === undefined && kind.const === undefined),
    onOff: kinds.some(({ type }) => type === 'boolean'),
    list: kinds.some(({ type }) => type === 'array'),
    flag,
  }
  described.set(key, description)
  return description
}

/** Options as they are before anybody changes one. */
export function defaultOptions(): BakeOptions {
  return bakeOptions.parse({})
}

/** A value is as if nobody had touched it. */
export function isDefault(key: OptionKey, value: unknown): boolean {
  const { default: start } = describeOption(key)
  return JSON.stringify(value) === JSON.stringify(start)
}

/** What is wrong with a value, as a short sentence for under its field; null where the schema takes it. */
export function faultOf(key: OptionKey, value: unknown): string | null {
  const checked = (bakeOptions.shape[key] as z.ZodType).safeParse(value)
  if (checked.success) return null
  const { number } = describeOption(key)
  if (number && typeof value === 'number') return numberFault(number, value)
  const issue = checked.error.issues[0]
  if (issue.code === 'too_small') return 'Must not be empty'
  // Of several kinds of value the last one is the freest, which a text that fits none was meant to be.
  const message = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0]?.message : issue.message
  return sentenceOf(message ?? issue.message).replace(/\.$/, '')
}

function numberFault({ minimum, maximum, exclusive, whole }: NumberLimits, value: number): string {
  if (whole && !Number.isInteger(value)) return 'Whole numbers only'
  const show = (limit: number) => limit.toLocaleString()
  if (minimum !== null && maximum !== null) return exclusive ? `Above ${show(minimum)}, at most ${show(maximum)}` : `Between ${show(minimum)} and ${show(maximum)}`
  if (minimum !== null) return exclusive ? `Above ${show(minimum)}` : `At least ${show(minimum)}`
  return maximum !== null ? `At most ${show(maximum)}` : 'Type a number'
}

function limitsOf({ type, minimum, exclusiveMinimum, maximum }: Described): NumberLimits {
  return {
    minimum: exclusiveMinimum ?? limitOf(minimum),
    exclusive: exclusiveMinimum !== undefined,
    maximum: limitOf(maximum),
    whole: type === 'integer',
  }
}

/** The limits of exact numbers say nothing to a person. */
function limitOf(value: number | undefined): number | null {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value
}

function sentenceOf(text: string): string {
  return text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
