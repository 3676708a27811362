/**
 * A player of VAT sets that knows nothing but resources/docs/vat-format.md and vat.schema.json: it must not import from main/.
 * Numbers in comments are sections of that page.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import { decode as decodePng } from 'fast-png'
import { readExr } from './read-exr.ts'

export type Vector = [number, number, number]
/** A tangent: a direction, and the handedness 1 or -1. */
export type Tangent = [number, number, number, number]

/** Box around vertices, in the space of the bake. */
export interface Bounds { min: Vector, max: Vector }

/** One clip of the sidecar; `start` and `duration` in seconds, `seam` in units of the bake. */
export interface Clip {
  name: string
  index: number
  start: number
  firstRow: number
  frameCount: number
  fps: number
  duration: number
  loop: boolean
  seam: number
  bounds: Bounds
  frameRows?: number[]
  blend?: { seconds: number, seamBefore: number }
  rootMotion?: RootMotion
}

/** The way that was taken out of a clip (7). */
export interface RootMotion { name: string, axes: string, travel: Vector, path?: Vector[], file?: string, sha256?: string }

/** One layer of the sidecar. */
export interface Layer {
  role: string
  file: string
  sha256: string
  width: number
  height: number
  baseRow: number
  baseColumn?: number
  channels: string
  type: 'unorm8' | 'unorm16' | 'unorm8x2' | 'float16' | 'float32'
  content: 'position' | 'offset' | 'xyz' | 'octahedral' | 'octahedral8' | 'octahedral12'
  scale: number[]
  offset: number[]
}

/** A vertex at a frame of a clip. */
export interface Place { clip: number, frame: number, vertex: number }

/** Errors of positions (section 9). */
export interface PositionFigures { maxMillimetres: number, rmsMillimetres: number, maxPercent: number, rmsPercent: number, worst: Place }

/** Errors of normals or tangents (section 9). */
export interface NormalFigures { maxDegrees: number, rmsDegrees: number, worst: Place }

/** The sidecar, as far as the player and its tests look at it. */
export interface Sidecar {
  format: string
  version: number
  frameCount: number
  vertexCount: number
  columnCount: number
  bounds: Bounds
  source: { file: string, sha256: string }
  space: { handedness: string, up: string, unit: string, uvOrigin: string, axesFromGltf: string[], scale: number }
  layout: { columnsPerRow: number, rowsPerFrame: number, orientation: 'frames-y' | 'frames-x', guardRows: number }
  textures: Layer[]
  clips: Clip[]
  meshes: {
    file: string
    sha256: string
    resources: { file: string, sha256: string }[]
    indexUV: string
    submeshes: { name: string, material: string | null, vertexCount: number }[]
  }[]
  report: {
    position: PositionFigures & { betweenSamples: PositionFigures, clips: (PositionFigures & { betweenSamples: PositionFigures })[] }
    normal?: AllNormalFigures
    tangent?: AllNormalFigures
  }
  rest?: 'rest' | 'first-frame'
  warnings: { code: string, message: string }[]
}

type AllNormalFigures = NormalFigures & { betweenSamples: NormalFigures, clips: (NormalFigures & { betweenSamples: NormalFigures })[] }

/** What the texture of a layer holds: `texels[i]` is the plane of `channels[i]`, `[row of the image][pixel]`. */
export interface Texture { layer: Layer, texels: ArrayLike<number>[] }

/** A set that was read and found whole. `rest`, `restNormals` and `columns` are `[vertex]`, triangles have three vertices. */
export interface VatSet {
  sidecar: Sidecar
  rest: Vector[]
  restNormals: Vector[]
  triangles: Vector[]
  columns: { x: number, r: number }[]
  restBounds: Bounds
  position: Texture
  normal?: Texture
  tangent?: Texture
}

/** The two frames that are shown at some time, and how much of the second one. */
export interface Moment { a: number, b: number, blend: number }

/**
 * Read a set (1) and everything in it.
 * @throws Error when it is of another format or version, or a file is not the one that was written
 */
