/** Modes of a primitive that are triangles (glTF 2.0, section 3.7.2.1). */
export const TRIANGLES = 4
export const TRIANGLE_STRIP = 5
export const TRIANGLE_FAN = 6

/** Whether a primitive of that mode shows triangles; none means that it does. */
export function isTriangles(mode: number | undefined = TRIANGLES): boolean {
  return mode === TRIANGLES || mode === TRIANGLE_STRIP || mode === TRIANGLE_FAN
}

/** The most triangles that so many corners can make. */
export function triangleCountOf(mode: number | undefined = TRIANGLES, corners: number): number {
  return mode === TRIANGLES ? Math.floor(corners / 3) : Math.max(0, corners - 2)
}

/**
 * Spells a primitive out as a list of triangles, in the order and with the winding of the specification. Vertices left
 * over at the end are ignored, and so are the triangles without area that join strips.
 *
 * @param corners the primitive's indices, or the number of vertices where it has none
 * @returns three indices a triangle
 */
export function trianglesOf(mode: number, corners: Uint8Array | Uint16Array | Uint32Array | number): Uint32Array {
  const vertices = typeof corners === 'number' ? new Uint32Array(corners).map((_, i) => i) : new Uint32Array(corners)
  if (mode === TRIANGLES) return vertices.subarray(0, vertices.length - (vertices.length % 3))

  const triangles: number[] = []
  for (let i = 0; i + 2 < vertices.length; i++) {
    const odd = i % 2
    const [a, b, c] = mode === TRIANGLE_STRIP ? [i, i + 1 + odd, i + 2 - odd] : [i + 1, i + 2, 0]
    const joins = vertices[a] === vertices[b] || vertices[b] === vertices[c] || vertices[c] === vertices[a]
    if (!joins) triangles.push(vertices[a], vertices[b], vertices[c])
  }
  return Uint32Array.from(triangles)
}
