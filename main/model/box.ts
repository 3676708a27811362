/** An axis-aligned box, `[xyz]` each. */
export interface Box {
  min: [number, number, number]
  max: [number, number, number]
}

/** A box that holds nothing. */
export function createBox(): Box {
  return { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] }
}

/** Makes a box hold all points of `[vertex][xyz]`. */
export function growBox(box: Box, points: Float32Array): void {
  // Begun anew, not with the box: numbers that come out of an array of objects stay objects through the whole loop.
  let minX = Infinity
  let minY = Infinity
  let minZ = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  let maxZ = -Infinity
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]
    const y = points[i + 1]
    const z = points[i + 2]
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (z < minZ) minZ = z
    if (z > maxZ) maxZ = z
  }
  uniteBox(box, { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] })
}

/** Length of the diagonal. */
export function boxDiagonal(box: Box): number {
  return Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2])
}

/** Makes a box hold another one. */
export function uniteBox(box: Box, other: Box): void {
  for (let axis = 0; axis < 3; axis++) {
    box.min[axis] = Math.min(box.min[axis], other.min[axis])
    box.max[axis] = Math.max(box.max[axis], other.max[axis])
  }
}
