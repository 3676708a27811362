import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createPose } from '../model/animated-model.ts'
import { createEvaluator } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import { readModel } from '../readers/read-model.ts'
import { spaceMatrix } from '../targets/target.ts'
import type { VerifyResult, Work } from './contract.ts'
import { findContradiction } from './check-sidecar.ts'
import { hashFile } from './hash.ts'
import { isWithin } from './limit.ts'
import { measureErrors } from './measure.ts'
import { sidecar as sidecarSchema, type Report, type Sidecar } from './sidecar.ts'

/**
 * Checks a bake that was written earlier: every file against the hash in the sidecar, and, where the model is at hand, every
 * vertex of every frame against a fresh evaluation.
 *
 * @param sidecarFile path of the sidecar
 * @throws Problem for a sidecar that cannot be read, a model that is not the one that was baked, or a limit without a model
 */
export async function* verify(sidecarFile: string, options: { model?: string; maxError?: string }): Work<VerifyResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  const sidecar = await readSidecar(sidecarFile)
  const folder = dirname(sidecarFile)
  const damaged = await findDamage(folder, sidecar)
  const model = options.model ?? (await findModel(folder, sidecar))
  if (!model && options.maxError !== undefined) {
    throw new Problem('usage', `${sidecar.source.file} is neither beside ${sidecarFile} nor in this folder, so no error can be measured. Pass it with --model.`)
  }
  if (!model || damaged.length > 0) {
    const unmeasured = { model: null, modelChanged: false, asReported: true, report: null }
    return { sidecarFile, damaged, ...unmeasured, sidecar, withinLimit: damaged.length === 0 }
  }

  const loaded = await readModel(model)
  const missing = sidecar.source.meshes.find((index) => !loaded.model.meshes[index])
  if (missing !== undefined) throw otherModel(model, sidecar)
  const { axesFromGltf, scale } = sidecar.space
  const evaluator = createEvaluator(loaded.model, sidecar.source.meshes, spaceMatrix(axesFromGltf, scale))
  if (evaluator.vertexCount !== sidecar.vertexCount || sidecar.clips.some((clip) => !loaded.model.clips[clip.index])) {
    throw otherModel(model, sidecar)
  }
  const isSameModel = loaded.sha256 === sidecar.source.sha256
  const total = sidecar.vertexCount * sidecar.frameCount * 2
  let done = 0
  const measuring = measureErrors(folder, sidecar, { model: loaded.model, evaluator, pose: createPose(loaded.model), isSameModel })
  for (;;) {
    const step = await measuring.next()
    if (!step.done) {
      yield { stage: 'verifying', done: (done += step.value), total }
      continue
    }
    const report = step.value
    return {
      sidecarFile,
      damaged,
      model,
      modelChanged: !isSameModel,
      asReported: isAsReported(report, sidecar),
      report,
      sidecar,
      withinLimit: isWithin(report, options.maxError),
    }
  }
}

/** Whether what was measured is no worse than what the sidecar says, apart from rounding (a millionth of the size). */
function isAsReported(measured: Report, { report }: Sidecar): boolean {
  const holds = (now: Distances, then: Distances) => now.maxPercent <= then.maxPercent * 1.001 + 1e-4
  const turns = (now: Angles, then: Angles) => now.maxDegrees <= then.maxDegrees * 1.001 + 1e-3
  const { normal } = measured
  return (
    holds(measured.position, report.position) &&
    holds(measured.position.betweenSamples, report.position.betweenSamples) &&
    (!normal || (report.normal !== undefined && turns(normal, report.normal) && turns(normal.betweenSamples, report.normal.betweenSamples)))
  )
}

type Distances = Pick<Report['position'], 'maxPercent'>
type Angles = Pick<NonNullable<Report['normal']>, 'maxDegrees'>

/**
 * Reads a sidecar.
 *
 * @throws Problem `input` where the file is none, or of a version that is not known
 */
export async function readSidecar(file: string): Promise<Sidecar> {
  let text: string
  try {
    if (!(await stat(file)).isFile()) throw new Error('not a file')
    text = await readFile(file, 'utf8')
  } catch (error) {
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
    if (contradiction === null) return parsed.data
    throw new Problem('input', `${file} contradicts itself: ${contradiction}. Bake again.`)
  }
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'vat-studio') throw new Problem('input', `${file} is not a sidecar of VAT Studio. Pass the .json file of a bake.`)
  if (version !== 1) throw new Problem('input', `${file} has version ${String(version)} of the format, and this program reads version 1. Update it.`)
  const issue = parsed.error.issues[0]
  throw new Problem('input', `${file} is damaged: ${[...issue.path, issue.message].join(': ')}. Bake again.`)
}

/** Every file of the set that is missing or is not what the sidecar says. */
export async function findDamage(folder: string, sidecar: Sidecar): Promise<VerifyResult['damaged']> {
  const files = [...sidecar.textures, ...sidecar.meshes, ...sidecar.meshes.flatMap((mesh) => mesh.resources)]
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
