import { statSync } from 'node:fs'
import { basename, extname, isAbsolute, resolve } from 'node:path'
import { OPENABLE_EXTENSIONS as MODEL_EXTENSIONS } from '../model/model-extensions.ts'
import { Problem } from '../model/problem.ts'

export { MODEL_EXTENSIONS }

export const isModelName = (path: string) => MODEL_EXTENSIONS.includes(extname(path).slice(1).toLowerCase())

/**
 * Checks a path that came from outside of a dialog (a drop, a command line).
 *
 * @throws Problem `input` where it is no model file
 */
export function checkModelFile(path: string): void {
  if (!isAbsolute(path)) throw new Problem('input', `${path} is not a file on this computer. Save it first, then open it.`)
  if (!isModelName(path)) {
    const endings = new Intl.ListFormat('en', { type: 'disjunction' }).format(MODEL_EXTENSIONS.map((ending) => `.${ending}`))
    throw new Problem('input', `${basename(path)} is no model that VAT Studio can open. Choose a file that ends in ${endings}.`)
  }
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new Problem('input', `${basename(path)} is not there, or is a folder. Choose a file.`)
  }
}

/**
 * The model that a command line names: `vat-studio [open] FILE`. Chromium adds switches of its own anywhere in it.
 *
 * @param words  what follows the program (and, where it is not packaged, its folder)
 * @param folder where relative paths begin
 */
export function modelOfCommandLine(words: string[], folder: string): string | null {
  const name = words.findLast((word) => !word.startsWith('-') && isModelName(word))
  return name === undefined ? null : resolve(folder, name)
}
