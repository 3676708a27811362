import { describe, expect, test } from 'vitest'
import { TRIANGLE_FAN, TRIANGLE_STRIP, TRIANGLES, trianglesOf } from '../../../main/readers/gltf/triangles.ts'

describe('lists', () => {
  test('stay as they are', () => {
    expect([...trianglesOf(TRIANGLES, Uint16Array.of(5, 3, 4, 4, 3, 9))]).toEqual([5, 3, 4, 4, 3, 9])
  })

  test('are counted through where there are no indices', () => {
    expect([...trianglesOf(TRIANGLES, 6)]).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('lose what is left over at the end', () => {
    expect([...trianglesOf(TRIANGLES, 5)]).toEqual([0, 1, 2])
    expect([...trianglesOf(TRIANGLES, Uint8Array.of(1, 2))]).toEqual([])
  })
})

describe('strips', () => {
  test('turn every other triangle round, as the specification has it', () => {
    expect([...trianglesOf(TRIANGLE_STRIP, 5)]).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4])
    expect([...trianglesOf(TRIANGLE_STRIP, Uint16Array.of(9, 8, 7, 6))]).toEqual([9, 8, 7, 8, 6, 7])
  })

  test('keep the same side in front', () => {
    // A flat strip in zigzag: each triangle has to turn the same way.
    const point = (i: number) => [Math.floor(i / 2), i % 2]
    const triangles = trianglesOf(TRIANGLE_STRIP, 9)
    const turns = []
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [point(triangles[i]), point(triangles[i + 1]), point(triangles[i + 2])]
      turns.push(Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))
    }
    expect(turns).toEqual(Array(7).fill(turns[0]))
    expect(turns[0]).not.toBe(0)
  })

  test('lose the triangles without area that join their parts, and keep the rhythm', () => {
    expect([...trianglesOf(TRIANGLE_STRIP, Uint16Array.of(0, 1, 2, 2, 3, 3, 4, 5))]).toEqual([0, 1, 2, 3, 5, 4])
  })

  test('of fewer than three vertices are nothing', () => {
    expect([...trianglesOf(TRIANGLE_STRIP, 2)]).toEqual([])
  })
})

test('fans turn about their first vertex', () => {
  expect([...trianglesOf(TRIANGLE_FAN, 5)]).toEqual([1, 2, 0, 2, 3, 0, 3, 4, 0])
  expect([...trianglesOf(TRIANGLE_FAN, Uint32Array.of(7, 5, 5, 6))]).toEqual([5, 6, 7])
})
