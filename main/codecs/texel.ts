import { fromHalf, toHalf } from './half.ts'

/**
 * How a channel of a texture keeps a number. What a texture sampler returns for it, the *texel*, is 0..1 for unorm
 * (`stored / 255`, `stored / 65535`), and the number itself for floats.
 */
export type TexelType = 'unorm8' | 'unorm16' | 'float16' | 'float32'

/** Stored channels of a texture: Uint8Array for unorm8, Uint16Array for unorm16 and (as bits) float16, Float32Array for float32. */
export type TexelArray = Uint8Array | Uint16Array | Float32Array

/** The one decoding rule of every encoding: `value = texel * scale + offset`, with a scale and an offset for each channel. */
export interface TexelCoding {
  type: TexelType
  scale: number[]
  offset: number[]
}

/** Largest stored number of the unorm types, which stands for the texel 1. */
const STEPS = { unorm8: 255, unorm16: 65535 } as const

/** An all-zero array for `length` stored channels. */
export function createTexelArray(type: TexelType, length: number): TexelArray {
  if (type === 'unorm8') return new Uint8Array(length)
  return type === 'float32' ? new Float32Array(length) : new Uint16Array(length)
}

/** Bytes that one stored channel takes. */
export function texelBytes(type: TexelType): 1 | 2 | 4 {
  if (type === 'unorm8') return 1
  return type === 'float32' ? 4 : 2
}

/**
 * The coding that loses least for values within bounds.
 *
 * - unorm: texel 0 is the minimum and texel 1 the maximum, so the error is at most half a step, `scale / 255 / 2` or
 *   `scale / 65535 / 2`. The bounds are not rounded outwards: both decode exactly.
 * - float16: the centre is 0 and the bounds are -1 and 1. Halves just below a power of two are the densest for their size,
 *   so the worst error, `scale / 4096`, is the smallest that halves can give.
 * - float32: the value itself.
 *
 * A flat channel (minimum = maximum) has scale 0 and decodes to its one value exactly. "Exactly" is to the float32 nearest
 * to the decoded double. The one exception lies in double arithmetic itself: of a pair such as -1 and 1e-20, the bound near
 * zero is met to 2^-52 of the extent.
 *
 * @param min smallest value of each channel
 * @param max largest value of each channel
 * @throws RangeError where a minimum is above its maximum or not finite
 */
export function chooseCoding(type: TexelType, min: ArrayLike<number>, max: ArrayLike<number>): TexelCoding {
  const coding: TexelCoding = { type, scale: [], offset: [] }
  for (let channel = 0; channel < min.length; channel++) {
    const low = min[channel]
    const high = max[channel]
    if (!(low <= high && high - low < Infinity)) throw new RangeError(`bounds ${low}..${high} of channel ${channel} are not a range`)
    if (type === 'float32') {
      coding.scale.push(1)
      coding.offset.push(0)
    } else if (type === 'float16') {
      const centre = low + (high - low) / 2
      // The centre may be rounded: the longer side counts, so that neither bound comes to lie beyond 1.
      coding.scale.push(Math.max(high - centre, centre - low))
      coding.offset.push(centre)
    } else {
      coding.scale.push(high - low)
      coding.offset.push(low)
    }
  }
  return coding
}

/**
 * The coding for the components of directions: -1, 0 and 1, which axis directions are made of, all decode exactly.
 *
 * An even number of stored numbers from -1 to 1 (scale 2, offset -1) has no 0 among them. One is left unused instead: stored
 * 0, 127 and 254 (of 65535: 0, 32767, 65534) are -1, 0 and 1. Floats hold the three as they are.
 */
export function chooseDirectionCoding(type: TexelType, channels: number): TexelCoding {
  const steps = type === 'unorm8' ? STEPS.unorm8 : type === 'unorm16' ? STEPS.unorm16 : null
  return {
    type,
    scale: Array<number>(channels).fill(steps ? steps / ((steps - 1) / 2) : 1),
    offset: Array<number>(channels).fill(steps ? -1 : 0),
  }
}

/**
 * Encodes texels, each channel rounded to the nearest stored number.
 *
 * @param values   `[texel][channel]`, with the channels of the coding
 * @param count    number of texels
 * @param out      `[texel][stride]`, of the coding's type; channels beyond the coding's are left alone
 * @param outIndex where in `out` the first channel of the first texel goes
 * @param stride   channels of a texel in `out`
 * @throws RangeError for a value that is not finite or outside of what the coding was chosen for: nothing is ever clamped
 */
export function encodeTexels(
  coding: TexelCoding,
  values: ArrayLike<number>,
  count: number,
  out: TexelArray,
  outIndex: number,
  stride = coding.scale.length,
): void {
  const { type, scale, offset } = coding
  const channels = scale.length
  for (let channel = 0; channel < channels; channel++) {
    const factor = scale[channel]
    const origin = offset[channel]
    for (let i = 0, from = channel, to = outIndex + channel; i < count; i++, from += channels, to += stride) {
      const value = values[from]
      const texel = factor === 0 ? value - origin : (value - origin) / factor
      if (!holds(type, texel, factor)) throw new RangeError(`value ${value} of channel ${channel} is outside of the coding's bounds`)
      if (type === 'float32') out[to] = texel
      else if (type === 'float16') out[to] = toHalf(texel)
      // Adding a half and cutting off is rounding, since no texel is negative here.
      else out[to] = texel * STEPS[type] + 0.5
    }
  }
}

/** Whether a texel is one that {@link encodeTexels} may store. NaN never is. */
function holds(type: TexelType, texel: number, scale: number): boolean {
  if (scale === 0) return texel === 0
  if (type === 'float32') return Math.abs(Math.fround(texel)) < Infinity
  return texel <= 1 && texel >= (type === 'float16' ? -1 : 0)
}

/**
 * Decodes texels: the inverse of {@link encodeTexels}.
 *
 * @param texels     `[texel][stride]`, of the coding's type
 * @param texelIndex where in `texels` the first channel of the first texel is
 * @param count      number of texels
 * @param out        `[texel][channel]`, with the channels of the coding
 * @param outIndex   where in `out` the first channel of the first texel goes
 * @param stride     channels of a texel in `texels`
 */
export function decodeTexels(
  coding: TexelCoding,
  texels: TexelArray,
  texelIndex: number,
  count: number,
  out: Float64Array,
  outIndex: number,
  stride = coding.scale.length,
): void {
  const { type, scale, offset } = coding
  const channels = scale.length
  for (let channel = 0; channel < channels; channel++) {
    const factor = scale[channel]
    const origin = offset[channel]
    for (let i = 0, from = texelIndex + channel, to = outIndex + channel; i < count; i++, from += stride, to += channels) {
      out[to] = texelOf(type, texels[from]) * factor + origin
    }
  }
}

/** What a sampler returns for a stored channel. */
export function texelOf(type: TexelType, stored: number): number {
  if (type === 'float32') return stored
  return type === 'float16' ? fromHalf(stored) : stored / STEPS[type]
}
