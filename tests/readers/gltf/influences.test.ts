import { Document, type TypedArray } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { readInfluences } from '../../../main/readers/gltf/influences.ts'

/** Sets of joints and weights, four a vertex, as a primitive has them. */
function read(...sets: { joints: number[]; weights: number[] | TypedArray; normalized?: boolean }[]) {
  const document = new Document()
  const attributes = new Map(
    sets.flatMap(({ joints, weights, normalized = false }, i) => [
      [`JOINTS_${i}`, document.createAccessor().setArray(Uint16Array.from(joints))] as const,
      [
        `WEIGHTS_${i}`,
        document
          .createAccessor()
          .setArray(Array.isArray(weights) ? Float32Array.from(weights) : weights)
          .setNormalized(normalized),
      ] as const,
    ]),
  )
  return readInfluences(attributes)!
}

test('a primitive without joints has none', () => {
  expect(readInfluences(new Map())).toBeNull()
})

test('only what weighs something is kept', () => {
  const { influences, highestJoint } = read({ joints: [900, 3, 901, 4, 5, 902, 902, 902], weights: [0, 0.25, 0, 0.75, 1, 0, 0, 0] })
  expect(influences).toEqual({ perVertex: 2, joints: Uint32Array.of(3, 4, 5, 0), weights: Float64Array.of(0.25, 0.75, 1, 0) })
  expect(highestJoint).toBe(5)
})

test('all sets count', () => {
  const weights = [0.125, 0.125, 0.125, 0.125]
  const unused = { joints: [9, 9, 9, 9], weights: [0, 0, 0, 0] }
  const { influences } = read({ joints: [1, 2, 3, 4], weights }, { joints: [5, 6, 7, 8], weights }, unused)
  expect(influences.perVertex).toBe(8)
  expect([...influences.joints]).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect([...influences.weights]).toEqual(Array(8).fill(0.125))
})

describe('weights', () => {
  test('are divided by their sum in double precision', () => {
    const { influences, unbalanced } = read({ joints: [0, 1, 2, 0], weights: [1, 1, 1, 0] })
    expect([...influences.weights]).toEqual([1 / 3, 1 / 3, 1 / 3])
    expect(unbalanced).toBe(1)
  })

  test.each([
    ['bytes', Uint8Array.of(51, 204, 0, 0), 0],
    ['bytes that were rounded', Uint8Array.of(64, 64, 64, 64), 0],
    ['shorts', Uint16Array.of(13107, 52428, 0, 0), 0],
    ['bytes that sum up to a half', Uint8Array.of(64, 64, 0, 0), 1],
  ])('of normalised %s are decoded', (_, weights, unbalanced) => {
    const { influences, unbalanced: found } = read({ joints: [0, 1, 2, 3], weights, normalized: true })
    const used = [...weights].filter((weight) => weight > 0)
    const sum = used.reduce((a, b) => a + b)
    used.forEach((weight, i) => expect(influences.weights[i]).toBeCloseTo(weight / sum, 15))
    expect(found).toBe(unbalanced)
  })

  test('that are negative or no numbers are 0, and counted', () => {
    const { influences, brokenWeights } = read({ joints: [1, 2, 3, 4], weights: [NaN, -0.5, Infinity, 0.5] })
    expect(influences).toEqual({ perVertex: 1, joints: Uint32Array.of(4), weights: Float64Array.of(1) })
    expect(brokenWeights).toBe(3)
  })

  test('that sum up to 0 stay 0, and the vertex is counted', () => {
    const { influences, weightless, highestJoint } = read({ joints: [7, 7, 7, 7, 2, 0, 0, 0], weights: [0, 0, 0, 0, 1, 0, 0, 0] })
    expect(influences).toEqual({ perVertex: 1, joints: Uint32Array.of(0, 2), weights: Float64Array.of(0, 1) })
    expect([weightless, highestJoint]).toEqual([1, 2])
  })
})
