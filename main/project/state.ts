import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hashFile } from '../bake/hash.ts'
import { type Sidecar, sidecar as sidecarSchema } from '../bake/sidecar.ts'
import type { BakeSetup } from './project-file.ts'
import type { SetupState } from './batch-contract.ts'
import { type BakeRecord, readRecord, settingsOf } from './record.ts'
import { sourceFilesOf } from './source-files.ts'

/** A bake on the disk. */
export interface SetOfFiles {
  sidecarFile: string
  sidecar: Sidecar
}

/** Whether a setup has to be baked again, and why. */
export interface FoundState {
  state: SetupState
  /** The reason as part of a sentence: `encoding is not what it was`. Empty where all is well. */
  detail: string
  /** The set of the last bake, where that is whole and baking again would give it again: also one that misses its limit. */
  set?: SetOfFiles
}

/**
 * Compares a setup with its last bake: by the content of every file that went into it and came out of it, its options, and the
 * version of the program. Dates do not count, since copying and checking out change them.
 */
export async function stateOf(setup: BakeSetup): Promise<FoundState> {
  const [file, ...others] = await sourceFilesOf(setup.model)
  const model = file === undefined ? null : await hashOf(file)
  if (model === null) return { state: 'source-missing', detail: `${setup.model} does not exist or cannot be read` }
  const record = await readRecord(setup)
  if (!record) return { state: 'output-missing', detail: 'it was not baked here yet' }
  if (!record.set) return { state: 'failed', detail: record.failure ?? '' }
  if (model !== record.model) return { state: 'model-changed', detail: `${basename(file)} has changed` }
  const known = new Set(record.external.map(({ file }) => basename(file)))
  const added = others.find((other) => !known.has(basename(other)))
  if (added !== undefined) return { state: 'model-changed', detail: `${basename(added)} is new` }
  const resource = await changedResource(setup, record)
  if (resource !== null) return { state: 'model-changed', detail: `${resource} has changed` }
  const setting = changedSetting(setup, record)
  if (setting !== null) return { state: 'settings-changed', detail: setting }
  return stateOfOutput(setup, record.set, record.failure)
}

async function changedResource(setup: BakeSetup, { external }: BakeRecord): Promise<string | null> {
  for (const { file, sha256 } of external) {
    if ((await hashOf(resolve(dirname(setup.model), file))) !== sha256) return file
  }
  return null
}

function changedSetting(setup: BakeSetup, record: BakeRecord): string | null {
  const { options, generator } = settingsOf(setup)
  for (const key of new Set([...Object.keys(options), ...Object.keys(record.options)])) {
    if (JSON.stringify(options[key]) !== JSON.stringify(record.options[key])) return `${key} is not what it was`
  }
  return generator === record.generator ? null : `it was baked by ${record.generator}`
}

async function stateOfOutput(
  { options: { output } }: BakeSetup,
  { sidecar: name, sha256 }: NonNullable<BakeRecord['set']>,
  failure: string | null,
): Promise<FoundState> {
  // Inside of the output folder, whatever the record says.
  const sidecarFile = join(output, ...name.split('/').filter((part) => part !== '..'))
  const found = await hashOf(sidecarFile)
  if (found === null) return { state: 'output-missing', detail: `${basename(name)} is missing` }
  if (found !== sha256) return { state: 'output-damaged', detail: `${basename(name)} is not the file that was baked` }
  const sidecar = sidecarSchema.parse(JSON.parse(await readFile(sidecarFile, 'utf8')))
  for (const entry of filesOf(sidecar)) {
    const hash = await hashOf(join(dirname(sidecarFile), basename(entry.file)))
    if (hash === null) return { state: 'output-missing', detail: `${entry.file} is missing` }
    if (entry.sha256 !== undefined && hash !== entry.sha256) return { state: 'output-damaged', detail: `${entry.file} is not the file that was baked` }
  }
  return { state: failure === null ? 'up-to-date' : 'failed', detail: failure ?? '', set: { sidecarFile, sidecar } }
}

/** Every file of a set that its sidecar names, wherever it does; without a hash where an engine rewrites the file. */
export function filesOf({ source: _, ...set }: Sidecar): { file: string; sha256?: string }[] {
  const files: { file: string; sha256?: string }[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { file, sha256 } = value as { file?: unknown; sha256?: string }
    if (typeof file === 'string') files.push({ file, sha256 })
    Object.values(value).forEach(visit)
  }
  visit(set)
  return files
}

function hashOf(file: string): Promise<string | null> {
  return hashFile(file).catch(() => null)
}
