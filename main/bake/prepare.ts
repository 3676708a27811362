import { createHash } from 'node:crypto'
import { basename, extname, join } from 'node:path'
import type { AnimatedModel, Warning } from '../model/animated-model.ts'
import { boxDiagonal, createBox, growBox } from '../model/box.ts'
import type { Evaluator, Frame } from '../model/evaluate.ts'
import { checkLimit, limitsOf } from '../model/limits.ts'
import { Problem } from '../model/problem.ts'
import type { LoadedModel } from '../readers/loaded-model.ts'
import { readModel } from '../readers/read-model.ts'
import { fileSpaceOf, meshFormatOf, spaceMatrix, splitsBytes, type FileSpace, type TargetDescription } from '../targets/target.ts'
import { targetFor } from '../targets/targets.ts'
import { chooseEncoding, chooseRates, type Choice } from './choose.ts'
import { chooseClips, clipTitle, list, type ClipOptions, type ChosenClip } from './clips.ts'
import { ownColumns, shareColumns, type Columns } from './columns.ts'
import { refuseBlend, refuseCombination, refuseRange } from './combination.ts'
import type { Work } from './contract.ts'
import { safeFileName, safeFileNames } from './file-name.ts'
import { parseLoop, type BakeOptions, type Encoding } from './options.ts'
import {
  LOOP_SEAM,
  planBlocks,
  planFrames,
  planLayers,
  planLayout,
  planRange,
  sampleTimes,
  wasteOf,
  type ClipPlan,
  type DraftClip,
  type LayerPlan,
  type LayoutPlan,
  type RootMotion,
  type RowBlock,
  type TexturePlan,
} from './plan.ts'
import { createRestFrame, evaluateRest } from './rest.ts'
import { countLeftBehind, findRoot } from './root-motion.ts'
import type { SampledClip, Sampler } from './sample.ts'
import type { Sidecar } from './sidecar.ts'
import { createSubject, type Subject } from './subject.ts'
import { withTangents } from './tangent-space.ts'

/** A model, with tangents where they had to be made, and everything decided that a bake needs to know before it samples. */
export interface Preparation extends Subject {
  loaded: LoadedModel
  target: TargetDescription
  /** Of the mesh's file, and the factor from the model's units to its own. */
  fileSpace: FileSpace & { scale: number }
  /** Factor from the model's units to those of the bake. */
  scale: number
  /** The rest mesh. */
  rest: Frame
  clips: ClipPlan[]
  columns: Columns
  encoding: Encoding
  /** 16-bit numbers go as bytes into a PNG of 8 bits. */
  bytesApart: boolean
  layout: LayoutPlan
  /** What each row block of a layer holds, in their order. */
  blocks: RowBlock[]
  /** The row block of each frame, `[clip][frame]`. */
  places: number[][]
  orientation: BakeOptions['orientation']
  /** Share of the texels that belong to no vertex of a frame, 0 to 1. */
  waste: number
  layers: LayerPlan[]
  textures: TexturePlan[]
  /** Where the files go, and their base name. */
  folder: string
  name: string
  /** `textures` in the order of the plans. */
  files: { textures: string[]; mesh: string; sidecar: string; rootMotion: string | null }
  /** What was left to the program, and why it chose so. */
  choices: Choice[]
  warnings: Warning[]
}

/**
 * Reads a model and plans its bake.
 *
 * @throws Problem for a model that cannot be read or baked, options that do not fit it, or a bake that is too large
 */
