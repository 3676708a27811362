import { join } from 'node:path'
import { decodeOctahedral } from '../codecs/octahedral.ts'
import { decodeTexels } from '../codecs/texel.ts'
import { openTextureReader, type TextureReader } from '../codecs/texture-node.ts'
import { readRestMesh } from '../meshes/glb.ts'
import type { AnimatedModel, Pose } from '../model/animated-model.ts'
import { boxDiagonal, createBox, growBox, uniteBox, type Box } from '../model/box.ts'
import { concatenate } from '../model/concatenate.ts'
import type { Evaluator } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import { sampleTimes } from './plan.ts'
import type { Report, Sidecar, SidecarClip } from './sidecar.ts'

/** A sidecar before its report is known. */
export type Unreported = Omit<Sidecar, 'report'>

/** What a bake is compared with: the model it was made of, evaluated afresh. */
export interface Truth {
  model: AnimatedModel
  evaluator: Evaluator
  pose: Pose
  /** The model is byte for byte the one that was baked, so that the rest mesh must be its own. */
  isSameModel: boolean
}

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

/**
 * Reads a written bake back as a player does, through the index UV of the written mesh, and compares every vertex with a
 * fresh evaluation: at the samples, and midway between them where a player interpolates linearly.
 *
 * Yields the number of vertex-frames compared since the last time.
 *
 * @param folder where the files are
 * @param observe is told of every frame that was compared
 * @throws Problem `verify` where the files do not hold what the sidecar says
 */
export async function* measureErrors(
  folder: string,
  set: Unreported,
  truth: Truth,
  observe?: (error: FrameError) => void,
): AsyncGenerator<number, Report, void> {
  const mesh = set.meshes[0]
  const written = await readRestMesh(join(folder, mesh.file), mesh.indexUV)
  const texels = Uint32Array.from(written.submeshes.flatMap((submesh) => texelsOf(submesh.indexUV, set, mesh.file)))
  if (texels.length !== set.vertexCount || truth.evaluator.vertexCount !== set.vertexCount) {
    throw new Problem(
      'verify',
      `${mesh.file} has ${texels.length} vertices, the sidecar says ${set.vertexCount}, and the model has ${truth.evaluator.vertexCount}. Bake again.`,
    )
  }
  const rest = concatenate(written.submeshes.map((submesh) => submesh.positions))
  if (truth.isSameModel) checkRestMesh(written.submeshes, rest, truth, mesh.file)

  const position = await openLayer(folder, set, 'position', texels, rest)
  const normal = set.textures.some((texture) => texture.role === 'normal') ? await openLayer(folder, set, 'normal', texels, rest) : null
  try {
    const clips: ClipErrors[] = []
    for (const clip of set.clips) clips.push(yield* measureClip(clip, set, truth, position, normal, observe))
    const box = createBox()
    for (const clip of clips) uniteBox(box, clip.box)
    return summarise(clips, boxDiagonal(box), normal !== null)
  } finally {
    await position.reader.close()
    await normal?.reader.close()
  }
}

/**
 * The written mesh must be the model at rest, number for number, with its triangles: whatever reads it stands on that.
 *
 * @throws Problem `verify`
 */
function checkRestMesh(submeshes: { indices: Uint32Array }[], rest: Float32Array, truth: Truth, file: string): void {
  const { model, evaluator, pose } = truth
  const expected = evaluator.createFrame({ normals: false, tangents: false })
  model.pose(null, 0, pose)
  evaluator.evaluate(pose, expected)
  const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    a.length === b.length && Array.prototype.every.call(a, (value, i) => value === b[i])
  // A mesh without triangles is written with one that has no area.
  const sameTriangles = evaluator.indices.every((indices, i) => indices.length === 0 || same(indices, submeshes[i]?.indices ?? []))
  if (!same(rest, expected.positions) || !sameTriangles) {
    throw new Problem('verify', `${file} is not the rest mesh of the model: its vertices or triangles are others. Bake again.`)
  }
}

/** Texel of each vertex inside a frame's row block, `[vertex]`, as its index UV says. */
function texelsOf(indexUV: Float32Array, set: Unreported, file: string): number[] {
  const { columnsPerRow, rowsPerFrame } = set.layout
  const texels: number[] = []
  for (let vertex = 0; vertex * 2 < indexUV.length; vertex++) {
    const x = Math.floor(indexUV[vertex * 2] * columnsPerRow)
    const r = Math.floor(indexUV[vertex * 2 + 1] * rowsPerFrame)
    if (!(x >= 0 && x < columnsPerRow && r >= 0 && r < rowsPerFrame)) {
      throw new Problem('verify', `${file} has an index UV that points outside of a frame at vertex ${vertex}. Bake again.`)
    }
    texels.push(r * columnsPerRow + x)
  }
  return texels
}

