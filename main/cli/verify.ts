import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { VerifyResult } from '../bake/contract.ts'
import { filesOf } from '../project/state.ts'
import { flagOf } from './flags.ts'
import { formatCounted, formatMillimetres } from './format.ts'
import { clipLines, directionErrorLines, formatSections, limitText, pathText, positionErrorLines, textureLines } from './report.ts'
import { runJob } from './run-job.ts'
import { type Invocation, type OutputOptions, writeDocument, writeError, writeLines } from './shell.ts'

interface Values extends OutputOptions {
  model?: string
  maxError?: string
  limit?: string[]
}

/** Adds `verify SIDECAR`. */
export function addVerify(program: Command, invocation: Invocation): void {
  program
    .command('verify')
    .description('Read the files of a bake back and measure how far they are from the model.')
    .argument('<sidecar>', 'the .json file of the bake')
    .option('--model <file>', 'model that was baked; looked for by its name where it is not given')
    .addOption(flagOf('maxError'))
    .addOption(flagOf('limit'))
    .option('--json', 'print one JSON document instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio verify out/Run.json
  vat-studio verify out/Run.json --model Fox.glb --max-error 0.1%`,
    )
    .action((sidecar: string, values: Values) => verify(invocation, sidecar, values))
}

async function verify(invocation: Invocation, sidecarName: string, values: Values): Promise<void> {
  const { shell } = invocation
  const sidecar = resolve(shell.folder, sidecarName)
  const model = values.model === undefined ? undefined : resolve(shell.folder, values.model)
  const result = await runJob(shell, values, { kind: 'verify', sidecar, model, maxError: values.maxError, limit: values.limit })
  if (values.json) writeDocument(shell, result)
  writeLines(shell, values, verifyText(result, shell.folder))
  if (result.damaged.length > 0) {
    const files = result.damaged.map(({ file, problem }) => `${file} ${problem}`)
    writeError(shell, `The bake ${pathText(sidecar, shell.folder)} is damaged: ${files.join('; ')}. Bake again.`)
    invocation.status = 1
  } else if (!result.asReported) {
    const { maxMillimetres, betweenSamples } = result.sidecar.report.position
    writeError(
      shell,
      `The bake is not what its report says (at most ${formatMillimetres(maxMillimetres)} at the samples and ` +
        `${formatMillimetres(betweenSamples.maxMillimetres)} between them): the model, the files or the sidecar were changed. Bake again.`,
    )
    invocation.status = 1
  } else if (!result.withinLimit) {
    writeError(shell, limitText(result.report!, values.maxError!))
    invocation.status = 1
  }
}

/** What was found, for a person. */
export function verifyText({ sidecarFile, sidecar, damaged, model, modelChanged, report }: VerifyResult, folder: string): string[] {
  // Those without a hash are for the engine to write into.
  const files = new Set(filesOf(sidecar).flatMap(({ file, sha256 }) => (sha256 === undefined ? [] : file))).size
  const notes: string[] = []
  if (modelChanged) notes.push(`${basename(model!)} has changed since it was baked.`)
  if (!model && damaged.length === 0) notes.push(`${sidecar.source.file} was not found, so no error was measured. Pass it with --model.`)
  return [
    `${pathText(sidecarFile, folder)}: ${sidecar.name}, baked from ${sidecar.source.file}.`,
    '',
    ...formatSections([
      ['Files', [damaged.length === 0 ? `${formatCounted(files, 'file is', 'files are')} as baked` : `${damaged.length} of ${files} files are damaged`]],
      ['Model', model ? [pathText(model, folder)] : []],
      ['Clip', clipLines(sidecar.clips)],
      ['Textures', textureLines(sidecar, [])],
      ['Max error', report ? positionErrorLines(report, sidecar.clips) : []],
      ['Normals', directionErrorLines(report?.normal, sidecar.clips)],
      ['Tangents', directionErrorLines(report?.tangent, sidecar.clips)],
      ['Note', notes],
    ]),
  ]
}
