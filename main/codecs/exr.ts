import { Problem } from '../model/problem.ts'

/**
 * OpenEXR files of one kind: a single part of scanlines, channels R, G, B and perhaps A, all half or all float.
 * Source: "OpenEXR File Layout" (openexr.com), with the byte shuffling of its ZIP compression.
 *
 * Rows lie in memory as `[row][x][channel]` with the channels in the order R, G, B, A; row 0 is the first scanline, the top.
 * Numbers in the file are little-endian, and so is every platform this program runs on.
 */
export interface ExrImage {
  width: number
  height: number
  channels: 3 | 4
  /** Half floats are handled as their 16 bits, in a Uint16Array. */
  type: 'float16' | 'float32'
}

/** The compression that is left to the platform: the zlib format (RFC 1950). */
export interface Zlib {
  deflate(bytes: Uint8Array): Promise<Uint8Array>
  /** Rejects where `bytes` are damaged or more than `size` bytes come out. */
  inflate(bytes: Uint8Array, size: number): Promise<Uint8Array>
}

/** Where a file goes. The bytes may be used again once the promise is kept. */
export interface ExrSink {
  write(bytes: Uint8Array, position: number): Promise<void>
}

/** Where a file comes from. */
export interface ExrSource {
  /** Bytes of the whole file. */
  size: number
  /** Exactly `length` bytes from `position` on, both inside of the file. */
  read(position: number, length: number): Promise<Uint8Array>
}

export interface ExrWriter {
  /**
   * Takes whole rows, in order from the top, as many at a time as the caller likes, one call after the other. Waits while
   * too many blocks are under way. The array may be used again once the promise is kept.
   *
   * @throws RangeError for a broken row or a row beyond the height; whatever the sink or zlib rejects with
   */
  write(rows: Uint16Array | Float32Array): Promise<void>
  /**
   * Writes what is left, then header and offset table: until then the file does not begin like an EXR.
   *
   * @returns bytes of the file
   * @throws RangeError where rows are missing
   */
  finish(): Promise<number>
  /** Waits until nothing is written any more, be it because of a failure, so that the sink can be closed. */
  settle(): Promise<void>
}

export interface ExrReader extends ExrImage {
  /** String attributes of the header. */
  attributes: Record<string, string>
  /**
   * Reads rows from anywhere.
   *
   * @param out `[row][x][channel]`, a Uint16Array for half and a Float32Array for float
   * @throws Problem of kind `input` where the file is damaged
   */
  readRows(firstRow: number, rowCount: number, out: Uint16Array | Float32Array): Promise<void>
}

const MAGIC = 20000630
const VERSION = 2
/** Flags of the version field that this reader knows nothing of: tiles, deep data, several parts. */
const FOREIGN_FLAGS = 0x200 | 0x800 | 0x1000
const HALF = 1
const FLOAT = 2
/** Rows of a block, by the number that stands for the compression in the file: none, zlib by row, zlib by 16 rows. */
const BLOCK_ROWS: Record<number, number> = { 0: 1, 2: 1, 3: 16 }
const ZIP = 3
/** A header has no business being longer than this. */
const LONGEST_HEADER = 1 << 20
/** zlib cannot shrink anything further than this (1032 : 1), so a file that claims more is lying. */
const LARGEST_RATIO = 1040
/** Blocks that are read and decompressed at a time. */
const READ_AHEAD = 4

/**
 * Starts an EXR file with ZIP compression (blocks of 16 rows).
 *
 * @param attributes string attributes for the header; names of up to 31 characters
 * @param parallel   blocks that may be compressed at a time; each takes twice its bytes
 */
