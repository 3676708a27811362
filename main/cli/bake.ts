import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { BakeResult, PlanResult } from '../bake/contract.ts'
import { bakeOptions } from '../bake/options.ts'
import { Problem } from '../model/problem.ts'
import { type BakeSetup, readProject } from '../project/project-file.ts'
import { addRecent, recentsFile } from '../project/recents.ts'
import { recordBake } from '../project/record.ts'
import { bakeFlags, bakeValues } from './flags.ts'
import { formatBytes, formatCounted, formatSeconds, formatTable } from './format.ts'
import {
  adviceLines,
  choiceLines,
  clipLines,
  directionErrorLines,
  formatSections,
  limitText,
  wasteLines,
  pathText,
  positionErrorLines,
  sizeText,
  textureLines,
  warningLines,
} from './report.ts'
import { runJob } from './run-job.ts'
import { type Invocation, type OutputOptions, writeDocument, writeError, writeLines, writeNotes } from './shell.ts'

interface Values extends OutputOptions {
  dryRun?: boolean
  project?: string
}

/** Adds `bake MODEL`. */
export function addBake(program: Command, invocation: Invocation): void {
  const command = program
    .command('bake')
    .description('Bake an animation of a model into textures, a mesh and a description, and measure how exact they are.')
    .argument('[model]', 'model to bake: .glb, .gltf, .fbx, .babylon, or numbered .obj files as "frame_*.obj"')
  for (const flag of bakeFlags()) command.addOption(flag)
  command
    .optionsGroup('This run:')
    .option('--project <file>', 'bake a project file instead of a model; flags count instead of what it says')
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
    .action((model: string | undefined, values: Values) => bake(invocation, model, values))
}

async function bake(invocation: Invocation, modelName: string | undefined, values: Values): Promise<void> {
  const { shell } = invocation
  const setup = await setupOf(shell.folder, modelName, values)
  const { model, options } = setup
  if (values.dryRun) {
    const plan = await runJob(shell, values, { kind: 'plan', model, options })
    if (values.json) {
      writeDocument(shell, plan)
      writeNotes(shell, values, warningLines(plan.warnings))
    }
    writeLines(shell, values, planText(plan, model, shell.folder))
    return
  }
  const result = await runJob(shell, values, { kind: 'bake', model, options })
  if (values.project !== undefined) await rememberBake(setup, result)
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

/**
 * What is to be baked: a model, or a project.
 *
 * @throws Problem `usage` where it is neither or both
 */
async function setupOf(folder: string, modelName: string | undefined, values: Values): Promise<BakeSetup> {
  const given = bakeValues({ ...values })
  if (given.output !== undefined) given.output = resolve(folder, given.output)
  if (modelName !== undefined && values.project !== undefined) {
    throw new Problem('usage', 'A project names its model itself. Leave out the model, or --project.')
  }
  if (values.project !== undefined) return readProject(resolve(folder, values.project), given)
  if (modelName === undefined) throw new Problem('usage', "Missing required argument 'model'. Name a model, or a project with --project.")
  const model = resolve(folder, modelName)
  const options = bakeOptions.parse(given)
  return { file: model, model, options: { ...options, output: resolve(folder, options.output) } }
}

/** So that a batch finds it up to date, and the next one finds the project. */
async function rememberBake(setup: BakeSetup, result: BakeResult): Promise<void> {
  if (result.withinLimit) await recordBake(setup, result)
  addRecent(recentsFile(), setup.file)
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
      ['Textures', [...textureLines(sidecar, result.files), ...wasteLines(result.waste)]],
      ['Max error', positionErrorLines(sidecar.report, sidecar.clips)],
      ['Normals', directionErrorLines(sidecar.report.normal, sidecar.clips)],
      ['Tangents', directionErrorLines(sidecar.report.tangent, sidecar.clips)],
      ['Chosen', choiceLines(result.choices)],
      ['Note', adviceLines(sidecar)],
      ['Warnings', warningLines(sidecar.warnings)],
      ['Files', formatTable(result.files.map(({ file, bytes }) => [pathText(file, folder), formatBytes(bytes)]), [1])],
    ]),
  ]
}

/** What would be baked, for a person. */
export function planText(plan: PlanResult, model: string, folder: string): string[] {
  const textures = plan.textures.map(({ role, width, height, bytes }) => [role, sizeText(width, height), plan.encoding, `${formatBytes(bytes)} on the GPU`])
  return [
    `${plan.name} of ${basename(model)} would be baked into ${pathText(plan.folder, folder)}. Nothing was written.`,
    '',
    ...formatSections([
      ['Clip', clipLines(plan.clips)],
      ['Mesh', [meshText(plan.vertexCount, plan.meshes.length)]],
      ['Textures', [...formatTable(textures), ...wasteLines(plan.waste)]],
      ['Chosen', choiceLines(plan.choices)],
      ['Warnings', warningLines(plan.warnings)],
    ]),
  ]
}

function meshText(vertexCount: number, meshCount: number): string {
  return `${formatCounted(vertexCount, 'vertex', 'vertices')} in ${formatCounted(meshCount, 'mesh', 'meshes')}`
}
