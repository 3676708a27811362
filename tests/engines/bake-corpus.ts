import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bake } from '../../main/bake/bake.ts'
import type { Work } from '../../main/bake/contract.ts'
import { planBake } from '../../main/bake/plan-bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import type { AnimatedModel } from '../../main/model/animated-model.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { evaluateTruth, type CorpusModel, type Truth, type TruthJob } from './corpus.ts'
import { decodeBake, type DecodedBake } from './decode-bake.ts'

/** A clip of a corpus model that was baked and decoded again. */
export interface BakedClip {
  corpusModel: CorpusModel
  model: AnimatedModel
  clip: number
  decoded: DecodedBake
}

/** Bakes one clip after the other and decodes what was written; the files are removed again. */
export async function bakeClips(corpusModel: CorpusModel, options: BakeOptionsInput): Promise<BakedClip[]> {
  const { model } = await readModel(corpusModel.file)
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    const baked: BakedClip[] = []
    for (const clip of model.clips.keys()) {
      const output = join(folder, String(clip))
      const { sidecarFile } = await finish(bake(corpusModel.file, bakeOptions.parse({ ...options, anim: [`#${clip}`], output })))
      baked.push({ corpusModel, model, clip, decoded: await decodeBake(sidecarFile) })
    }
    return baked
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Runs a piece of work to its end. */
export async function finish<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

/** A clip as the oracle has it. */
export interface ExpectedClip {
  job: TruthJob
  truth: Truth
}

/** The truth of every clip of the models at the times that a bake plans, by model: `[clip]`. */
export async function expectedClips(models: CorpusModel[], options: BakeOptionsInput): Promise<Map<string, ExpectedClip[]>> {
  const jobs = new Map<string, TruthJob[]>()
  for (const { name, file } of models) {
    const planned: TruthJob[] = []
    // What cannot even be planned fails in the test of its own that bakes it.
    const clips = await readModel(file).then(({ model }) => model.clips, () => [])
    for (const { index } of clips) {
      const plan = await finish(planBake(file, bakeOptions.parse({ ...options, anim: [`#${index}`] })))
      planned.push({ model: file, clip: index, times: sampleTimesOf(plan.clips[0]) })
    }
    jobs.set(name, planned)
  }
  const truths = await evaluateTruth([...jobs.values()].flat())
  return new Map([...jobs].map(([name, planned]) => [name, planned.map((job) => ({ job, truth: truths.shift()! }))]))
}

/** What the oracle has to be asked for a baked clip. */
export function truthJobOf({ corpusModel, clip, decoded }: BakedClip): TruthJob {
  return { model: corpusModel.file, clip, times: sampleTimesOf(decoded.sidecar.clips[0]) }
}

/** The times of the samples as the format's specification has them. */
function sampleTimesOf({ start, fps, frameCount }: { start: number; fps: number; frameCount: number }): number[] {
  return Array.from({ length: frameCount }, (_, i) => start + i / fps)
}

/** A stretch of a baked frame's vertices, and what the oracle calls it. */
export interface BakedMesh {
  key: string
  firstVertex: number
  vertexCount: number
}

/** The meshes of a bake in the order of their vertices. */
export function meshesOf({ model, decoded }: BakedClip): BakedMesh[] {
  let firstVertex = 0
  return decoded.sidecar.source.meshes.map((index, i) => {
    const { node, primitive } = model.meshes[index]
    const mesh = { key: `node${node}/prim${primitive}`, firstVertex, vertexCount: decoded.vertexCounts[i] }
    firstVertex += mesh.vertexCount
    return mesh
  })
}