export async function* prepareBake(file: string, options: BakeOptions): Work<Preparation> {
  // What the request alone tells comes first: nobody should wait for a large model to hear of a wrong option.
  const target = targetFor(options)
  refuseCombination(options)
  const limits = limitsOf(options.limit)
  const loaded = await readModel(file, limits, typeof options.fps === 'number' ? options.fps : undefined)
  const title = basename(file)
  const warnings = [...loaded.model.warnings]
  const meshes = chooseMeshes(loaded.model, options.mesh, title)
  const chosen = chooseClips(loaded.model, options, title)
  refuseRange(options, chosen.length)

  const scale = options.scale * target.unitsPerMetre
  const meshFormat = meshFormatOf(target, options.meshFormat)
  const fileSpace = fileSpaceOf(target, meshFormat)
  const maxSize = options.maxSize ?? target.maxSize
  refuseTooManyVertices(loaded.model, meshes, maxSize, title)
  const model = options.tangents ? withTangents(loaded.model, meshes, warnings) : loaded.model
  const subject = createSubject(model, meshes, spaceMatrix(target.axesFromGltf, scale))
  const { evaluator } = subject

  const drafts = chosen.map((one) => draftClip(subject, one, options, title, warnings))
  const rest = createRestFrame(subject)
  evaluateRest(subject, { rest: options.rest, clips: drafts.map(({ clip }) => clip) }, rest)
  // A sum in double precision is only finite where everything in it is.
  if (!Number.isFinite(rest.positions.reduce((sum, value) => sum + Math.abs(value), 0))) {
    throw new Problem('input', `${title} leaves the range of numbers at rest. Bake it with a smaller --scale or --rest first-frame, or repair the transforms of its nodes.`)
  }

  const choices: Choice[] = []
  const rates = drafts.map((draft) => ({
    clip: draft.clip,
    fps: draft.options.fps,
    plan(fps: number) {
      const clip = frameClip(draft, { ...draft.options, fps })
      // Before anything is done frame by frame: a clip may claim to last for years.
      checkLimit(title, limits, 'frames', clip.frameCount)
      return clip
    },
  }))
  const clips = yield* chooseRates(subject, rates, rest, options, choices)
  const encoding = options.encoding === 'auto' ? yield* chooseEncoding(subject, clips, rest, options, choices) : options.encoding

  const hasNormals = options.normals !== 'none'
  const columns =
    options.columns === 'shared'
      ? shareColumns(subject, { normals: hasNormals, tangents: options.tangents })
      : ownColumns(evaluator.vertexCount)
  const { blocks, places } = options.dedupeFrames
    ? yield* shareFrames(subject, clips, { normals: hasNormals, tangents: options.tangents }, choices)
    : ownFrames(clips, options.guardRows)
  const planned = planLayers({ ...options, encoding })
  const bytesApart = splitsBytes(target, encoding)
  const stacked = planned.layers.filter(({ channels, texture }) => channels !== 'a' && texture === 0).length * (bytesApart ? 2 : 1)
  const layout = planLayout({
    what: clips.length === 1 ? `"${clipTitle(clips[0])}"` : `The bake of ${clips.length} clips`,
    columnCount: columns.count,
    frameCount: blocks.length,
    maxSize,
    duration: clips.reduce((sum, planned) => sum + planned.duration, 0),
    orientation: options.orientation,
    stacked,
    pot: options.pot,
    clipCount: clips.length,
    guard: options.guardRows,
  })
  checkLimit(title, limits, 'frames', layout.frameCount)
  checkLimit(title, limits, 'texels', layout.width * layout.height * planned.textures.length)
  placeClips(clips, places, layout.rowsPerFrame)

  const modelName = safeFileName(basename(file, extname(file)), 'bake')
  const clipNames = safeFileNames(model.clips.map((clip) => clip.name), modelName)
  const name =
    options.name === undefined && clips.length === 1 ? clipNames[clips[0].index] : safeFileName(options.name ?? modelName, modelName)
  const extension = encoding === 'rgba8' || encoding === 'rgba16' ? 'png' : 'exr'
  return {
    ...subject,
    loaded,
    target,
    fileSpace: { ...fileSpace, scale: options.scale * fileSpace.unitsPerMetre },
    scale,
    rest,
    clips,
    columns,
    encoding,
    bytesApart,
    layout,
    blocks,
    places,
    orientation: options.orientation,
    waste: wasteOf(layout, stacked),
    layers: placeLayers(planned.layers, layout, options.orientation),
    textures: planned.textures,
    folder: target.ownFolder ? join(options.output, name) : options.output,
    name,
    files: {
      textures: planned.textures.map(({ suffix }) => `${name}_${suffix}.${extension}`),
      mesh: `${name}_mesh.${meshFormat}`,
      sidecar: `${name}.json`,
      rootMotion: options.rootMotion === 'extract' && clips.some(({ rootMotion }) => rootMotion) ? `${name}_root.csv` : null,
    },
    choices,
    warnings,
  }
}

