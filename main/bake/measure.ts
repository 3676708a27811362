import { join } from 'node:path'
import { readMeshFile } from '../meshes/mesh-file.ts'
import { boxDiagonal, createBox, growBox, uniteBox, type Box } from '../model/box.ts'
import { concatenate } from '../model/concatenate.ts'
import { Problem } from '../model/problem.ts'
import { MILLIMETRES } from '../targets/target.ts'
import { addAngles, addDistances, gather, noErrors, type Errors } from './frame-errors.ts'
import { addressesOf, openLayers, type LayerReader } from './layers.ts'
import { movePoints, subjectIn } from './mesh-space.ts'
import { sampleTimes, type ClipPlan } from './plan.ts'
import { evaluateRest } from './rest.ts'
import type { Report, Unreported } from './sidecar.ts'
import type { Subject } from './subject.ts'
import type { Truth } from './truth.ts'

/** Errors of positions in one frame, or midway between two. */
export interface FrameError {
  /** Frame of the clip; 12.5 stands for midway between 12 and 13. */
  frame: number
  /** Seconds from the beginning of the clip. */
  time: number
  maxMillimetres: number
  rmsMillimetres: number
  /** Vertex of the rest mesh where the largest one is. */
  vertex: number
}

/** Frames of a clip (an index into the sidecar's) that are measured in one go. */
export interface Stretch {
  clip: number
  from: number
  to: number
}

/** Somebody who measures frames of the same bake at the same time. */
export interface Lane {
  /** Rejects where that cannot be: the frames are then measured here. */
  measure(folder: string, set: Unreported, stretch: Stretch): Promise<FrameErrors[]>
}

/** As many frames as a block of an EXR file has rows, so that no block is read twice. */
const STRETCH = 16

/**
 * Reads a written bake back as a player does, through the index UV of the written mesh, and compares every vertex with a
 * fresh evaluation: at the samples, and midway between them where a player interpolates linearly.
 *
 * Yields the number of vertex-frames compared since the last time.
 *
 * @param folder where the files are
 * @param only     index of the one clip to be measured, instead of all
 * @param observe  is told of every frame that was compared; then everything is compared here, in order
 * @param lane     takes a share of the frames
 * @throws Problem `verify` where the files do not hold what the sidecar says
 */
export async function* measureErrors(
  folder: string,
  set: Unreported,
  truth: Truth,
  { only, observe, lane = null }: { only?: number; observe?: (error: FrameError) => void; lane?: Lane | null } = {},
): AsyncGenerator<number, Report, void> {
  const measuring = await openMeasuring(folder, set, truth, true)
  try {
    const measured = set.clips.map((clip, index) => ({ clip, index })).filter(({ index }) => only === undefined || index === only)
    const stretches = measured.flatMap(({ clip, index }) => stretchesOf(clip, index))
    const found: FrameErrors[][] = stretches.map(() => [])
    const cost = (count: number) => count * 2 * set.vertexCount
    let first = 0
    let last = stretches.length
    // Both take from their end until they meet.
    let laneDone = 0
    let failed: number | null = null
    const lanes = (async () => {
      while (lane && last - 1 > first) {
        const index = --last
        try {
          found[index] = await lane.measure(folder, set, stretches[index])
          laneDone += stretches[index].to - stretches[index].from
        } catch {
          failed = index
          return
        }
      }
    })()
    const measureHere = async function* (index: number): AsyncGenerator<number, void, void> {
      for await (const errors of measuring.measure(stretches[index])) {
        found[index].push(...errors)
        if (observe) for (const error of errors) observe(observed(error, MILLIMETRES[set.space.unit]))
        yield cost(1)
      }
    }
    while (first < last) {
      yield* measureHere(first++)
      yield cost(laneDone)
      laneDone = 0
    }
    await lanes
    yield cost(laneDone)
    if (failed !== null) yield* measureHere(failed)

    const clips = measured.map(({ clip, index }) => gatherClip(clip, found.filter((_, i) => stretches[i].clip === index).flat()))
    const box = createBox()
    for (const clip of clips) uniteBox(box, clip.box)
    return summarise(clips, boxDiagonal(box), measuring.layers, MILLIMETRES[set.space.unit])
  } finally {
    await measuring.close()
  }
}

function stretchesOf({ frameCount }: MeasuredClip, clip: number): Stretch[] {
  const stretches: Stretch[] = []
  for (let from = 0; from < frameCount; from += STRETCH) stretches.push({ clip, from, to: Math.min(from + STRETCH, frameCount) })
  return stretches
}

function observed({ frame, time, position }: FrameErrors, millimetres: number): FrameError {
  return {
    frame,
    time,
    maxMillimetres: position.max * millimetres,
    rmsMillimetres: Math.sqrt(position.squares / position.count) * millimetres,
    vertex: position.worst.vertex,
  }
}