export function createExrWriter(
  image: ExrImage,
  sink: ExrSink,
  zlib: Zlib,
  { attributes = {}, parallel = 8 }: { attributes?: Record<string, string>; parallel?: number } = {},
): ExrWriter {
  const { width, height, channels } = image
  const rowLength = width * channels
  const rowBytes = rowLength * sampleBytes(image)
  const blockRows = BLOCK_ROWS[ZIP]
  const header = encodeHeader(image, attributes)
  const table = new DataView(new ArrayBuffer(Math.ceil(height / blockRows) * 8))
  let position = header.length + table.byteLength
  let rowsTaken = 0
  /** Kept when the newest block is written; blocks are written in order. */
  let written = Promise.resolve()
  /** Room for one block each, used in turn: as it is, and shuffled. */
  const slots: { raw: Uint8Array; shuffled: Uint8Array; free: Promise<void> }[] = []

  async function slotOf(block: number) {
    const index = block % parallel
    slots[index] ??= { raw: new Uint8Array(rowBytes * blockRows), shuffled: new Uint8Array(rowBytes * blockRows), free: Promise.resolve() }
    await slots[index].free
    return slots[index]
  }

  function writeBlock(block: number, raw: Uint8Array, shuffled: Uint8Array): Promise<void> {
    shuffle(raw, shuffled)
    const packing = pack(shuffled, zlib)
    const previous = written
    const done = (async () => {
      const [packed] = await Promise.all([packing, previous])
      const data = packed ?? raw
      const head = new DataView(new ArrayBuffer(8))
      head.setInt32(0, block * blockRows, true)
      head.setInt32(4, data.length, true)
      table.setBigUint64(block * 8, BigInt(position), true)
      await sink.write(new Uint8Array(head.buffer), position)
      await sink.write(data, position + 8)
      position += 8 + data.length
    })()
    // A failure is met by whoever waits for the slot, for finish() or for settle(); until then nobody listens.
    done.catch(() => {})
    return done
  }

  return {
    async write(rows) {
      if (rows.length % rowLength !== 0) throw new RangeError(`${rows.length} numbers are not whole rows of ${rowLength}`)
      const count = rows.length / rowLength
      if (rowsTaken + count > height) throw new RangeError(`row ${rowsTaken + count} of ${height}`)
      for (let row = 0; row < count; row++) {
        const block = Math.floor(rowsTaken / blockRows)
        const slot = await slotOf(block)
        const rowInBlock = rowsTaken % blockRows
        toPlanes(rows, row * rowLength, image, slot.raw, rowInBlock * rowBytes)
        rowsTaken++
        if (rowInBlock === blockRows - 1 || rowsTaken === height) {
          const bytes = (rowInBlock + 1) * rowBytes
          slot.free = written = writeBlock(block, slot.raw.subarray(0, bytes), slot.shuffled.subarray(0, bytes))
        }
      }
    },
    async finish() {
      if (rowsTaken !== height) throw new RangeError(`${rowsTaken} rows of ${height} were written`)
      await written
      await sink.write(header, 0)
      await sink.write(new Uint8Array(table.buffer), header.length)
      return position
    },
    async settle() {
      await Promise.allSettled(slots.map((slot) => slot.free))
    },
  }
}

/** Slices of a block that are compressed to see whether it is worth it, and which part of the block they are in all. */
const TRIAL_SLICES = 16
const TRIAL_SHARE = 1 / 8
/** Blocks below this are just compressed. */
const TRIAL_FROM = 1 << 17

/**
 * Compresses a block, where that makes it smaller by a tenth; null where it is to be kept as it is, which the format has a
 * place for. Moving vertices in float32 are mostly noise to zlib: it needs longer for them than all the rest of a bake, to save
 * some 7 %, and whoever reads the file pays again.
 */
