import { describe, expect, test } from 'vitest'
import { repairMatrices } from '../../../main/readers/gltf/matrices.ts'
import { WarningList } from '../../../main/readers/warnings.ts'

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

function repair(...matrix: number[]) {
  const warnings = new WarningList()
  const matrices = Float64Array.from([...IDENTITY, ...matrix])
  repairMatrices(warnings, matrices, 'skin 0')
  return { matrix: [...matrices.subarray(16)], warnings: warnings.list().map(({ code, message }) => [code, message]) }
}

/** The identity with some numbers changed. */
function changed(changes: Record<number, number>): number[] {
  return IDENTITY.map((number, i) => changes[i] ?? number)
}

test('a matrix as it should be stays as it is', () => {
  const matrix = changed({ 4: 3, 12: 7, 13: -1e9, 14: 1e-9 })
  expect(repair(...matrix)).toEqual({ matrix, warnings: [] })
})

describe('a fourth row', () => {
  test.each([3, 7, 11, 15])('with another number %i is set to 0 0 0 1', (at) => {
    expect(repair(...changed({ [at]: 0.25 }))).toEqual({
      matrix: IDENTITY,
      warnings: [['matrix-repaired', 'Set the fourth row of 1 matrix to 0 0 0 1: skin 0.']],
    })
  })

  test('that rounding has touched is left alone', () => {
    const matrix = changed({ 15: 0.99999994 })
    expect(repair(...matrix)).toEqual({ matrix, warnings: [] })
  })
})

describe('a matrix that flattens', () => {
  test.each([
    ['by a scale of 0', changed({ 5: 0 })],
    ['everything', changed({ 0: 0, 5: 0, 10: 0 })],
    ['by two columns of one direction', changed({ 4: 1, 5: 0 })],
  ])('%s is kept and counted', (_, matrix) => {
    expect(repair(...matrix)).toEqual({ matrix, warnings: [['matrix-flat', 'Kept 1 matrix that flatten what they move: skin 0.']] })
  })

  test('is not one that is only small, or turns things over', () => {
    expect(repair(...changed({ 0: 1e-30, 5: 1e-30, 10: -1e-30 })).warnings).toEqual([])
  })
})
