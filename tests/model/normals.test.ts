import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { determinant3 } from '../../main/model/matrix.ts'
import { computeNormals, handednessOf, transformNormals } from '../../main/model/normals.ts'
import { product, randomNumbers, rotation, scaling, translation } from './build-model.ts'
import { at, cross, degrees, dot, inverseTranspose, unit } from './reference.ts'

function transform(matrix: number[], normal: number[], handedness = 1): number[] {
  const out = new Float32Array(3)
  transformNormals(Float64Array.from(matrix), 0, handedness, Float64Array.from(normal), 0, 1, out, 0)
  return Array.from(out)
}

function rows(matrix: number[]): number[][] {
  return [0, 1, 2].map((row) => [matrix[row], matrix[4 + row], matrix[8 + row]])
}

function compute(positions: number[], indices: number[], atRest: number[] | null = null): number[][] {
  const out = new Float32Array(positions.length)
  const sums = new Float64Array(positions.length).fill(7)
  computeNormals(Float64Array.from(positions), Uint32Array.from(indices), atRest && Float32Array.from(atRest), sums, out, 0)
  return Array.from({ length: positions.length / 3 }, (_, vertex) => at(out, vertex))
}

describe('carrying normals', () => {
  test.each([
    ['a rotation', rotation('x', 1)],
    ['a translation', translation(5, 6, 7)],
    ['uniform scale', scaling(0.01, 0.01, 0.01)],
    ['non-uniform scale', scaling(1, 5, 0.2)],
    ['a mirror', scaling(-1, 1, 1)],
    ['scale that mirrors all three axes', scaling(-2, -2, -2)],
    ['shear', product(scaling(1, 3, 1), rotation('z', 0.7), scaling(2, 1, 0.5))],
    ['a mirrored shear', product(scaling(1, -3, 1), rotation('z', 0.7), scaling(2, 1, 0.5))],
  ])('through %s is the inverse transpose', (_, matrix) => {
    const random = randomNumbers(2)
    for (let i = 0; i < 50; i++) {
      const normal = unit([random() - 0.5, random() - 0.5, random() - 0.5])
      expect(degrees(transform(matrix, normal), inverseTranspose(rows(matrix), normal))).toBeLessThan(1e-4)
    }
  })

  test('does not need unit length, and gives it', () => {
    expect(transform(scaling(2, 2, 2), [0, 0, 300])).toEqual([0, 0, 1])
    expect(transform(scaling(1e-9, 1e-9, 1e-9), [0, 1e-5, 0])).toEqual([0, 1, 0])
  })

  test('mirrors them in a mirrored space', () => {
    const world = product(rotation('y', 0.4), scaling(1, 2, 3))
    const normal = unit([1, 2, 3])
    const [x, y, z] = transform(world, normal)
    const mirrored = transform(product(scaling(-1, 1, 1), world), normal, -1)
    expect(degrees(mirrored, [-x, y, z])).toBeLessThan(1e-4)
  })

  test('works on blocks: each normal by its own matrix, from one place in an array to another', () => {
    const matrices = Float64Array.from([...rotation('z', Math.PI / 2), ...scaling(-1, 1, 1)])
    const out = new Float32Array(9).fill(9)
    transformNormals(matrices, 1, 1, Float32Array.from([5, 5, 5, 1, 0, 0, 1, 0, 0]), 3, 2, out, 3)
    expect(degrees(at(out, 1), [0, 1, 0])).toBeLessThan(1e-4)
    expect(degrees(at(out, 2), [-1, 0, 0])).toBe(0)
    expect(at(out, 0)).toEqual([9, 9, 9])
  })
})