async function pack(shuffled: Uint8Array, zlib: Zlib): Promise<Uint8Array | null> {
  const isWorthIt = (packed: Uint8Array, bytes: number) => packed.length < bytes * 0.9
  if (shuffled.length >= TRIAL_FROM) {
    const slice = Math.floor((shuffled.length * TRIAL_SHARE) / TRIAL_SLICES)
    const trial = new Uint8Array(slice * TRIAL_SLICES)
    for (let i = 0; i < TRIAL_SLICES; i++) {
      const from = Math.floor((shuffled.length * i) / TRIAL_SLICES)
      trial.set(shuffled.subarray(from, from + slice), slice * i)
    }
    if (!isWorthIt(await zlib.deflate(trial), trial.length)) return null
  }
  const packed = await zlib.deflate(shuffled)
  return isWorthIt(packed, shuffled.length) ? packed : null
}

function sampleBytes(image: ExrImage): 2 | 4 {
  return image.type === 'float16' ? 2 : 4
}

/** Channels as a file lists them: in alphabetical order. */
function channelNames(channels: 3 | 4): string[] {
  return channels === 4 ? ['A', 'B', 'G', 'R'] : ['B', 'G', 'R']
}

function encodeHeader(image: ExrImage, attributes: Record<string, string>): Uint8Array {
  const bytes: number[] = []
  const text = new TextEncoder()
  const int = (value: number) => bytes.push(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255)
  const float = (value: number) => bytes.push(...new Uint8Array(new Float32Array([value]).buffer))
  const name = (value: string) => {
    const encoded = text.encode(value)
    if (encoded.length === 0 || encoded.length > 31 || encoded.includes(0)) throw new RangeError(`not an attribute name: "${value}"`)
    bytes.push(...encoded, 0)
  }
  const attribute = (key: string, type: string, size: number, write: () => void) => {
    name(key)
    name(type)
    int(size)
    write()
  }
  const box = () => [0, 0, image.width - 1, image.height - 1].forEach(int)
  const names = channelNames(image.channels)
  int(MAGIC)
  int(VERSION)
  attribute('channels', 'chlist', names.length * 18 + 1, () => {
    for (const channel of names) {
      name(channel)
      int(image.type === 'float16' ? HALF : FLOAT)
      int(0) // Not perceptually linear, and three reserved bytes.
      int(1)
      int(1)
    }
    bytes.push(0)
  })
  attribute('compression', 'compression', 1, () => bytes.push(ZIP))
  attribute('dataWindow', 'box2i', 16, box)
  attribute('displayWindow', 'box2i', 16, box)
  attribute('lineOrder', 'lineOrder', 1, () => bytes.push(0)) // Increasing y.
  attribute('pixelAspectRatio', 'float', 4, () => float(1))
  attribute('screenWindowCenter', 'v2f', 8, () => [0, 0].forEach(float))
  attribute('screenWindowWidth', 'float', 4, () => float(1))
  for (const [key, value] of Object.entries(attributes)) {
    const encoded = text.encode(value)
    attribute(key, 'string', encoded.length, () => encoded.forEach((byte) => bytes.push(byte)))
  }
  bytes.push(0)
  return Uint8Array.from(bytes)
}

/** Takes a row `[x][channel]` apart into `[channel][x]`, in the file's order of channels. */
function toPlanes(rows: Uint16Array | Float32Array, rowIndex: number, image: ExrImage, raw: Uint8Array, byteIndex: number): void {
  const { width, channels } = image
  const row = bitsOfRow(rows, rowIndex * sampleBytes(image), image)
  const planes = bitsOfRow(raw, byteIndex, image)
  for (let plane = 0, to = 0; plane < channels; plane++) {
    // Alphabetical order is R, G, B, A backwards.
    for (let x = 0, from = channels - 1 - plane; x < width; x++, from += channels) planes[to++] = row[from]
  }
}

/** The numbers of a row as their bits, which are moved faster and without a change even to NaNs. */
function bitsOfRow(array: Uint8Array | Uint16Array | Float32Array, byteIndex: number, image: ExrImage): Uint16Array | Int32Array {
  const start = array.byteOffset + byteIndex
  const length = image.width * image.channels
  return image.type === 'float16' ? new Uint16Array(array.buffer, start, length) : new Int32Array(array.buffer, start, length)
}

