import { Problem } from '../model/problem.ts'

/** Running figures of one kind of error. */
export interface Errors {
  max: number
  squares: number
  count: number
  worst: { frame: number; vertex: number }
}

export const noErrors = (): Errors => ({ max: 0, squares: 0, count: 0, worst: { frame: 0, vertex: 0 } })

/** The largest distance between true positions and what lies midway between two decoded ones, all `[vertex][xyz]`. */
export function largestDistance(a: Float64Array, b: Float64Array, truth: Float32Array): number {
  const errors = noErrors()
  addDistances(errors, a, b, truth, 0)
  return errors.max
}

/** Adds the distances between true positions, `[vertex][xyz]`, and what lies midway between two decoded ones. */
export function addDistances(errors: Errors, a: Float64Array, b: Float64Array, truth: Float32Array, frame: number): void {
  let largest = -1
  let vertex = 0
  let squares = 0
  for (let i = 0; i < truth.length; i += 3) {
    const x = (a[i] + b[i]) / 2 - truth[i]
    const y = (a[i + 1] + b[i + 1]) / 2 - truth[i + 1]
    const z = (a[i + 2] + b[i + 2]) / 2 - truth[i + 2]
    const square = x * x + y * y + z * z
    squares += square
    if (square > largest) {
      largest = square
      vertex = i / 3
    }
  }
  add(errors, squares, truth.length / 3, Math.sqrt(largest), frame, vertex)
}

/**
 * Adds the angles in degrees between true directions, `[vertex][size]`, and the mean of two decoded ones of any length. Where the
 * fourth number, the handedness, has the wrong sign in the first of them, or none, the error is 180 degrees.
 */
export function addAngles(errors: Errors, a: Float64Array, b: Float64Array, truth: Float32Array, size: 3 | 4, frame: number): void {
  let largest = -1
  let vertex = 0
  let squares = 0
  for (let i = 0; i < truth.length; i += size) {
    const angle =
      size === 4 && !(a[i + 3] * truth[i + 3] > 0)
        ? Math.PI
        : angleBetween((a[i] + b[i]) / 2, (a[i + 1] + b[i + 1]) / 2, (a[i + 2] + b[i + 2]) / 2, truth[i], truth[i + 1], truth[i + 2])
    squares += angle * angle
    if (angle > largest) {
      largest = angle
      vertex = i / size
    }
  }
  const degrees = 180 / Math.PI
  add(errors, squares * degrees * degrees, truth.length / size, largest * degrees, frame, vertex)
}

/** Angle in radians; a direction without length is as wrong as one that points away. */
function angleBetween(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  if (ax * ax + ay * ay + az * az < 1e-12) return Math.PI
  const x = ay * bz - az * by
  const y = az * bx - ax * bz
  const z = ax * by - ay * bx
  const sine = Math.sqrt(x * x + y * y + z * z)
  const cosine = ax * bx + ay * by + az * bz
  // From sine and cosine together, since acos has no precision for the smallest angles. For those, the series is exact to
  // 1e-13 and three times as fast as the function.
  if (sine >= 0.02 * cosine) return Math.atan2(sine, cosine)
  const tangent = sine / cosine
  const square = tangent * tangent
  return tangent * (1 - square * (1 / 3 - square * (1 / 5 - square * (1 / 7 - square / 9))))
}

/** Adds the sums and the largest error of a frame; one number that is none makes the sum so. */
function add(errors: Errors, squares: number, count: number, max: number, frame: number, vertex: number): void {
  if (!Number.isFinite(squares)) throw new Problem('verify', `A texture holds something that is no number in frame ${frame}. Bake again.`)
  gather(errors, { max, squares, count, worst: { frame, vertex } })
}

/** Adds the figures of a frame to those of a clip. */
export function gather(errors: Errors, inFrame: Errors): void {
  if (inFrame.max > errors.max) {
    errors.max = inFrame.max
    errors.worst = inFrame.worst
  }
  errors.squares += inFrame.squares
  errors.count += inFrame.count
}

