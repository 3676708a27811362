import type { BakeOptions } from '../../main/bake/options.ts'
import { describeOption, isDefault, optionKeys } from './describe-option.ts'

/** Whose quoting rules a command line follows: a POSIX shell or Windows' `cmd`. */
export type ShellKind = 'posix' | 'windows'

/**
 * The arguments of the command line that makes the same bake: `bake MODEL` and a flag for each option that differs from its
 * default, in the order of the schema.
 */
export function bakeArguments(model: string, options: BakeOptions): string[] {
  const list = ['bake', spareDash(model)]
  for (const key of optionKeys) {
    const value = options[key]
    if (value === undefined || isDefault(key, value)) continue
    for (const item of Array.isArray(value) ? value : [value]) list.push(...flagArguments(key, item))
  }
  return list
}

/** One option as it is written on the command line: `['--fps', '24']`. */
export function flagArguments(key: keyof BakeOptions, value: string | number | boolean): string[] {
  const { flag } = describeOption(key)
  const name = flag.short ? `-${flag.short}` : `--${flag.long}`
  if (flag.value === undefined) return value === true ? [name] : []
  const text = String(value)
  // A value that begins with a dash would be taken for a flag, and one of a flag that may stand alone for something else.
  if (text.startsWith('-') || flag.alone !== undefined) return [`--${flag.long}=${text}`]
  return [name, text]
}

/** A command line that can be pasted into a terminal: `npx vat-studio bake Fox.glb --anim Run`. */
export function commandLine(model: string, options: BakeOptions, shell: ShellKind): string {
  return ['npx', 'vat-studio', ...bakeArguments(model, options)].map((text) => quote(text, shell)).join(' ')
}

/** A file that is called like a flag is told from one by its folder. */
function spareDash(path: string): string {
  return path.startsWith('-') ? `./${path}` : path
}

/** Nothing in these needs quoting; `~` at the beginning stands for the home folder unless it is quoted. */
const PLAIN = { posix: /^[\w@%+=:,./-]+$/, windows: /^[\w@+:./\\~#%-]+$/ }

/** Quotes a word so that the shell hands it on letter for letter. */
export function quote(text: string, shell: ShellKind): string {
  if (PLAIN[shell].test(text)) return text
  if (shell === 'posix') return `'${text.replaceAll("'", String.raw`'\''`)}'`
  // Backslashes count only before a quotation mark (CommandLineToArgvW), also before the one at the end.
  return `"${text.replace(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`
}
