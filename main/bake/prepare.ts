import { basename, extname } from 'node:path'
import { createPose, type AnimatedModel, type Clip, type Pose, type Warning } from '../model/animated-model.ts'
import { boxDiagonal, createBox, growBox } from '../model/box.ts'
import { createEvaluator, type Evaluator } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import type { LoadedModel } from '../readers/loaded-model.ts'
import { readModel } from '../readers/read-model.ts'
import { spaceMatrix, type TargetDescription } from '../targets/target.ts'
import { targetOf } from '../targets/targets.ts'
import { safeFileName } from './file-name.ts'
import type { BakeOptions } from './options.ts'
import { LOOP_SEAM, planFrames, planLayout, planRange, type ClipPlan, type LayoutPlan } from './plan.ts'

/** A model with everything decided that a bake needs to know before it samples. */
export interface Preparation {
  loaded: LoadedModel
  target: TargetDescription
  /** Factor from the model's units to those of the bake. */
  scale: number
  /** Indices into the model's meshes, in the order of their vertices. */
  meshes: number[]
  evaluator: Evaluator
  pose: Pose
  clips: ClipPlan[]
  layout: LayoutPlan
  /** Base name of the files. */
  name: string
  files: { position: string; normal: string | null; mesh: string; sidecar: string }
  warnings: Warning[]
}

/**
 * Reads a model and plans its bake.
 *
 * @throws Problem for a model that cannot be read or baked, options that do not fit it, or a bake that is too large
 */
export async function prepareBake(file: string, options: BakeOptions): Promise<Preparation> {
  // What the request alone tells comes first: nobody should wait for a large model to hear of a wrong option.
  const target = targetOf(options.target)
  const loaded = await readModel(file)
  const { model } = loaded
  const meshes = chooseMeshes(model, options.mesh, basename(file))
  const clip = chooseClip(model, options.anim, basename(file))

  const scale = options.scale * target.unitsPerMetre
  const maxSize = options.maxSize ?? target.maxSize
  refuseTooManyVertices(model, meshes, maxSize, basename(file))
  const evaluator = createEvaluator(model, meshes, spaceMatrix(target.axesFromGltf, scale))
  const pose = createPose(model)
  const warnings = [...model.warnings]

  const clips = [planClip(model, clip, options, evaluator, pose, warnings)]
  const layout = planLayout({
    what: `"${clipTitle(clip)}"`,
    columnCount: evaluator.vertexCount,
    frameCount: clips.reduce((sum, planned) => sum + planned.frameCount, 0),
    maxSize,
    duration: clips.reduce((sum, planned) => sum + planned.duration, 0),
  })

  const modelName = basename(file, extname(file))
  const name = safeFileName(options.name ?? clip.name, safeFileName(modelName, 'bake'))
  const extension = options.encoding === 'rgba8' || options.encoding === 'rgba16' ? 'png' : 'exr'
  return {
    loaded,
    target,
    scale,
    meshes,
    evaluator,
    pose,
    clips,
    layout,
    name,
    files: {
      position: `${name}_pos.${extension}`,
      normal: options.normals === 'none' ? null : `${name}_nrm.${extension}`,
      mesh: `${name}_mesh.${options.meshFormat}`,
      sidecar: `${name}.json`,
    },
    warnings,
  }
}

/** What cannot fit even as a single frame is refused before memory is taken for its vertices. */
export function refuseTooManyVertices(model: AnimatedModel, meshes: number[], maxSize: number, what: string): void {
  const columnCount = meshes.reduce((sum, index) => sum + model.meshes[index].vertexCount, 0)
  if (columnCount > 0) planLayout({ what, columnCount, frameCount: 1, maxSize, duration: 0 })
}

/** Every mesh of the scene, or those whose own name or node's name is given. */
function chooseMeshes(model: AnimatedModel, names: string[], file: string): number[] {
  if (model.meshes.length === 0) {
    const left = model.warnings.filter((warning) => warning.code === 'primitive-skipped').map((warning) => ` ${warning.message}`)
    throw new Problem('input', `${file} has no triangles to bake in its scene.${left.join('')} Export it with its meshes.`)
  }
  const all = model.meshes.map((_, index) => index)
  if (names.length === 0) return all
  const named = (index: number, name: string) => {
    const mesh = model.meshes[index]
    return mesh.name === name || model.nodes[mesh.node].name === name
  }
  for (const name of names) {
    if (!all.some((index) => named(index, name))) {
      const known = [...new Set(model.meshes.map((mesh) => mesh.name))].map((known) => `"${known}"`)
      throw new Problem('usage', `${file} has no mesh "${name}". It has ${list(known)}.`)
    }
  }
  return all.filter((index) => names.some((name) => named(index, name)))
}