/**
 * Words of a block whose bytes are moved four at a time, and its two halves after shuffling; null where they do not lie so.
 * The words are signed, since those are small integers to a JavaScript engine and unsigned ones are not.
 */
function wordsOf(raw: Uint8Array, shuffled: Uint8Array) {
  const count = raw.length / 4
  if (!Number.isInteger(count) || raw.byteOffset % 4 !== 0 || shuffled.byteOffset % 2 !== 0) return null
  return {
    words: new Int32Array(raw.buffer, raw.byteOffset, count),
    even: new Uint16Array(shuffled.buffer, shuffled.byteOffset, count),
    odd: new Uint16Array(shuffled.buffer, shuffled.byteOffset + count * 2, count),
  }
}

/**
 * Prepares a block for zlib: even bytes first, then odd ones, each as the difference to the one before, plus 128.
 * Four bytes at a time it takes a fifth of the time.
 */
function shuffle(raw: Uint8Array, out: Uint8Array): void {
  const inWords = wordsOf(raw, out)
  if (inWords === null) return shuffleBytes(raw, out)
  const { words, even, odd } = inWords
  let evenBefore = 128
  // The first odd byte comes after the last even one, which is known beforehand.
  let oddBefore = words[words.length - 1] >> 16
  for (let i = 0; i < words.length; i++) {
    const first = words[i]
    const second = first >> 8
    const third = first >> 16
    const fourth = first >> 24
    even[i] = ((first - evenBefore + 128) & 255) | (((third - first + 128) & 255) << 8)
    odd[i] = ((second - oddBefore + 128) & 255) | (((fourth - second + 128) & 255) << 8)
    evenBefore = third
    oddBefore = fourth
  }
}

function shuffleBytes(raw: Uint8Array, out: Uint8Array): void {
  let to = 0
  let before = 128
  for (let parity = 0; parity < 2; parity++) {
    for (let from = parity; from < raw.length; from += 2) {
      const byte = raw[from]
      out[to++] = byte - before + 128
      before = byte
    }
  }
}

/** The inverse of {@link shuffle}. */
function unshuffle(shuffled: Uint8Array, out: Uint8Array): void {
  const inWords = wordsOf(out, shuffled)
  if (inWords === null) return unshuffleBytes(shuffled, out)
  const { words, even, odd } = inWords
  words.fill(0)
  const last = spreadBytes(even, 0, 128, words)
  spreadBytes(odd, 8, last, words)
}

/** Adds two bytes to each word, at a bit and 16 bits above it, from differences. Returns the last byte. */
function spreadBytes(pairs: Uint16Array, bit: number, before: number, words: Int32Array): number {
  for (let i = 0; i < words.length; i++) {
    const pair = pairs[i]
    const low = (before + pair - 128) & 255
    before = (low + (pair >> 8) - 128) & 255
    words[i] |= (low << bit) | (before << (bit + 16))
  }
  return before
}

function unshuffleBytes(shuffled: Uint8Array, out: Uint8Array): void {
  let from = 0
  let before = 128
  for (let parity = 0; parity < 2; parity++) {
    for (let to = parity; to < out.length; to += 2) {
      before = (before + shuffled[from++] - 128) & 255
      out[to] = before
    }
  }
}

/**
 * Opens an EXR file for reading: no compression, ZIPS or ZIP. Nothing in the file is believed before it is checked against the
 * file's size, so that a lying header costs neither time nor memory.
 *
 * @param file name of the file, for the sentences of a Problem
 * @throws Problem of kind `input` for a file that is damaged, or not of the kind described at {@link ExrImage}
 */
