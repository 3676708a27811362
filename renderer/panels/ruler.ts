const STEPS = [1, 2, 2.5, 5]

/**
 * Marks of a ruler from start to end: both ends, and round numbers between them, about six in all and none so close to the end
 * that their texts would touch.
 */
export function rulerMarks(start: number, end: number): number[] {
  const length = end - start
  if (!(length > 0)) return [start]
  const power = 10 ** Math.floor(Math.log10(length / 5))
  const step = [...STEPS, 10].map((factor) => factor * power).find((candidate) => length / candidate <= 6)!
  const marks = [start]
  for (let mark = Math.ceil(start / step + 1e-9) * step; mark < end - length * 0.12; mark += step) {
    if (mark > start + length * 0.06) marks.push(Number(mark.toFixed(6)))
  }
  return [...marks, end]
}
