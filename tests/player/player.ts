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
}

/** One layer of the sidecar. */
export interface Layer {
  role: string
  file: string
  sha256: string
  width: number
  height: number
  baseRow: number
  channels: string
  type: 'unorm8' | 'unorm16' | 'float16' | 'float32'
  content: 'position' | 'offset' | 'xyz' | 'octahedral'
  scale: number[]
  offset: number[]
}

/** A vertex at a frame of a clip. */
export interface Place { clip: number, frame: number, vertex: number }

/** Errors of positions (section 9). */
export interface PositionFigures { maxMillimetres: number, rmsMillimetres: number, maxPercent: number, rmsPercent: number, worst: Place }

/** Errors of normals (section 9). */
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
    normal?: NormalFigures & { betweenSamples: NormalFigures, clips: (NormalFigures & { betweenSamples: NormalFigures })[] }
  }
}

/** What the texture of a layer holds: `texels[i]` is the plane of `channels[i]`, `[row of the image][pixel]`. */
interface Texture { layer: Layer, texels: ArrayLike<number>[] }

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
  for (const { file, sha256 } of [...sidecar.textures, mesh, ...mesh.resources]) files.set(file, await readWhole(folder, file, sha256))

  const known = sidecar.textures.filter(({ role }) => role === 'position' || role === 'normal') // section 1
  const textures = known.map((layer): Texture => ({ layer, texels: readTexels(layer, files.get(layer.file)!) }))
  const position = textures.find(({ layer }) => layer.role === 'position')
  if (position === undefined) throw new Error(`${sidecarFile} has no position texture.`)
  return {
    sidecar, position, normal: textures.find(({ layer }) => layer.role === 'normal'),
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
  if (image.depth !== (layer.type === 'unorm8' ? 8 : 16)) throw new Error(`${layer.file} has ${image.depth} bits a channel.`)
  const largest = 2 ** image.depth - 1
  return names.map((name) => {
    const channel = 'rgba'.indexOf(name)
    const plane = new Float64Array(image.width * image.height)
    for (let i = 0; i < plane.length; i++) plane[i] = image.data[i * image.channels + channel] / largest
    return plane
  })
}

function checkSize(layer: Layer, image: { width: number, height: number }) {
  if (image.width !== layer.width || image.height !== layer.height) {
    throw new Error(`${layer.file} has ${image.width} × ${image.height} pixels, not ${layer.width} × ${layer.height}.`)
  }
}

/** The decoded values of a vertex in a frame (4, 5), as many as the layer has channels. */
function decoded({ sidecar: { layout, clips }, columns }: VatSet, { layer, texels }: Texture, vertex: number, clip: number, frame: number) {
  const { x, r } = columns[vertex]
  const row = layer.baseRow + clips[clip].firstRow + frame * layout.rowsPerFrame + r
  const pixel = layout.orientation === 'frames-y' ? row * layer.width + x : x * layer.width + row
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

/** The normal as it is blended: `xyz` is renormalised after blending and not before, which the page leaves open (5, 7). */
function decodedNormal(set: VatSet, vertex: number, clip: number, frame: number): Vector {
  if (set.normal === undefined) throw new Error('No normals were baked.')
  const value = decoded(set, set.normal, vertex, clip, frame)
  if (set.normal.layer.content === 'xyz') return value as Vector
  const [u, v] = value
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

function blended(a: Vector, b: Vector, blend: number): Vector {
  return a.map((value, i) => value * (1 - blend) + b[i] * blend) as Vector
}

function normalised(v: Vector): Vector {
  const length = Math.hypot(...v)
  return v.map((value) => value / length) as Vector
}
