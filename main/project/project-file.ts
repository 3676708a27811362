import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { type BakeOptions, type BakeOptionsInput, bakeOptions } from '../bake/options.ts'
import { Problem } from '../model/problem.ts'
import { nameOfModel } from './source-files.ts'

/** Ending of the name of a project file. */
export const PROJECT_ENDING = '.vat.json'

/** A bake that can be made again: a project file, or a model with options. */
export interface BakeSetup {
  /** Path of the project file, or of the model where there is none. */
  file: string
  /** Path of the model. */
  model: string
  /** `output` is a path. */
  options: BakeOptions
}

const { output, ...withoutOutput } = bakeOptions.shape

/** A project file: every option that is not in it has its default. Paths are relative to the file's folder, with slashes. */
export const projectFile = z.strictObject({
  format: z.literal('vat-studio-project'),
  version: z.literal(1),
  model: z.string().min(1),
  output,
  options: z.strictObject(withoutOutput).partial().default({}),
})

/** Makes of a project file of one version one of the next. */
export type Migration = (file: Record<string, unknown>) => Record<string, unknown>

/** `[version - 1]`: what leads on from that version. The last one leads to the version of the schema. */
const MIGRATIONS: Migration[] = []

export const isProjectFile = (file: string) => file.toLowerCase().endsWith(PROJECT_ENDING)

/** Where the project of a model is kept if nobody says otherwise: beside it, under its name. */
export function projectFileOf(model: string): string {
  return join(dirname(model), nameOfModel(model) + PROJECT_ENDING)
}

/**
 * Reads a project file.
 *
 * @param given options that count instead of the file's
 * @throws Problem `input` where it is none, or of a version that is not known
 */
export async function readProject(file: string, given: BakeOptionsInput = {}): Promise<BakeSetup> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const fault = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new Problem('input', `${file} ${fault}. Make a project with "vat-studio init MODEL".`)
  })
  const { model, output, options } = parseProject(text, basename(file))
  const folder = dirname(resolve(file))
  return {
    file: resolve(file),
    model: resolve(folder, model),
    options: bakeOptions.parse({ ...options, output: resolve(folder, output), ...given }),
  }
}

/**
 * Takes the text of a project file apart, whatever its version.
 *
 * @param name of the file, for sentences
 * @throws Problem `input`
 */
export function parseProject(text: string, name: string, migrations = MIGRATIONS): z.output<typeof projectFile> {
  let json: unknown
  try {
    // Some editors put a byte order mark before the text.
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Problem('input', `${name} is not JSON (${(error as Error).message}). Mend it, or make a new one with "vat-studio init MODEL".`)
  }
  const parsed = projectFile.safeParse(migrate(json, name, migrations))
  if (parsed.success) return parsed.data
  const [{ path, message }] = parsed.error.issues
  throw new Problem('input', `${name} is not a valid project: ${[path.join('.'), message].filter(Boolean).join(': ')}. Mend it in a text editor.`)
}

function migrate(json: unknown, name: string, migrations: Migration[]): unknown {
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'vat-studio-project' || typeof version !== 'number') {
    throw new Problem('input', `${name} is not a project of VAT Studio. Make one with "vat-studio init MODEL".`)
  }
  const newest = migrations.length + 1
  if (!Number.isInteger(version) || version < 1 || version > newest) {
    throw new Problem('input', `${name} has version ${version} of the project format, and this program reads 1 to ${newest}. ${version > newest ? 'Update the program.' : 'Mend it in a text editor.'}`)
  }
  return migrations.slice(version - 1).reduce((file, migration) => migration(file), json as Record<string, unknown>)
}

/** The text of a project file, which holds only what differs from the defaults. */
export function formatProject({ file, model, options }: BakeSetup): string {
  const folder = dirname(resolve(file))
  const output = pathFrom(folder, options.output)
  const content = {
    format: 'vat-studio-project',
    version: 1,
    model: pathFrom(folder, model),
    ...(output === bakeOptions.shape.output.parse(undefined) ? {} : { output }),
    options: changedOptions(options),
  } satisfies z.input<typeof projectFile>
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * Writes a project file.
 *
 * @param replace whether one that is there may go
 * @throws Problem `output`
 */
export async function writeProject(setup: BakeSetup, replace: boolean): Promise<void> {
  await writeFile(setup.file, formatProject(setup), { flag: replace ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Problem('output', `${setup.file} exists already. Choose another name with --project, or replace it with --force.`)
    throw new Problem('output', `${setup.file} cannot be written (${error.code}). Choose another place with --project.`)
  })
}

/** Those options that are not as they are by default, without the output folder. */
export function changedOptions(options: BakeOptions): Partial<BakeOptionsInput> {
  const { output: _, ...defaults } = bakeOptions.parse({}) as Record<string, unknown>
  const { output: _here, ...entries } = options as Record<string, unknown>
  return Object.fromEntries(Object.entries(entries).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])))
}

/** A path as project files have it: relative where there is a way, with slashes on every system. */
export function pathFrom(folder: string, path: string): string {
  const way = relative(folder, resolve(path)) || '.'
  return isAbsolute(way) ? way : way.replaceAll(sep, '/')
}
