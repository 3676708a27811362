import { describe, expect, test } from 'vitest'
import { cofactors3, composeTRS, determinant3, identity, invertAffine, multiply, transformPoint } from '../../main/model/matrix.ts'

/** Affine matrices with nothing special about them: stretched, sheared, one of them mirrored. */
const A = Float64Array.of(2, 0.5, -1, 0, 0.25, 3, 1, 0, -0.5, 2, 1.5, 0, 10, -20, 30, 1)
const MIRRORED = Float64Array.of(-1, 0.5, 0, 0, 0, 2, 1, 0, 0.5, 0, 3, 0, 1, 2, 3, 1)

/** The definition of the product, on rows and columns. */
function product(a: Float64Array, b: Float64Array): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    const row = i % 4
    const column = Math.floor(i / 4)
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + row] * b[column * 4 + k], 0)
  })
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length)
  Array.from(expected).forEach((number, i) => expect(actual[i]).toBeCloseTo(number, 12))
}

describe('multiplication', () => {
  test('is the product of columns and rows', () => {
    const out = new Float64Array(16)
    multiply(out, 0, A, 0, MIRRORED, 0)
    expectClose(out, product(A, MIRRORED))
  })

  test.each(['left', 'right'])('may write over its %s factor', (side) => {
    const [a, b] = [A.slice(), MIRRORED.slice()]
    multiply(side === 'left' ? a : b, 0, a, 0, b, 0)
    expectClose(side === 'left' ? a : b, product(A, MIRRORED))
  })

  test('works on matrices in the middle of arrays and leaves the rest alone', () => {
    const many = Float64Array.of(...A, ...MIRRORED, ...new Float64Array(16).fill(7))
    const out = new Float64Array(48).fill(9)
    multiply(out, 16, many, 0, many, 16)
    expectClose(out.subarray(16, 32), product(A, MIRRORED))
    expect([...out.subarray(0, 16), ...out.subarray(32)].every((number) => number === 9)).toBe(true)
  })
})

describe('translation, rotation and scale', () => {
  test('scale first, then turn, then move', () => {
    // A quarter turn about z takes x to y.
    const trs = Float64Array.of(10, 20, 30, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 2, 3, 4)
    const matrix = new Float64Array(16)
    composeTRS(matrix, 0, trs, 0)
    const point = new Float64Array(3)
    transformPoint(point, 0, matrix, 0, 1, 1, 1)
    expectClose(point, [10 - 3, 20 + 2, 30 + 4])
  })

  test('is the rotation v + 2w(q × v) + 2q × (q × v) of a quaternion', () => {
    const [x, y, z, w] = [0.1, -0.5, 0.7, 0.5]
    const q = [x, y, z]
    const cross = (a: number[], b: number[]) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    const v = [1, 2, 3]
    const t = cross(q, v).map((number) => 2 * number)
    const expected = v.map((number, i) => number + w * t[i] + cross(q, t)[i])

    const matrix = new Float64Array(16)
    composeTRS(matrix, 0, Float64Array.of(0, 0, 0, x, y, z, w, 1, 1, 1), 0)
    const point = new Float64Array(3)
    transformPoint(point, 0, matrix, 0, 1, 2, 3)
    expectClose(point, expected)
  })
})

describe('inverse', () => {
  test.each([A, MIRRORED])('undoes the matrix', (matrix) => {
    const inverse = new Float64Array(16)
    expect(invertAffine(inverse, 0, matrix, 0)).toBe(true)
    expectClose(product(matrix, inverse), identity())
    expectClose(product(inverse, matrix), identity())
  })

  test('may write over the matrix', () => {
    const matrix = A.slice()
    invertAffine(matrix, 0, matrix, 0)
    expectClose(product(A, matrix), identity())
  })

  test('refuses a matrix that flattens and leaves the result alone', () => {
    const flat = identity()
    flat[5] = 0
    const out = new Float64Array(16).fill(5)
    expect(invertAffine(out, 0, flat, 0)).toBe(false)
    expect(out.every((number) => number === 5)).toBe(true)
  })
})

describe('determinant and cofactors', () => {
  test('the determinant is the volume, negative where the matrix mirrors', () => {
    expect(determinant3(identity(), 0)).toBe(1)
    expect(determinant3(Float64Array.of(2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -4, 0, 0, 0, 0, 1), 0)).toBe(-24)
  })

  test.each([A, MIRRORED])('the cofactors are the determinant times the inverse transpose', (matrix) => {
    const cofactors = new Float64Array(9)
    cofactors3(cofactors, 0, matrix, 0)
    const inverse = new Float64Array(16)
    invertAffine(inverse, 0, matrix, 0)
    const expected = [0, 4, 8, 1, 5, 9, 2, 6, 10].map((i) => inverse[i] * determinant3(matrix, 0))
    expectClose(cofactors, expected)
  })

  test('cofactors also exist where the matrix flattens: what is squashed along y has normals along y', () => {
    const cofactors = new Float64Array(9)
    const flat = identity()
    flat[5] = 0
    cofactors3(cofactors, 0, flat, 0)
    expect([...cofactors]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0])
  })
})