/** A written bake that is being compared. */
interface Measuring {
  layers: OpenedLayers
  measure(stretch: Stretch): AsyncGenerator<FrameErrors[], void, void>
  close(): Promise<void>
}

/**
 * Opens the files of a bake, and makes sure of everything that holds for all frames.
 *
 * @param whole  also compare the rest mesh with the model's
 */
export async function openMeasuring(folder: string, set: Unreported, truth: Truth, whole: boolean): Promise<Measuring> {
  const mesh = set.meshes[0]
  const written = await readMeshFile(join(folder, mesh.file), mesh.indexUV)
  const address = addressesOf(written.submeshes.map((submesh) => submesh.indexUV), set, mesh.file)
  const vertexCount = address.x.length
  if (vertexCount !== set.vertexCount || truth.evaluator.vertexCount !== set.vertexCount) {
    throw new Problem(
      'verify',
      `${mesh.file} has ${vertexCount} vertices, the sidecar says ${set.vertexCount}, and the model has ${truth.evaluator.vertexCount}. Bake again.`,
    )
  }
  const missing = set.clips.find(({ index }) => !truth.model.clips[index])
  if (missing) throw new Problem('verify', `The model has no clip #${missing.index} ("${missing.name}"). Pass the model that was baked with --model.`)
  const positions = concatenate(written.submeshes.map((submesh) => submesh.positions))
  if (whole && truth.isSameModel) checkRestMesh(written.submeshes, positions, truth, set)
  const rest = mesh.space ? movePoints(positions, mesh.space, set.space) : positions

  const readers = openLayers(folder, set, address, rest)
  try {
    const layers: OpenedLayers = { position: (await readers.layer('position'))! }
    for (const role of DIRECTIONS) {
      const layer = await readers.layer(role)
      if (layer) layers[role] = layer
    }
    return { layers, measure: (stretch) => measureFrames(set.clips[stretch.clip], truth, layers, stretch), close: () => readers.close() }
  } catch (error) {
    await readers.close()
    throw error
  }
}

/**
 * The written mesh must be the model at rest, number for number, with its triangles: whatever reads it stands on that.
 *
 * @throws Problem `verify`
 */
function checkRestMesh(submeshes: { indices: Uint32Array }[], positions: Float32Array, truth: Truth, set: Unreported): void {
  const { file, space } = set.meshes[0]
  const subject = subjectIn(space, truth)
  const expected = subject.evaluator.createFrame({ normals: false, tangents: false })
  evaluateRest(subject, set, expected)
  const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    a.length === b.length && Array.prototype.every.call(a, (value, i) => value === b[i])
  // A mesh without triangles is written with one that has no area.
  const sameTriangles = subject.evaluator.indices.every((indices, i) => indices.length === 0 || same(indices, submeshes[i]?.indices ?? []))
  if (!same(positions, expected.positions) || !sameTriangles) {
    throw new Problem('verify', `${file} is not the rest mesh of the model: its vertices or triangles are others. Bake again.`)
  }
}

/** Layers that hold directions. */
const DIRECTIONS = ['normal', 'tangent'] as const
type Role = 'position' | (typeof DIRECTIONS)[number]
type OpenedLayers = { position: LayerReader } & Partial<Record<Role, LayerReader>>

/** The same clip at the samples and between them. */
type ClipErrors = {
  /** Around every true vertex at the samples; the sidecar's own bounds are not taken on trust. */
  box: Box
} & Record<Role, Record<When, Errors>>
type When = 'at' | 'between'

/** A frame as a player has it, `[vertex][size]` of each layer. */
type Decoded = Partial<Record<Role, Float64Array>>

/** A clip of a plan or of a sidecar. */
type MeasuredClip = Omit<ClipPlan, 'seam' | 'fps'>

/** What was found in one frame, or, where `frame` ends in .5, midway to the next. Plain data, so that it can cross threads. */
export type FrameErrors = {
  frame: number
  /** Seconds from the beginning of the clip. */
  time: number
  /** Around the true vertices; null midway. */
  box: Box | null
  position: Errors
} & Partial<Record<(typeof DIRECTIONS)[number], Errors>>

/**
 * Compares frames `from` to `to` of a clip with the truth, and the moments midway to each one's next.
 *
 * @param layers that give the frames as a player has them
 */
