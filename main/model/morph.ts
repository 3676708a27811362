/** Whether any target that moves these vectors has a weight. */
export function isMorphed(deltas: (Float32Array | null)[], weights: Float64Array): boolean {
  return deltas.some((delta, target) => delta !== null && weights[target] !== 0)
}

/**
 * Morphs the vectors of a block of vertices: vector + Σ weight × delta (glTF 2.0, section 3.7.2.2). Targets of weight 0 are
 * not looked at. The sum is in double precision and stays unrounded, for the skin to go on with.
 *
 * @param vectors   `[vertex][itemSize]`; of four numbers only x, y and z are read (a tangent's handedness does not morph)
 * @param deltas    `[target]` of `[vertex][xyz]`, or null for a target that leaves these vectors alone
 * @param weights   `[target]`
 * @param from      first vertex of the block
 * @param out       `[vertex of the block][xyz]`
 */
export function morphVectors(
  vectors: Float32Array,
  itemSize: 3 | 4,
  deltas: (Float32Array | null)[],
  weights: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
): void {
  for (let i = from * itemSize, o = 0, end = count * 3; o < end; i += itemSize, o += 3) {
    out[o] = vectors[i]
    out[o + 1] = vectors[i + 1]
    out[o + 2] = vectors[i + 2]
  }
  for (let target = 0; target < deltas.length; target++) {
    const delta = deltas[target]
    const weight = weights[target]
    if (delta !== null && weight !== 0) addScaled(delta, weight, from * 3, count * 3, out)
  }
}

function addScaled(delta: Float32Array, weight: number, from: number, length: number, out: Float64Array): void {
  for (let i = 0; i < length; i++) out[i] += weight * delta[from + i]
}