describe('carrying normals through matrices that flatten', () => {
  test('one axis of scale 0: all that does not lie in the plane becomes its normal, on its own side', () => {
    const flat = product(rotation('x', 0.3), scaling(1, 0, 1))
    const planeNormal = [0, Math.cos(0.3), Math.sin(0.3)]
    expect(degrees(transform(flat, unit([1, 1, 1])), planeNormal)).toBeLessThan(1e-4)
    expect(degrees(transform(flat, unit([1, -1, 1])), planeNormal.map((number) => -number))).toBeLessThan(1e-4)
  })

  test('a normal in that plane is carried as a direction', () => {
    expect(transform(scaling(3, 0, 1), [1, 0, 0])).toEqual([1, 0, 0])
  })

  test('two axes of scale 0: only the third is left', () => {
    expect(transform(scaling(0, 0, 4), unit([1, 1, 1]))).toEqual([0, 0, 1])
  })

  test('scale 0: the normal stays as it is', () => {
    expect(transform(scaling(0, 0, 0), [0, 0, -1])).toEqual([0, 0, -1])
  })

  test('a normal that is 0 becomes +Y', () => {
    expect(transform(scaling(1, 2, 3), [0, 0, 0])).toEqual([0, 1, 0])
    expect(transform(scaling(0, 0, 0), [0, 0, 0])).toEqual([0, 1, 0])
  })

  test('a mirrored space shows the mirror image of what flattens, too', () => {
    const flat = product(rotation('x', 0.3), scaling(1, 0, 1), rotation('z', 1.1))
    const normal = unit([1, 2, -1])
    const [x, y, z] = transform(flat, normal)
    expect(degrees(transform(product(scaling(-1, 1, 1), flat), normal, -1), [-x, y, z])).toBeLessThan(1e-4)
  })

  test('rounding in the determinant does not turn normals round', () => {
    const random = randomNumbers(3)
    let signs = 0
    for (let i = 0; i < 200; i++) {
      const turned = product(rotation('x', random() * 6), rotation('y', random() * 6))
      const flat = product(turned, scaling(1, 0, 1), rotation('x', random() * 6), rotation('z', 1))
      const determinant = determinant3(Float64Array.from(flat), 0)
      if (determinant < 0) signs++
      expect(handednessOf(determinant, Float64Array.from(flat), 0, 1)).toBe(1)
      expect(handednessOf(determinant, Float64Array.from(flat), 0, -1)).toBe(-1)
    }
    expect(signs).toBeGreaterThan(10)
  })

  test('a thin or tiny mirror is still a mirror', () => {
    for (const matrix of [scaling(1, 1, -1e-9), scaling(-1e-6, 1e-6, 1e-6), scaling(-1e6, 1e6, 1e6)]) {
      const array = Float64Array.from(matrix)
      expect(handednessOf(determinant3(array, 0), array, 0, 1)).toBe(-1)
      expect(handednessOf(determinant3(array, 0), array, 0, -1)).toBe(-1)
    }
  })

  test('whatever the matrix and the normal are, the result has unit length', () => {
    const number = fc.oneof(
      fc.constantFrom(0, 1, -1, 1e-5, 1e-60, 1e-120, 1e-200, 1e-320, 1e60, 1e120, 1e200, NaN, Infinity),
      fc.double({ min: -10, max: 10 }),
    )
    const matrix = fc.array(number, { minLength: 16, maxLength: 16 })
    const normal = fc.array(number, { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(matrix, normal, fc.constantFrom(1, -1), (entries, vector, handedness) => {
        expect(Math.hypot(...transform(entries, vector, handedness))).toBeCloseTo(1, 6)
      }),
    )
  })
})

/** A box of 2 × 2 × 2: eight corners, two triangles a side, seen counter-clockwise from outside. */
const corners = Array.from({ length: 8 }, (_, index) => [index & 1 ? 1 : -1, index & 2 ? 1 : -1, index & 4 ? 1 : -1])
const sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
const outward = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
const boxIndices = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])

