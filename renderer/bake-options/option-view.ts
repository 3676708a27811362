import type { Choice } from '../components/SelectField.vue'
import { describeOption, type OptionKey } from './describe-option.ts'
import { wordLabel } from '../words/labels.ts'

/** What the model and the other options say of an option's control, beside what the schema says. */
export interface OptionView {
  /** What can be chosen, in place of the schema's words: with prices, or a few numbers of many. */
  choices?: Choice<string>[]
  /** Above the choices, with the heads of their prices. */
  caption?: { text: string; heads: string[] }
  /** What holds while the option has no value. */
  automatic?: number
  /** The same in words. */
  placeholder?: string
  digits?: number
  step?: number
  disabled?: boolean
  /** The option does nothing as the others are. */
  hidden?: boolean
}

/** Stands for "no value" in a list of choices. */
export const NO_VALUE = 'automatic'

/** The schema's words as choices, with its default told. */
export function choicesOf(key: OptionKey): Choice<string>[] {
  const { words, default: start } = describeOption(key)
  return words.map((value) => ({ value, label: wordLabel(key, value), note: value === start ? 'default' : undefined }))
}
