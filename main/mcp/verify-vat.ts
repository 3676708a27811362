import { z } from 'zod'
import { verifyResult } from '../bake/contract.ts'
import { checkSet } from './check-set.ts'
import { resolveModel } from './roots.ts'
import type { Tool } from './tool.ts'
import { argumentsOf } from './wording.ts'

export const verifyVat: Tool = {
  name: 'verify_vat',
  title: 'Verify a bake',
  description: 'Checks the files of a bake, and measures every vertex of every frame against the model where that is at hand. Changes nothing.',
  input: z.strictObject({
    ...argumentsOf('verify'),
    sidecar: z.string().min(1).describe('path of the .json file of the bake'),
    model: z.string().min(1).optional().describe('path of the model that was baked; looked for by its name where it is not given'),
  }),
  output: verifyResult,
  isReadOnly: true,

  async call(values, _given, { roots, run }) {
    const sidecar = await roots.resolve(values.sidecar as string)
    await checkSet(sidecar, roots)
    const model = values.model === undefined ? undefined : await resolveModel(values.model as string, roots)
    const result = await run<'verify'>({ ...values, kind: 'verify', sidecar, model })
    // It may have been found outside: above the folder of the set, say.
    if (result.model !== null) await resolveModel(result.model, roots)
    return { ...verdictOn(result, values.maxError as string | undefined), result }
  },
}

function verdictOn(result: z.output<typeof verifyResult>, limit: string | undefined): { text: string; isFailure: boolean } {
  const { sidecarFile, damaged, report, asReported, modelChanged, withinLimit } = result
  if (damaged.length > 0) {
    return { text: `${sidecarFile} is damaged: ${damaged.map(({ file, problem }) => `${file} ${problem}`).join('; ')}. Bake again.`, isFailure: true }
  }
  if (!report) return { text: `The files of ${sidecarFile} are as baked. The model was not found, so no error was measured.`, isFailure: false }
  const { maxMillimetres, betweenSamples } = report.position
  const measured = `the worst vertex is ${figure(maxMillimetres)} mm off at the samples and ${figure(betweenSamples.maxMillimetres)} mm between them`
  const changed = modelChanged ? ' The model has changed since it was baked.' : ''
  if (!asReported) return { text: `${sidecarFile} is not what its report says: ${measured}.${changed} Bake again.`, isFailure: true }
  if (!withinLimit) return { text: `${sidecarFile} is above the limit of ${limit}: ${measured}.${changed}`, isFailure: true }
  return { text: `The files of ${sidecarFile} are as baked: ${measured}.${changed}`, isFailure: false }
}

const figure = (value: number) => String(Number(value.toPrecision(3)))
