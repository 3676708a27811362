import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sharp } from 'sharp'
import type { PngImage } from './png.ts'

/** sharp is loaded when the first PNG is written or read: it takes a while, and EXR bakes do without it. */
let loaded: typeof import('sharp').default | undefined

/** Linux and Electron each bring a GLib of their own, and sharp's native build upsets the two: warnings, and crashes on some systems. */
const PORTABLE = process.platform === 'linux' && process.versions.electron !== undefined

function loadSharp(): typeof import('sharp').default {
  if (loaded) return loaded
  // Required, since the modules of sharp are written in a syntax that Electron before 28 does not know.
  const require = createRequire(import.meta.url)
  if (PORTABLE) preferWebAssembly(createRequire(require.resolve('sharp')))
  loaded = require('sharp') as typeof import('sharp').default
  // Nothing is read twice, and there is only one step to do: neither a cache nor threads can help.
  loaded.cache(false)
  loaded.concurrency(1)
  return loaded
}

/** Puts sharp's WebAssembly build where sharp looks for its native one. It writes the same pixels. */
function preferWebAssembly(require: NodeJS.Require): void {
  const portable = '@img/sharp-wasm32/sharp.node'
  require(portable)
  for (const system of ['linux', 'linuxmusl']) {
    try {
      const native = require.resolve(`@img/sharp-${system}-${process.arch}/sharp.node`)
      require.cache[native] = require.cache[require.resolve(portable)]
    } catch {
      // Not installed: there is nothing that sharp could find.
    }
  }
}

/** Images in WebAssembly are given back only when JavaScript's memory is swept, which knows nothing of their size. */
async function sweep(): Promise<void> {
  if (!PORTABLE) return
  setFlagsFromString('--expose_gc')
  ;(runInNewContext('gc') as () => void)()
  await setTimeout(1)
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
  const sharp = loadSharp()
  const { width, height, channels, type } = image
  const pipeline = sharp(texels, { raw: { width, height, channels }, limitInputPixels: false })
  await keepBits(pipeline, type).png({ compressionLevel: 6, adaptiveFiltering: true }).toFile(file)
  await sweep()
}

/** The same for a small picture that people look at, in memory. */
export async function encodePng({ width, height, channels, type }: PngImage, texels: Uint8Array | Uint16Array): Promise<Uint8Array> {
  const pipeline = loadSharp()(texels, { raw: { width, height, channels } })
  return new Uint8Array(await keepBits(pipeline, type).png().toBuffer())
}

/**
 * Reads the pixels of a PNG file, as the numbers that are in it.
 *
 * @param image what `decodePngHeader` says about the file
 * @returns `[row][x][channel]`
 */
export async function readPng(file: string, image: PngImage): Promise<Uint8Array | Uint16Array> {
  const sharp = loadSharp()
  const wide = image.type === 'unorm16'
  const pipeline = sharp(file, { limitInputPixels: false, unlimited: true, ignoreIcc: true })
  const pixels = await keepBits(pipeline, image.type).raw({ depth: wide ? 'ushort' : 'uchar' }).toBuffer()
  // In WebAssembly the pixels lie in memory that is used again as soon as this very buffer is not.
  const bytes = PORTABLE ? new Uint8Array(pixels) : pixels
  await sweep()
  const length = image.width * image.height * image.channels
  if (bytes.length !== length * (wide ? 2 : 1)) throw new Error(`it holds ${bytes.length} bytes of pixels`)
  return wide ? new Uint16Array(bytes.buffer, bytes.byteOffset, length) : new Uint8Array(bytes.buffer, bytes.byteOffset, length)
}
