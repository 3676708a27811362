/** Below this a sum of squares has lost its digits to underflow, and no direction can be told from it any more. */
const SMALLEST_SQUARE = 1e-290

/** How far from 0, measured in cubes of the matrix's size, rounding can push the determinant of a matrix that flattens. */
const FLAT = 1e-14

/** Whether a vector whose square is this can be brought to unit length. False for NaN. */
export function hasDirection(square: number): boolean {
  return square > SMALLEST_SQUARE && square < Infinity
}

/**
 * Whether a matrix mirrors (-1) or not (1). A matrix that flattens does neither, and rounding makes its determinant a tiny
 * number of either sign: it counts as what the space does that it was folded into, or normals would flicker.
 *
 * @param determinant  of the upper left 3×3
 * @param whenFlat     the space's handedness
 */
export function handednessOf(determinant: number, matrices: Float64Array, at: number, whenFlat: number): number {
  if (determinant * whenFlat > 0) return whenFlat
  let square = 0
  for (let column = at; column < at + 12; column += 4) {
    square += matrices[column] ** 2 + matrices[column + 1] ** 2 + matrices[column + 2] ** 2
  }
  return Math.abs(determinant) > FLAT * square * Math.sqrt(square) ? -whenFlat : whenFlat
}

/**
 * Carries the normals of a block of vertices: sign(determinant) × cofactors × normal, brought to unit length. That is the
 * inverse transpose without its division, so it also holds where a matrix flattens. Where even the cofactors leave nothing,
 * the matrix itself carries the normal; where that leaves nothing too, the normal stays as it is, or becomes +Y if it is 0.
 *
 * @param matrices    `[vertex of the block][16]`, column-major
 * @param step        matrices from one vertex to the next: 1, or 0 where all follow the first
 * @param handedness  of the space that the matrices lead to: 1, or -1 where it is mirrored
 * @param normals     `[vertex][xyz]`, of any length
 * @param at          where the block's first normal begins in `normals`
 * @param out         `[vertex][xyz]`, of unit length
 * @param outAt       where the block's first normal begins in `out`
 */
export function transformNormals(
  matrices: Float64Array,
  step: number,
  handedness: number,
  normals: Float32Array | Float64Array,
  at: number,
  count: number,
  out: Float32Array,
  outAt: number,
): void {
  for (let v = 0, n = at, o = outAt; v < count; v++, n += 3, o += 3) {
    const m = ((v * step) & 0xffffff) << 4 // as `startOf` in skin.ts, and for its reason
    const a = matrices[m]
    const b = matrices[m + 1]
    const c = matrices[m + 2]
    const d = matrices[m + 4]
    const e = matrices[m + 5]
    const f = matrices[m + 6]
    const g = matrices[m + 8]
    const h = matrices[m + 9]
    const i = matrices[m + 10]
    const x = normals[n]
    const y = normals[n + 1]
    const z = normals[n + 2]
    // The cofactors of a column are the cross product of the other two.
    const ca = e * i - f * h
    const cb = f * g - d * i
    const cc = d * h - e * g
    const nx = ca * x + (h * c - i * b) * y + (b * f - c * e) * z
    const ny = cb * x + (i * a - g * c) * y + (c * d - a * f) * z
    const nz = cc * x + (g * b - h * a) * y + (a * e - b * d) * z
    const square = nx * nx + ny * ny + nz * nz
    if (hasDirection(square)) {
      const scale = handednessOf(a * ca + b * cb + c * cc, matrices, m, handedness) / Math.sqrt(square)
      out[o] = nx * scale
      out[o + 1] = ny * scale
      out[o + 2] = nz * scale
    } else if (
      !writeUnit(a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z, out, o) &&
      !writeUnit(x, y, z, out, o)
    ) {
      writeUnit(0, 1, 0, out, o)
    }
  }
}

/** Writes a vector brought to unit length; false, with nothing written, where it has no direction. */
export function writeUnit(x: number, y: number, z: number, out: Float32Array, at: number): boolean {
  const square = x * x + y * y + z * z
  if (!hasDirection(square)) return false
  const scale = 1 / Math.sqrt(square)
  out[at] = x * scale
  out[at + 1] = y * scale
  out[at + 2] = z * scale
  return true
}

/**
 * Normals of a mesh that has none: at each vertex the sum of its faces' cross products (so that large faces count for more),
 * brought to unit length. Vertices are shared by index only, which keeps the hard edges of a mesh without indices. Faces
 * without area add nothing; a vertex that gets nothing keeps its normal at rest, or becomes +Y.
 *
 * @param positions  `[vertex][xyz]` of this frame
 * @param indices    three a triangle, counter-clockwise front
 * @param atRest     `[vertex][xyz]`, or null while there are none
 * @param sums       room for `[vertex][xyz]`
 * @param out        `[vertex][xyz]`, of unit length
 * @param outAt      where the mesh's first normal begins in `out`
 */
export function computeNormals(
  positions: Float64Array,
  indices: Uint32Array,
  atRest: Float32Array | null,
  sums: Float64Array,
  out: Float32Array,
  outAt: number,
): void {
  sums.fill(0, 0, positions.length)
  sumFaces(positions, indices, sums)
  for (let i = 0, o = outAt; i < positions.length; i += 3, o += 3) {
    if (writeUnit(sums[i], sums[i + 1], sums[i + 2], out, o)) continue
    if (atRest === null || !writeUnit(atRest[i], atRest[i + 1], atRest[i + 2], out, o)) writeUnit(0, 1, 0, out, o)
  }
}

function sumFaces(positions: Float64Array, indices: Uint32Array, sums: Float64Array): void {
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i] * 3
    const b = indices[i + 1] * 3
    const c = indices[i + 2] * 3
    const ax = positions[a]
    const ay = positions[a + 1]
    const az = positions[a + 2]
    const ux = positions[b] - ax
    const uy = positions[b + 1] - ay
    const uz = positions[b + 2] - az
    const vx = positions[c] - ax
    const vy = positions[c + 1] - ay
    const vz = positions[c + 2] - az
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    sums[a] += x
    sums[a + 1] += y
    sums[a + 2] += z
    sums[b] += x
    sums[b + 1] += y
    sums[b + 2] += z
    sums[c] += x
    sums[c + 1] += y
    sums[c + 2] += z
  }
}
