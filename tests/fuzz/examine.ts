import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { validateBytes } from 'gltf-validator'
import { z } from 'zod'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, Work } from '../../main/bake/contract.ts'
import { inspect } from '../../main/bake/inspect.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { verify } from '../../main/bake/verify.ts'
import { Problem } from '../../main/model/problem.ts'
import type { Random } from './random.ts'

/** Something that must never happen, whatever the file. */
export class Fault extends Error {}

/** What became of a file: `baked`, or the kind of the Problem that it was refused with. */
export interface Outcome {
  kind: 'baked' | 'input' | 'limit' | 'usage'
  /** The sentence of a refusal, the warnings of a bake. */
  said: string[]
}

/**
 * Bakes a file of which nothing is known into `folder/out`, and looks whether all promises are kept: it is refused with a
 * sentence, or it becomes a whole and valid bake of finite numbers, inside the output folder.
 *
 * @param folder holds the model and what may lie around it; nothing in it may change but `out`
 * @throws Fault that says what promise was broken
 */
export async function examine(model: string, folder: string, options: BakeOptionsInput): Promise<Outcome> {
  const before = listTree(folder)
  const output = join(folder, 'out')
  const parsed = bakeOptions.parse({ ...options, output })
  const outcome = await bakeOrRefuse(model, parsed)
  if (listTree(folder) !== before) throw new Fault(`files outside of the output folder changed:\n${before}\n${listTree(folder)}`)
  if ('said' in outcome) {
    if (existing(output).length > 0) throw new Fault(`a refused bake left ${existing(output).join(', ')}`)
    return outcome
  }
  checkFiles(outcome, output)
  checkNumbers(outcome.sidecar, 'sidecar')
  await checkMesh(outcome, output)
  const again = await finish(verify(outcome.sidecarFile, { model }))
  if (again.damaged.length > 0) throw new Fault(`damaged as it was written: ${JSON.stringify(again.damaged)}`)
  if (!again.report || !again.asReported || again.modelChanged) throw new Fault('verifying it again finds something else than the bake did')
  return { kind: 'baked', said: outcome.sidecar.warnings.map(({ message }) => message) }
}

async function bakeOrRefuse(model: string, options: z.output<typeof bakeOptions>): Promise<BakeResult | Outcome> {
  try {
    // What an inspection cannot read must not be baked either, so both have to say the same.
    await finish(inspect(model, { limit: options.limit }))
  } catch (error) {
    return refusalOf(error)
  }
  try {
    return await finish(bake(model, options))
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw new Fault(`an internal error: ${error instanceof Error ? error.stack : String(error)}`)
  const { kind, message } = error
  if (kind !== 'input' && kind !== 'limit' && kind !== 'usage') throw new Fault(`a problem of kind ${kind}: ${message}`)
  // eslint-disable-next-line no-control-regex -- control characters are what is to be found
  if (!/^[^\u0000-\u001f]{10,2000}[.?]$/.test(message)) throw new Fault(`no sentence: ${JSON.stringify(message.slice(0, 3000))}`)
  if (/\bundefined\b|\[object/.test(message)) throw new Fault(`a sentence of leftovers: ${message}`)
  return { kind, said: [message] }
}

async function finish<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

/** Every file and folder but the output, with its size and time. */
function listTree(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'out' && !/^out[/\\]/.test(name))
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: -1, mtimeMs: 0 }
      return `${name} ${size} ${mtimeMs}`
    })
    .join('\n')
}

function existing(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The files are those that were promised, with names that every disk takes. */
function checkFiles({ files }: BakeResult, output: string): void {
  const found = existing(output)
  const promised = files.map(({ file }) => file)
  if (found.map((name) => join(output, name)).sort().join('\n') !== promised.sort().join('\n')) throw new Fault(`found ${found.join(', ')} of ${promised.join(', ')}`)
  if (new Set(found.map((name) => name.normalize('NFKD').toLowerCase())).size < found.length) throw new Fault(`names that differ in case only: ${found.join(', ')}`)
  for (const name of found) {
    // eslint-disable-next-line no-control-regex -- control characters are what is to be found
    const isSafe = !/[\u0000-\u001f<>:"/\\|?*]|^[. ]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) && Buffer.byteLength(name) <= 255
    if (!isSafe) throw new Fault(`the file name ${JSON.stringify(name)}`)
  }
}

/** All numbers are finite, however deep they lie. */
function checkNumbers(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Fault(`${path} is ${value}`)
  if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) checkNumbers(inner, `${path}.${key}`)
}

/** Parts of the rest mesh that are ours alone: what is wrong there was not wrong in the file. */
const OURS = /^\/(accessors|bufferViews|buffers|meshes|nodes|scenes?)\b/

/** Khronos' validator finds no fault, and so no number that is not finite, in what does not come from the file as it was. */
async function checkMesh({ files }: BakeResult, output: string): Promise<void> {
  const mesh = files.find(({ role }) => role === 'mesh')!.file
  // There is no such validator of FBX; verifying the bake reads the file.
  if (mesh.endsWith('.fbx')) return
  const report = await validateBytes(new Uint8Array(readFileSync(mesh)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(output, decodeURIComponent(uri)))),
  })
  const faults = report.issues.messages.filter(({ severity, pointer }) => severity === 0 && OURS.test(pointer ?? ''))
  if (faults.length > 0) throw new Fault(`the rest mesh is not valid: ${faults.slice(0, 3).map(({ code, pointer, message }) => `${code} ${pointer} ${message}`).join('; ')}`)
}

/** Options that are chosen by hand: the values of the others are told by their schema. */
const CHOSEN: Record<string, (random: Random) => unknown> = {
  fps: (random) => random.pick([1, 7, 30]),
  frames: (random) => 1 + random.below(12),
  guardRows: (random) => random.below(4),
  maxSize: (random) => random.pick([16, 64, 100, 1024]),
  scale: (random) => random.pick([0.001, 1, 100]),
  name: (random) => random.pick(['Bake', 'con', 'a/b']),
  target: () => 'agnostic',
  maxError: () => '50%',
}
const LEFT_OUT = ['output', 'overwrite', 'limit', 'anim', 'mesh', 'start', 'end', 'frameRange', 'rootNode', 'rootAxes']

/** A few options, by chance: whatever the schema knows, so that new ones are tried as soon as they are there. */
export function randomOptions(random: Random): BakeOptionsInput {
  const { properties } = z.toJSONSchema(bakeOptions, { io: 'input', unrepresentable: 'any' }) as { properties: Record<string, Described> }
  const options: Record<string, unknown> = { anim: ['#0'], fps: 10 }
  for (const [key, described] of Object.entries(properties)) {
    if (LEFT_OUT.includes(key) || !random.chance(0.2)) continue
    const value = Object.hasOwn(CHOSEN, key) ? CHOSEN[key](random) : valueOf(described, random)
    if (value !== undefined) options[key] = value
  }
  if (options.all === true) delete options.anim
  return options
}

/** The part of JSON Schema that the options use. */
interface Described {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Described[]
}

function valueOf({ type, enum: values, const: only, anyOf }: Described, random: Random): unknown {
  if (values) return random.pick(values)
  if (only !== undefined) return only
  if (anyOf) return valueOf(random.pick(anyOf), random)
  return type === 'boolean' ? random.chance(0.5) : undefined
}
