import type { Influences } from './animated-model.ts'

/**
 * Linear blend skinning (glTF 2.0, section 3.7.3.3) over blocks of vertices: `blendMatrices` makes one matrix a vertex, which
 * `placeVertices` here, `transformNormals` and `transformTangents` then apply. All in double precision; the results are
 * rounded once, when they are stored.
 */

/**
 * Lets the vertices without weights follow one rigid matrix.
 *
 * @param rigid  number of that matrix, counted from the skin's first matrix on
 * @returns the same influences where every vertex has weights, else a copy
 */
export function withRigidVertices(influences: Influences, rigid: number): Influences {
  const { perVertex } = influences
  let { joints, weights } = influences
  for (let first = 0; first < weights.length; first += perVertex) {
    let last = first
    while (last < first + perVertex && weights[last] === 0) last++
    if (last < first + perVertex) continue
    if (weights === influences.weights) {
      joints = joints.slice()
      weights = weights.slice()
    }
    joints[first] = rigid
    weights[first] = 1
  }
  return { perVertex, joints, weights }
}

/**
 * The matrix of each vertex of a block: Σ weight × matrix.
 *
 * @param from      first vertex of the block
 * @param matrices  `[joint][16]`, column-major, fourth row 0 0 0 1
 * @param out       `[vertex of the block][16]`; the fourth row is left alone, nobody reads it
 */
export function blendMatrices(
  influences: Influences,
  from: number,
  count: number,
  matrices: Float64Array,
  out: Float64Array,
): void {
  if (influences.perVertex === 4) blendFour(influences, from, count, matrices, out)
  else blendAny(influences, from, count, matrices, out)
}

/**
 * Where a matrix begins. No array holds more than 2^24 of them; saying so lets the compiler leave out the checks for overflow
 * from every index that is computed from it, which is a tenth of the whole time.
 */
function startOf(index: number): number {
  return (index & 0xffffff) << 4
}

/** Four influences are what nearly every model has; spelled out they take half the time of the loop below. */
function blendFour(influences: Influences, from: number, count: number, m: Float64Array, out: Float64Array): void {
  const { joints, weights } = influences
  let i = from * 4
  for (let v = 0; v < count; v++, i += 4) {
    const o = startOf(v)
    const a = startOf(joints[i])
    const b = startOf(joints[i + 1])
    const c = startOf(joints[i + 2])
    const d = startOf(joints[i + 3])
    const wa = weights[i]
    const wb = weights[i + 1]
    const wc = weights[i + 2]
    const wd = weights[i + 3]
    out[o] = wa * m[a] + wb * m[b] + wc * m[c] + wd * m[d]
    out[o + 1] = wa * m[a + 1] + wb * m[b + 1] + wc * m[c + 1] + wd * m[d + 1]
    out[o + 2] = wa * m[a + 2] + wb * m[b + 2] + wc * m[c + 2] + wd * m[d + 2]
    out[o + 4] = wa * m[a + 4] + wb * m[b + 4] + wc * m[c + 4] + wd * m[d + 4]
    out[o + 5] = wa * m[a + 5] + wb * m[b + 5] + wc * m[c + 5] + wd * m[d + 5]
    out[o + 6] = wa * m[a + 6] + wb * m[b + 6] + wc * m[c + 6] + wd * m[d + 6]
    out[o + 8] = wa * m[a + 8] + wb * m[b + 8] + wc * m[c + 8] + wd * m[d + 8]
    out[o + 9] = wa * m[a + 9] + wb * m[b + 9] + wc * m[c + 9] + wd * m[d + 9]
    out[o + 10] = wa * m[a + 10] + wb * m[b + 10] + wc * m[c + 10] + wd * m[d + 10]
    out[o + 12] = wa * m[a + 12] + wb * m[b + 12] + wc * m[c + 12] + wd * m[d + 12]
    out[o + 13] = wa * m[a + 13] + wb * m[b + 13] + wc * m[c + 13] + wd * m[d + 13]
    out[o + 14] = wa * m[a + 14] + wb * m[b + 14] + wc * m[c + 14] + wd * m[d + 14]
  }
}

function blendAny(influences: Influences, from: number, count: number, m: Float64Array, out: Float64Array): void {
  const { perVertex, joints, weights } = influences
  let i = from * perVertex
  for (let v = 0; v < count; v++) {
    const o = startOf(v)
    let xx = 0, xy = 0, xz = 0
    let yx = 0, yy = 0, yz = 0
    let zx = 0, zy = 0, zz = 0
    let tx = 0, ty = 0, tz = 0
    for (const next = i + perVertex; i < next; i++) {
      const weight = weights[i]
      if (weight === 0) continue
      const a = startOf(joints[i])
      xx += weight * m[a]
      xy += weight * m[a + 1]
      xz += weight * m[a + 2]
      yx += weight * m[a + 4]
      yy += weight * m[a + 5]
      yz += weight * m[a + 6]
      zx += weight * m[a + 8]
      zy += weight * m[a + 9]
      zz += weight * m[a + 10]
      tx += weight * m[a + 12]
      ty += weight * m[a + 13]
      tz += weight * m[a + 14]
    }
    out[o] = xx
    out[o + 1] = xy
    out[o + 2] = xz
    out[o + 4] = yx
    out[o + 5] = yy
    out[o + 6] = yz
    out[o + 8] = zx
    out[o + 9] = zy
    out[o + 10] = zz
    out[o + 12] = tx
    out[o + 13] = ty
    out[o + 14] = tz
  }
}

/**
 * Moves each vertex of a block by its matrix.
 *
 * @param matrices  `[vertex of the block][16]`
 * @param step      matrices from one vertex to the next: 1, or 0 where all follow the first
 * @param points    `[vertex][xyz]`
 * @param at        where the block's first point begins in `points`
 * @param out       `[vertex][xyz]`
 * @param outAt     where the block's first point begins in `out`
 */
export function placeVertices(
  matrices: Float64Array,
  step: number,
  points: Float32Array | Float64Array,
  at: number,
  count: number,
  out: Float32Array | Float64Array,
  outAt: number,
): void {
  for (let v = 0, p = at, o = outAt; v < count; v++, p += 3, o += 3) {
    const m = startOf(v * step)
    const x = points[p]
    const y = points[p + 1]
    const z = points[p + 2]
    out[o] = matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z + matrices[m + 12]
    out[o + 1] = matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z + matrices[m + 13]
    out[o + 2] = matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z + matrices[m + 14]
  }
}
