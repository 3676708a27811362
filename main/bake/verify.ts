import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { boxDiagonal } from '../model/box.ts'
import { checkLimit, DEFAULT_LIMITS, type Limits, limitsOf } from '../model/limits.ts'
import { Problem } from '../model/problem.ts'
import { readModel } from '../readers/read-model.ts'
import type { VerifyResult, Work } from './contract.ts'
import { findContradiction } from './check-sidecar.ts'
import { findWrongGuard } from './guard-rows.ts'
import { hashFile } from './hash.ts'
import { isWithin } from './limit.ts'
import { measureErrors } from './measure.ts'
import { measureWay } from './root-motion.ts'
import { sidecar as sidecarSchema, type Report, type Sidecar, type SidecarClip } from './sidecar.ts'
import { MILLIMETRES } from '../targets/target.ts'
import { truthOf, type Truth } from './truth.ts'

/**
 * Checks a bake that was written earlier: every file against the hash in the sidecar, and, where the model is at hand, every
 * vertex of every frame against a fresh evaluation.
 *
 * @param sidecarFile path of the sidecar
 * @throws Problem for a sidecar that cannot be read, a model that is not the one that was baked, or a limit without a model
 */
export async function* verify(sidecarFile: string, options: { model?: string; maxError?: string; limit?: string[] }): Work<VerifyResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  const limits = limitsOf(options.limit)
  const sidecar = await readSidecar(sidecarFile, limits)
  const folder = dirname(sidecarFile)
  const damaged = await findDamage(folder, sidecar)
  const model = options.model ?? (await findModel(folder, sidecar))
  if (!model && options.maxError !== undefined) {
    throw new Problem('usage', `${sidecar.source.file} is neither beside ${sidecarFile} nor in this folder, so no error can be measured. Pass it with --model.`)
  }
  if (!model || damaged.length > 0) {
    const unmeasured = { model: null, modelChanged: false, asReported: true, report: null }
    // What guard rows repeat is at hand without the model.
    const wrongGuard = damaged.length === 0 ? await findWrongGuard(folder, sidecar) : null
    if (wrongGuard) damaged.push(wrongGuard)
    return { sidecarFile, damaged, ...unmeasured, sidecar, withinLimit: damaged.length === 0 }
  }

  const loaded = await readModel(model, limits, sidecar.source.sequenceRate)
  const truth = truthOf(loaded, sidecar)
  if (!truth) throw otherModel(model, sidecar)
  const total = sidecar.vertexCount * sidecar.frameCount * 2
  let done = 0
  const measuring = measureErrors(folder, sidecar, truth)
  for (;;) {
    const step = await measuring.next()
    if (!step.done) {
      yield { stage: 'verifying', done: (done += step.value), total }
      continue
    }
    const report = step.value
    const asReported = isAsReported(report, sidecar) && sidecar.clips.every((clip) => hasTrueWay(clip, sidecar, truth))
    // Where frames are not what they were, nothing can be told from what does not repeat them.
    const wrongGuard = asReported ? await findWrongGuard(folder, sidecar) : null
    return {
      sidecarFile,
      damaged: wrongGuard ? [wrongGuard] : [],
      model,
      modelChanged: !truth.isSameModel,
      asReported,
      report,
      sidecar,
      withinLimit: !wrongGuard && isWithin(report, options.maxError),
    }
  }
}

/** Whether what was measured is no worse than what the sidecar says, apart from rounding (a millionth of the size). */
function isAsReported(measured: Report, { report, bounds, space }: Sidecar): boolean {
  // Both figures, whose ratio is the size: a report that was changed in one of them is none.
  const size = (boxDiagonal(bounds) / 100) * MILLIMETRES[space.unit]
  const holds = (now: Distances, then: Distances) =>
    now.maxPercent <= then.maxPercent * 1.001 + 1e-4 && now.maxMillimetres <= then.maxMillimetres * 1.001 + 1e-4 * size
  const turns = (now: Angles, then: Angles) => now.maxDegrees <= then.maxDegrees * 1.001 + 1e-3
  const turnsAsReported = (role: 'normal' | 'tangent') => {
    const now = measured[role]
    const then = report[role]
    return !now || (then !== undefined && turns(now, then) && turns(now.betweenSamples, then.betweenSamples))
  }
  return (
    holds(measured.position, report.position) &&
    holds(measured.position.betweenSamples, report.position.betweenSamples) &&
    turnsAsReported('normal') &&
    turnsAsReported('tangent')
  )
}

