import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../model/problem.ts'

/** Whether a path names a sequence of files by a star. */
export function isPattern(path: string): boolean {
  return basename(path).includes('*')
}

/**
 * The files of a sequence in the order of their numbers. A star stands for any digits; a path without one means the file
 * and all that differ from it in the last number of their name alone.
 *
 * @throws Problem where there are none, or the star is not where a number is
 */
export async function listSequence(path: string): Promise<string[]> {
  const folder = dirname(path)
  const name = basename(path)
  const pattern = isPattern(path) ? name.split('*') : name.split(/\d+(?=\D*$)/)
  if (pattern.length !== 2) {
    if (!isPattern(path)) return [path]
    throw new Problem('usage', `${name} has ${pattern.length - 1} stars. Put one star in place of the number, as in frame_*.obj.`)
  }
  const [before, after] = pattern
  const entries = await readdir(folder).catch(() => [] as string[])
  const numbered = entries.flatMap((entry) => {
    const number = entry.slice(before.length, entry.length - after.length)
    return entry.startsWith(before) && entry.endsWith(after) && /^\d+$/.test(number) ? [{ entry, number: Number(number) }] : []
  })
  if (numbered.length === 0) throw new Problem('input', `${name} stands for no file in ${folder}. Check the path: ${path}.`)
  return numbered.sort((a, b) => a.number - b.number || (a.entry < b.entry ? -1 : 1)).map(({ entry }) => join(folder, entry))
}
