import { Problem, type ProblemKind } from '../model/problem.ts'

/** What is told of something that was thrown. Only a `Problem` is a fault that a person can mend. */
export function faultOf(error: unknown): { kind: ProblemKind | 'internal'; message: string; stack?: string } {
  if (error instanceof Problem) return { kind: error.kind, message: error.message, stack: error.stack }
  if (error instanceof RangeError && /allocation failed|Invalid typed array length: \d/.test(error.message)) {
    return { kind: 'limit', message: 'There is not enough memory for this. Bake fewer frames or fewer meshes at a time.', stack: error.stack }
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  return { kind: 'internal', message: `VAT Studio failed: ${message.replace(/[.\s]*$/, '')}.`, stack }
}
