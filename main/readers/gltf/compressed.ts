import { z } from 'zod'
import { checkLimit, type Limits, MEGABYTE } from '../../model/limits.ts'
import { shortened } from '../../model/shortened.ts'
import type { WarningList } from '../warnings.ts'
import { broken, labelOf } from './broken.ts'
import { componentsOf } from './check.ts'
import { type DracoCounts, readDracoCounts } from './draco-header.ts'
import { MESHOPT } from './extensions.ts'
import type { Bytes } from './resources.ts'
import type { Gltf, GltfAccessor, GltfPrimitive } from './schema.ts'
import { triangleCountOf, TRIANGLES } from './triangles.ts'

/** A file whose buffers may have grown, and the bytes of these. */
export interface Unpacked {
  json: Gltf
  buffers: Bytes[]
}

/** Bytes that come out of a compressed one at most, beyond what the limit of memory grants. */
const GRANTED_PER_BYTE = 8

const UNSIGNED_INT = 5125

/**
 * The accessors have to announce as many vertices as are compressed, which exporters often did not: theirs were counted before
 * Draco split or joined some. So many times more are believed before they are counted.
 */
const MOST_MORE = 2

const size = z.int().min(0)
const meshoptView = z.looseObject({
  buffer: size,
  byteOffset: size.optional(),
  byteLength: size,
  byteStride: z.int().min(1).max(256),
  count: size,
  mode: z.enum(['ATTRIBUTES', 'TRIANGLES', 'INDICES']),
  filter: z.enum(['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR']).optional(),
})
const dracoPrimitive = z.looseObject({ bufferView: size, attributes: z.record(z.string(), size) })

/**
 * Unpacks what is compressed with meshopt (buffer views) and Draco (primitives) into buffers of their own, so that nothing
 * behind this has to know of it. The decoders come with the program, and are loaded for files that need them.
 *
 * @throws Problem where what comes out is not what the file announces
 */
export async function unpack(file: string, json: Gltf, buffers: Bytes[], limits: Limits, warnings: WarningList): Promise<Unpacked> {
  const unpacked = await unpackViews(file, { json, buffers: [...buffers] }, limits)
  return unpackPrimitives(file, unpacked, warnings)
}

async function unpackViews(file: string, { json, buffers }: Unpacked, limits: Limits): Promise<Unpacked> {
  const packed = json.bufferViews.flatMap((view, index) => {
    const extension = MESHOPT.map((name) => view.extensions?.[name]).find((found) => found !== undefined)
    return extension === undefined ? [] : [{ index, view, extension }]
  })
  if (packed.length === 0) return { json, buffers }

  const { MeshoptDecoder } = await import('meshoptimizer/decoder')
  await MeshoptDecoder.ready
  const bufferViews = [...json.bufferViews]
  let excess = 0
  for (const { index, view, extension } of packed) {
    const label = labelOf('buffer view', index, undefined)
    const fail = (what: string) => broken(file, `${label} is compressed with meshopt, and ${what}`)
    const parsed = meshoptView.safeParse(extension)
    if (!parsed.success) throw fail('its description is wrong')
    const { buffer, byteOffset = 0, byteLength, byteStride, count, mode, filter } = parsed.data
    const source = buffers[buffer]?.subarray(byteOffset, byteOffset + byteLength)
    if (source?.length !== byteLength) throw fail(`its ${byteLength} bytes are not there`)
    if (count * byteStride !== view.byteLength) throw fail(`${count} × ${byteStride} bytes are not the ${view.byteLength} that it should have`)
    excess += view.byteLength - GRANTED_PER_BYTE * byteLength
    checkLimit(file, limits, 'memory', excess / MEGABYTE)
    const bytes = new Uint8Array(view.byteLength)
    try {
      MeshoptDecoder.decodeGltfBuffer(bytes, count, byteStride, source, mode, filter)
    } catch (error) {
      throw fail(`cannot be unpacked (${(error as Error).message})`)
    }
    const { extensions: _, ...plain } = view
    bufferViews[index] = { ...plain, buffer: buffers.push(bytes) - 1, byteOffset: 0 }
  }
  return { json: { ...json, bufferViews, buffers: listBuffers(json, buffers) }, buffers }
}

