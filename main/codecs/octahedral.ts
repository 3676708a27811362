import { fromHalf, toHalf } from './half.ts'
import { chooseDirectionCoding, texelOf, type TexelArray, type TexelCoding, type TexelType } from './texel.ts'

/*
 * Octahedral normals: a unit vector as two numbers in -1..1 (Cigolle et al., "A Survey of Efficient Representations for
 * Independent Unit Vectors", JCGT 3(2), 2014). The sphere is projected on the octahedron |x| + |y| + |z| = 1, whose lower half
 * is folded out over the corners of the square. With sign(t) = -1 for t < 0 and 1 otherwise:
 *
 *     encode   s = |x| + |y| + |z|;  u = x / s;  v = y / s
 *              if z < 0:  (u, v) = ((1 - |v|) * sign(u), (1 - |u|) * sign(v))
 *     decode   x = u;  y = v;  z = 1 - |u| - |v|
 *              if z < 0:  (x, y) = ((1 - |v|) * sign(u), (1 - |u|) * sign(v))
 *              normal = (x, y, z) / length(x, y, z)
 */

/** One of two coordinates of the lower half after folding, or of a folded one before: `(1 - |other|) * sign(own)`. */
function folded(own: number, other: number): number {
  return own < 0 ? Math.abs(other) - 1 : 1 - Math.abs(other)
}

/**
 * The coding for the two numbers of an octahedral normal. All six axis directions are exact in it; with scale 2 and offset -1
 * none but -z would be, since only that one is made of corners of the square.
 *
 * Worst errors with {@link encodeOctahedral}: unorm8 0.64 degrees, unorm16 0.0025, float16 0.04, float32 0.00001.
 */
export function octahedralCoding(type: TexelType): TexelCoding {
  return chooseDirectionCoding(type, 2)
}

/**
 * Encodes unit normals. Of the stored numbers on either side of u and of v, the pair is taken whose decoded normal is
 * nearest, which is a third better than rounding u and v by themselves.
 *
 * @param coding   from {@link octahedralCoding}
 * @param normals  `[normal][xyz]`
 * @param count    number of normals
 * @param out      `[texel][stride]`, of the coding's type; channels beyond the first two become 0
 * @param outIndex where in `out` the first channel of the first texel goes
 * @param stride   channels of a texel in `out`, 2 or more
 * @throws RangeError for a normal without a direction (zero, or not finite)
 */
export function encodeOctahedral(
  coding: TexelCoding,
  normals: ArrayLike<number>,
  count: number,
  out: TexelArray,
  outIndex: number,
  stride: number,
): void {
  const square = new Float64Array(2)
  const us = createNeighbours()
  const vs = createNeighbours()
  for (let i = 0, to = outIndex; i < count; i++, to += stride) {
    const x = normals[i * 3]
    const y = normals[i * 3 + 1]
    const z = normals[i * 3 + 2]
    project(i, x, y, z, square)
    findNeighbours(coding, 0, square[0], us)
    findNeighbours(coding, 1, square[1], vs)
    let nearest = -Infinity
    for (let candidate = 0; candidate < 4; candidate++) {
      const cosine = cosineTo(us.values[candidate & 1], vs.values[candidate >> 1], x, y, z)
      if (cosine <= nearest) continue
      nearest = cosine
      out[to] = us.stored[candidate & 1]
      out[to + 1] = vs.stored[candidate >> 1]
    }
    for (let channel = 2; channel < stride; channel++) out[to + channel] = 0
  }
}

/**
 * Normal i on the square: u and v, folded.
 *
 * @throws RangeError where it has no direction
 */
function project(i: number, x: number, y: number, z: number, out: Float64Array): void {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z)
  if (!(sum > 0 && sum < Infinity)) throw new RangeError(`normal ${i} (${x}, ${y}, ${z}) has no direction`)
  const u = x / sum
  const v = y / sum
  out[0] = z < 0 ? folded(u, v) : u
  out[1] = z < 0 ? folded(v, u) : v
}

/** The stored numbers below and above a value, and what they decode to; the same one twice where it hits. */
interface Neighbours {
  stored: Float64Array
  values: Float64Array
}

function createNeighbours(): Neighbours {
  return { stored: new Float64Array(2), values: new Float64Array(2) }
}

function findNeighbours(coding: TexelCoding, channel: number, value: number, { stored, values }: Neighbours): void {
  const { type } = coding
  const scale = coding.scale[channel]
  const offset = coding.offset[channel]
  const texel = (value - offset) / scale
  if (type === 'float32') {
    stored[0] = stored[1] = Math.fround(texel)
  } else if (type === 'float16') {
    const bits = toHalf(texel)
    const rounded = fromHalf(bits)
    stored[0] = bits
    // Bits grow with the magnitude, whatever the sign.
    stored[1] = rounded === texel ? bits : Math.abs(rounded) < Math.abs(texel) ? bits + 1 : bits - 1
  } else {
    const steps = type === 'unorm8' ? 255 : 65535
    // The largest stored number whose value is not beyond 1, where the square ends.
    const last = Math.round(((1 - offset) / scale) * steps)
    stored[0] = Math.min(Math.max(Math.floor(texel * steps), 0), last)
    stored[1] = Math.min(stored[0] + 1, last)
  }
  values[0] = texelOf(type, stored[0]) * scale + offset
  values[1] = texelOf(type, stored[1]) * scale + offset
}