/** One texture, ready to give the values of a frame. */
interface Layer {
  reader: TextureReader
  /** Decodes a frame of a clip into `[vertex][xyz]`. */
  decode(clip: SidecarClip, frame: number, out: Float64Array): Promise<void>
}

async function openLayer(folder: string, set: Unreported, role: 'position' | 'normal', texels: Uint32Array, rest: Float32Array): Promise<Layer> {
  const texture = set.textures.find((texture) => texture.role === role)!
  const reader = await openTextureReader(join(folder, texture.file))
  if (reader.width !== texture.width || reader.height !== texture.height || reader.type !== texture.type) {
    await reader.close()
    throw new Problem(
      'verify',
      `${texture.file} is ${reader.width} × ${reader.height} pixels of ${reader.type}, the sidecar says ` +
        `${texture.width} × ${texture.height} of ${texture.type}. Bake again.`,
    )
  }
  const { rowsPerFrame } = set.layout
  const channels = texture.scale.length
  const block = new Float64Array(rowsPerFrame * reader.width * channels)
  return {
    reader,
    async decode(clip, frame, out) {
      const firstRow = texture.baseRow + clip.firstRow + frame * rowsPerFrame
      const rows = await reader.readRows(firstRow, rowsPerFrame)
      decodeTexels(texture, rows, 0, rowsPerFrame * reader.width, block, 0, reader.channels)
      for (let vertex = 0; vertex < texels.length; vertex++) {
        const from = texels[vertex] * channels
        if (texture.content === 'octahedral') {
          decodeOctahedral(block, from, 1, out, vertex * 3)
          continue
        }
        for (let channel = 0; channel < channels; channel++) {
          const at = vertex * 3 + channel
          out[at] = block[from + channel] + (texture.content === 'offset' ? rest[at] : 0)
        }
      }
    },
  }
}

/** Running figures of one kind of error. */
interface Errors {
  max: number
  squares: number
  count: number
  worst: { frame: number; vertex: number }
}

/** The same clip at the samples and between them. */
interface ClipErrors {
  /** Around every true vertex at the samples; the sidecar's own bounds are not taken on trust. */
  box: Box
  position: { at: Errors; between: Errors }
  normal: { at: Errors; between: Errors }
}

const noErrors = (): Errors => ({ max: 0, squares: 0, count: 0, worst: { frame: 0, vertex: 0 } })

async function* measureClip(
  clip: SidecarClip,
  set: Unreported,
  truth: Truth,
  position: Layer,
  normal: Layer | null,
  observe?: (error: FrameError) => void,
): AsyncGenerator<number, ClipErrors, void> {
  const { model, evaluator, pose } = truth
  const source = model.clips[clip.index]
  if (!source) throw new Problem('verify', `The model has no clip #${clip.index} ("${clip.name}"). Pass the model that was baked with --model.`)
  const length = set.vertexCount * 3
  const frame = evaluator.createFrame({ normals: normal !== null, tangents: false })
  const decodedFrame = () => ({ positions: new Float64Array(length), normals: normal ? new Float64Array(length) : null })
  const decode = async (index: number, out: ReturnType<typeof decodedFrame>) => {
    await position.decode(clip, index, out.positions)
    if (normal) await normal.decode(clip, index, out.normals!)
  }
  const errors: ClipErrors = {
    box: createBox(),
    position: { at: noErrors(), between: noErrors() },
    normal: { at: noErrors(), between: noErrors() },
  }
  const compare = (time: number, index: number, decoded: ReturnType<typeof decodedFrame>, kind: 'at' | 'between') => {
    model.pose(source, time, pose)
    evaluator.evaluate(pose, frame)
    if (kind === 'at') growBox(errors.box, frame.positions)
    const inFrame = noErrors()
    addDistances(inFrame, decoded.positions, frame.positions, index)
    gather(errors.position[kind], inFrame)
    observe?.({
      frame: index,
      time: time - times[0],
      maxMillimetres: inFrame.max * 1000,
      rmsMillimetres: Math.sqrt(inFrame.squares / inFrame.count) * 1000,
      vertex: inFrame.worst.vertex,
    })
    if (normal) addAngles(errors.normal[kind], decoded.normals!, frame.normals!, index)
  }

  const times = sampleTimes(clip)
  const step = clip.frameCount > 1 ? times[1] - times[0] : clip.duration
  // A single frame is held: it is compared with the middle of what it stands for, too.
  const intervals = clip.duration === 0 ? 0 : clip.loop || clip.frameCount === 1 ? clip.frameCount : clip.frameCount - 1
  const first = decodedFrame()
  const middle = decodedFrame()
  let current = decodedFrame()
  let next = decodedFrame()
  await decode(0, first)
  current.positions.set(first.positions)
  if (normal) current.normals!.set(first.normals!)
  for (let index = 0; index < clip.frameCount; index++) {
    compare(times[index], index, current, 'at')
    if (index < intervals) {
      if (index + 1 < clip.frameCount) await decode(index + 1, next)
      const after = index + 1 < clip.frameCount ? next : first
      average(current.positions, after.positions, middle.positions)
      if (normal) average(current.normals!, after.normals!, middle.normals!)
      compare(times[index] + step / 2, index + 0.5, middle, 'between')
    }
    ;[current, next] = [next, current]
    yield set.vertexCount * 2
  }
  if (intervals === 0) {
    errors.position.between = errors.position.at
    errors.normal.between = errors.normal.at
  }
  return errors
}

