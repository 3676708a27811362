import { determinant3, MATRIX_SIZE } from '../../model/matrix.ts'
import type { WarningList } from '../warnings.ts'

/** What rounding may make of a fourth row, and of the volume of a matrix whose columns have unit length. */
const ROUNDING = 1e-6
const FLAT = 1e-12

/**
 * Sets fourth rows to 0 0 0 1, as the specification demands them (glTF 2.0, sections 3.5.3 and 3.7.3.1), and counts matrices that
 * flatten what they move; these are kept, since a scale of 0 is a common way to hide something.
 *
 * @param matrices `[matrix][16]`, changed in place
 * @param label    where they are
 */
export function repairMatrices(warnings: WarningList, matrices: Float64Array, label: string): void {
  let rows = 0
  let flat = 0
  for (let at = 0; at < matrices.length; at += MATRIX_SIZE) {
    const fourth = [3, 7, 11, 15].map((row) => at + row)
    if (fourth.some((row, i) => Math.abs(matrices[row] - (i < 3 ? 0 : 1)) > ROUNDING)) {
      fourth.forEach((row, i) => (matrices[row] = i < 3 ? 0 : 1))
      rows++
    }
    const lengths = [0, 4, 8].map((column) => Math.hypot(...matrices.subarray(at + column, at + column + 3)))
    if (Math.abs(determinant3(matrices, at)) <= FLAT * lengths[0] * lengths[1] * lengths[2]) flat++
  }
  warnings.add('matrix-repaired', 'Set the fourth row of # matrix|matrices to 0 0 0 1', rows, label)
  warnings.add('matrix-flat', 'Kept # matrix|matrices that flatten what they move', flat, label)
}
