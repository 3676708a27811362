import { z } from 'zod'
import { type BakeOptions, bakeOptions, type Flag, flags } from '../../main/bake/options.ts'

/** What the schema says of one option: all that a field of the panel needs to know. */
export interface OptionDescription {
  key: keyof BakeOptions
  /** The schema's sentence, with a capital letter and a full stop. */
  sentence: string
  /** Undefined where the option has no default and may stay away. */
  default: unknown
  /** The values of an enumeration, in order. */
  values: readonly string[] | null
  minimum: number | null
  /** The minimum itself is not allowed. */
  exclusive: boolean
  maximum: number | null
  whole: boolean
  flag: Flag
}

/** The part of JSON Schema that the options use. */
interface Described {
  description?: string
  type?: string
  default?: unknown
  enum?: string[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

const described = new Map<keyof BakeOptions, OptionDescription>()

/** Every option, in the order of the schema. */
export const optionKeys = Object.keys(bakeOptions.shape) as (keyof BakeOptions)[]

/** What the schema says of an option. */
export function describeOption(key: keyof BakeOptions): OptionDescription {
  const known = described.get(key)
  if (known) return known
  const schema = bakeOptions.shape[key] as z.ZodType
  const json = z.toJSONSchema(schema, { io: 'input' }) as Described
  const flag = flags.get(bakeOptions.shape[key])
  if (!flag) throw new TypeError(`the option ${key} has no flag`)
  const description: OptionDescription = {
    key,
    sentence: sentenceOf(json.description ?? ''),
    default: json.default,
    values: json.enum ?? null,
    minimum: json.exclusiveMinimum ?? limitOf(json.minimum),
    exclusive: json.exclusiveMinimum !== undefined,
    maximum: limitOf(json.maximum),
    whole: json.type === 'integer',
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
export function isDefault(key: keyof BakeOptions, value: unknown): boolean {
  const { default: start } = describeOption(key)
  return JSON.stringify(value) === JSON.stringify(start)
}

/** What is wrong with a value, as a short sentence for under its field; null where the schema takes it. */
export function faultOf(key: keyof BakeOptions, value: unknown): string | null {
  const checked = (bakeOptions.shape[key] as z.ZodType).safeParse(value)
  if (checked.success) return null
  const { minimum, maximum, exclusive, whole } = describeOption(key)
  if (whole && typeof value === 'number' && !Number.isInteger(value)) return 'Whole numbers only'
  if (minimum !== null && maximum !== null) return exclusive ? `Above ${show(minimum)}, at most ${show(maximum)}` : `Between ${show(minimum)} and ${show(maximum)}`
  if (minimum !== null) return exclusive ? `Above ${show(minimum)}` : `At least ${show(minimum)}`
  if (maximum !== null) return `At most ${show(maximum)}`
  const issue = checked.error.issues[0]
  return issue.code === 'too_small' ? 'Must not be empty' : sentenceOf(issue.message).replace(/\.$/, '')
}

const show = (value: number) => value.toLocaleString()

/** The limits of exact numbers say nothing to a person. */
function limitOf(value: number | undefined): number | null {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value
}

function sentenceOf(text: string): string {
  return text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
