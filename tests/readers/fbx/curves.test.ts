import { describe, expect, it } from 'vitest'
import { restoreHandles } from '../../../main/readers/fbx/curves.ts'
import type { FbxScene } from '../../../main/readers/fbx/library.ts'

/** Keys at 0 s and 3 s with handles of some length between them. */
function restored(right: number, left: number, slope = 0): number[] {
  const keys = [
    { time: 0, value: 0, rightDx: right, rightDy: right * slope },
    { time: 3, value: 5, leftDx: left, leftDy: 0 },
  ]
  restoreHandles({ animations: [{ curveNodes: [{ curves: [{ channel: 'd|X', keys }] }] }] } as unknown as FbxScene)
  return [keys[0].rightDx!, keys[1].leftDx!]
}

describe('flat handles', () => {
  it('of 0.3332 of the way between two keys get the third of it that 3ds Max cut', () => {
    expect(restored(3 * 0.3332, (3 * 3332) / 9999)).toEqual([1, 1])
  })

  it('of another length keep it', () => {
    expect(restored(3 * 0.333, 3 * 0.5)).toEqual([3 * 0.333, 3 * 0.5])
  })

  it('keep it where the other one is not flat', () => {
    expect(restored(3 * 0.3332, 3 * 0.3332, 2)).toEqual([3 * 0.3332, 3 * 0.3332])
  })
})
