import { Problem } from '../model/problem.ts'

/** A PNG file of the kind that textures are kept in. Pixels lie in memory as `[row][x][channel]`, row 0 at the top. */
export interface PngImage {
  width: number
  height: number
  channels: 3 | 4
  type: 'unorm8' | 'unorm16'
}

/** Bytes that {@link decodePngHeader} wants: the signature and the IHDR chunk up to the interlace method. */
export const PNG_HEADER_BYTES = 29
/** A row that zlib shrank as far as it can (1032 : 1) takes this many pixels' bytes for one of the file's. */
const LARGEST_RATIO = 1040

/**
 * Reads what the first bytes of a PNG file say about it (PNG specification, 11.2.2 IHDR). Does it before any decoder is asked,
 * so that a lying header costs no memory.
 *
 * @param bytes the first {@link PNG_HEADER_BYTES} of the file, or all of them where there are fewer
 * @param size  bytes of the whole file
 * @param file  name of the file, for the sentences of a Problem
 * @throws Problem of kind `input` for a file that is damaged, or neither RGB nor RGBA of 8 or 16 bits
 */
export function decodePngHeader(bytes: Uint8Array, size: number, file: string): PngImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < PNG_HEADER_BYTES || view.getUint32(12) !== 0x49484452) {
    throw new Problem('input', `${file} is damaged as a PNG file: it does not begin like one. Bake it again.`)
  }
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  const bits = bytes[24]
  const colourType = bytes[25]
  if ((bits !== 8 && bits !== 16) || (colourType !== 2 && colourType !== 6)) {
    throw new Problem(
      'input',
      `${file} has ${bits} bits and colour type ${colourType}: only RGB and RGBA of 8 or 16 bits can be read. Bake it again.`,
    )
  }
  const channels = colourType === 6 ? 4 : 3
  if (width === 0 || height === 0 || width * height * channels * (bits / 8) > size * LARGEST_RATIO) {
    throw new Problem(
      'input',
      `${file} is damaged as a PNG file: ${size} bytes cannot hold the ${width} x ${height} pixels that it announces. Bake it again.`,
    )
  }
  return { width, height, channels, type: bits === 8 ? 'unorm8' : 'unorm16' }
}