async function unpackPrimitives(file: string, { json, buffers }: Unpacked, warnings: WarningList): Promise<Unpacked> {
  const isPacked = ({ extensions }: GltfPrimitive) => extensions?.KHR_draco_mesh_compression !== undefined
  if (!json.meshes.some(({ primitives }) => primitives.some(isPacked))) return { json, buffers }

  const { decodeDraco } = await import('./draco.ts')
  const bufferViews = [...json.bufferViews]
  const accessors = [...json.accessors]
  /** Accessors may be shared by primitives whose data are not, so each primitive gets its own. */
  const store = (accessor: GltfAccessor, bytes: Bytes): number => {
    const buffer = buffers.push(bytes) - 1
    const bufferView = bufferViews.push({ buffer, byteOffset: 0, byteLength: bytes.length }) - 1
    return accessors.push({ ...accessor, bufferView, byteOffset: 0, sparse: undefined }) - 1
  }
  const unpackPrimitive = async (primitive: GltfPrimitive, label: string): Promise<GltfPrimitive> => {
    const fail = (what: string) => broken(file, `${label} is compressed with Draco, and ${what}`)
    const parsed = dracoPrimitive.safeParse(primitive.extensions?.KHR_draco_mesh_compression)
    const view = parsed.success ? json.bufferViews[parsed.data.bufferView] : undefined
    if (!parsed.success || !view) throw fail('its description is wrong')
    const { byteOffset = 0, byteLength } = view
    const wanted = Object.entries(parsed.data.attributes).map(([semantic, id]) => {
      const index = primitive.attributes[semantic]
      if (index === undefined) throw fail(`it has no ${semantic} outside of the compressed data`)
      const accessor = json.accessors[index]
      return { semantic, id, accessor, componentType: accessor.componentType, components: componentsOf(accessor) }
    })
    const data = buffers[view.buffer].subarray(byteOffset, byteOffset + byteLength)
    const points = Math.max(0, ...wanted.map(({ accessor }) => accessor.count))
    const triangles = triangleCountOf(primitive.mode, primitive.indices === undefined ? points : json.accessors[primitive.indices].count)
    const announced = countsOf(data, fail)
    if (announced.vertices > MOST_MORE * points || announced.triangles > MOST_MORE * triangles) {
      throw fail(`announces ${announced.vertices} vertices and ${announced.triangles} triangles instead of ${points} and ${triangles}`)
    }
    const decoded = await decodeDraco(data, wanted).catch((error: unknown) => {
      throw fail(`cannot be unpacked (${shortened((error as Error).message, 100)})`)
    })
    const attributes = { ...primitive.attributes }
    wanted.forEach(({ semantic, accessor }, i) => {
      attributes[semantic] = store({ ...accessor, count: decoded.points }, decoded.attributes[i])
    })
    for (const [semantic, index] of [attributes, ...primitive.targets].flatMap((list) => Object.entries(list))) {
      const { count } = accessors[index]
      if (count !== decoded.points) throw fail(`it has ${decoded.points} vertices, and ${semantic} outside of the compressed data ${count}`)
    }
    if (decoded.points !== points) {
      const what = 'Took the vertices of # primitive|primitives as they are compressed, though another number of them is announced'
      warnings.add('draco-counts', what, 1, label)
    }
    const corners = { type: 'SCALAR' as const, componentType: UNSIGNED_INT, count: decoded.indices.length }
    return { ...primitive, attributes, indices: store(corners, new Uint8Array(decoded.indices.buffer)), mode: TRIANGLES }
  }

  const meshes = []
  for (const [i, mesh] of json.meshes.entries()) {
    const primitives = []
    for (const [k, primitive] of mesh.primitives.entries()) {
      const label = `primitive ${k} of ${labelOf('mesh', i, mesh.name)}`
      primitives.push(isPacked(primitive) ? await unpackPrimitive(primitive, label) : primitive)
    }
    meshes.push({ ...mesh, primitives })
  }
  return { json: { ...json, meshes, accessors, bufferViews, buffers: listBuffers(json, buffers) }, buffers }
}

function countsOf(data: Uint8Array, fail: (what: string) => Error): DracoCounts {
  try {
    return readDracoCounts(data)
  } catch (error) {
    throw fail(`cannot be unpacked (${(error as Error).message})`)
  }
}

function listBuffers({ buffers }: Gltf, bytes: Bytes[]): Gltf['buffers'] {
  return bytes.map(({ length }, i) => buffers[i] ?? { byteLength: length })
}
