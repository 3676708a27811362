/**
 * IEEE 754 binary16 ("half") numbers, kept as their 16 bits: 1 sign, 5 exponent (bias 15), 10 mantissa.
 *
 * Every platform this program runs on is little-endian, so word 1 of a double is the one with sign and exponent.
 */

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

const INFINITY_BITS = 0x7c00
const QUIET_NAN_BITS = 0x7e00
/** Halves lie 2^-24 apart below the smallest normal one, 2^-14. */
const SUBNORMALS_PER_UNIT = 2 ** 24
/** Doubles lie exactly 1 apart from here on, so that adding it rounds a smaller number to an integer, ties to even. */
const ROUNDER = 2 ** 52

/**
 * The half nearest to a number, ties to even, rounded once from the double (going through float32 would round twice).
 * From 65520 on it is infinity; every NaN becomes the same quiet NaN.
 *
 * @returns the 16 bits
 */
export function toHalf(value: number): number {
  double[0] = value
  const high = words[1]
  const sign = (high >>> 16) & 0x8000
  const exponent = (high >>> 20) & 0x7ff
  if (exponent < 1023 - 14) return sign | (Math.abs(value) * SUBNORMALS_PER_UNIT + ROUNDER - ROUNDER)
  if (exponent > 1023 + 15) return value !== value ? QUIET_NAN_BITS : sign | INFINITY_BITS
  // 20 bits of the mantissa are in the high word; the lower 10 of them and the whole low word are rounded away.
  const kept = ((exponent - (1023 - 15)) << 10) | ((high >>> 10) & 0x3ff)
  const lost = high & 0x3ff
  const up = lost > 0x200 || (lost === 0x200 && (words[0] !== 0 || (kept & 1) === 1))
  // A carry runs on into the exponent, and from the largest half into infinity, as it should.
  return sign | (up ? kept + 1 : kept)
}

/** What one step of the mantissa is worth, and how many steps stand before it, by sign and exponent. */
const steps = new Float64Array(64)
const implicit = new Float64Array(64)
for (let index = 0; index < 64; index++) {
  const exponent = index & 31
  steps[index] = (index & 32 ? -1 : 1) * 2 ** (Math.max(exponent, 1) - 25)
  implicit[index] = exponent === 0 ? 0 : 1024
}

/** The number that the 16 bits of a half stand for; exact. */
export function fromHalf(bits: number): number {
  const mantissa = bits & 0x3ff
  const index = (bits >>> 10) & 63
  if ((index & 31) === 31) return mantissa ? NaN : index & 32 ? -Infinity : Infinity
  return steps[index] * (implicit[index] + mantissa)
}

/** {@link toHalf} for each of `count` numbers from `values[valueIndex]` on, into `out[outIndex]` on. */
export function toHalves(values: ArrayLike<number>, valueIndex: number, count: number, out: Uint16Array, outIndex: number): void {
  for (let i = 0; i < count; i++) out[outIndex + i] = toHalf(values[valueIndex + i])
}

/** {@link fromHalf} for each of `count` halves from `halves[halfIndex]` on, into `out[outIndex]` on. */
export function fromHalves(
  halves: Uint16Array,
  halfIndex: number,
  count: number,
  out: Float32Array | Float64Array,
  outIndex: number,
): void {
  for (let i = 0; i < count; i++) out[outIndex + i] = fromHalf(halves[halfIndex + i])
}
