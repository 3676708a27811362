import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bake, contents } from './program.ts'

/*
 * Two sets of one name for tests in which one takes the other's place. Both have Run_pos.png and Run_nrm.png with other
 * bytes in them, and their meshes have other names.
 */

export const OLD = ['--encoding', 'rgba16', '--normals']
export const NEW = ['--encoding', 'rgba8', '--normals', 'octahedral', '--mesh-format', 'gltf']

export interface BakedSet {
  folder: string
  /** SHA-256 of each file by its name. */
  files: Record<string, string>
  /** What the bake did to the disk, in order; see disk-watch.mjs. */
  changes: string[]
}

export interface TwoSets {
  old: BakedSet
  fresh: BakedSet
  /** Milliseconds that a bake takes when two run at a time. */
  duration: number
}

/** Bakes both sets into folders of their own. */
export async function bakeTwoSets(folder: string): Promise<TwoSets> {
  const make = async (name: string, options: string[]): Promise<BakedSet> => {
    const output = join(folder, name)
    const log = join(folder, `${name}.log`)
    await bake(output, options, { disk: { log } })
    return { folder: output, files: contents(output), changes: readFileSync(log, 'utf8').trimEnd().split('\n') }
  }
  const begin = performance.now()
  const [old, fresh] = await Promise.all([make('old', OLD), make('new', NEW)])
  return { old, fresh, duration: performance.now() - begin }
}