/** Whether the way that was taken out of a clip is the model's, apart from rounding. */
function hasTrueWay(clip: SidecarClip, { space, bounds }: Sidecar, { model, pose }: Truth): boolean {
  const { rootMotion } = clip
  if (!rootMotion) return true
  const { travel, path } = measureWay({ model, pose, target: space, scale: space.scale }, clip)
  const near = 1e-6 * Math.hypot(...travel, boxDiagonal(bounds))
  const isNear = (a: number[], b: number[]) => a.every((value, axis) => Math.abs(value - b[axis]) <= near)
  const written = rootMotion.path ?? path
  return isNear(rootMotion.travel, travel) && written.length === path.length && path.every((point, frame) => isNear(written[frame], point))
}

type Distances = Pick<Report['position'], 'maxPercent' | 'maxMillimetres'>
type Angles = Pick<NonNullable<Report['normal']>, 'maxDegrees'>

/** Bytes of a sidecar: enough for a hundred thousand frames that each have a row of their own. */
const LARGEST_SIDECAR = 16e6

/**
 * Reads a sidecar.
 *
 * @throws Problem `input` where the file is none, or of a version that is not known; `limit` where its textures are too large
 */
export async function readSidecar(file: string, limits: Limits = DEFAULT_LIMITS): Promise<Sidecar> {
  let text: string
  try {
    const { size } = await stat(file).then((entry) => (entry.isFile() ? entry : Promise.reject(new Error('not a file'))))
    if (size > LARGEST_SIDECAR) {
      throw new Problem('limit', `${file} has ${size} bytes, and no sidecar has more than ${LARGEST_SIDECAR}. Pass the .json file of a bake.`)
    }
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Problem) throw error
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new Problem('input', `${file} ${missing ? 'does not exist' : 'cannot be read'}. Pass the .json file of a bake.`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Problem('input', `${file} is not JSON. Pass the .json file of a bake.`)
  }
  const parsed = sidecarSchema.safeParse(json)
  if (parsed.success) {
    const contradiction = findContradiction(parsed.data)
    if (contradiction === null) {
      checkTexels(basename(file), parsed.data, limits)
      return parsed.data
    }
    throw new Problem('input', `${file} contradicts itself: ${contradiction}. Bake again.`)
  }
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'vat-studio') throw new Problem('input', `${file} is not a sidecar of VAT Studio. Pass the .json file of a bake.`)
  if (version !== 1) throw new Problem('input', `${file} has version ${String(version)} of the format, and this program reads version 1. Update the program.`)
  const issue = parsed.error.issues[0]
  throw new Problem('input', `${file} is damaged: ${[...issue.path, issue.message].join(': ')}. Bake again.`)
}

function checkTexels(file: string, { textures }: Sidecar, limits: Limits): void {
  const sizes = new Map(textures.map(({ file, width, height }) => [file, width * height]))
  checkLimit(file, limits, 'texels', [...sizes.values()].reduce((sum, size) => sum + size, 0))
}

/** Every file of the set that is missing or is not what the sidecar says. */
export async function findDamage(folder: string, sidecar: Sidecar): Promise<VerifyResult['damaged']> {
  const named = [...sidecar.textures, ...sidecar.meshes, ...sidecar.meshes.flatMap((mesh) => mesh.resources)]
  const tables: { file: string; sha256: string }[] = []
  for (const { rootMotion } of sidecar.clips) {
    if (rootMotion?.file && rootMotion.sha256) tables.push({ file: rootMotion.file, sha256: rootMotion.sha256 })
  }
  for (const { file, sha256 } of sidecar.package ?? []) if (sha256) tables.push({ file, sha256 })
  // Layers may share a file.
  const files = new Map([...named, ...tables].map(({ file, sha256 }) => [`${file} ${sha256}`, { file, sha256 }])).values()
  const damaged: VerifyResult['damaged'] = []
  for (const { file, sha256 } of files) {
    if (basename(file) !== file) {
      damaged.push({ file, problem: 'is not a name in the folder of the sidecar' })
      continue
    }
    const hash = await hashFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => error)
    if (hash instanceof Error) damaged.push({ file, problem: hash.code === 'ENOENT' ? 'is missing' : 'cannot be read' })
    else if (hash !== sha256) damaged.push({ file, problem: 'is not the file that was baked: its hash differs' })
  }
  return damaged
}

/** The model by its name: beside the sidecar, in the folder above, or in the current folder. */
async function findModel(folder: string, sidecar: Sidecar): Promise<string | undefined> {
  for (const place of [folder, dirname(resolve(folder)), '.']) {
    const file = join(place, basename(sidecar.source.file))
    const found = await stat(file).then(
      (entry) => entry.isFile(),
      () => false,
    )
    // A file of that name that is another model is no help, and no fault either.
    if (found && (await hashFile(file)) === sidecar.source.sha256) return file
  }
  return undefined
}

function otherModel(model: string, sidecar: Sidecar): Problem {
  return new Problem(
    'verify',
    `${model} is not the ${sidecar.source.file} that was baked: it has other meshes or clips. Pass that one with --model, or bake again.`,
  )
}
