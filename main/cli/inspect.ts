import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { InspectResult } from '../bake/contract.ts'
import { flagOf } from './flags.ts'
import { formatBytes, formatCount, formatCounted, formatNumber, formatSeconds, formatTable } from './format.ts'
import { formatSections, nameText, pathText, type Section, warningLines } from './report.ts'
import { runJob } from './run-job.ts'
import { type Invocation, type OutputOptions, writeDocument, writeLines, writeNotes } from './shell.ts'

interface Values extends OutputOptions {
  limit?: string[]
}

/** Adds `inspect FILE`. */
export function addInspect(program: Command, invocation: Invocation): void {
  program
    .command('inspect')
    .description('List the meshes, skins and clips of a model, and what a bake of each clip would take.')
    .argument('<model>', 'model to look at: .glb, .gltf, .fbx, .babylon, or numbered .obj files as "frame_*.obj"')
    .addOption(flagOf('limit'))
    .option('--json', 'print one JSON document instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio inspect Fox.glb
  vat-studio inspect Fox.glb --json | jq '.clips[].name'`,
    )
    .action((model: string, values: Values) => inspect(invocation, model, values))
}

async function inspect({ shell }: Invocation, model: string, values: Values): Promise<void> {
  const result = await runJob(shell, values, { kind: 'inspect', model: resolve(shell.folder, model), limit: values.limit })
  if (values.json) {
    writeDocument(shell, result)
    writeNotes(shell, values, warningLines(result.warnings))
  }
  writeLines(shell, values, inspectText(result, shell.folder))
}

/** What a model holds, for a person. */
export function inspectText(result: InspectResult, folder: string): string[] {
  const { meshes, skins, clips, materials } = result
  const totals = `${formatCounted(result.vertexCount, 'vertex', 'vertices')}, ${formatCounted(result.triangleCount, 'triangle')}`
  const sections: Section[] = [
    ['Size', result.size ? [`${result.size.map(formatNumber).join(' × ')} m at rest`] : []],
    ['Meshes', meshLines(meshes)],
    ['Skins', formatTable(skins.map(({ name, joints }) => [nameText(name), formatCounted(joints, 'joint')]))],
    ['Materials', materials.map(nameText)],
    ['Clips', clips.length > 0 ? clipTable(clips) : ['none: there is nothing to bake']],
    ['Warnings', warningLines(result.warnings)],
  ]
  return [`${pathText(result.file, folder)}: ${totals}.`, '', ...formatSections(sections)]
}

function meshLines(meshes: InspectResult['meshes']): string[] {
  if (meshes.length === 0) return ['none: there is nothing to bake']
  const rows = meshes.map((mesh) => [
    nameText(mesh.name),
    nameText(mesh.node),
    mesh.material === null ? '–' : nameText(mesh.material),
    formatCount(mesh.vertexCount),
    formatCount(mesh.triangleCount),
    mesh.movedBy === 'skin' ? `skin, ${formatCounted(mesh.influences, 'influence')}` : 'node',
    mesh.morphTargets > 0 ? formatCount(mesh.morphTargets) : '–',
    mesh.hasNormals ? 'yes' : 'no',
  ])
  return formatTable([['name', 'node', 'material', 'vertices', 'triangles', 'moved by', 'morphs', 'normals'], ...rows], [3, 4, 6])
}

/** Clips with the memory that their positions take in each encoding; below, why some of them do not fit. */
function clipTable(clips: InspectResult['clips']): string[] {
  const encodings = clips[0].encodings.map(({ encoding }) => encoding)
  const rows = clips.map((clip) => [
    `#${clip.index}`,
    nameText(clip.name),
    formatSeconds(clip.start),
    formatSeconds(clip.end),
    formatCount(clip.frameCount),
    ...clip.encodings.map(({ bytes }) => (bytes === null ? 'too large' : formatBytes(bytes))),
  ])
  const problems = clips.flatMap((clip) => [...new Set(clip.encodings.map(({ problem }) => problem))].filter((problem) => problem !== null))
  return [
    ...formatTable([['', 'name', 'from', 'to', 'frames', ...encodings], ...rows], [2, 3, 4, 5, 6, 7, 8]),
    'Frames at 30 fps; bytes of the positions on the GPU, and as many again with normals.',
    ...problems,
  ]
}
