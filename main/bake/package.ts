import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Surfaces } from '../meshes/surface-materials.ts'
import { players, type Player } from '../targets/players.ts'
import type { CreatePackage, PackageFile, TargetDescription, Templates } from '../targets/target.ts'
import type { Sidecar, Unreported } from './sidecar.ts'
import type { Staging } from './staging.ts'

/** Every package that goes with a bake: its target's, and those of its players. */
export function packagesOf({ createPackage }: TargetDescription, names: Player[]): CreatePackage[] {
  return [...(createPackage ? [createPackage] : []), ...names.map((name) => players[name])]
}

/**
 * Writes what an engine needs beside the textures and the mesh: the files of its package, and the images of the materials where
 * those lie inside of the mesh's file.
 *
 * @returns what the sidecar says of them
 */
export async function writePackage(
  packages: CreatePackage[],
  set: Unreported,
  { materials, images }: Surfaces,
  staging: Staging,
): Promise<NonNullable<Sidecar['package']>> {
  const written: NonNullable<Sidecar['package']> = []
  const beside = new Set(set.meshes.flatMap(({ resources }) => resources.map(({ file }) => file)))
  // An engine with materials of its own needs their images as files.
  for (const { file, data } of packages.some(({ images }) => images) ? images : []) {
    if (beside.has(file)) continue
    await writeFile(staging.path(file), data)
    written.push({ file, sha256: createHash('sha256').update(data).digest('hex') })
  }
  const texts = new Map<string, PackageFile>()
  for (const { create, templates } of packages) {
    for (const file of create({ ...set, materials }, await readTemplates(templates))) texts.set(file.file, file)
  }
  for (const { file, text, rewritten } of texts.values()) {
    await staging.write(file, text)
    written.push({ file, ...(rewritten ? {} : { sha256: createHash('sha256').update(text).digest('hex') }) })
  }
  return written
}

async function readTemplates(paths: string[]): Promise<Templates> {
  const folder = templateFolder()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')])))
}

/** `native-templates` of this program, which lies above wherever its code was compiled to. */
function templateFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const templates = join(folder, 'native-templates')
    if (existsSync(join(templates, 'agnostic', 'decode.glsl'))) return templates
    if (folder === dirname(folder)) throw new Error('The templates are not there.')
  }
}
