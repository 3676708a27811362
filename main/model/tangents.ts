import { determinant3, MATRIX_SIZE } from './matrix.ts'
import { handednessOf, writeUnit } from './normals.ts'

/**
 * Carries the tangents of a block of vertices: matrix × tangent, brought to unit length; the handedness turns where the
 * matrix mirrors. They are not made perpendicular to the normals: the cofactors that carry normals keep a right angle a
 * right angle, and what was skew in the file stays what its author's baker used. A tangent that is flattened to nothing
 * stays as it is, or becomes +X if it is 0.
 *
 * @param matrices    `[vertex of the block][16]`, column-major
 * @param step        matrices from one vertex to the next: 1, or 0 where all follow the first
 * @param handedness  of the space that the matrices lead to: 1, or -1 where it is mirrored
 * @param tangents    `[vertex of the block][xyz]`, of any length
 * @param signs       `[vertex][xyzw]` of the mesh, of which only w is read
 * @param from        first vertex of the block in `signs`
 * @param out         `[vertex][xyzw]`
 * @param outAt       where the block's first tangent begins in `out`
 */
export function transformTangents(
  matrices: Float64Array,
  step: number,
  handedness: number,
  tangents: Float64Array,
  signs: Float32Array,
  from: number,
  count: number,
  out: Float32Array,
  outAt: number,
): void {
  for (let vertex = 0; vertex < count; vertex++) {
    const m = vertex * step * MATRIX_SIZE
    const o = outAt + vertex * 4
    const x = tangents[vertex * 3]
    const y = tangents[vertex * 3 + 1]
    const z = tangents[vertex * 3 + 2]
    const tx = matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z
    const ty = matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z
    const tz = matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z
    if (!writeUnit(tx, ty, tz, out, o) && !writeUnit(x, y, z, out, o)) writeUnit(1, 0, 0, out, o)
    out[o + 3] = signs[(from + vertex) * 4 + 3] * handednessOf(determinant3(matrices, m), matrices, m, handedness)
  }
}