describe('computing normals', () => {
  test('a box with eight corners has smooth ones: the sum of the sides, each as often as it has triangles there', () => {
    const normals = compute(corners.flat(), boxIndices)
    normals.forEach((normal, corner) => {
      const sum = [0, 0, 0]
      sides.forEach((side, index) => {
        // A side's first and third corner belong to both of its triangles.
        const triangles = [2, 1, 2, 1][side.indexOf(corner)] ?? 0
        for (const axis of [0, 1, 2]) sum[axis] += triangles * outward[index][axis]
      })
      expect(degrees(normal, sum)).toBeLessThan(1e-4)
      expect(dot(normal, corners[corner])).toBeGreaterThan(1)
    })
  })

  test('a box whose triangles share nothing keeps its hard edges', () => {
    const normals = compute(boxIndices.flatMap((corner) => corners[corner]), Array.from(boxIndices.keys()))
    normals.forEach((normal, vertex) => expect(normal).toEqual(outward[Math.floor(vertex / 6)]))
  })

  test('a sphere has normals that point away from its middle', () => {
    const around = 96
    const rings = 48
    const positions: number[] = []
    const indices: number[] = []
    for (let ring = 0; ring <= rings; ring++) {
      const polar = (ring / rings) * Math.PI
      for (let i = 0; i < around; i++) {
        const angle = (i / around) * 2 * Math.PI
        positions.push(3 * Math.sin(polar) * Math.sin(angle), 3 * Math.cos(polar), 3 * Math.sin(polar) * Math.cos(angle))
        const [a, b] = [ring * around + i, ring * around + ((i + 1) % around)]
        if (ring < rings) indices.push(a, a + around, b, b, a + around, b + around)
      }
    }
    const normals = compute(positions, indices)
    normals.slice(around, -around).forEach((normal, index) => {
      expect(degrees(normal, at(positions, around + index))).toBeLessThan(2)
    })
  })

  test('a cone has exactly the normals of the cone, in its tip and around its rim', () => {
    const [radius, height, sides] = [2, 3, 7]
    const rim = Array.from({ length: sides }, (_, i) => (i / sides) * 2 * Math.PI)
    const positions = [0, height, 0, ...rim.flatMap((angle) => [radius * Math.sin(angle), 0, radius * Math.cos(angle)])]
    const [tip, ...around] = compute(positions, rim.flatMap((_, i) => [0, 1 + i, 1 + ((i + 1) % sides)]))
    expect(degrees(tip, [0, 1, 0])).toBeLessThan(1e-4)
    around.forEach((normal, i) => {
      expect(degrees(normal, [height * Math.sin(rim[i]), radius, height * Math.cos(rim[i])])).toBeLessThan(1e-4)
    })
  })

  test('large faces count for more', () => {
    // Two triangles along one edge: in the floor, with an area of 3, and up a wall, with an area of 1/2.
    const normals = compute([0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 1, 0], [0, 1, 2, 0, 3, 1])
    const sum = [0, 1, 2].map((axis) => 3 * [0, 1, 0][axis] + 0.5 * [1, 0, 0][axis])
    expect(degrees(normals[0], sum)).toBeLessThan(1e-4)
    expect(degrees(normals[2], [0, 1, 0])).toBeLessThan(1e-4)
    expect(degrees(normals[3], [1, 0, 0])).toBeLessThan(1e-4)
  })

  test('faces without area add nothing', () => {
    const positions = [0, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0]
    expect(compute(positions, [0, 1, 2, 0, 0, 1, 0, 2, 3])).toEqual([[0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]])
  })

  test('a vertex that gets nothing keeps its normal at rest, or becomes +Y', () => {
    const collapsed = [5, 5, 5, 5, 5, 5, 5, 5, 5]
    expect(compute(collapsed, [0, 1, 2], [0, 0, 1, 0, 0, 1, 0, 0, 0])).toEqual([[0, 0, 1], [0, 0, 1], [0, 1, 0]])
    expect(compute(collapsed, [0, 1, 2])).toEqual([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
  })

  test('far from the origin they are as good as near it', () => {
    const triangle = [0, 0, 0, 0.001, 0, 0, 0, 0.001, 0.001]
    const [normal] = compute(triangle.map((number) => number + 1000), [0, 1, 2])
    expect(degrees(normal, cross([1, 0, 0], [0, 1, 1]))).toBeLessThan(1e-3)
  })

  test('are of unit length for any triangles', () => {
    const number = fc.oneof(fc.constantFrom(0, 1, -1, 1e-30, 1e30), fc.double({ min: -10, max: 10, noNaN: true }))
    const positions = fc.array(number, { minLength: 15, maxLength: 15 })
    const indices = fc.array(fc.nat(4), { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(positions, indices, (points, triangles) => {
        for (const normal of compute(points, triangles)) expect(Math.hypot(...normal)).toBeCloseTo(1, 6)
      }),
    )
  })
})
