import type { z } from 'zod'

/** The part of JSON Schema that the options use. */
export interface Described {
  anyOf?: Described[]
  const?: unknown
  pattern?: string
  description?: string
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  default?: unknown
  enum?: string[]
  items?: Described
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** Whether a value is a number. */
export function isNumeric({ type }: Described): boolean {
  return type === 'number' || type === 'integer'
}

/** What a value must be, as the end of a sentence. */
export function demand(value: Described, issue?: z.core.$ZodIssue): string {
  if (value.anyOf) {
    const words = value.anyOf.flatMap((kind) => kind.enum ?? (kind.const !== undefined ? [String(kind.const)] : []))
    const number = value.anyOf.find(isNumeric)
    if (number) return `${demand(number)}, or ${words.join(' or ')}`
  }
  if (value.enum) return `must be one of ${value.enum.join(', ')}`
  if (value.type === 'number') return `must be a number${rangeOf(value)}`
  if (value.type === 'integer') return `must be a whole number${rangeOf(value)}`
  if (issue?.code === 'invalid_type' && value.type) return `must be ${{ array: 'a list', string: 'a text', boolean: 'true or false' }[value.type]}`
  return issue?.code === 'too_small' ? 'must not be empty' : (issue?.message ?? 'is not valid')
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Described): string {
  // A whole number without a limit has the limits of exact numbers, which say nothing to a person.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum !== undefined && most !== undefined) return ` from ${minimum} to ${most}`
  const least = exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : minimum !== undefined ? `of at least ${minimum}` : ''
  return [least && ` ${least}`, most !== undefined && `${least ? ' and' : ' of'} at most ${most}`].filter(Boolean).join('')
}
