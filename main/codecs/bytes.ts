/*
 * 16-bit numbers in an 8-bit image, for engines that cut a 16-bit PNG down to 8 bits: the upper half of the image holds the high
 * bytes, the lower half, row for row, the low ones.
 */

/**
 * Takes the numbers of an image apart.
 *
 * @param numbers `[row][x][channel]`
 * @returns `[row][x][channel]`, twice as many rows
 */
export function splitBytes(numbers: Uint16Array): Uint8Array {
  const count = numbers.length
  const bytes = new Uint8Array(count * 2)
  for (let i = 0; i < count; i++) {
    bytes[i] = numbers[i] >> 8
    bytes[count + i] = numbers[i] & 255
  }
  return bytes
}

/** The inverse of {@link splitBytes}, for a stretch of both halves. */
export function joinBytes(high: Uint8Array, low: Uint8Array, out: Uint16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (high[i] << 8) | low[i]
}