export async function openExr(source: ExrSource, zlib: Zlib, file: string): Promise<ExrReader> {
  const header = decodeHeader(await source.read(0, Math.min(source.size, LONGEST_HEADER)), file)
  const { image, planes, blockRows, firstY } = header
  const { width, height, channels } = image
  const rowBytes = width * channels * sampleBytes(image)
  const blockCount = Math.ceil(height / blockRows)
  const tableEnd = header.length + blockCount * 8
  if (tableEnd > source.size || rowBytes * height > source.size * LARGEST_RATIO) {
    throw damaged(file, `${source.size} bytes cannot hold the ${width} x ${height} pixels that it announces`)
  }
  const tableBytes = await source.read(header.length, blockCount * 8)
  const table = new DataView(tableBytes.buffer, tableBytes.byteOffset, tableBytes.byteLength)
  /** The last block of the last call, for callers that go through the file a few rows at a time. */
  let kept = { block: -1, raw: new Uint8Array(0) }

  async function readBlock(block: number): Promise<Uint8Array<ArrayBuffer>> {
    if (kept.block === block) return kept.raw
    const position = Number(table.getBigUint64(block * 8, true))
    const where = `block ${block} of ${blockCount}`
    if (position < tableEnd || position + 8 > source.size) throw damaged(file, `${where} lies outside of it`)
    const bytes = await source.read(position, 8)
    const head = new DataView(bytes.buffer, bytes.byteOffset, 8)
    const size = head.getInt32(4, true)
    const rawBytes = Math.min(blockRows, height - block * blockRows) * rowBytes
    if (head.getInt32(0, true) !== firstY + block * blockRows) throw damaged(file, `${where} is not where it should be`)
    const compressed = header.compression !== 0 && size < rawBytes
    if (!compressed && size !== rawBytes) throw damaged(file, `${where} has ${size} bytes where ${rawBytes} belong`)
    if (size < 0 || position + 8 + size > source.size) throw damaged(file, `${where} is cut off`)
    if (size * LARGEST_RATIO < rawBytes) throw damaged(file, `${where} cannot be decompressed`)
    const data = await source.read(position + 8, size)
    // A copy even so, since samples must lie at multiples of their size.
    if (!compressed) return new Uint8Array(data)
    const shuffled = await zlib.inflate(data, rawBytes).catch(() => null)
    if (shuffled?.length !== rawBytes) throw damaged(file, `${where} cannot be decompressed`)
    const raw = new Uint8Array(rawBytes)
    unshuffle(shuffled, raw)
    return raw
  }

  return {
    ...image,
    attributes: header.attributes,
    async readRows(firstRow, rowCount, out) {
      const end = firstRow + rowCount
      if (!(firstRow >= 0 && rowCount >= 0 && end <= height)) throw new RangeError(`rows ${firstRow} to ${end} of ${height}`)
      if (rowCount === 0) return
      const lastBlock = Math.floor((end - 1) / blockRows)
      const copyBlock = async (block: number) => {
        const raw = await readBlock(block)
        if (block === lastBlock) kept = { block, raw }
        const top = block * blockRows
        for (let row = Math.max(top, firstRow); row < Math.min(top + blockRows, end); row++) {
          fromPlanes(raw, (row - top) * rowBytes, image, planes, out, (row - firstRow) * width * channels)
        }
      }
      for (let block = Math.floor(firstRow / blockRows); block <= lastBlock; block += READ_AHEAD) {
        const count = Math.min(READ_AHEAD, lastBlock + 1 - block)
        await Promise.all(Array.from({ length: count }, (_, i) => copyBlock(block + i)))
      }
    },
  }
}

/** Puts a row together: plane `planes[channel]` of the file is the channel. */
function fromPlanes(
  raw: Uint8Array,
  byteIndex: number,
  image: ExrImage,
  planes: number[],
  out: Uint16Array | Float32Array,
  outIndex: number,
): void {
  const { width, channels } = image
  const inPlanes = bitsOfRow(raw, byteIndex, image)
  const row = bitsOfRow(out, outIndex * sampleBytes(image), image)
  for (let channel = 0; channel < channels; channel++) {
    for (let x = 0, from = planes[channel] * width, to = channel; x < width; x++, to += channels) row[to] = inPlanes[from++]
  }
}

