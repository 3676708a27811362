import { FBX_VERSION, HEAD_SIZE, MAGIC } from './records.ts'

/** A parsed record: its arrays are there as they are. */
export interface ParsedRecord {
  name: string
  values: (number | string | Uint8Array | Float64Array | Int32Array)[]
  children: ParsedRecord[]
}

/** Decompresses to exactly `size` bytes; throws where that is not what comes of it. */
export type Inflate = (bytes: Uint8Array, size: number) => Uint8Array

/** zlib cannot make more of a byte. */
const MOST_INFLATED = 1032

/**
 * Reads back what `encodeRecords` writes, and nothing else that FBX may be.
 *
 * @throws Error that says what is wrong
 */
export function parseRecords(bytes: Uint8Array, inflate: Inflate): ParsedRecord[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = (from: number, size: number, end: number) => {
    if (!(size >= 0 && from + size <= end)) throw new Error('it ends too early')
    return from
  }
  const text = new TextDecoder('utf-8', { fatal: true })
  within(0, MAGIC.length + 4, bytes.length)
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new Error('it is no binary FBX')
  const version = view.getUint32(MAGIC.length, true)
  if (version !== FBX_VERSION) throw new Error(`it has version ${version} of FBX`)

  /** Records from an offset on, to the zeros behind them. */
  const parseList = (from: number, end: number, depth: number): ParsedRecord[] => {
    if (depth > 16) throw new Error('its records are nested too deeply')
    const records: ParsedRecord[] = []
    for (let at = from; ; ) {
      within(at, HEAD_SIZE, end)
      const recordEnd = view.getUint32(at, true)
      if (recordEnd === 0) return records
      if (recordEnd > end || recordEnd <= at) throw new Error('a record ends outside of the file')
      const [count, size, nameLength] = [view.getUint32(at + 4, true), view.getUint32(at + 8, true), bytes[at + 12]]
      const begin = at + HEAD_SIZE + nameLength
      within(begin, size, recordEnd)
      const name = text.decode(bytes.subarray(at + HEAD_SIZE, begin))
      const values = parseValues(begin, begin + size, count)
      const children = begin + size < recordEnd ? parseList(begin + size, recordEnd, depth + 1) : []
      records.push({ name, values, children })
      at = recordEnd
    }
  }
  const parseValues = (from: number, end: number, count: number): ParsedRecord['values'] => {
    const values: ParsedRecord['values'] = []
    let at = from
    const take = (size: number) => {
      const begin = within(at, size, end)
      at += size
      return begin
    }
    for (let i = 0; i < count; i++) {
      const letter = String.fromCharCode(bytes[take(1)])
      if (letter === 'C') values.push(bytes[take(1)])
      else if (letter === 'I') values.push(view.getInt32(take(4), true))
      else if (letter === 'D') values.push(view.getFloat64(take(8), true))
      else if (letter === 'L') values.push(Number(view.getBigInt64(take(8), true)))
      else if (letter === 'S' || letter === 'R') {
        const length = view.getUint32(take(4), true)
        const begin = take(length)
        const raw = bytes.subarray(begin, begin + length)
        values.push(letter === 'S' ? text.decode(raw) : raw)
      } else if (letter === 'd' || letter === 'i') {
        const head = take(12)
        const [length, encoding, stored] = [0, 4, 8].map((offset) => view.getUint32(head + offset, true))
        const begin = take(stored)
        const raw = bytes.subarray(begin, begin + stored)
        const size = length * (letter === 'd' ? 8 : 4)
        // A larger count is a lie that would be allocated before it is found out.
        if (encoding > 1 || (encoding === 0 ? size !== stored : size > stored * MOST_INFLATED)) throw new Error('an array has another size than it says')
        // Copied, so that it begins where numbers may begin.
        const plain = new Uint8Array(encoding === 0 ? raw : inflate(raw, size))
        if (plain.length !== size) throw new Error('an array has another size than it says')
        values.push(letter === 'd' ? new Float64Array(plain.buffer) : new Int32Array(plain.buffer))
      } else throw new Error(`a value has the unknown type ${letter}`)
    }
    return values
  }
  return parseList(MAGIC.length + 4, bytes.length, 0)
}