/** A clip whose range and loop are decided, and whose frames are not. */
export interface ClipDraft {
  clip: DraftClip
  options: ClipOptions
}

/** What cannot fit even as a single frame is refused before memory is taken for its vertices. */
export function refuseTooManyVertices(model: AnimatedModel, meshes: number[], maxSize: number, what: string): void {
  const columnCount = meshes.reduce((sum, index) => sum + model.meshes[index].vertexCount, 0)
  if (columnCount === 0) return
  try {
    planLayout({ what, columnCount, frameCount: 1, maxSize, duration: 0 })
  } catch (error) {
    // Its frames need more than the one does.
    throw error instanceof Problem ? new Problem(error.kind, error.message.replace(/It fits with (--max-size [\d,]+)\.$/, 'It needs at least $1, and more for its frames.')) : error
  }
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

/** Decides the range, the way that is taken out, and the loop of a clip. A jump where a loop is asked for becomes a warning. */
export function draftClip(
  { model, meshes, evaluator, pose, sampler }: Subject,
  { clip, options }: ChosenClip,
  { rootMotion, rootAxes, rootNode }: Pick<BakeOptions, 'rootMotion' | 'rootAxes' | 'rootNode'>,
  file: string,
  warnings: Warning[],
): ClipDraft {
  const title = clipTitle(clip)
  const fps = options.fps === 'auto' ? 30 : options.fps
  const range = planRange({ ...clip, name: title }, { ...options, fps })
  const duration = range.end - range.start
  let root: RootMotion | null = null
  if (rootMotion !== 'keep') {
    root = findRoot(model, meshes, clip, range, pose, { axes: rootAxes, name: rootNode, file })
    if (!root) {
      const still = rootNode === undefined ? `Nothing in "${title}" travels` : `"${rootNode}" does not travel in "${title}"`
      warnings.push({ code: 'no-root-motion', message: `${still} along ${rootAxes}: no way was taken out of it.`, count: 1 })
    } else {
      const left = countLeftBehind(model, meshes, root.node)
      const message =
        `The way that was taken out of "${title}" is that of the node "${root.name}", which does not carry ${left === 1 ? 'one vertex' : `${left} vertices`}: ` +
        'a player that moves the model along it moves those too far. Choose another with --root-node.'
      if (left > 0) warnings.push({ code: 'root-motion-part', message, count: left })
    }
  }
  const sampled: SampledClip = { index: clip.index, start: range.start, duration, ...(root ? { rootMotion: root } : {}) }
  const { seam, diagonal } = measureSeam(sampled, sampler, evaluator)
  if (evaluator.vertexCount > 0 && !Number.isFinite(diagonal)) {
    throw new Problem('input', `"${title}" leaves the range of numbers. Bake it with a smaller --scale, or repair the transforms of its nodes.`)
  }
  const meets = duration > 0 && seam <= LOOP_SEAM * diagonal
  refuseBlend(title, options.loop, duration)
  const loop = parseLoop(options.loop)
  if (loop.mode === 'on' && !meets && duration > 0) {
    warnings.push({
      code: 'seam',
      message: `"${title}" jumps by ${((seam / diagonal) * 100).toPrecision(3)} % of its size where it repeats. --loop blend:0.2s would bend its end to its start.`,
      count: 1,
    })
  }
  const isBlended = loop.mode === 'blend'
  return {
    clip: {
      ...sampled,
      name: clip.name,
      loop: loop.mode === 'on' || isBlended || (loop.mode === 'auto' && meets),
      seam: isBlended ? 0 : seam,
      ...(isBlended ? { blend: { seconds: loop.seconds, seamBefore: seam } } : {}),
    },
    options,
  }
}

/** Decides the frames of a clip. */
export function frameClip({ clip }: ClipDraft, options: Pick<BakeOptions, 'frames'> & { fps: number }): ClipPlan {
  return { ...clip, ...planFrames(clip.duration, clip.loop, options), firstRow: 0 }
}

/** The largest distance between the poses at both ends of a range, and the diagonal of the box around both. */
function measureSeam(clip: SampledClip, sampler: Sampler, evaluator: Evaluator): { seam: number; diagonal: number } {
  const wanted = { normals: false, tangents: false }
  const first = evaluator.createFrame(wanted)
  const last = evaluator.createFrame(wanted)
  sampler.sample(clip, clip.start, first)
  sampler.sample(clip, clip.start + clip.duration, last)
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

/** Where the frames of all clips lie: the block of each, `[clip][frame]`. */
interface Placed {
  blocks: RowBlock[]
  places: number[][]
}

function ownFrames(clips: ClipPlan[], guard: number): Placed {
  const { blocks, first } = planBlocks(clips, guard)
  return { blocks, places: clips.map(({ frameCount }, clip) => Array.from({ length: frameCount }, (_, frame) => first[clip] + frame)) }
}

/** Gives equal frames one block. They are compared number for number, by their hashes. */
async function* shareFrames(
  { sampler, evaluator }: Subject,
  clips: ClipPlan[],
  wanted: { normals: boolean; tangents: boolean },
  choices: Choice[],
): Work<Placed> {
  const frame = evaluator.createFrame(wanted)
  const known = new Map<string, number>()
  const blocks: RowBlock[] = []
  const places: number[][] = []
  for (const [clip, plan] of clips.entries()) {
    const placesOfClip: number[] = []
    for (const [index, time] of sampleTimes(plan).entries()) {
      sampler.sample(plan, time, frame)
      const hash = createHash('sha256')
      for (const values of [frame.positions, frame.normals, frame.tangents]) if (values) hash.update(new Uint8Array(values.buffer))
      const key = hash.digest('base64')
      if (!known.has(key)) known.set(key, blocks.push({ clip, frame: index }) - 1)
      placesOfClip.push(known.get(key)!)
      yield { stage: 'choosing', done: 0, total: 0 }
    }
    places.push(placesOfClip)
  }
  const frameCount = places.reduce((sum, placesOfClip) => sum + placesOfClip.length, 0)
  const sharedCount = frameCount - blocks.length
  const why = sharedCount === 0 ? `None of ${frameCount} frames equals another one.` : `${sharedCount} of ${frameCount} frames equal another one, and take no room.`
  choices.push({ option: 'dedupe-frames', value: '', why })
  return { blocks, places }
}

/** Tells each clip where it begins, and, where its frames do not follow each other, where each of them is. */
function placeClips(clips: ClipPlan[], places: number[][], rowsPerFrame: number): void {
  clips.forEach((clip, index) => {
    const rows = places[index].map((block) => block * rowsPerFrame)
    clip.firstRow = rows[0]
    if (rows.some((row, frame) => row !== rows[0] + frame * rowsPerFrame)) clip.frameRows = rows
  })
}

/** The layout as a sidecar tells it. */
export function sidecarLayout({ layout }: Preparation, { orientation, guardRows }: BakeOptions): Sidecar['layout'] {
  const { columnsPerRow, rowsPerFrame } = layout
  return { columnsPerRow, rowsPerFrame, orientation, guardRows: guardRows * rowsPerFrame }
}

/** Layers of one texture lie one below the other: those whose frames go across begin further down, in another column. */
function placeLayers(layers: Omit<LayerPlan, 'baseRow' | 'baseColumn'>[], layout: LayoutPlan, orientation: BakeOptions['orientation']): LayerPlan[] {
  const layerRows = layout.frameCount * layout.rowsPerFrame
  const above = new Map<number, number>()
  return layers.map((layer) => {
    const isPacked = layer.channels === 'a'
    const count = isPacked ? 0 : (above.get(layer.texture) ?? 0)
    if (!isPacked) above.set(layer.texture, count + 1)
    const isAcross = orientation === 'frames-x'
    return { ...layer, baseRow: isAcross ? 0 : count * layerRows, baseColumn: isAcross ? count * layout.columnsPerRow : 0 }
  })
}
