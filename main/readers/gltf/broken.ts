import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'

/**
 * The fault of a file that does not keep to glTF 2.0.
 *
 * @param file name of the file
 * @param what what is wrong, with the numbers; no full stop
 */
export function broken(file: string, what: string): Problem {
  return new Problem('input', `${file} is broken: ${what}. Export the model again, or repair it with the help of a glTF validator.`)
}

/** `mesh 3 ("Body")`: what a sentence calls a thing of the file. */
export function labelOf(kind: string, index: number, name: string | undefined): string {
  return name ? `${kind} ${index} ("${shortened(name)}")` : `${kind} ${index}`
}
