import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sidecar } from '../bake/sidecar.ts'
import { filesOf } from '../project/state.ts'
import type { Roots } from './roots.ts'

/**
 * Makes sure that the files that a sidecar names are inside of the roots: they may be links. What is wrong with the sidecar
 * itself, whoever reads it next will say.
 *
 * @throws Problem `usage`
 */
export async function checkSet(sidecarFile: string, roots: Roots): Promise<void> {
  const set = await readFile(sidecarFile, 'utf8')
    .then((text) => sidecar.parse(JSON.parse(text)))
    .catch(() => null)
  for (const { file } of set ? filesOf(set) : []) await roots.resolve(join(dirname(sidecarFile), basename(file)))
}
