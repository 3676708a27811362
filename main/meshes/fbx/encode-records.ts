import { Problem } from '../../model/problem.ts'
import { FBX_VERSION, HEAD_SIZE, MAGIC, SENTINEL_SIZE, type FbxRecord, type FbxValue } from './records.ts'

/** Compresses as zlib does (RFC 1950). */
export type Deflate = (bytes: Uint8Array) => Uint8Array

/**
 * The SDK refuses a file whose footer does not follow from its time of creation by a rule that was never published. These
 * three belong together: every program that is not built on the SDK writes them, whatever the time.
 */
export const CREATION_TIME = '1970-01-01 10:00:00:000'
export const FILE_ID = hexBytes('28b32aeb b624ccc2 bfc8b02a a92bfcf1')
const FOOT_ID = hexBytes('fabcab09 d0c8d466 b176fb83 1cf7267e')
const FOOT_END = hexBytes('f85a8c6a def5d97e ece90ce3 758f290b')

/**
 * The bytes of a binary FBX file, version 7.4, all numbers little-endian:
 *
 * - 23 bytes of magic, and the version;
 * - records: the offset of their end, the number of values and the bytes of those (32 bits each), the name behind its length in
 *   a byte, the values, and the records inside with 13 zeros behind the last of them;
 * - 13 zeros, and a footer that ends at a multiple of 16 bytes but for the last 140 of it.
 *
 * @throws Problem `limit` for more than the 4 GiB that offsets of 32 bits reach
 */
export function encodeRecords(records: FbxRecord[], deflate: Deflate): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const write = (bytes: Uint8Array) => {
    chunks.push(bytes)
    size += bytes.length
    if (size > 0xffff_ffff) throw new Problem('limit', 'The rest mesh takes more than the 4 GiB of an FBX file. Bake fewer vertices, or with --mesh-format glb.')
  }
  const writeRecord = ({ name, values, children }: FbxRecord) => {
    const nameBytes = utf8(name)
    const head = new Uint8Array(HEAD_SIZE + nameBytes.length)
    const view = new DataView(head.buffer)
    view.setUint8(12, nameBytes.length)
    head.set(nameBytes, HEAD_SIZE)
    write(head)
    const begin = size
    for (const value of values) for (const bytes of encodeValue(value, deflate)) write(bytes)
    view.setUint32(4, values.length, true)
    view.setUint32(8, size - begin, true)
    for (const child of children) writeRecord(child)
    // Readers expect the end of a list also where there could have been one.
    if (children.length > 0 || values.length === 0) write(new Uint8Array(SENTINEL_SIZE))
    view.setUint32(0, size, true)
  }

  write(MAGIC)
  write(word(FBX_VERSION))
  for (const each of records) writeRecord(each)
  write(new Uint8Array(SENTINEL_SIZE))
  write(FOOT_ID)
  write(new Uint8Array(4))
  write(new Uint8Array(16 - (size % 16)))
  write(word(FBX_VERSION))
  write(new Uint8Array(120))
  write(FOOT_END)
  return joined(chunks, size)
}

/** Arrays below this are not worth compressing. */
const SMALL = 128

function encodeValue(value: FbxValue, deflate: Deflate): Uint8Array[] {
  const letter = latin1(value.type)
  switch (value.type) {
    case 'C':
      return [letter, Uint8Array.of(value.value ? 1 : 0)]
    case 'I':
      return [letter, word(value.value)]
    case 'D':
      return [letter, new Uint8Array(Float64Array.of(value.value).buffer)]
    case 'L':
      return [letter, new Uint8Array(BigInt64Array.of(BigInt(value.value)).buffer)]
    case 'S': {
      const bytes = utf8(value.value)
      return [letter, word(bytes.length), bytes]
    }
    case 'R':
      return [letter, word(value.value.length), value.value]
    case 'd':
    case 'i': {
      const { buffer, byteOffset, byteLength, length } = value.values()
      const bytes = new Uint8Array(buffer, byteOffset, byteLength)
      const isSmall = byteLength < SMALL
      const stored = isSmall ? bytes : deflate(bytes)
      return [letter, word(length), word(isSmall ? 0 : 1), word(stored.length), stored]
    }
  }
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function hexBytes(text: string): Uint8Array {
  return Uint8Array.from(text.replaceAll(' ', '').match(/../g)!, (pair) => parseInt(pair, 16))
}

function joined(chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
