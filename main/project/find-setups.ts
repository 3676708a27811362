import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { type BakeOptionsInput, bakeOptions } from '../bake/options.ts'
import { MODEL_EXTENSIONS } from '../model/model-extensions.ts'
import { Problem } from '../model/problem.ts'
import { type BakeSetup, isProjectFile, readProject } from './project-file.ts'
import { isSequence, nameOfModel } from './source-files.ts'

/** A setup that is still to be read: a project whose file is broken is one row that fails, and not the end of the batch. */
export interface FoundSetup {
  /** Path of the project file, or of the model where there is none. */
  file: string
  read(): Promise<BakeSetup>
}

export interface SetupSearch {
  /** Where relative paths begin. */
  folder: string
  /** Options that count instead of those of a project, and for models without one. `output` is for these only. */
  given: BakeOptionsInput
}

/**
 * Finds what is to be baked.
 *
 * A model without a project is baked into a folder of its own inside of the output folder, so that clips of the same name stay
 * apart: that of its name, below the folders that lead to it from where it was found. A model that a project bakes is not
 * baked beside it, and nor is the mesh of an earlier bake.
 *
 * @param places files, folders, and patterns with `*`, `**` and `?`
 * @returns each once, in the order of the places; inside of a folder by name
 * @throws Problem `usage` where a folder or pattern holds nothing to bake
 */
export async function findSetups(places: string[], { folder, given }: SetupSearch): Promise<FoundSetup[]> {
  /** File -> the folder from where it was found. */
  const found = new Map<string, string>()
  for (const place of places) {
    const { files, from } = await filesAt(resolve(folder, place), place)
    for (const file of files) if (!found.has(file)) found.set(file, from)
  }
  const { output, ...options } = given
  const into = resolve(folder, output ?? bakeOptions.shape.output.parse(undefined))
  const projects = [...found.keys()].filter(isProjectFile)
  for (const model of await Promise.all(projects.map(modelOf))) found.delete(model)
  const folders = foldersOf([...found].filter(([file]) => !isProjectFile(file)))

  return [...found.keys()].map((file) => ({
    file,
    async read() {
      if (isProjectFile(file)) return readProject(file, options)
      return { file, model: file, options: bakeOptions.parse({ ...options, output: join(into, folders.get(file)!) }) }
    },
  }))
}

/** The model of a project; none where it cannot be read, which it will say itself. */
function modelOf(project: string): Promise<string> {
  return readProject(project).then(
    ({ model }) => model,
    () => '',
  )
}

/**
 * Folders of their own for models. Those that would share one (Fox.glb, Fox.gltf) keep the ending of their names.
 *
 * @param models `[file, from where it was found]`
 */
function foldersOf(models: [file: string, from: string][]): Map<string, string> {
  const named = models.map(([file, from]) => {
    const folder = relative(from, dirname(file))
    return { file, long: join(folder, basename(file)), short: join(folder, nameOfModel(file)) }
  })
  const sharers = new Map<string, number>()
  for (const { short } of named) sharers.set(short.toLowerCase(), (sharers.get(short.toLowerCase()) ?? 0) + 1)

  const takenBy = new Map<string, string>()
  return new Map(
    named.map(({ file, short, long }) => {
      const chosen = sharers.get(short.toLowerCase()) === 1 ? short : long
      const other = takenBy.get(chosen.toLowerCase())
      if (other !== undefined) {
        const advice = 'Bake a folder that holds both, or write projects with "vat-studio init".'
        throw new Problem('usage', `${other} and ${file} would both be baked into ${chosen}. ${advice}`)
      }
      takenBy.set(chosen.toLowerCase(), file)
      return [file, chosen]
    }),
  )
}

async function filesAt(path: string, name: string): Promise<{ files: string[]; from: string }> {
  const entry = await stat(path).catch(() => null)
  if (entry?.isDirectory()) {
    const files = await walk(path, isSetup)
    if (files.length > 0) return { files, from: path }
    throw new Problem('usage', `${name} holds nothing to bake. Name a folder with models or projects (*.vat.json).`)
  }
  // A star in the name of a sequence is the reader's.
  if (entry || !/[*?]/.test(name) || isSequence(name)) return { files: [path], from: dirname(path) }

  const from = path.slice(0, path.search(/[^/\\]*[*?]/))
  const pattern = patternOf(path.slice(from.length))
  const matches = (file: string) => pattern.test(relative(from, file).replaceAll('\\', '/')) && isSetup(file)
  const files = (await stat(from).catch(() => null)) ? await walk(from, matches) : []
  if (files.length === 0) throw new Problem('usage', `${name} matches no model and no project (*.vat.json). Check the pattern.`)
  return { files, from: resolve(from) }
}

/** `**` stands for any folders, `*` and `?` for characters of one name. */
function patternOf(text: string): RegExp {
  const parts = text.replaceAll('\\', '/').replace(/[.+^${}()|[\]]/g, '\\$&').split(/(\*\*\/|\*|\?)/)
  const meanings: Record<string, string> = { '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' }
  return new RegExp(`^${parts.map((part) => meanings[part] ?? part).join('')}$`, process.platform === 'win32' ? 'i' : '')
}

/** Files below a folder, by name; what is hidden, and what npm keeps, is passed over. Links to folders are not followed. */
async function walk(folder: string, accept: (file: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // Removed or renamed in the meantime.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw new Problem('input', `${folder} cannot be read (${error.code}). Check the path and its permissions.`)
  })
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    if (entry.isDirectory()) files.push(...(await walk(path, accept)))
    else if (accept(path) && !(await isBakedMesh(path))) files.push(path)
  }
  return files
}

const isSetup = (file: string) => isProjectFile(file) || MODEL_EXTENSIONS.includes(extname(file).slice(1).toLowerCase())

/** Whether a file is the rest mesh of a bake: then there is a sidecar beside it. */
async function isBakedMesh(file: string): Promise<boolean> {
  const name = /^(.+)_mesh\.[^.]+$/.exec(basename(file))?.[1]
  if (name === undefined) return false
  const text = await readFile(join(dirname(file), `${name}.json`), 'utf8').catch(() => '')
  return /"format":\s*"vat-studio"/.test(text)
}
