/** A linear component of a colour as sRGB has it (IEC 61966-2-1), as exact as the 32-bit float that engines have of it. */
export function toSrgb(linear: number): number {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
  return Number(value.toPrecision(7))
}
