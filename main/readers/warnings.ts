import type { Warning } from '../model/animated-model.ts'
import { shortened } from '../model/shortened.ts'

/** How many examples a sentence names before it says "and others". */
const EXAMPLES = 3
/** Characters of an example that are shown: names come from files. */
const EXAMPLE_LENGTH = 150

/** What a reader drops or repairs, gathered while it reads: one entry a code, however often it happens. */
export class WarningList {
  readonly #found = new Map<string, { sentence: string; count: number; examples: Set<string> }>()

  /**
   * @param code     a stable word for programs
   * @param sentence says what was done, without a full stop; `#` stands for the count, `one|many` for the word that fits it
   * @param count    how many more there are; nothing is noted for 0
   * @param example  the name of one of them, or of where they are
   */
  add(code: string, sentence: string, count = 1, example?: string): void {
    if (count === 0) return
    const entry = this.#found.get(code) ?? { sentence, count: 0, examples: new Set<string>() }
    entry.count += count
    if (example) entry.examples.add(shortened(example, EXAMPLE_LENGTH))
    this.#found.set(code, entry)
  }

  list(): Warning[] {
    return [...this.#found].map(([code, { sentence, count, examples }]) => {
      const said = sentence.replace('#', String(count)).replace(/(\w+)\|(\w+)/g, count === 1 ? '$1' : '$2')
      const named = [...examples].slice(0, EXAMPLES).join(', ')
      return { code, count, message: `${said}${named && `: ${named}`}${examples.size > EXAMPLES ? ' and others' : ''}.` }
    })
  }
}

/** `1 joint`, `2 joints`: a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
