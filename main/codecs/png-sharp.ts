import type { Sharp } from 'sharp'
import type { PngImage } from './png.ts'

/** sharp is loaded when the first PNG is written or read: it takes a while, and EXR bakes do without it. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Nothing is read twice, and there is only one step to do: neither a cache nor threads can help.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** Without being told the colour space, sharp writes and reads 8 bits even where 16 go in. The sRGB one changes no value. */
function keepBits(pipeline: Sharp, type: PngImage['type']): Sharp {
  return pipeline.toColourspace(type === 'unorm16' ? 'rgb16' : 'srgb')
}

/**
 * Writes a PNG file: exactly these numbers, without chunks that ask for colour management. The same pixels give the same bytes.
 *
 * @param texels `[row][x][channel]`
 */
export async function writePng(file: string, image: PngImage, texels: Uint8Array | Uint16Array): Promise<void> {
  const sharp = await loadSharp()
  const { width, height, channels, type } = image
  const pipeline = sharp(texels, { raw: { width, height, channels }, limitInputPixels: false })
  await keepBits(pipeline, type).png({ compressionLevel: 6, adaptiveFiltering: true }).toFile(file)
}

/**
 * Reads the pixels of a PNG file, as the numbers that are in it.
 *
 * @param image what `decodePngHeader` says about the file
 * @returns `[row][x][channel]`
 */
export async function readPng(file: string, image: PngImage): Promise<Uint8Array | Uint16Array> {
  const sharp = await loadSharp()
  const wide = image.type === 'unorm16'
  const pipeline = sharp(file, { limitInputPixels: false, unlimited: true, ignoreIcc: true })
  const bytes = await keepBits(pipeline, image.type).raw({ depth: wide ? 'ushort' : 'uchar' }).toBuffer()
  const length = image.width * image.height * image.channels
  if (bytes.length !== length * (wide ? 2 : 1)) throw new Error(`it holds ${bytes.length} bytes of pixels`)
  return wide ? new Uint16Array(bytes.buffer, bytes.byteOffset, length) : new Uint8Array(bytes.buffer, bytes.byteOffset, length)
}
