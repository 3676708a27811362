import { describe, expect, test } from 'vitest'
import { transformNormals } from '../../main/model/normals.ts'
import { transformTangents } from '../../main/model/tangents.ts'
import { product, randomNumbers, rotation, scaling } from './build-model.ts'
import { at, cross, degrees, dot, unit } from './reference.ts'

function transform(matrix: number[], tangent: number[], w: number, handedness = 1): { tangent: number[]; w: number } {
  const out = new Float32Array(4)
  const signs = Float32Array.from([0, 0, 0, w])
  transformTangents(Float64Array.from(matrix), 0, handedness, Float64Array.from(tangent), signs, 0, 1, out, 0)
  return { tangent: at(out, 0), w: out[3] }
}

function direction(matrix: number[], [x, y, z]: number[]): number[] {
  return [0, 1, 2].map((row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z)
}

describe('carrying tangents', () => {
  const matrices: [string, number[], number][] = [
    ['a rotation', rotation('y', 1), 1],
    ['non-uniform scale', scaling(1, 5, 0.2), 1],
    ['a mirror', scaling(1, 1, -1), -1],
    ['a mirrored shear', product(scaling(1, -3, 1), rotation('z', 0.7), scaling(2, 1, 0.5)), -1],
    ['scale that mirrors two axes', scaling(-1, -2, 1), 1],
  ]

  test.each(matrices)('through %s: the matrix moves them, and its handedness turns theirs', (_, matrix, sign) => {
    const { tangent, w } = transform(matrix, [0.6, 0, 0.8], -1)
    expect(degrees(tangent, direction(matrix, [0.6, 0, 0.8]))).toBeLessThan(1e-4)
    expect(Math.hypot(...tangent)).toBeCloseTo(1, 6)
    expect(w).toBe(-sign)
  })

  test.each(matrices)('through %s: they stay perpendicular to the normals, and the bitangent on its side', (_, matrix) => {
    const random = randomNumbers(4)
    for (let i = 0; i < 50; i++) {
      const normal = unit([random() - 0.5, random() - 0.5, random() - 0.5])
      const tangent = unit(cross(normal, [random() - 0.5, random() - 0.5, random() - 0.5]))
      const out = new Float32Array(3)
      transformNormals(Float64Array.from(matrix), 0, 1, Float64Array.from(normal), 0, 1, out, 0)
      const carried = transform(matrix, tangent, 1)
      expect(dot(at(out, 0), carried.tangent)).toBeCloseTo(0, 6)
      const bitangent = cross(at(out, 0), carried.tangent).map((number) => number * carried.w)
      expect(dot(bitangent, direction(matrix, cross(normal, tangent)))).toBeGreaterThan(0)
    }
  })

  test('works on blocks: each tangent by its own matrix, with the handedness of its own vertex', () => {
    const out = new Float32Array(12).fill(9)
    const matrices = Float64Array.from([...scaling(1, 1, 1), ...scaling(-1, 1, 1)])
    const signs = Float32Array.from([0, 0, 0, 5, 0, 0, 0, -1, 0, 0, 0, 1])
    transformTangents(matrices, 1, 1, Float64Array.from([0, 3, 0, 2, 0, 0]), signs, 1, 2, out, 4)
    expect(Array.from(out)).toEqual([9, 9, 9, 9, 0, 1, 0, -1, -1, 0, 0, -1])
  })

  test('a matrix that flattens has the handedness of the space', () => {
    expect(transform(scaling(1, 0, 1), [1, 0, 0], 1, 1)).toEqual({ tangent: [1, 0, 0], w: 1 })
    expect(transform(scaling(-1, 0, 1), [1, 0, 0], 1, -1)).toEqual({ tangent: [-1, 0, 0], w: -1 })
  })

  test('a tangent that is flattened to nothing stays as it is, or becomes +X', () => {
    expect(transform(scaling(1, 0, 1), [0, 2, 0], 1).tangent).toEqual([0, 1, 0])
    expect(transform(scaling(1, 1, 1), [0, 0, 0], 1).tangent).toEqual([1, 0, 0])
  })
})
