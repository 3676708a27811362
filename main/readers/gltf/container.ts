import { checkLimit, type Limits } from '../../model/limits.ts'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import { schemaFault } from '../schema-fault.ts'
import type { WarningList } from '../warnings.ts'
import { broken } from './broken.ts'
import { measureJson } from './measure-json.ts'
import { gltf, type Gltf } from './schema.ts'

const GLB_MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
/** A glTF nests about ten deep, and what programs add to it not much deeper. */
const DEEPEST_JSON = 100

/** The two halves of a glTF file. */
export interface Container {
  json: Gltf
  /** The binary chunk of a GLB: a view into the file's bytes, or null where there is none. */
  binary: Uint8Array | null
}

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === GLB_MAGIC
}

/**
 * Takes a .glb or .gltf file apart (glTF 2.0, section 4.4) and checks the shape of its JSON: which fields there are and of
 * what type, not yet whether they fit together.
 *
 * @param file name of the file, for sentences
 * @throws Problem where the file is cut off, is another version, or its JSON is too large or not glTF
 */
export function openContainer(file: string, bytes: Uint8Array, limits: Limits, warnings: WarningList): Container {
  if (!isGlb(bytes)) return { json: parseJson(file, bytes, limits), binary: null }

  const view = viewOf(bytes)
  if (bytes.length < HEADER_BYTES + CHUNK_HEADER_BYTES) throw broken(file, `it ends after ${bytes.length} bytes, inside the header`)
  const version = view.getUint32(4, true)
  if (version !== 2) throw wrongVersion(file, `GLB version ${version}`)
  const length = view.getUint32(8, true)
  // Each chunk's own length decides what is read, so a wrong total does no harm as long as the chunks are whole.
  if (length !== bytes.length) {
    warnings.add('glb-length', `Read all chunks, though the header says ${length} bytes and the file has ${bytes.length}`)
  }

  const jsonChunk = chunkAt(file, bytes, HEADER_BYTES)
  if (jsonChunk.type !== JSON_CHUNK) throw broken(file, 'its first chunk is not JSON')
  let binary: Uint8Array | null = null
  let offset = jsonChunk.end
  while (!binary && offset + CHUNK_HEADER_BYTES <= bytes.length) {
    const chunk = chunkAt(file, bytes, offset)
    if (chunk.type === BINARY_CHUNK) binary = chunk.data
    offset = chunk.end
  }
  return { json: parseJson(file, jsonChunk.data, limits), binary }
}

function chunkAt(file: string, bytes: Uint8Array, offset: number): { type: number; data: Uint8Array; end: number } {
  const view = viewOf(bytes)
  const length = view.getUint32(offset, true)
  const start = offset + CHUNK_HEADER_BYTES
  const end = start + length
  if (end > bytes.length) {
    throw broken(file, `the chunk at byte ${offset} should have ${length} bytes, but only ${bytes.length - start} are there`)
  }
  return { type: view.getUint32(offset + 4, true), data: bytes.subarray(start, end), end }
}

function parseJson(file: string, bytes: Uint8Array, limits: Limits): Gltf {
  const { values, depth } = measureJson(bytes)
  checkLimit(file, limits, 'json', values)
  if (depth > DEEPEST_JSON) throw broken(file, `its JSON is nested ${depth} deep, and ${DEEPEST_JSON} is more than glTF needs`)
  let json: unknown
  try {
    // A byte order mark is against the specification but common; the decoder drops it.
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw broken(file, `its JSON cannot be read (${shortened((error as Error).message, 200)})`)
  }
  const asset = (json as { asset?: { version?: unknown; minVersion?: unknown } } | null)?.asset
  if (typeof asset !== 'object' || asset === null) throw broken(file, 'its JSON has no "asset", so it is not glTF')
  const needed = asset.minVersion ?? asset.version
  if (typeof needed !== 'string') throw broken(file, 'its JSON names no version of glTF')
  if (asset.minVersion === undefined ? !/^2\.\d+$/.test(needed) : needed !== '2.0') throw wrongVersion(file, `glTF ${shortened(needed)}`)
  const parsed = gltf.safeParse(json)
  if (!parsed.success) {
    throw broken(file, schemaFault(parsed.error.issues[0]))
  }
  return parsed.data
}

function wrongVersion(file: string, version: string): Problem {
  return new Problem('input', `${file} is ${version}, and only version 2.0 can be read. Convert it to glTF 2.0.`)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
