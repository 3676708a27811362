import type { WarningList } from '../warnings.ts'

/**
 * Counts quaternions of length zero, which say nothing; `normalizeQuaternion` makes no rotation of them.
 *
 * @param quaternions `[rotation][xyzw]`
 * @param label       where they are
 */
export function noteZeroRotations(warnings: WarningList, quaternions: ArrayLike<number>, label: string): void {
  let count = 0
  for (let i = 0; i < quaternions.length; i += 4) {
    if (quaternions[i] === 0 && quaternions[i + 1] === 0 && quaternions[i + 2] === 0 && quaternions[i + 3] === 0) count++
  }
  warnings.add('rotation-repaired', 'Read # rotation|rotations of length zero as none', count, label)
}
