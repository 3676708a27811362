import { z } from 'zod'
import { checkLimit, type Limits, MEGABYTE } from '../../model/limits.ts'
import { broken, labelOf } from './broken.ts'
import { componentsOf, elementBytesOf } from './check.ts'
import { type DracoCounts, readDracoCounts } from './draco-header.ts'
import { MESHOPT } from './extensions.ts'
import type { Bytes } from './resources.ts'
import type { Gltf } from './schema.ts'

/** A file whose buffers may have grown, and the bytes of these. */
export interface Unpacked {
  json: Gltf
  buffers: Bytes[]
}

/** Bytes that come out of a compressed one at most, beyond what the limit of memory grants. */
const GRANTED_PER_BYTE = 8

const UNSIGNED_INT = 5125

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
export async function unpack(file: string, json: Gltf, buffers: Bytes[], limits: Limits): Promise<Unpacked> {
  const unpacked = await unpackViews(file, { json, buffers: [...buffers] }, limits)
  return unpackPrimitives(file, unpacked)
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

async function unpackPrimitives(file: string, { json, buffers }: Unpacked): Promise<Unpacked> {
  const packed = json.meshes.flatMap((mesh, i) =>
    mesh.primitives.flatMap((primitive, k) => {
      const extension = primitive.extensions?.KHR_draco_mesh_compression
      return extension === undefined ? [] : [{ primitive, extension, label: `primitive ${k} of ${labelOf('mesh', i, mesh.name)}` }]
    }),
  )
  if (packed.length === 0) return { json, buffers }

  const { decodeDraco } = await import('./draco.ts')
  const bufferViews = [...json.bufferViews]
  const accessors = [...json.accessors]
  const store = (index: number, bytes: Bytes, componentType: number) => {
    const buffer = buffers.push(bytes) - 1
    const bufferView = bufferViews.push({ buffer, byteOffset: 0, byteLength: bytes.length }) - 1
    accessors[index] = { ...accessors[index], bufferView, byteOffset: 0, componentType }
  }
  for (const { primitive, extension, label } of packed) {
    const fail = (what: string) => broken(file, `${label} is compressed with Draco, and ${what}`)
    const parsed = dracoPrimitive.safeParse(extension)
    const view = parsed.success ? json.bufferViews[parsed.data.bufferView] : undefined
    if (!parsed.success || !view) throw fail('its description is wrong')
    const { byteOffset = 0, byteLength } = view
    const wanted = Object.entries(parsed.data.attributes).map(([semantic, id]) => {
      const index = primitive.attributes[semantic]
      if (index === undefined) throw fail(`it has no ${semantic} outside of the compressed data`)
      return { semantic, id, index, accessor: json.accessors[index] }
    })
    const data = buffers[view.buffer].subarray(byteOffset, byteOffset + byteLength)
    const points = Math.max(0, ...wanted.map(({ accessor }) => accessor.count))
    const corners = primitive.indices === undefined ? points : json.accessors[primitive.indices].count
    const announced = countsOf(data, fail)
    if (announced.vertices > points || announced.triangles * 3 > corners) {
      throw fail(`announces ${announced.vertices} vertices and ${announced.triangles} triangles instead of ${points} and ${corners / 3}`)
    }
    const decoded = await decodeDraco(
      data,
      wanted.map(({ id, accessor }) => ({ id, componentType: accessor.componentType })),
    ).catch((error: unknown) => {
      throw fail(`cannot be unpacked (${(error as Error).message})`)
    })
    wanted.forEach(({ semantic, index, accessor }, i) => {
      const { bytes, components } = decoded.attributes[i]
      const expected = accessor.count * elementBytesOf(accessor)
      if (components !== componentsOf(accessor) || bytes.length !== expected) {
        throw fail(`its ${semantic} has ${bytes.length} bytes of ${components} components instead of ${expected}`)
      }
      store(index, bytes, accessor.componentType)
    })
    if (primitive.indices === undefined) continue
    const { count } = json.accessors[primitive.indices]
    if (decoded.indices.length !== count) throw fail(`it has ${decoded.indices.length} indices instead of ${count}`)
    store(primitive.indices, new Uint8Array(decoded.indices.buffer), UNSIGNED_INT)
  }
  return { json: { ...json, accessors, bufferViews, buffers: listBuffers(json, buffers) }, buffers }
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