export async function loadSet(sidecarFile: string): Promise<VatSet> {
  const sidecar = JSON.parse(await readFile(sidecarFile, 'utf8')) as Sidecar
  if (sidecar.format !== 'vat-studio' || sidecar.version !== 1) {
    throw new Error(`${sidecarFile} is ${sidecar.format} version ${sidecar.version}, not vat-studio version 1.`)
  }
  const folder = dirname(sidecarFile)
  const mesh = sidecar.meshes[0]
  const files = new Map<string, Uint8Array>()
  const tables = sidecar.clips.flatMap(({ rootMotion: { file, sha256 } = {} }) => file === undefined ? [] : [{ file, sha256: sha256! }])
  for (const { file, sha256 } of [...sidecar.textures, mesh, ...mesh.resources, ...tables]) {
    if (!files.has(file)) files.set(file, await readWhole(folder, file, sha256))
  }

  const known = sidecar.textures.filter(({ role }) => ['position', 'normal', 'tangent'].includes(role)) // section 1
  const textures = known.map((layer): Texture => ({ layer, texels: readTexels(layer, files.get(layer.file)!) }))
  const textureOf = (role: string) => textures.find(({ layer }) => layer.role === role)
  const position = textureOf('position')
  if (position === undefined) throw new Error(`${sidecarFile} has no position texture.`)
  return {
    sidecar, position, normal: textureOf('normal'), tangent: textureOf('tangent'),
    ...await readRestMesh(join(folder, mesh.file), sidecar),
  }
}

