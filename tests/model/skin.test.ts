import { describe, expect, test } from 'vitest'
import { blendMatrices, placeVertices, withRigidVertices } from '../../main/model/skin.ts'
import { influencesOf, product, randomNumbers, rotation, scaling, translation } from './build-model.ts'

const random = randomNumbers(1)

function randomMatrix(): number[] {
  return product(
    translation(random() - 0.5, random() - 0.5, random() - 0.5),
    rotation('x', random() * 6),
    rotation('z', random() * 6),
    scaling(random() - 0.5, random() + 0.5, random() + 2),
  )
}

/** Only the first three rows: the fourth is 0 0 0 1 and nobody needs it. */
function affine(matrix: ArrayLike<number>, start = 0): number[] {
  return [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map((index) => matrix[start + index])
}

describe('blending matrices', () => {
  test.each([1, 2, 3, 4, 5, 8, 12])('sums up %i weighted matrices for each vertex of a block', (perVertex) => {
    const palette = Array.from({ length: 20 }, randomMatrix)
    const vertices = Array.from({ length: 9 }, () => {
      const weights = Array.from({ length: perVertex }, random)
      const sum = weights.reduce((a, b) => a + b)
      return { joints: weights.map(() => Math.floor(random() * 20)), weights: weights.map((weight) => weight / sum) }
    })
    const out = new Float64Array(4 * 16)

    blendMatrices(influencesOf(vertices), 3, 4, Float64Array.from(palette.flat()), out)

    vertices.slice(3, 7).forEach(({ joints, weights }, index) => {
      const expected = affine(palette[0]).map((_, k) =>
        joints.reduce((sum, joint, influence) => sum + weights[influence] * affine(palette[joint])[k], 0),
      )
      affine(out, index * 16).forEach((number, k) => expect(number).toBeCloseTo(expected[k], 14))
    })
  })

  test('a single weight of 1 gives the matrix itself, to the last bit', () => {
    const palette = Array.from({ length: 3 }, randomMatrix)
    for (const weights of [[0, 1, 0, 0], [0, 1], [0, 1, 0, 0, 0, 0]]) {
      const out = new Float64Array(16)
      const influences = influencesOf([{ joints: weights.map((weight) => (weight === 1 ? 2 : 0)), weights }])
      blendMatrices(influences, 0, 1, Float64Array.from(palette.flat()), out)
      expect(affine(out)).toEqual(affine(palette[2]))
    }
  })

  test('what was in the block before does not matter', () => {
    const influences = influencesOf([{ joints: [0, 0, 0, 0, 0], weights: [0.5, 0.5, 0, 0, 0] }])
    const out = new Float64Array(16).fill(NaN)
    blendMatrices(influences, 0, 1, Float64Array.from(scaling(1, 2, 3)), out)
    expect(affine(out)).toEqual(affine(scaling(1, 2, 3)))
  })
})

describe('vertices without weights', () => {
  test('follow the rigid matrix, the others stay as they are', () => {
    const influences = influencesOf([
      { joints: [3, 1], weights: [0.25, 0.75] },
      { joints: [2, 2], weights: [0, 0] },
      { joints: [0, 4], weights: [0, 1] },
    ])
    expect(withRigidVertices(influences, 9)).toEqual(
      influencesOf([
        { joints: [3, 1], weights: [0.25, 0.75] },
        { joints: [9, 2], weights: [1, 0] },
        { joints: [0, 4], weights: [0, 1] },
      ]),
    )
  })

  test('are set in a copy: the model that was read does not change', () => {
    const influences = influencesOf([{ joints: [2], weights: [0] }])
    withRigidVertices(influences, 9)
    expect(influences).toEqual(influencesOf([{ joints: [2], weights: [0] }]))
  })
})

describe('placing vertices', () => {
  test('moves each point by its own matrix, from one place in an array to another', () => {
    const matrices = Float64Array.from([...translation(1, 2, 3), ...scaling(2, 3, 4)])
    const out = new Float32Array(9).fill(-1)
    placeVertices(matrices, 1, Float32Array.from([9, 9, 9, 1, 1, 1, 1, 1, 1]), 3, 2, out, 0)
    expect(Array.from(out)).toEqual([2, 3, 4, 2, 3, 4, -1, -1, -1])
  })

  test('moves all points by the first matrix where the step is 0', () => {
    const matrices = Float64Array.from([...translation(1, 2, 3), ...scaling(2, 3, 4)])
    const out = new Float32Array(6)
    placeVertices(matrices, 0, Float64Array.from([0, 0, 0, 1, 1, 1]), 0, 2, out, 0)
    expect(Array.from(out)).toEqual([1, 2, 3, 2, 3, 4])
  })

  test('rounds once, when it stores', () => {
    const matrix = Float64Array.from(product(translation(0.1, 0.2, 0.3), rotation('y', 1), scaling(0.01, 0.01, 0.01)))
    const point = [12.3, -45.6, 78.9]
    const exact = new Float64Array(3)
    const out = new Float32Array(3)
    placeVertices(matrix, 0, Float64Array.from(point), 0, 1, exact, 0)
    placeVertices(matrix, 0, Float64Array.from(point), 0, 1, out, 0)
    expect(out).toEqual(Float32Array.from(exact))
    expect(exact).not.toEqual(Float64Array.from(out))
  })
})