function average(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (a[i] + b[i]) / 2
}

/** Adds the distances between decoded and true positions, `[vertex][xyz]`. */
function addDistances(errors: Errors, decoded: Float64Array, truth: Float32Array, frame: number): void {
  for (let i = 0; i < truth.length; i += 3) {
    const x = decoded[i] - truth[i]
    const y = decoded[i + 1] - truth[i + 1]
    const z = decoded[i + 2] - truth[i + 2]
    add(errors, Math.sqrt(x * x + y * y + z * z), frame, i / 3)
  }
}

/** Adds the angles between decoded directions of any length and true normals, in degrees. */
function addAngles(errors: Errors, decoded: Float64Array, truth: Float32Array, frame: number): void {
  for (let i = 0; i < truth.length; i += 3) {
    const [ax, ay, az] = [decoded[i], decoded[i + 1], decoded[i + 2]]
    const [bx, by, bz] = [truth[i], truth[i + 1], truth[i + 2]]
    // atan2 of sine and cosine keeps its precision for the smallest angles, where acos has none.
    // A texel without direction is as wrong as one that points away.
    if (ax * ax + ay * ay + az * az < 1e-12) {
      add(errors, 180, frame, i / 3)
      continue
    }
    const sine = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    const cosine = ax * bx + ay * by + az * bz
    add(errors, (Math.atan2(sine, cosine) * 180) / Math.PI, frame, i / 3)
  }
}

function add(errors: Errors, error: number, frame: number, vertex: number): void {
  if (!Number.isFinite(error)) {
    throw new Problem('verify', `A texture holds no number for vertex ${vertex} in frame ${frame}. Bake again.`)
  }
  if (error > errors.max) {
    errors.max = error
    errors.worst = { frame, vertex }
  }
  errors.squares += error * error
  errors.count++
}

/** Adds the figures of a frame to those of a clip. */
function gather(errors: Errors, inFrame: Errors): void {
  if (inFrame.max > errors.max) {
    errors.max = inFrame.max
    errors.worst = inFrame.worst
  }
  errors.squares += inFrame.squares
  errors.count += inFrame.count
}

function summarise(clips: ClipErrors[], diagonal: number, hasNormals: boolean): Report {
  // Of something without size, any distance is all of it.
  const percent = (distance: number) => (distance === 0 ? 0 : diagonal > 0 ? (distance / diagonal) * 100 : 100)
  const rms = (errors: Errors) => Math.sqrt(errors.squares / errors.count)
  const distances = ({ errors, clip }: Located) => ({
    maxMillimetres: errors.max * 1000,
    rmsMillimetres: rms(errors) * 1000,
    maxPercent: percent(errors.max),
    rmsPercent: percent(rms(errors)),
    worst: { clip, ...errors.worst },
  })
  const angles = ({ errors, clip }: Located) => ({ maxDegrees: errors.max, rmsDegrees: rms(errors), worst: { clip, ...errors.worst } })
  const located = (kind: 'position' | 'normal', when: 'at' | 'between') =>
    clips.map((errors, clip) => ({ errors: errors[kind][when], clip }))

  const section = <Figures>(kind: 'position' | 'normal', figures: (located: Located) => Figures) => {
    const at = located(kind, 'at')
    const between = located(kind, 'between')
    return {
      ...figures(unite(at)),
      betweenSamples: figures(unite(between)),
      clips: at.map((one, index) => ({ ...figures(one), betweenSamples: figures(between[index]) })),
    }
  }
  return {
    position: section('position', distances),
    ...(hasNormals ? { normal: section('normal', angles) } : {}),
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
