/**
 * 4×4 matrices in double precision, column-major (`m[at + column * 4 + row]`), many of them one behind the other in one
 * array: every function takes an array and the index where its matrix begins, so that none of them allocates.
 */

/** Numbers a 4×4 matrix takes. */
export const MATRIX_SIZE = 16

/** Numbers a translation, rotation and scale take: `[tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]`. */
export const TRS_SIZE = 10

/** A new identity matrix. */
export function identity(): Float64Array {
  const matrix = new Float64Array(MATRIX_SIZE)
  writeIdentity(matrix, 0)
  return matrix
}

export function writeIdentity(out: Float64Array, at: number): void {
  out.fill(0, at, at + MATRIX_SIZE)
  out[at] = out[at + 5] = out[at + 10] = out[at + 15] = 1
}

/**
 * Translation × rotation × scale (glTF 2.0, section 3.5.3).
 *
 * @param trs   `[tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]`; the quaternion must be of unit length
 */
export function composeTRS(out: Float64Array, at: number, trs: Float64Array, trsAt: number): void {
  const x = trs[trsAt + 3]
  const y = trs[trsAt + 4]
  const z = trs[trsAt + 5]
  const w = trs[trsAt + 6]
  const sx = trs[trsAt + 7]
  const sy = trs[trsAt + 8]
  const sz = trs[trsAt + 9]
  out[at] = (1 - 2 * (y * y + z * z)) * sx
  out[at + 1] = 2 * (x * y + w * z) * sx
  out[at + 2] = 2 * (x * z - w * y) * sx
  out[at + 3] = 0
  out[at + 4] = 2 * (x * y - w * z) * sy
  out[at + 5] = (1 - 2 * (x * x + z * z)) * sy
  out[at + 6] = 2 * (y * z + w * x) * sy
  out[at + 7] = 0
  out[at + 8] = 2 * (x * z + w * y) * sz
  out[at + 9] = 2 * (y * z - w * x) * sz
  out[at + 10] = (1 - 2 * (x * x + y * y)) * sz
  out[at + 11] = 0
  out[at + 12] = trs[trsAt]
  out[at + 13] = trs[trsAt + 1]
  out[at + 14] = trs[trsAt + 2]
  out[at + 15] = 1
}

/**
 * `out = a × b`. Each column is read whole before it is written, so `out` may be the same matrix as `a` or as `b`, but not
 * overlap them otherwise.
 */
export function multiply(out: Float64Array, outAt: number, a: Float64Array, aAt: number, b: Float64Array, bAt: number): void {
  const a00 = a[aAt], a01 = a[aAt + 1], a02 = a[aAt + 2], a03 = a[aAt + 3]
  const a10 = a[aAt + 4], a11 = a[aAt + 5], a12 = a[aAt + 6], a13 = a[aAt + 7]
  const a20 = a[aAt + 8], a21 = a[aAt + 9], a22 = a[aAt + 10], a23 = a[aAt + 11]
  const a30 = a[aAt + 12], a31 = a[aAt + 13], a32 = a[aAt + 14], a33 = a[aAt + 15]
  for (let column = 0; column < 16; column += 4) {
    const x = b[bAt + column]
    const y = b[bAt + column + 1]
    const z = b[bAt + column + 2]
    const w = b[bAt + column + 3]
    out[outAt + column] = a00 * x + a10 * y + a20 * z + a30 * w
    out[outAt + column + 1] = a01 * x + a11 * y + a21 * z + a31 * w
    out[outAt + column + 2] = a02 * x + a12 * y + a22 * z + a32 * w
    out[outAt + column + 3] = a03 * x + a13 * y + a23 * z + a33 * w
  }
}

/** Determinant of the upper left 3×3: negative where the matrix mirrors, 0 where it flattens. */
export function determinant3(m: Float64Array, at: number): number {
  return (
    m[at] * (m[at + 5] * m[at + 10] - m[at + 9] * m[at + 6]) -
    m[at + 4] * (m[at + 1] * m[at + 10] - m[at + 9] * m[at + 2]) +
    m[at + 8] * (m[at + 1] * m[at + 6] - m[at + 5] * m[at + 2])
  )
}

/**
 * Inverse of an affine matrix (fourth row 0 0 0 1). `out` may be the same matrix as `m`.
 *
 * @returns false, with `out` untouched, where the matrix flattens and has no inverse
 */
export function invertAffine(out: Float64Array, outAt: number, m: Float64Array, at: number): boolean {
  const a = m[at], b = m[at + 1], c = m[at + 2]
  const d = m[at + 4], e = m[at + 5], f = m[at + 6]
  const g = m[at + 8], h = m[at + 9], i = m[at + 10]
  const x = m[at + 12], y = m[at + 13], z = m[at + 14]
  const scale = 1 / determinant3(m, at)
  if (!Number.isFinite(scale)) return false
  const r00 = (e * i - h * f) * scale, r01 = (h * c - b * i) * scale, r02 = (b * f - e * c) * scale
  const r10 = (g * f - d * i) * scale, r11 = (a * i - g * c) * scale, r12 = (d * c - a * f) * scale
  const r20 = (d * h - g * e) * scale, r21 = (g * b - a * h) * scale, r22 = (a * e - d * b) * scale
  out[outAt] = r00
  out[outAt + 1] = r01
  out[outAt + 2] = r02
  out[outAt + 3] = 0
  out[outAt + 4] = r10
  out[outAt + 5] = r11
  out[outAt + 6] = r12
  out[outAt + 7] = 0
  out[outAt + 8] = r20
  out[outAt + 9] = r21
  out[outAt + 10] = r22
  out[outAt + 11] = 0
  out[outAt + 12] = -(r00 * x + r10 * y + r20 * z)
  out[outAt + 13] = -(r01 * x + r11 * y + r21 * z)
  out[outAt + 14] = -(r02 * x + r12 * y + r22 * z)
  out[outAt + 15] = 1
  return true
}

/**
 * Cofactors of the upper left 3×3, column-major: `out[outAt .. outAt + 9]`. They carry normals as the inverse transpose does
 * (it is this divided by the determinant), also where the matrix flattens; times the determinant's sign where it mirrors.
 */
export function cofactors3(out: Float64Array, outAt: number, m: Float64Array, at: number): void {
  const a = m[at], b = m[at + 1], c = m[at + 2]
  const d = m[at + 4], e = m[at + 5], f = m[at + 6]
  const g = m[at + 8], h = m[at + 9], i = m[at + 10]
  out[outAt] = e * i - h * f
  out[outAt + 1] = g * f - d * i
  out[outAt + 2] = d * h - g * e
  out[outAt + 3] = h * c - b * i
  out[outAt + 4] = a * i - g * c
  out[outAt + 5] = g * b - a * h
  out[outAt + 6] = b * f - e * c
  out[outAt + 7] = d * c - a * f
  out[outAt + 8] = a * e - d * b
}

/** `out[outAt .. outAt + 3] = m × (x, y, z, 1)`. */
export function transformPoint(
  out: Float64Array | Float32Array,
  outAt: number,
  m: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): void {
  out[outAt] = m[at] * x + m[at + 4] * y + m[at + 8] * z + m[at + 12]
  out[outAt + 1] = m[at + 1] * x + m[at + 5] * y + m[at + 9] * z + m[at + 13]
  out[outAt + 2] = m[at + 2] * x + m[at + 6] * y + m[at + 10] * z + m[at + 14]
}
