import { fromHalf } from '../../main/codecs/half.ts'
import type { TexelArray, TexelType } from '../../main/codecs/texel.ts'

export type Channel = 'rgb' | 'r' | 'g' | 'b' | 'a'

/** What of a texture is shown, and how large. */
export interface PictureWindow {
  /** Texel at the upper left corner; fractions are allowed. */
  left: number
  top: number
  /** Size of the picture in pixels of the screen. */
  width: number
  height: number
  /** Pixels of the screen a texel. */
  scale: number
}

interface Texture {
  width: number
  height: number
  channels: 3 | 4
  type: TexelType
  /** `[row][x][channel]` */
  texels: TexelArray
}

/** Smallest and largest texel of each channel, which whole floats are stretched between. */
export interface TexelRange {
  min: number[]
  max: number[]
}

/** The range that is shown from black to white. Integers have theirs, half floats lie in -1..1; whole floats are looked at. */
export function rangeOf(texture: Texture): TexelRange {
  const { channels, type, texels } = texture
  if (type === 'unorm8' || type === 'unorm16') return { min: Array<number>(channels).fill(0), max: Array<number>(channels).fill(type === 'unorm8' ? 255 : 65_535) }
  if (type === 'float16') return { min: Array<number>(channels).fill(-1), max: Array<number>(channels).fill(1) }
  const min = Array<number>(channels).fill(Infinity)
  const max = Array<number>(channels).fill(-Infinity)
  for (let i = 0; i < texels.length; i++) {
    const channel = i % channels
    if (texels[i] < min[channel]) min[channel] = texels[i]
    if (texels[i] > max[channel]) max[channel] = texels[i]
  }
  return { min, max }
}

/**
 * Draws a window on a texture: each pixel of the screen shows the texel below its middle, so that nothing is blended.
 *
 * @param out `[row][x][rgba]`, of the window's size; what lies outside of the texture stays transparent
 */
export function paintPicture(texture: Texture, range: TexelRange, channel: Channel, window: PictureWindow, out: Uint8ClampedArray): void {
  const { width, height, channels, texels, type } = texture
  const shown = channel === 'rgb' ? [0, 1, 2] : Array<number>(3).fill('rgba'.indexOf(channel))
  const factors = range.max.map((max, index) => (max > range.min[index] ? 255 / (max - range.min[index]) : 0))
  const valueAt = type === 'float16' ? (index: number) => fromHalf(texels[index]) : (index: number) => texels[index]
  out.fill(0)
  for (let y = 0; y < window.height; y++) {
    const row = Math.floor(window.top + (y + 0.5) / window.scale)
    if (row < 0 || row >= height) continue
    for (let x = 0; x < window.width; x++) {
      const column = Math.floor(window.left + (x + 0.5) / window.scale)
      if (column < 0 || column >= width) continue
      const from = (row * width + column) * channels
      const to = (y * window.width + x) * 4
      for (let i = 0; i < 3; i++) {
        const source = shown[i]
        // A texture of three channels has no alpha: it is opaque everywhere.
        out[to + i] = source >= channels ? 255 : (valueAt(from + source) - range.min[source]) * factors[source]
      }
      out[to + 3] = 255
    }
  }
}

/** What is stored in a texel, as the sampler of an engine returns it. */
export function texelValues(texture: Texture, x: number, y: number): number[] {
  const { width, channels, texels, type } = texture
  const from = (y * width + x) * channels
  const divisor = type === 'unorm8' ? 255 : type === 'unorm16' ? 65_535 : 1
  return Array.from({ length: channels }, (_, i) => (type === 'float16' ? fromHalf(texels[from + i]) : texels[from + i] / divisor))
}