/** A file beside the sidecar, when it is the one that was written (1). */
async function readWhole(folder: string, file: string, sha256: string): Promise<Uint8Array> {
  if (/[/\\]/.test(file)) throw new Error(`"${file}" is not the name of a file beside the sidecar.`)
  const bytes = await readFile(join(folder, file))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${file} is not the file that was written: its SHA-256 is ${found}, not ${sha256}.`)
  return bytes
}

/** Rest positions, triangles and texture addresses (3). */
async function readRestMesh(file: string, { meshes: [mesh], layout, vertexCount }: Sidecar) {
  const root = (await new NodeIO().registerExtensions(ALL_EXTENSIONS).read(file)).getRoot()
  const [scenes, nodes, gltfMeshes] = [root.listScenes(), root.listNodes(), root.listMeshes()]
  if (scenes.length !== 1 || nodes.length !== 1 || gltfMeshes.length !== 1 || nodes[0].getMesh() !== gltfMeshes[0]) {
    throw new Error(`${file} must have one scene, one node and one mesh.`)
  }
  if (nodes[0].getMatrix().some((value, i) => value !== (i % 5 === 0 ? 1 : 0))) throw new Error(`The node of ${file} has a transform.`)

  const rest: Vector[] = []
  const restNormals: Vector[] = []
  const triangles: Vector[] = []
  const columns: { x: number, r: number }[] = []
  const primitives = gltfMeshes[0].listPrimitives()
  if (primitives.length !== mesh.submeshes.length) throw new Error(`${file} has ${primitives.length} primitives.`)
  primitives.forEach((primitive, i) => {
    const attribute = (name: string) => {
      const accessor = primitive.getAttribute(name)
      if (accessor?.getCount() !== mesh.submeshes[i].vertexCount) throw new Error(`Sub-mesh ${i} of ${file} lacks ${name}.`)
      return Array.from({ length: accessor.getCount() }, (_, vertex) => accessor.getElement<number[]>(vertex, []))
    }
    const indices = primitive.getIndices()!.getArray()!
    for (let t = 0; t < indices.length; t += 3) {
      triangles.push([indices[t] + rest.length, indices[t + 1] + rest.length, indices[t + 2] + rest.length])
    }
    rest.push(...attribute('POSITION') as Vector[])
    restNormals.push(...attribute('NORMAL') as Vector[])
    columns.push(...attribute(mesh.indexUV)
      .map(([u, v]) => ({ x: Math.floor(u * layout.columnsPerRow), r: Math.floor(v * layout.rowsPerFrame) })))
  })
  if (rest.length !== vertexCount) throw new Error(`${file} has ${rest.length} vertices, not ${vertexCount}.`)
  return { rest, restNormals, triangles, columns, restBounds: gltfMeshes[0].getExtras().bounds as Bounds }
}

/** The texels of a layer's channels (5), one plane per channel. */
function readTexels(layer: Layer, bytes: Uint8Array): ArrayLike<number>[] {
  const names = [...layer.channels]
  if (layer.type === 'float16' || layer.type === 'float32') {
    const image = readExr(bytes)
    checkSize(layer, image)
    return names.map((name) => {
      const channel = image.channels.get(name.toUpperCase())
      if (channel?.type !== layer.type) throw new Error(`Channel ${name} of ${layer.file} is ${channel?.type ?? 'missing'}.`)
      return channel.values
    })
  }
  const image = decodePng(bytes)
  checkSize(layer, image)
  if (image.depth !== (layer.type === 'unorm16' ? 16 : 8)) throw new Error(`${layer.file} has ${image.depth} bits a channel.`)
  const largest = 2 ** image.depth - 1
  // Of a file in two halves the pixels of the upper one are those that section 4 is about.
  const pixels = image.width * image.height / (layer.type === 'unorm8x2' ? 2 : 1)
  return names.map((name) => {
    const channel = 'rgba'.indexOf(name)
    const stored = (pixel: number) => image.data[pixel * image.channels + channel]
    return Float64Array.from({ length: pixels }, (_, pixel) =>
      layer.type === 'unorm8x2' ? (stored(pixel) * 256 + stored(pixels + pixel)) / 65535 : stored(pixel) / largest)
  })
}

function checkSize(layer: Layer, image: { width: number, height: number }) {
  if (image.width !== layer.width || image.height !== layer.height) {
    throw new Error(`${layer.file} has ${image.width} × ${image.height} pixels, not ${layer.width} × ${layer.height}.`)
  }
}

/** Row of a frame of a clip, counted from the beginning of a layer (4). */
export function rowOf({ layout, clips }: Sidecar, clip: number, frame: number): number {
  return clips[clip].frameRows?.[frame] ?? clips[clip].firstRow + frame * layout.rowsPerFrame
}

/** The decoded values of a vertex in a frame (4, 5), as many as the layer has channels. */
function decoded({ sidecar, columns }: VatSet, texture: Texture, vertex: number, clip: number, frame: number) {
  const { x, r } = columns[vertex]
  return valuesAt(sidecar, texture, x, rowOf(sidecar, clip, frame) + r)
}

/** The decoded values of a pixel of a row of a layer, both counted from where the layer begins (4, 5). */
export function valuesAt({ layout }: Sidecar, { layer, texels }: Texture, x: number, row: number): number[] {
  const [across, down] = [(layer.baseColumn ?? 0) + x, layer.baseRow + row]
  const pixel = layout.orientation === 'frames-y' ? down * layer.width + across : across * layer.width + down
  return texels.map((plane, i) => plane[pixel] * layer.scale[i] + layer.offset[i])
}

/** Where a vertex is in a frame of a clip, in the space of the bake (5). */
export function position(set: VatSet, vertex: number, clip: number, frame: number): Vector {
  const value = decoded(set, set.position, vertex, clip, frame) as Vector
  if (set.position.layer.content === 'position') return value
  return value.map((difference, i) => set.rest[vertex][i] + difference) as Vector
}

/** The normal of a vertex in a frame of a clip, in the space of the bake and of length 1 (5, 6). */
export function normal(set: VatSet, vertex: number, clip: number, frame: number): Vector {
  return normalised(decodedNormal(set, vertex, clip, frame))
}

/** The tangent of a vertex in a frame of a clip, its direction of length 1 (5). */
export function tangent(set: VatSet, vertex: number, clip: number, frame: number): Tangent {
  const [x, y, z, w] = decodedTangent(set, vertex, clip, frame)
  return [...normalised([x, y, z]), w > 0 ? 1 : -1]
}

function decodedTangent(set: VatSet, vertex: number, clip: number, frame: number): Tangent {
  if (set.tangent === undefined) throw new Error('No tangents were baked.')
  return decoded(set, set.tangent, vertex, clip, frame) as Tangent
}

/** The normal as it is blended: `xyz` is renormalised after blending and not before (5, 7). */
function decodedNormal(set: VatSet, vertex: number, clip: number, frame: number): Vector {
  if (set.normal === undefined) throw new Error('No normals were baked.')
  const { content } = set.normal.layer
  const value = decoded(set, set.normal, vertex, clip, frame)
  if (content === 'xyz') return value as Vector
  if (content === 'octahedral') return unfolded(value[0], value[1])
  const bits = content === 'octahedral8' ? 8 : 12
  const whole = Math.round(value[0])
  const half = 2 ** (bits - 1) - 1
  const first = Math.floor(whole / 2 ** bits)
  return unfolded(first / half - 1, (whole - first * 2 ** bits) / half - 1)
}

/** An octahedral normal (6). */
function unfolded(u: number, v: number): Vector {
  const sign = (t: number) => t >= 0 ? 1 : -1
  const z = 1 - Math.abs(u) - Math.abs(v)
  return normalised(z < 0 ? [(1 - Math.abs(v)) * sign(u), (1 - Math.abs(u)) * sign(v), z] : [u, v, z])
}

/** Which frames a clip shows at a time in seconds after its beginning (7). */
export function momentAt({ frameCount, fps, loop }: Clip, seconds: number): Moment {
  if (frameCount === 1) return { a: 0, b: 0, blend: 0 }
  const frames = seconds * fps
  if (!loop) {
    const position = Math.min(Math.max(frames, 0), frameCount - 1)
    const a = Math.floor(position)
    return { a, b: Math.min(a + 1, frameCount - 1), blend: position - a }
  }
  // The remainder may be rounded up to frameCount itself when the time is a little less than a whole number of rounds.
  const remainder = frames - Math.floor(frames / frameCount) * frameCount
  const position = remainder < frameCount ? remainder : 0
  const a = Math.floor(position)
  return { a, b: (a + 1) % frameCount, blend: position - a }
}

/** Where a vertex is at a time in seconds after the clip's beginning (7). */
export function positionAt(set: VatSet, vertex: number, clip: number, seconds: number): Vector {
  const { a, b, blend } = momentAt(set.sidecar.clips[clip], seconds)
  return blended(position(set, vertex, clip, a), position(set, vertex, clip, b), blend)
}

/** The normal of a vertex at a time in seconds after the clip's beginning (7). */
export function normalAt(set: VatSet, vertex: number, clip: number, seconds: number): Vector {
  const { a, b, blend } = momentAt(set.sidecar.clips[clip], seconds)
  return normalised(blended(decodedNormal(set, vertex, clip, a), decodedNormal(set, vertex, clip, b), blend))
}

/** The tangent of a vertex at a time in seconds after the clip's beginning, with the handedness of one frame (5, 7). */
export function tangentAt(set: VatSet, vertex: number, clip: number, seconds: number): Tangent {
  const { a, b, blend } = momentAt(set.sidecar.clips[clip], seconds)
  const [from, to] = [decodedTangent(set, vertex, clip, a), decodedTangent(set, vertex, clip, b)]
  return [...normalised(blended(from.slice(0, 3) as Vector, to.slice(0, 3) as Vector, blend)), from[3] > 0 ? 1 : -1]
}

/** How far a player has to move the model at a time, where its way was extracted (7). Rounds of a loop add up. */
export function wayAt({ sidecar }: VatSet, clip: number, seconds: number): Vector {
  const { rootMotion, frameCount, fps, loop } = sidecar.clips[clip]
  if (rootMotion?.path === undefined) return [0, 0, 0]
  const { path, travel } = rootMotion
  const { a, b, blend } = momentAt(sidecar.clips[clip], seconds)
  const rounds = loop ? Math.floor(seconds * fps / frameCount) : 0
  // After the last frame of a loop comes the first one of the next round.
  const next = loop && b < a ? path[b].map((value, i) => value + travel[i]) as Vector : path[b]
  return blended(path[a], next, blend).map((value, i) => value + rounds * travel[i]) as Vector
}

function blended(a: Vector, b: Vector, blend: number): Vector {
  return a.map((value, i) => value * (1 - blend) + b[i] * blend) as Vector
}

function normalised(v: Vector): Vector {
  const length = Math.hypot(...v)
  return v.map((value) => value / length) as Vector
}
