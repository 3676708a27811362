/**
 * A small reader of OpenEXR files: one part, scan lines, channels of half or float, no compression, ZIPS or ZIP.
 * Written from "OpenEXR File Layout" and "Technical Introduction to OpenEXR".
 */
import { inflateSync } from 'node:zlib'

/** A decoded image: every channel is `[row][x]`, row 0 is the first scan line of the data window. */
export interface ExrImage {
  width: number
  height: number
  channels: Map<string, { type: 'float16' | 'float32', values: Float64Array }>
}

/** Scan lines in a chunk, by the number of the compression method: none, (run lengths), ZIPS, ZIP. */
const LINES_OF_CHUNK: Record<number, number> = { 0: 1, 2: 1, 3: 16 }
const PIXEL_TYPES: Record<number, { type: 'float16' | 'float32', size: number }> = { 1: { type: 'float16', size: 2 }, 2: { type: 'float32', size: 4 } }

/**
 * Decode an OpenEXR file.
 * @throws Error when the bytes are no OpenEXR file or use a feature that is not read here
 */
export function readExr(bytes: Uint8Array): ExrImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== 20000630) throw new Error('This is no OpenEXR file.')
  // The low byte is the version; the bits above it stand for tiles, deep data and several parts. Long names (0x400) change nothing.
  const version = view.getUint32(4, true)
  if ((version & ~0x400) !== 2) throw new Error(`The OpenEXR version field is ${version}; only single scan line images are read.`)

  let at = 8
  const text = () => {
    const end = bytes.indexOf(0, at)
    const string = new TextDecoder().decode(bytes.subarray(at, end))
    at = end + 1
    return string
  }
  const attributes = new Map<string, number>()
  for (let name = text(); name !== ''; name = text()) {
    text() // the attribute's type follows from its name
    attributes.set(name, at + 4)
    at += 4 + view.getUint32(at, true)
  }
  const tableAt = at
  const attribute = (name: string) => {
    const position = attributes.get(name)
    if (position === undefined) throw new Error(`The OpenEXR header has no attribute "${name}".`)
    return position
  }

  const [xMin, yMin, xMax, yMax] = [0, 4, 8, 12].map((byte) => view.getInt32(attribute('dataWindow') + byte, true))
  const width = xMax - xMin + 1
  const height = yMax - yMin + 1
  const compression = view.getUint8(attribute('compression'))
  const linesOfChunk = LINES_OF_CHUNK[compression]
  if (linesOfChunk === undefined) throw new Error(`OpenEXR compression method ${compression} is not read.`)

  const channels: ExrImage['channels'] = new Map()
  const stored: { size: number, values: Float64Array }[] = []
  at = attribute('channels')
  for (let name = text(); name !== ''; name = text()) {
    const pixel = PIXEL_TYPES[view.getInt32(at, true)]
    if (pixel === undefined) throw new Error(`Channel ${name} is neither half nor float.`)
    if (view.getInt32(at + 8, true) !== 1 || view.getInt32(at + 12, true) !== 1) throw new Error(`Channel ${name} is subsampled.`)
    at += 16
    const values = new Float64Array(width * height)
    channels.set(name, { type: pixel.type, values })
    stored.push({ size: pixel.size, values })
  }

  const bytesOfLine = width * stored.reduce((sum, channel) => sum + channel.size, 0)
  for (let chunk = 0; chunk * linesOfChunk < height; chunk++) {
    const chunkAt = Number(view.getBigUint64(tableAt + chunk * 8, true))
    const firstLine = view.getInt32(chunkAt, true) - yMin
    const lines = Math.min(linesOfChunk, height - firstLine)
    const packed = bytes.subarray(chunkAt + 8, chunkAt + 8 + view.getInt32(chunkAt + 4, true))
    // A chunk that compression would not make smaller is stored as it is.
    const pixels = packed.length === lines * bytesOfLine ? packed : unzip(packed)
    if (pixels.length !== lines * bytesOfLine) throw new Error(`The chunk of scan line ${firstLine} has ${pixels.length} bytes.`)
    const pixelView = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength)
    let byte = 0
    for (let line = firstLine; line < firstLine + lines; line++) {
      for (const { size, values } of stored) {
        for (let x = 0; x < width; x++, byte += size) {
          values[line * width + x] = size === 4 ? pixelView.getFloat32(byte, true) : halfToNumber(pixelView.getUint16(byte, true))
        }
      }
    }
  }
  return { width, height, channels }
}

/** Undo ZIP: inflate, add up the differences, and put the two halves of the bytes back in between each other. */
function unzip(packed: Uint8Array): Uint8Array {
  const bytes = inflateSync(packed)
  for (let i = 1; i < bytes.length; i++) bytes[i] = bytes[i - 1] + bytes[i] - 128
  const half = (bytes.length + 1) >> 1
  const pixels = new Uint8Array(bytes.length)
  for (let i = 0; i < bytes.length; i++) pixels[i] = bytes[(i >> 1) + (i % 2) * half]
  return pixels
}

/** The number that 16 bits of IEEE 754 binary16 stand for. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}
