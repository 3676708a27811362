import { describeOption, optionKeys } from '../bake-options/describe-option.ts'
import { optionLabel } from './labels.ts'

const flagLabels = new Map(optionKeys.map((key) => [describeOption(key).flag.long, optionLabel(key)]))

/** A sentence of the command line in the words of the window: `allow more with --limit` becomes `allow more with “Size limits”`. */
export function windowWords(sentence: string): string {
  return sentence.replace(/--([a-z][a-z-]*)/g, (flag, name: string) => (flagLabels.has(name) ? `“${flagLabels.get(name)}”` : flag))
}

/** The same of a model that could not be opened: no option of a bake can help there. */
export function withoutLimitAdvice(sentence: string): string {
  return windowWords(sentence.replace(/, or allow more with --limit [^\s=]+=\d+/, ''))
}