/** Cosine of the angle between a decoded normal and (x, y, z), times the length of the latter. */
function cosineTo(u: number, v: number, x: number, y: number, z: number): number {
  const decodedZ = 1 - Math.abs(u) - Math.abs(v)
  const decodedX = decodedZ < 0 ? folded(u, v) : u
  const decodedY = decodedZ < 0 ? folded(v, u) : v
  const length = Math.sqrt(decodedX * decodedX + decodedY * decodedY + decodedZ * decodedZ)
  return (decodedX * x + decodedY * y + decodedZ * z) / length
}

/**
 * Decodes octahedral normals to unit length.
 *
 * @param values     `[normal][uv]`, as `decodeTexels` returns them
 * @param valueIndex where in `values` the first normal is
 * @param count      number of normals
 * @param out        `[normal][xyz]`
 * @param outIndex   where in `out` the first normal goes
 */
export function decodeOctahedral(
  values: ArrayLike<number>,
  valueIndex: number,
  count: number,
  out: Float32Array | Float64Array,
  outIndex: number,
): void {
  for (let i = 0; i < count; i++) {
    const u = values[valueIndex + i * 2]
    const v = values[valueIndex + i * 2 + 1]
    const z = 1 - Math.abs(u) - Math.abs(v)
    const x = z < 0 ? folded(u, v) : u
    const y = z < 0 ? folded(v, u) : v
    const length = Math.sqrt(x * x + y * y + z * z)
    out[outIndex + i * 3] = x / length
    out[outIndex + i * 3 + 1] = y / length
    out[outIndex + i * 3 + 2] = z / length
  }
}

/** Bits of each of the two numbers of a packed normal: 8 fit the 16 bits of a unorm16 channel, 12 the 24 of a float32. */
export type PackedBits = 8 | 12

/** The coding under which a packed channel decodes to its whole number. */
export function packedCoding(type: 'unorm16' | 'float32'): TexelCoding {
  return { type, scale: [type === 'unorm16' ? 65535 : 1], offset: [0] }
}

/**
 * Packs octahedral normals into one channel: with h = 2^(bits - 1) - 1, so that -1, 0 and 1 are exact,
 *
 *     a = (u + 1) * h;  b = (v + 1) * h;  packed = a * 2^bits + b        (a and b whole numbers from 0 to 2 h)
 *
 * Of the whole numbers on either side of a and of b, the pair is taken whose normal is nearest. Worst error: 0.64 degrees with
 * 8 bits, 0.04 with 12.
 *
 * @param normals `[normal][xyz]`
 * @param out     `[texel][stride]`, unorm16 or float32
 * @throws RangeError for a normal without a direction (zero, or not finite)
 */
export function encodePacked(
  bits: PackedBits,
  normals: ArrayLike<number>,
  count: number,
  out: TexelArray,
  outIndex: number,
  stride: number,
): void {
  const square = new Float64Array(2)
  const half = 2 ** (bits - 1) - 1
  for (let i = 0, to = outIndex; i < count; i++, to += stride) {
    const x = normals[i * 3]
    const y = normals[i * 3 + 1]
    const z = normals[i * 3 + 2]
    project(i, x, y, z, square)
    const a = Math.floor((square[0] + 1) * half)
    const b = Math.floor((square[1] + 1) * half)
    let nearest = -Infinity
    for (let candidate = 0; candidate < 4; candidate++) {
      const first = Math.min(a + (candidate & 1), 2 * half)
      const second = Math.min(b + (candidate >> 1), 2 * half)
      const cosine = cosineTo(first / half - 1, second / half - 1, x, y, z)
      if (cosine <= nearest) continue
      nearest = cosine
      out[to] = first * 2 ** bits + second
    }
  }
}

/**
 * Takes packed numbers apart into the two of an octahedral normal.
 *
 * @param packed `[normal]`, decoded
 * @param out    `[normal][uv]`
 */
export function unpackOctahedral(bits: PackedBits, packed: ArrayLike<number>, count: number, out: Float64Array): void {
  const half = 2 ** (bits - 1) - 1
  const size = 2 ** bits
  for (let i = 0; i < count; i++) {
    const whole = Math.round(packed[i])
    const second = whole % size
    out[i * 2] = (whole - second) / size / half - 1
    out[i * 2 + 1] = second / half - 1
  }
}
