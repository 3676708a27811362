import { refuseCombination } from '../../main/bake/combination.ts'
import type { BakeOptions } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'
import { describeOption, faultOf, type OptionKey, optionKeys } from '../bake-options/describe-option.ts'
import { optionLabel, valueLabel } from '../words/labels.ts'
import { splitSentence } from '../words/split-sentence.ts'
import type { BakeProblem, Fix } from './problems.ts'

/** Ways out that are offered at most. */
const MOST_FIXES = 3
/** A flag in a sentence of the core, with its value where one follows: `--encoding rgba16`. */
const FLAG = /--([a-z]+(?:-[a-z]+)*)(?: ([\w.:%]*[\w%]))?/g

/**
 * Options that make no sense together. The core says so in the words of the command line, so the flags that it names are put in
 * the words of the window, and whatever it names that would mend it becomes a way out.
 */
export function combinationProblem(options: BakeOptions): BakeProblem | null {
  const message = refusalOf(options)
  if (message === null) return null
  const named = flagsOf(message)
  const { first, rest } = splitSentence(inWindowWords(message))
  const fixes = candidates(named, options).filter(({ change }) => refusalOf({ ...options, ...change }) === null)
  const different = fixes.filter(({ label }, index) => fixes.findIndex((other) => other.label === label) === index)
  return { field: named[0]?.key ?? 'encoding', severity: 'bad', headline: first, text: rest, fixes: different.slice(0, MOST_FIXES) }
}

function refusalOf(options: BakeOptions): string | null {
  try {
    refuseCombination(options)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

interface NamedFlag {
  key: OptionKey
  value: unknown
}

function flagsOf(message: string): NamedFlag[] {
  return [...message.matchAll(FLAG)].flatMap(([, long, word]) => {
    const key = optionKeys.find((option) => describeOption(option).flag.long === long)
    return key ? [{ key, value: valueOf(key, word) }] : []
  })
}

/** The word that follows a flag, where it is a value of it and not just how the sentence goes on. */
function valueOf(key: OptionKey, word: string | undefined): unknown {
  return word !== undefined && faultOf(key, word) === null ? word : undefined
}

function inWindowWords(message: string): string {
  return message.replace(FLAG, (all, long: string, word: string | undefined) => {
    const key = optionKeys.find((option) => describeOption(option).flag.long === long)
    if (!key) return all
    const value = valueOf(key, word)
    return value === undefined ? all.replace(`--${long}`, optionLabel(key)) : `${optionLabel(key)} ${valueLabel(key, value)}`
  })
}

/** What could be tried: first the values that the sentence names, then what the flags alone mean, then the defaults. */
function candidates(named: NamedFlag[], options: BakeOptions): Fix[] {
  const tried = [
    ...named.filter(({ value }) => value !== undefined),
    ...named.map(({ key }) => ({ key, value: aloneValue(key) })).filter(({ value }) => value !== undefined),
    ...named.map(({ key }) => ({ key, value: describeOption(key).default })),
  ]
  return tried
    .filter(({ key, value }) => value !== options[key])
    .map(({ key, value }) => ({ label: wayLabel(key, value), change: { [key]: value } }))
}

function aloneValue(key: OptionKey): unknown {
  const { flag, onOff } = describeOption(key)
  return onOff ? true : flag.alone
}

function wayLabel(key: OptionKey, value: unknown): string {
  if (value === true) return `Turn on ${optionLabel(key)}`
  if (value === false || value === undefined) return `Leave out ${optionLabel(key)}`
  return `Use ${optionLabel(key)} ${valueLabel(key, value)}`
}
