/* eslint-disable @typescript-eslint/triple-slash-reference -- the other programs that include this file do not list it */
/// <reference path="./draco3dgltf.d.ts" />
import type { Bytes } from './resources.ts'

/** What is used of Google's decoder; its package has no types. */
interface DracoModule {
  HEAPU8: Uint8Array
  DT_INT8: number
  DT_UINT8: number
  DT_INT16: number
  DT_UINT16: number
  DT_UINT32: number
  DT_FLOAT32: number
  TRIANGULAR_MESH: number
  Decoder: new () => DracoDecoder
  DecoderBuffer: new () => { Init(data: Int8Array, size: number): void }
  Mesh: new () => DracoMesh
  destroy(thing: unknown): void
  _malloc(size: number): number
  _free(pointer: number): void
}
interface DracoMesh {
  ptr: number
  num_faces(): number
  num_points(): number
}
interface DracoDecoder {
  GetEncodedGeometryType(buffer: unknown): number
  DecodeBufferToMesh(buffer: unknown, mesh: DracoMesh): { ok(): boolean; error_msg(): string }
  GetAttributeByUniqueId(mesh: DracoMesh, id: number): { ptr: number; num_components(): number }
  GetAttributeDataArrayForAllPoints(mesh: DracoMesh, attribute: unknown, type: number, size: number, pointer: number): boolean
  GetTrianglesUInt32Array(mesh: DracoMesh, size: number, pointer: number): boolean
}

/** A decoded mesh: each attribute as bytes of the wanted type, point after point. */
export interface DecodedDraco {
  points: number
  attributes: Bytes[]
  indices: Uint32Array<ArrayBuffer>
}

/** An attribute by the decoder's id, and what its accessor says of it. */
export interface WantedAttribute {
  id: number
  componentType: number
  components: number
}

/** By glTF's component type: the decoder's, and bytes a number. */
const TYPES: Record<number, [type: 'DT_INT8' | 'DT_UINT8' | 'DT_INT16' | 'DT_UINT16' | 'DT_UINT32' | 'DT_FLOAT32', bytes: number]> = {
  5120: ['DT_INT8', 1],
  5121: ['DT_UINT8', 1],
  5122: ['DT_INT16', 2],
  5123: ['DT_UINT16', 2],
  5125: ['DT_UINT32', 4],
  5126: ['DT_FLOAT32', 4],
}

let module: Promise<DracoModule> | null = null

async function loadDecoder(): Promise<DracoModule> {
  // Inside of the program's own files, so that nothing has to be found on the disk.
  const [{ default: create }, { default: wasm }] = await Promise.all([
    import('draco3dgltf/draco_decoder_gltf_nodejs.js'),
    import('draco3dgltf/draco_decoder_gltf.wasm?url&inline'),
  ])
  const binary = Buffer.from(wasm.slice(wasm.indexOf(',') + 1), 'base64')
  limitMemory(binary)
  return create({ wasmBinary: binary, printErr: () => undefined }) as Promise<DracoModule>
}

const MEMORY_SECTION = 5
/** Of 64 KB: 512 MB, enough for some millions of triangles. The decoder's own limit is 2 GB, which a lie in the data can take. */
const MOST_PAGES = 8192

/**
 * Lowers the most memory that a WebAssembly module may grow to, in place (WebAssembly Core Specification 1.0, section 5.5.8).
 * Sections come one after the other with a number and a size; numbers have seven bits a byte, and may have bytes to spare.
 */
function limitMemory(binary: Uint8Array): void {
  let at = 8
  const number = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const next = binary[at++]
      value += (next & 0x7f) * shift
      if (next < 128) return value
    }
  }
  while (at < binary.length) {
    const section = binary[at++]
    const size = number()
    if (section !== MEMORY_SECTION) {
      at += size
      continue
    }
    // How many memories there are, whether the first has a limit, and its first size, come before the limit.
    for (let i = 0; i < 3; i++) number()
    const start = at
    number()
    for (let byte = start, pages = MOST_PAGES; byte < at; byte++, pages >>= 7) binary[byte] = (pages & 0x7f) | (byte < at - 1 ? 0x80 : 0)
    return
  }
}

/**
 * Decodes a mesh of KHR_draco_mesh_compression.
 *
 * @throws Error that says why not
 */
export async function decodeDraco(data: Uint8Array, wanted: WantedAttribute[]): Promise<DecodedDraco> {
  module ??= loadDecoder()
  const draco = await module
  const decoder = new draco.Decoder()
  const buffer = new draco.DecoderBuffer()
  const mesh = new draco.Mesh()
  try {
    buffer.Init(new Int8Array(data.buffer, data.byteOffset, data.length), data.length)
    if (decoder.GetEncodedGeometryType(buffer) !== draco.TRIANGULAR_MESH) throw new Error('it holds no triangles')
    const status = decoder.DecodeBufferToMesh(buffer, mesh)
    if (!status.ok() || mesh.ptr === 0) throw new Error(status.error_msg())
    const read = (size: number, fill: (pointer: number) => boolean): Bytes => {
      const pointer = draco._malloc(size)
      try {
        if (!fill(pointer)) throw new Error('its numbers cannot be read')
        return Uint8Array.from(draco.HEAPU8.subarray(pointer, pointer + size))
      } finally {
        draco._free(pointer)
      }
    }
    const points = mesh.num_points()
    const attributes = wanted.map(({ id, componentType, components }) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id)
      if (attribute.ptr === 0) throw new Error(`it has no attribute ${id}`)
      const found = attribute.num_components()
      if (found !== components) throw new Error(`its attribute ${id} has ${found} components instead of ${components}`)
      const [type, bytes] = TYPES[componentType]
      const size = points * components * bytes
      return read(size, (at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[type], size, at))
    })
    const size = mesh.num_faces() * 3 * 4
    const triangles = read(size, (at) => decoder.GetTrianglesUInt32Array(mesh, size, at))
    return { points, attributes, indices: new Uint32Array(triangles.buffer) }
  } catch (error) {
    // A decoder that has run out of its memory does not recover.
    module = null
    throw error
  } finally {
    for (const thing of [mesh, buffer, decoder]) draco.destroy(thing)
  }
}
