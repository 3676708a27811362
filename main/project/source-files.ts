import { basename, extname } from 'node:path'
import { listSequence } from '../readers/obj-sequence/files.ts'

/**
 * The files that a model consists of, the first one first: itself, or the numbered .obj files that it stands for. None where
 * there are none.
 */
export async function sourceFilesOf(model: string): Promise<string[]> {
  return isSequence(model) ? listSequence(model).catch(() => []) : [model]
}

/** Whether a path stands for numbered files; it may have a star in place of the number. */
export function isSequence(model: string): boolean {
  return extname(model).toLowerCase() === '.obj'
}

/** The name of a model without its ending, and without a star: `walk` for `walk_*.obj`. */
export function nameOfModel(model: string): string {
  return basename(model, extname(model)).replace(/[_.-]*\*/g, '') || 'sequence'
}
