import { dirname, join } from 'node:path'
import { fromHalf } from '../codecs/half.ts'
import { encodePng } from '../codecs/png-sharp.ts'
import type { TexelArray, TexelType } from '../codecs/texel.ts'
import { openTextureReader } from '../codecs/texture-node.ts'
import { Problem } from '../model/problem.ts'
import type { PictureResult, Work } from './contract.ts'
import { findDamage, readSidecar } from './verify.ts'

/** Textures of a few frames are drawn at least this high, so that there is something to see. */
const SMALLEST = 64
const CHANNELS = 3

/**
 * Draws the textures of a bake for people: red, green and blue as stored, floats stretched from the least to the greatest.
 *
 * @param options.size largest width and height in pixels; texels are left out or repeated as needed
 * @throws Problem where the set is not whole
 */
export async function* picture(sidecarFile: string, { size }: { size: number }): Work<PictureResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  const sidecar = await readSidecar(sidecarFile)
  const folder = dirname(sidecarFile)
  const [damage] = await findDamage(folder, sidecar)
  if (damage) throw new Problem('input', `${damage.file} of this bake ${damage.problem}. Bake the model again.`)
  const pictures: PictureResult['pictures'] = []
  for (const file of new Set(sidecar.textures.map((texture) => texture.file))) {
    const roles = sidecar.textures.filter((texture) => texture.file === file).map(({ role }) => role)
    pictures.push({ file, roles, ...(yield* draw(join(folder, file), size)) })
  }
  return { sidecarFile, pictures }
}

async function* draw(file: string, size: number): Work<{ width: number; height: number; png: string }> {
  const reader = await openTextureReader(file)
  try {
    const { width, height, channels, type } = reader
    const drawn = { width: drawnSize(width, size), height: drawnSize(height, size) }
    const values = new Float32Array(drawn.width * drawn.height * CHANNELS)
    let row: TexelArray | undefined
    for (let y = 0, last = -1; y < drawn.height; y++) {
      const from = Math.floor((y * height) / drawn.height)
      if (from !== last) row = await reader.readRows((last = from), 1)
      for (let x = 0; x < drawn.width; x++) {
        const texel = Math.floor((x * width) / drawn.width) * channels
        for (let channel = 0; channel < CHANNELS; channel++) {
          const stored = row![texel + channel]
          values[(y * drawn.width + x) * CHANNELS + channel] = type === 'float16' ? fromHalf(stored) : stored
        }
      }
      yield { stage: 'reading', done: y + 1, total: drawn.height }
    }
    const png = await encodePng({ ...drawn, channels: CHANNELS, type: 'unorm8' }, toBytes(values, type))
    return { width, height, png: Buffer.from(png).toString('base64') }
  } finally {
    await reader.close()
  }
}

function drawnSize(size: number, largest: number): number {
  return size >= largest ? largest : size * Math.max(1, Math.floor(Math.min(SMALLEST, largest) / size))
}

/** @param values `[texel][channel]` as stored */
function toBytes(values: Float32Array, type: TexelType): Uint8Array {
  const bytes = new Uint8Array(values.length)
  for (let channel = 0; channel < CHANNELS; channel++) {
    let [low, high] = [0, type === 'unorm8' ? 255 : 65_535]
    if (type === 'float16' || type === 'float32') {
      ;[low, high] = [Infinity, -Infinity]
      for (let i = channel; i < values.length; i += CHANNELS) {
        low = Math.min(low, values[i])
        high = Math.max(high, values[i])
      }
    }
    const factor = high > low ? 255 / (high - low) : 0
    for (let i = channel; i < values.length; i += CHANNELS) bytes[i] = Math.round((values[i] - low) * factor)
  }
  return bytes
}
