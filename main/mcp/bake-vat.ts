import { basename } from 'node:path'
import { z } from 'zod'
import { bakeResult, planResult } from '../bake/contract.ts'
import { type BakeOptionsInput, bakeOptions } from '../bake/options.ts'
import { Problem } from '../model/problem.ts'
import { readProject } from '../project/project-file.ts'
import { resolveModel } from './roots.ts'
import type { Tool } from './tool.ts'

const input = z.strictObject({
  model: z.string().min(1).optional().describe('path of the model to bake'),
  project: z.string().min(1).optional().describe('path of a project file (*.vat.json) to bake instead; other arguments count instead of what it says'),
  ...bakeOptions.shape,
  dryRun: z.boolean().default(false).describe('only say what would be baked and how large it would be'),
})

export const bakeVat: Tool = {
  name: 'bake_vat',
  title: 'Bake a Vertex Animation Texture',
  description:
    'Bakes an animation of a model into textures, a rest mesh and a JSON description for game engines, reads them back and measures how exact they are. ' +
    'The files of an earlier bake of the same model are replaced, all at once; no other file is, unless overwrite is set.',
  input,
  output: z.union([bakeResult, planResult]),
  isReadOnly: false,

  async call(values, given, { roots, run }) {
    const args = values as z.output<typeof input>
    const options = Object.fromEntries(given.filter((key) => key in bakeOptions.shape).map((key) => [key, values[key]])) as BakeOptionsInput
    const setup = await setupOf(args, options, (path) => roots.resolve(path))
    const model = await resolveModel(setup.model, roots)
    const request = { model, options: { ...setup.options, output: await roots.resolve(setup.options.output) } }
    if (args.dryRun) {
      const plan = await run<'plan'>({ kind: 'plan', ...request })
      return { text: `${plan.name} of ${basename(model)} would be baked into ${plan.folder}. Nothing was written.`, result: plan }
    }

    const result = await run<'bake'>({ kind: 'bake', ...request })
    const { sidecar, sidecarFile, withinLimit } = result
    const { maxMillimetres, betweenSamples } = sidecar.report.position
    const text = [
      `Baked ${sidecar.name} from ${sidecar.source.file} into ${sidecarFile}: ${sidecar.vertexCount} vertices in ${sidecar.frameCount} frames.`,
      `The worst vertex is ${figure(maxMillimetres)} mm off at the samples and ${figure(betweenSamples.maxMillimetres)} mm between them.`,
      ...(withinLimit ? [] : [`That is above the limit of ${request.options.maxError}. Use a more exact encoding or allow more.`]),
      ...sidecar.warnings.map(({ message }) => message),
    ].join(' ')
    return { text, result, isFailure: !withinLimit, pictures: { sidecarFile, roles: sidecar.textures.map(({ role }) => role) } }
  },
}

async function setupOf(
  { model, project }: z.output<typeof input>,
  options: BakeOptionsInput,
  allow: (path: string) => Promise<string>,
): Promise<Pick<Awaited<ReturnType<typeof readProject>>, 'model' | 'options'>> {
  if ((model === undefined) === (project === undefined)) throw new Problem('usage', 'Give either model or project: a project names its model itself.')
  if (options.output !== undefined) options.output = await allow(options.output)
  if (project !== undefined) return readProject(await allow(project), options)
  return { model: model!, options: bakeOptions.parse(options) }
}

const figure = (value: number) => String(Number(value.toPrecision(3)))