/** The clip of that name or #index, or the only one. */
function chooseClip(model: AnimatedModel, wanted: string[], file: string): Clip {
  const { clips } = model
  if (clips.length === 0) {
    throw new Problem('input', `${file} has no animation, so there is nothing to bake. Export it with its animation.`)
  }
  const known = list(clips.map((clip) => `"${clipTitle(clip)}"`))
  if (wanted.length > 1) {
    throw new Problem('usage', `Only one clip can be baked at a time, and --anim names ${wanted.length}. Bake them one by one.`)
  }
  const name = wanted[0]
  if (name === undefined) {
    if (clips.length === 1) return clips[0]
    throw new Problem('usage', `${file} has ${clips.length} clips. Choose one with --anim: ${known}.`)
  }
  const byName = clips.filter((clip) => clip.name === name)
  if (byName.length === 1) return byName[0]
  if (byName.length > 1) {
    const numbers = byName.map((clip) => `#${clip.index}`)
    throw new Problem('usage', `${file} has ${byName.length} clips named "${name}". Choose one with --anim ${list(numbers, 'or')}.`)
  }
  const byIndex = /^#(\d+)$/.exec(name)
  const clip = byIndex ? clips[Number(byIndex[1])] : undefined
  if (clip) return clip
  const meant = clips.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
  const answer = meant ? `Did you mean "${meant.name}"?` : `It has ${known}.`
  throw new Problem('usage', `${file} has no clip "${name}". ${answer}`)
}

/** Decides the range, the loop and the frames of a clip. A jump where a loop is asked for becomes a warning. */
export function planClip(
  model: AnimatedModel,
  clip: Clip,
  options: BakeOptions,
  evaluator: Evaluator,
  pose: Pose,
  warnings: Warning[],
): ClipPlan {
  const range = planRange({ ...clip, name: clipTitle(clip) }, options)
  const duration = range.end - range.start
  const { seam, diagonal } = measureSeam(model, clip, range, evaluator, pose)
  if (evaluator.vertexCount > 0 && !Number.isFinite(diagonal)) {
    throw new Problem(
      'input',
      `"${clipTitle(clip)}" leaves the range of numbers. Bake it with a smaller --scale, or repair the transforms of its nodes.`,
    )
  }
  const meets = duration > 0 && seam <= LOOP_SEAM * diagonal
  const loop = options.loop === 'on' || (options.loop === 'auto' && meets)
  if (options.loop === 'on' && !meets && duration > 0) {
    warnings.push({
      code: 'seam',
      message: `"${clipTitle(clip)}" jumps by ${((seam / diagonal) * 100).toPrecision(3)} % of its size where it repeats.`,
      count: 1,
    })
  }
  const frames = planFrames(duration, loop, options)
  return { name: clip.name, index: clip.index, start: range.start, duration, loop, seam, ...frames, firstRow: 0 }
}

/** The largest distance between the poses at both ends of a range, and the diagonal of the box around both. */
function measureSeam(
  model: AnimatedModel,
  clip: Clip,
  range: { start: number; end: number },
  evaluator: Evaluator,
  pose: Pose,
): { seam: number; diagonal: number } {
  const wanted = { normals: false, tangents: false }
  const first = evaluator.createFrame(wanted)
  const last = evaluator.createFrame(wanted)
  model.pose(clip, range.start, pose)
  evaluator.evaluate(pose, first)
  model.pose(clip, range.end, pose)
  evaluator.evaluate(pose, last)
  const box = createBox()
  growBox(box, first.positions)
  growBox(box, last.positions)
  let squared = 0
  for (let i = 0; i < first.positions.length; i += 3) {
    const x = first.positions[i] - last.positions[i]
    const y = first.positions[i + 1] - last.positions[i + 1]
    const z = first.positions[i + 2] - last.positions[i + 2]
    squared = Math.max(squared, x * x + y * y + z * z)
  }
  return { seam: Math.sqrt(squared), diagonal: boxDiagonal(box) }
}

/** The name of a clip, or its number where the file gives it none. */
function clipTitle(clip: Clip): string {
  return clip.name === '' ? `#${clip.index}` : clip.name
}

/** "a, b and c"; long lists are cut. */
function list(words: string[], last = 'and'): string {
  const shown = words.length > 20 ? [...words.slice(0, 20), `${words.length - 20} more`] : words
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown[shown.length - 1]}`
}