interface Header {
  image: ExrImage
  /** Position of R, G, B and A in the file's list of channels. */
  planes: number[]
  compression: number
  blockRows: number
  /** The number that the file gives its first scanline. */
  firstY: number
  attributes: Record<string, string>
  /** Bytes up to the offset table. */
  length: number
}

/** Reads the header, from the first bytes of the file. */
function decodeHeader(bytes: Uint8Array, file: string): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 8
  let limit = bytes.length
  const need = (length: number) => {
    if (length < 0 || at + length > limit) throw damaged(file, 'its header does not end')
  }
  const name = () => {
    const end = bytes.indexOf(0, at)
    if (end < 0 || end >= limit) throw damaged(file, 'its header does not end')
    const value = new TextDecoder().decode(bytes.subarray(at, end))
    at = end + 1
    return value
  }
  const int = () => {
    need(4)
    at += 4
    return view.getInt32(at - 4, true)
  }

  if (bytes.length < 8 || view.getInt32(0, true) !== MAGIC) throw damaged(file, 'it does not begin like one')
  const version = view.getInt32(4, true)
  if ((version & 255) !== VERSION || version & FOREIGN_FLAGS) throw foreign(file, 'has tiles, several parts or deep pixels')
  let channels: { name: string; type: number; sampling: number }[] = []
  let compression = -1
  let window: number[] | null = null
  const attributes: Record<string, string> = Object.create(null)
  for (let key = name(); key !== ''; key = name()) {
    const type = name()
    const size = int()
    need(size)
    const end = at + size
    if (key === 'channels' && type === 'chlist') {
      channels = []
      limit = end
      for (let channel = name(); channel !== ''; channel = name()) {
        const sample = int()
        at += 4
        channels.push({ name: channel, type: sample, sampling: Math.max(int(), int()) })
      }
    } else if (key === 'compression' && size === 1) compression = bytes[at]
    else if (key === 'dataWindow' && size === 16) window = [int(), int(), int(), int()]
    else if (type === 'string') attributes[key] = new TextDecoder().decode(bytes.subarray(at, end))
    at = end
    limit = bytes.length
  }

  if (!window || channels.length === 0) throw damaged(file, 'its header is not complete')
  const blockRows = BLOCK_ROWS[compression]
  if (!blockRows) throw foreign(file, `has compression ${compression}`)
  const width = window[2] - window[0] + 1
  const height = window[3] - window[1] + 1
  if (width < 1 || height < 1) throw damaged(file, `it announces ${width} x ${height} pixels`)
  const planes = ['R', 'G', 'B', 'A'].slice(0, channels.length).map((wanted) => channels.findIndex((channel) => channel.name === wanted))
  const sample = channels[0].type
  const known = (channels.length === 3 || channels.length === 4) && !planes.includes(-1) && (sample === HALF || sample === FLOAT)
  if (!known || channels.some((channel) => channel.type !== sample || channel.sampling !== 1)) {
    throw foreign(file, `has the channels ${channels.map((channel) => channel.name).join(', ').slice(0, 80)}`)
  }
  return {
    image: { width, height, channels: channels.length as 3 | 4, type: sample === HALF ? 'float16' : 'float32' },
    planes,
    compression,
    blockRows,
    firstY: window[1],
    attributes,
    length: at,
  }
}

function damaged(file: string, what: string): Problem {
  return new Problem('input', `${file} is damaged as an EXR file: ${what}. Bake it again.`)
}

function foreign(file: string, what: string): Problem {
  const can = 'only scanlines of R, G, B and A, all half or all float, with ZIP or no compression can be read'
  return new Problem('input', `${file} ${what}: ${can}. Bake it again.`)
}
