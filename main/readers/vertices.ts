/**
 * The values of some vertices, one behind the other, in double precision.
 *
 * @param values   `[vertex][size]`
 * @param vertices indices into `values`
 */
export function pickVertices(values: ArrayLike<number>, size: number, vertices: Uint32Array): Float64Array {
  const out = new Float64Array(vertices.length * size)
  vertices.forEach((vertex, i) => {
    for (let k = 0; k < size; k++) out[i * size + k] = values[vertex * size + k]
  })
  return out
}

/** Texture coordinates whose V counts from the bottom, as glTF has them, from the top: `[vertex][uv]`. */
export function coordinatesFromTop(coordinates: ArrayLike<number>): Float32Array {
  return Float32Array.from(coordinates, (value, i) => (i % 2 === 1 ? 1 - value : value))
}
