/** The middle one of an odd number of numbers, the upper of the middle two otherwise. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
