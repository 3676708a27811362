import { describe, expect, it } from 'vitest'
import { meshSpaceOf, moveBox, movePart, movePoints, type Space } from '../../main/bake/mesh-space.ts'

const METRES: Space = { axesFromGltf: ['+x', '+y', '+z'], scale: 1 }
const MIRRORED: Space = { axesFromGltf: ['-x', '+y', '+z'], scale: 1 }
const CENTIMETRES_Z_UP: Space = { axesFromGltf: ['+x', '-z', '+y'], scale: 100 }
const LEFT_HANDED_Z_UP: Space = { axesFromGltf: ['+x', '+z', '+y'], scale: 100 }

it('is only told of a mesh whose space is not the bake\'s', () => {
  expect(meshSpaceOf(METRES, { ...METRES })).toBeUndefined()
  expect(meshSpaceOf(METRES, MIRRORED)).toEqual(METRES)
  expect(meshSpaceOf({ ...METRES, scale: 100 }, METRES)).toEqual({ ...METRES, scale: 100 })
})

describe('from one space to another', () => {
  const points = Float32Array.of(1, 2, 3, -4, 0.5, 6)

  it.each<[string, Space, Space, number[]]>([
    ['itself', METRES, METRES, [1, 2, 3, -4, 0.5, 6]],
    ['its mirror image', METRES, MIRRORED, [-1, 2, 3, 4, 0.5, 6]],
    ['other axes and units', METRES, CENTIMETRES_Z_UP, [100, -300, 200, -400, -600, 50]],
    ['the same units with one axis mirrored', CENTIMETRES_Z_UP, LEFT_HANDED_Z_UP, [1, -2, 3, -4, -0.5, 6]],
  ])('points go to %s and back', (_, from, to, expected) => {
    const moved = movePoints(points, from, to)
    expect(Array.from(moved)).toEqual(expected)
    expect(movePoints(moved, to, from)).toEqual(points)
  })

  it('the ends of a box trade places where its axis is mirrored', () => {
    expect(moveBox({ min: [1, 2, 3], max: [4, 5, 6] }, METRES, MIRRORED)).toEqual({ min: [-4, 2, 3], max: [-1, 5, 6] })
    expect(moveBox({ min: [1, 2, 3], max: [4, 5, 6] }, METRES, CENTIMETRES_Z_UP)).toEqual({ min: [100, -600, 200], max: [400, -300, 500] })
  })

  /** A triangle that faces +z, its tangent along +x, its bitangent along +y. */
  const part = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
    tangents: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1),
    indices: Uint32Array.of(0, 1, 2),
  }

  it.each<[string, Space, boolean]>([
    ['a turned one', CENTIMETRES_Z_UP, false],
    ['a mirrored one', MIRRORED, true],
    ['a turned and mirrored one', LEFT_HANDED_Z_UP, true],
  ])('a surface keeps its front and its bitangent in %s', (_, to, mirrored) => {
    const { positions, normals, tangents, indices } = movePart(part, METRES, to)
    expect(Array.from(indices)).toEqual(mirrored ? [0, 2, 1] : [0, 1, 2])
    const point = (vertex: number) => Array.from(positions.subarray(vertex * 3, vertex * 3 + 3))
    const [a, b, c] = Array.from(indices, point)
    const front = cross(minus(b, a), minus(c, a))
    const normal = Array.from(normals!.subarray(0, 3))
    expect(dot(front, normal)).toBeGreaterThan(0)
    const [x, y, z, w] = tangents!
    const bitangent = cross(normal, [x, y, z]).map((value) => value * w)
    expect(dot(bitangent, minus(point(2), point(0)))).toBeGreaterThan(0)
    expect(dot([x, y, z], minus(point(1), point(0)))).toBeGreaterThan(0)
  })
})

function minus(a: number[], b: number[]): number[] {
  return a.map((value, i) => value - b[i])
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}

function cross([a, b, c]: number[], [d, e, f]: number[]): number[] {
  return [b * f - c * e, c * d - a * f, a * e - b * d]
}
