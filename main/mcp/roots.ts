import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Problem } from '../model/problem.ts'
import { sourceFilesOf } from '../project/source-files.ts'

/** The folders that the server may read from and write into. */
export interface Roots {
  /**
   * Makes a path absolute, from the first folder on where it is relative, and makes sure that it leads to a place inside of one
   * of the folders, whatever links and `..` are on the way. What does not exist yet is allowed.
   *
   * @throws Problem `usage` where it leads out of them
   */
  resolve(path: string): Promise<string>
}

/** @param list the folders as they are now, as absolute paths */
export function createRoots(list: () => Promise<string[]>): Roots {
  return {
    async resolve(path) {
      const folders = await list()
      if (folders.length === 0) {
        throw new Problem('usage', 'No folder is open to this server. Start it with --allow FOLDER, or let the client give it its roots.')
      }
      const whole = isAbsolute(path) ? resolve(path) : resolve(folders[0], path)
      const opened = (await Promise.all(folders.map(realPathOf))).filter((folder) => folder !== null)
      const isOpen = (path: string | null) => path !== null && opened.some((folder) => isInside(folder, path))
      const real = await realPathOf(whole)
      // What a model needs is read from its folder, and a link outside may lead to a model inside.
      if (isOpen(real) && (opened.includes(real!) || isOpen(await realPathOf(dirname(whole))))) return whole
      throw new Problem('usage', `${path} is outside of the folders that this server may use (${folders.join(', ')}). Choose a path below them.`)
    },
  }
}

/**
 * The same for a model, which may stand for numbered files.
 *
 * @throws Problem `usage`
 */
export async function resolveModel(path: string, roots: Roots): Promise<string> {
  const model = await roots.resolve(path)
  for (const file of await sourceFilesOf(model)) await roots.resolve(file)
  return model
}

/** Where a path leads in truth, as far as it exists; null for a link that leads nowhere, since it could be made to lead anywhere. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch {
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    )
    const parent = dirname(path)
    if (isLink || parent === path) return null
    const real = await realPathOf(parent)
    return real === null ? null : join(real, basename(path))
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
