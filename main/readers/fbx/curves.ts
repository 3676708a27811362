import type { FbxScene } from './library.ts'

/** A third: where a handle has no length of its own. */
const DEFAULT_LENGTH = 1 / 3
/** Files hold lengths in steps of a ten-thousandth, and 3ds Max cuts instead of rounding. */
const LENGTH_STEPS = 2e-4

/**
 * Gives handles back the length that 3ds Max cuts from a third of the stretch between two keys to 0.3332 of it. Frames that
 * 3ds Max writes itself show the third where both handles are flat, and nothing is known of other stretches.
 */
export function restoreHandles({ animations }: Pick<FbxScene, 'animations'>): void {
  for (const { keys } of animations.flatMap(({ curveNodes }) => curveNodes.flatMap(({ curves }) => curves))) {
    keys.slice(1).forEach((next, i) => {
      const [key, length] = [keys[i], (next.time - keys[i].time) * DEFAULT_LENGTH]
      if (key.rightDy !== 0 || next.leftDy !== 0) return
      const tolerance = (length / DEFAULT_LENGTH) * LENGTH_STEPS
      if (Math.abs(key.rightDx! - length) < tolerance) key.rightDx = length
      if (Math.abs(next.leftDx! - length) < tolerance) next.leftDx = length
    })
  }
}
