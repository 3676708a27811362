import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { BakeResult } from '../bake/contract.ts'
import { safeFileName } from '../bake/file-name.ts'
import { GENERATOR } from '../bake/generator.ts'
import { hashFile } from '../bake/hash.ts'
import { type BakeSetup, changedOptions, pathFrom } from './project-file.ts'
import { sourceFilesOf } from './source-files.ts'

/*
 * What a bake was made from is written down in the folder that it was made into, so that it goes wherever the files go: into an
 * archive, a cache, another checkout. One file a setup: two programs that bake at once have nothing to merge.
 */
const FOLDER = '.vat-studio'

const sha256 = z.string().nullable()

/** What went into the last bake of a setup, and what came of it. Paths are relative. */
const bakeRecord = z.object({
  version: z.literal(1),
  generator: z.string(),
  /** Options that are not as they are by default. */
  options: z.record(z.string(), z.unknown()),
  model: sha256,
  external: z.array(z.object({ file: z.string(), sha256 })),
  /** The set that was written, seen from the output folder; null where none was. */
  set: z.object({ sidecar: z.string(), sha256 }).nullable(),
  /** Why it has failed; null where it has not. */
  failure: z.string().nullable(),
})

export type BakeRecord = z.output<typeof bakeRecord>

/** The last bake of a setup; null where there was none, or its record is damaged. */
export async function readRecord(setup: BakeSetup): Promise<BakeRecord | null> {
  try {
    return bakeRecord.parse(JSON.parse(await readFile(recordFile(setup), 'utf8')))
  } catch {
    return null
  }
}

/**
 * Writes down that a setup was baked.
 *
 * @param failure why that is not good enough, where it is not
 */
export async function recordBake(
  setup: BakeSetup,
  { sidecarFile, sidecar, external }: BakeResult,
  failure: string | null = null,
): Promise<void> {
  const folder = dirname(setup.model)
  const text = await readFile(sidecarFile, 'utf8')
  // A bake with other options may have put its set in the place of this one by now.
  const isOurs = JSON.stringify(JSON.parse(text)) === JSON.stringify(sidecar)
  await writeRecord(setup, {
    ...settingsOf(setup),
    model: sidecar.source.sha256,
    external: external.map(({ file, sha256 }) => ({ file: pathFrom(folder, file), sha256 })),
    set: { sidecar: pathFrom(resolve(setup.options.output), sidecarFile), sha256: isOurs ? createHash('sha256').update(text).digest('hex') : null },
    failure,
  })
}

/** Writes down that a setup could not be baked. */
export async function recordFailure(setup: BakeSetup, failure: string): Promise<void> {
  const [file] = await sourceFilesOf(setup.model)
  const model = file === undefined ? null : await hashFile(file).catch(() => null)
  // Without a model there is nothing to remember, and no folder is to be made for it.
  if (model !== null) await writeRecord(setup, { ...settingsOf(setup), model, external: [], set: null, failure })
}

/** What a bake depends on besides its files. Where it is written to does not change what is written. */
export function settingsOf({ options }: BakeSetup): Pick<BakeRecord, 'version' | 'generator' | 'options'> {
  const { overwrite: _, ...changed } = changedOptions(options)
  return { version: 1, generator: GENERATOR, options: changed }
}

/** A record that cannot be written only means that the next batch bakes again: it must not spoil the bake. */
async function writeRecord(setup: BakeSetup, record: BakeRecord): Promise<void> {
  const file = recordFile(setup)
  const fresh = `${file}.${process.pid}.new`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(fresh, `${JSON.stringify(record, null, 2)}\n`)
    await rename(fresh, file)
  } catch {
    // See above.
  }
}

function recordFile({ file, options }: BakeSetup): string {
  const folder = resolve(options.output)
  const way = createHash('sha256').update(pathFrom(folder, file)).digest('hex').slice(0, 8)
  return join(folder, FOLDER, `${safeFileName(basename(file), 'setup')}-${way}.json`)
}
