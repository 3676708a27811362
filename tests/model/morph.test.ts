import { describe, expect, test } from 'vitest'
import { isMorphed, morphVectors } from '../../main/model/morph.ts'

function morph(vectors: number[], itemSize: 3 | 4, deltas: (number[] | null)[], weights: number[], from = 0): number[] {
  const count = vectors.length / itemSize - from
  const out = new Float64Array(count * 3).fill(NaN)
  const arrays = deltas.map((delta) => delta && Float32Array.from(delta))
  morphVectors(Float32Array.from(vectors), itemSize, arrays, Float64Array.from(weights), from, count, out)
  return Array.from(out)
}

describe('morphing', () => {
  test('adds the weighted differences of all targets', () => {
    expect(morph([1, 2, 3], 3, [[1, 0, 0], [0, 10, -4]], [0.5, 0.25])).toEqual([1.5, 4.5, 2])
  })

  test('takes weights below 0 and above 1 as they are', () => {
    expect(morph([0, 0, 0], 3, [[1, 1, 1], [1, 0, 0]], [1.5, -2])).toEqual([-0.5, 1.5, 1.5])
  })

  test('works on a block: the vectors and the differences from the first vertex on', () => {
    expect(morph([9, 9, 9, 1, 2, 3], 3, [[9, 9, 9, 1, 1, 1]], [2], 1)).toEqual([3, 4, 5])
  })

  test('leaves the vectors alone without targets, and for targets that do not have this attribute', () => {
    expect(morph([1, 2, 3], 3, [], [])).toEqual([1, 2, 3])
    expect(morph([1, 2, 3], 3, [null, [1, 1, 1]], [5, 1])).toEqual([2, 3, 4])
  })

  test('does not look at targets of weight 0, whatever is in them', () => {
    expect(morph([1, 2, 3], 3, [[NaN, Infinity, 1]], [0])).toEqual([1, 2, 3])
  })

  test('reads x, y and z of tangents; their differences have three numbers', () => {
    expect(morph([1, 0, 0, -1, 0, 1, 0, 1], 4, [[0, 1, 0, 2, 0, 0]], [1])).toEqual([1, 1, 0, 2, 1, 0])
  })

  test('keeps the sum in double precision', () => {
    const sum = morph([1, 0, 0], 3, [[1, 0, 0]], [1e-12])[0]
    expect(sum).toBe(1 + 1e-12)
    expect(Math.fround(sum)).toBe(1)
  })
})

describe('whether anything morphs', () => {
  const delta = new Float32Array(3)

  test.each([
    ['no targets', [], [], false],
    ['all weights 0', [delta, delta], [0, 0], false],
    ['a weight of a target without this attribute', [null, delta], [1, 0], false],
    ['a weight', [null, delta], [0, -0.5], true],
  ] as [string, (Float32Array | null)[], number[], boolean][])('%s', (_, deltas, weights, expected) => {
    expect(isMorphed(deltas, Float64Array.from(weights))).toBe(expected)
  })
})