async function* measureFrames(
  clip: MeasuredClip,
  { evaluator, sampler }: Subject,
  layers: OpenedLayers,
  { from, to }: { from: number; to: number },
): AsyncGenerator<FrameErrors[], void, void> {
  const roles = Object.keys(layers) as Role[]
  const frame = evaluator.createFrame({ normals: layers.normal !== undefined, tangents: layers.tangent !== undefined })
  const truthOf = { position: frame.positions, normal: frame.normals, tangent: frame.tangents }
  const roomFor = (role: Role) => new Float64Array(evaluator.vertexCount * layers[role]!.size)
  const createDecoded = (): Decoded => Object.fromEntries(roles.map((role) => [role, roomFor(role)]))
  const decode = async (index: number, out: Decoded) => {
    for (const role of roles) await layers[role]!.decode(clip, index, out[role]!)
  }
  const compare = (time: number, index: number, a: Decoded, b: Decoded): FrameErrors => {
    sampler.sample(clip, time, frame)
    const box = Number.isInteger(index) ? createBox() : null
    if (box) growBox(box, frame.positions)
    const errors: FrameErrors = { frame: index, time: time - clip.start, box, position: noErrors() }
    addDistances(errors.position, a.position!, b.position!, frame.positions, index)
    for (const role of DIRECTIONS) {
      const layer = layers[role]
      if (layer) addAngles((errors[role] = noErrors()), a[role]!, b[role]!, truthOf[role]!, layer.size, index)
    }
    return errors
  }

  const times = sampleTimes(clip)
  const step = clip.frameCount > 1 ? times[1] - times[0] : clip.duration
  const intervals = intervalsOf(clip)
  let current = createDecoded()
  let next = createDecoded()
  await decode(from, current)
  for (let index = from; index < to; index++) {
    const found = [compare(times[index], index, current, current)]
    if (index < intervals) {
      await decode((index + 1) % clip.frameCount, next)
      found.push(compare(times[index] + step / 2, index + 0.5, current, next))
    }
    ;[current, next] = [next, current]
    yield found
  }
}

/** How many of a clip's frames have a moment midway to a next one. A single frame is held, and stands for its middle, too. */
function intervalsOf({ duration, loop, frameCount }: MeasuredClip): number {
  if (duration === 0) return 0
  return loop || frameCount === 1 ? frameCount : frameCount - 1
}

/** The errors of a clip of the errors of its frames, in their order: sums of numbers depend on it. */
function gatherClip(clip: MeasuredClip, frames: FrameErrors[]): ClipErrors {
  const none = () => ({ at: noErrors(), between: noErrors() })
  const errors: ClipErrors = { box: createBox(), position: none(), normal: none(), tangent: none() }
  for (const found of frames) {
    if (found.box) uniteBox(errors.box, found.box)
    for (const role of ['position', ...DIRECTIONS] as const) {
      const inFrame = found[role]
      if (inFrame) gather(errors[role][found.box ? 'at' : 'between'], inFrame)
    }
  }
  if (intervalsOf(clip) === 0) for (const role of ['position', ...DIRECTIONS] as const) errors[role].between = errors[role].at
  return errors
}

/** @param millimetres in a unit of the bake */
function summarise(clips: ClipErrors[], diagonal: number, layers: OpenedLayers, millimetres: number): Report {
  // Of something without size, any distance is all of it.
  const percent = (distance: number) => (distance === 0 ? 0 : diagonal > 0 ? (distance / diagonal) * 100 : 100)
  const rms = (errors: Errors) => Math.sqrt(errors.squares / errors.count)
  const distances = ({ errors, clip }: Located) => ({
    maxMillimetres: errors.max * millimetres,
    rmsMillimetres: rms(errors) * millimetres,
    maxPercent: percent(errors.max),
    rmsPercent: percent(rms(errors)),
    worst: { clip, ...errors.worst },
  })
  const angles = ({ errors, clip }: Located) => ({ maxDegrees: errors.max, rmsDegrees: rms(errors), worst: { clip, ...errors.worst } })
  const located = (role: Role, when: When) =>
    clips.map((errors, clip) => ({ errors: errors[role][when], clip }))

  const section = <Figures>(role: Role, figures: (located: Located) => Figures) => {
    const at = located(role, 'at')
    const between = located(role, 'between')
    return {
      ...figures(unite(at)),
      betweenSamples: figures(unite(between)),
      clips: at.map((one, index) => ({ ...figures(one), betweenSamples: figures(between[index]) })),
    }
  }
  return {
    position: section('position', distances),
    ...(layers.normal ? { normal: section('normal', angles) } : {}),
    ...(layers.tangent ? { tangent: section('tangent', angles) } : {}),
  }
}

interface Located {
  errors: Errors
  clip: number
}

/** All clips together: the largest maximum with its place, and the sums. */
function unite(all: Located[]): Located {
  const worst = all.reduce((a, b) => (b.errors.max > a.errors.max ? b : a))
  const sum = (of: (errors: Errors) => number) => all.reduce((total, one) => total + of(one.errors), 0)
  return {
    clip: worst.clip,
    errors: { ...worst.errors, squares: sum((errors) => errors.squares), count: sum((errors) => errors.count) },
  }
}
