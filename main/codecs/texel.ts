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
  const isItself = type === 'float32' && stride === channels && scale.every((factor) => factor === 1) && offset.every((origin) => origin === 0)
  if (isItself && values instanceof Float32Array) {
    copyFloats(values, count * channels, out as Float32Array, outIndex)
    return
  }
  for (let channel = 0; channel < channels; channel++) {
    const bad =
      type === 'float32'
        ? encodeFloats(coding, channel, values, count, out as Float32Array, outIndex + channel, stride)
        : encodeBounded(coding, type === 'float16' ? null : STEPS[type], channel, values, count, out, outIndex + channel, stride)
    if (bad >= 0) throw new RangeError(`value ${values[bad]} of channel ${channel} is outside of the coding's bounds`)
  }
}

/** Floats that are stored as they are. */
function copyFloats(values: Float32Array, length: number, out: Float32Array, outIndex: number): void {
  let sum = 0
  // One that is not finite makes the sum so.
  for (let i = 0; i < length; i++) sum += values[i] * 0
  if (sum !== 0) {
    const bad = values.findIndex((value) => !Number.isFinite(value))
    throw new RangeError(`value ${values[bad]} is outside of what floats hold`)
  }
  out.set(values.subarray(0, length), outIndex)
}

/*
 * Each encodes one channel and returns where the first value is that its coding cannot hold, or -1; NaN can be held by none.
 */

function encodeFloats(
  { scale, offset }: TexelCoding,
  channel: number,
  values: ArrayLike<number>,
  count: number,
  out: Float32Array,
  outIndex: number,
  stride: number,
): number {
  const factor = scale[channel]
  const origin = offset[channel]
  const channels = scale.length
  for (let i = 0, from = channel, to = outIndex; i < count; i++, from += channels, to += stride) {
    const texel = factor === 0 ? values[from] - origin : (values[from] - origin) / factor
    out[to] = texel
    if (factor === 0 ? texel !== 0 : out[to] - out[to] !== 0) return from
  }
  return -1
}

/**
 * Halves lie from -1 to 1, unorms from 0 to 1.
 *
 * @param steps of unorms; null for halves
 */
function encodeBounded(
  { scale, offset }: TexelCoding,
  steps: number | null,
  channel: number,
  values: ArrayLike<number>,
  count: number,
  out: TexelArray,
  outIndex: number,
  stride: number,
): number {
  const factor = scale[channel]
  const origin = offset[channel]
  const channels = scale.length
  const lowest = steps === null ? -1 : 0
  for (let i = 0, from = channel, to = outIndex; i < count; i++, from += channels, to += stride) {
    const texel = factor === 0 ? values[from] - origin : (values[from] - origin) / factor
    if (factor === 0 ? texel !== 0 : !(texel <= 1 && texel >= lowest)) return from
    // Adding a half and cutting off is rounding, since no texel of a unorm is negative.
    out[to] = steps === null ? toHalf(texel) : texel * steps + 0.5
  }
  return -1
}

/** Where the channels of a layer lie in the texels that hold it. */
export interface TexelPlaces {
  /** `[value]`: index of each value's texel. */
  texels: Uint32Array
  /** Added to all of them. */
  shift: number
  /** Channels of a texel. */
  stride: number
  /** `[channel of the coding]`: which one of the texel's it is. */
  channels: number[]
}

/**
 * Decodes the texels of places: the inverse of {@link encodeTexels}.
 *
 * @param texels of the coding's type
 * @param out    `[value][channel of the coding]`
 */
export function decodeTexels({ type, scale, offset }: TexelCoding, texels: TexelArray, places: TexelPlaces, out: Float64Array): void {
  const { texels: at, shift, stride, channels } = places
  for (let channel = 0; channel < channels.length; channel++) {
    const factor = scale[channel]
    const origin = offset[channel]
    const first = shift * stride + channels[channel]
    let to = channel
    if (type === 'float32') {
      for (let i = 0; i < at.length; i++, to += channels.length) out[to] = texels[first + at[i] * stride] * factor + origin
    } else if (type === 'float16') {
      for (let i = 0; i < at.length; i++, to += channels.length) out[to] = fromHalf(texels[first + at[i] * stride]) * factor + origin
    } else {
      const steps = STEPS[type]
      for (let i = 0; i < at.length; i++, to += channels.length) out[to] = (texels[first + at[i] * stride] / steps) * factor + origin
    }
  }
}

/** What a sampler returns for a stored channel. */
export function texelOf(type: TexelType, stored: number): number {
  if (type === 'float32') return stored
  return type === 'float16' ? fromHalf(stored) : stored / STEPS[type]
}
