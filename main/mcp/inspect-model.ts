import { basename } from 'node:path'
import { z } from 'zod'
import { inspectResult } from '../bake/contract.ts'
import { resolveModel } from './roots.ts'
import type { Tool } from './tool.ts'
import { argumentsOf } from './wording.ts'

export const inspectModel: Tool = {
  name: 'inspect_model',
  title: 'Inspect an animated model',
  description: 'Lists the meshes, skins, materials and clips of a model, and what a bake of each clip would take. Changes nothing.',
  input: z.strictObject({ ...argumentsOf('inspect'), model: z.string().min(1).describe('path of the model') }),
  output: inspectResult,
  isReadOnly: true,

  async call(values, _given, { roots, run }) {
    const model = await resolveModel(values.model as string, roots)
    const result = await run<'inspect'>({ ...values, kind: 'inspect', model })
    const clips = result.clips.map(({ index, name, duration }) => `#${index} "${name}" of ${Number(duration.toPrecision(3))} s`)
    const text = [
      `${basename(model)} has ${result.vertexCount} vertices in ${result.meshes.length} meshes.`,
      clips.length > 0 ? `Clips: ${clips.join(', ')}.` : 'It has no clips, so there is nothing to bake.',
      ...result.warnings.map(({ message }) => message),
    ].join(' ')
    return { text, result }
  },
}
