import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { BakeResult, PlanResult } from '../bake/contract.ts'
import { bakeOptions } from '../bake/options.ts'
import { bakeFlags, bakeValues } from './flags.ts'
import { formatBytes, formatCounted, formatSeconds, formatTable } from './format.ts'
import {
  adviceLines,
  clipLines,
  formatSections,
  limitText,
  normalErrorLines,
  pathText,
  positionErrorLines,
  sizeText,
  textureLines,
  warningLines,
} from './report.ts'
import { runJob } from './run-job.ts'
import { type Invocation, type OutputOptions, writeDocument, writeError, writeLines, writeNotes } from './shell.ts'

/** Adds `bake MODEL`. */
export function addBake(program: Command, invocation: Invocation): void {
  const command = program
    .command('bake')
    .description('Bake an animation of a model into textures, a mesh and a description, and measure how exact they are.')
    .argument('<model>', 'model to bake, .glb or .gltf')
  for (const flag of bakeFlags()) command.addOption(flag)
  command
    .optionsGroup('This run:')
    .option('--dry-run', 'only say what would be baked and how large it would be')
    .option('--json', 'print one JSON document instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio bake Fox.glb --anim Run --encoding rgba16 --normals -o out/
  vat-studio bake Door.glb --fps 60 --max-error 0.5mm`,
    )
    .action((model: string, values: OutputOptions & { dryRun?: boolean }) => bake(invocation, model, values))
}

async function bake(invocation: Invocation, modelName: string, values: OutputOptions & { dryRun?: boolean }): Promise<void> {
  const { shell } = invocation
  const model = resolve(shell.folder, modelName)
  const options = bakeOptions.parse(bakeValues({ ...values }))
  options.output = resolve(shell.folder, options.output)
  if (values.dryRun) {
    const plan = await runJob(shell, values, { kind: 'plan', model, options })
    if (values.json) {
      writeDocument(shell, plan)
      writeNotes(shell, values, warningLines(plan.warnings))
    }
    writeLines(shell, values, planText(plan, model, options.encoding, shell.folder))
    return
  }
  const result = await runJob(shell, values, { kind: 'bake', model, options })
  if (values.json) {
    writeDocument(shell, result)
    writeNotes(shell, values, warningLines(result.sidecar.warnings))
  }
  writeLines(shell, values, bakeText(result, shell.folder))
  if (!result.withinLimit) {
    writeError(shell, limitText(result.sidecar.report, options.maxError!))
    invocation.status = 1
  }
}

/** What was baked, for a person. */
export function bakeText(result: BakeResult, folder: string): string[] {
  const { sidecar } = result
  // Hundredths are enough for a wait.
  const seconds = Math.round(result.seconds.total * 100) / 100
  return [
    `Baked ${sidecar.name} from ${sidecar.source.file} in ${formatSeconds(seconds)}.`,
    '',
    ...formatSections([
      ['Clip', clipLines(sidecar.clips)],
      ['Mesh', [meshText(sidecar.vertexCount, sidecar.meshes[0].submeshes.length)]],
      ['Textures', textureLines(sidecar, result.files)],
      ['Max error', positionErrorLines(sidecar.report, sidecar.clips)],
      ['Normals', normalErrorLines(sidecar.report, sidecar.clips)],
      ['Note', adviceLines(sidecar)],
      ['Warnings', warningLines(sidecar.warnings)],
      ['Files', formatTable(result.files.map(({ file, bytes }) => [pathText(file, folder), formatBytes(bytes)]), [1])],
    ]),
  ]
}

/** What would be baked, for a person. */
export function planText(plan: PlanResult, model: string, encoding: string, folder: string): string[] {
  const textures = plan.textures.map(({ role, width, height, bytes }) => [role, sizeText(width, height), encoding, `${formatBytes(bytes)} on the GPU`])
  return [
    `${plan.name} of ${basename(model)} would be baked into ${pathText(plan.folder, folder)}. Nothing was written.`,
    '',
    ...formatSections([
      ['Clip', clipLines(plan.clips)],
      ['Mesh', [meshText(plan.vertexCount, plan.meshes.length)]],
      ['Textures', formatTable(textures)],
      ['Warnings', warningLines(plan.warnings)],
    ]),
  ]
}

function meshText(vertexCount: number, meshCount: number): string {
  return `${formatCounted(vertexCount, 'vertex', 'vertices')} in ${formatCounted(meshCount, 'mesh', 'meshes')}`
}
