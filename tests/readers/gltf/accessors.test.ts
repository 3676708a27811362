import { Document } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { countNotFinite, doublesOf, floatsOf } from '../../../main/readers/gltf/accessors.ts'
import { triangle, type Json } from '../build-gltf.ts'

function accessor(array: Parameters<ReturnType<Document['createAccessor']>['setArray']>[0], normalized = false) {
  return new Document().createAccessor().setArray(array).setNormalized(normalized)
}

describe('numbers', () => {
  test('floats are handed out as they are, so that what shares an accessor shares memory', () => {
    const array = Float32Array.of(1, 2)
    expect(floatsOf(accessor(array))).toBe(array)
  })

  test('doubles are a copy', () => {
    expect(doublesOf(accessor(Float32Array.of(0.1)))).toEqual(Float64Array.of(Math.fround(0.1)))
  })

  test('integers count as they are', () => {
    expect(floatsOf(accessor(Int16Array.of(-300, 7)))).toEqual(Float32Array.of(-300, 7))
  })

  test.each<[string, Parameters<typeof accessor>[0], number[]]>([
    ['bytes', Int8Array.of(-128, -127, 0, 127), [-1, -1, 0, 1]],
    ['unsigned bytes', Uint8Array.of(0, 51, 255), [0, 0.2, 1]],
    ['shorts', Int16Array.of(-32768, -32767, 32767), [-1, -1, 1]],
    ['unsigned shorts', Uint16Array.of(0, 13107, 65535), [0, 0.2, 1]],
  ])('normalised %s stand for -1..1 or 0..1', (_, array, expected) => {
    expect(doublesOf(accessor(array, true))).toEqual(Float64Array.from(expected))
    expect(floatsOf(accessor(array, true))).toEqual(Float32Array.from(expected))
  })

  test('floats stay as they are, even if they call themselves normalised', () => {
    expect(doublesOf(accessor(Float32Array.of(-5, 5), true))).toEqual(Float64Array.of(-5, 5))
  })

  test('what is not finite is counted', () => {
    expect(countNotFinite([0, NaN, Infinity, -Infinity, 1])).toBe(3)
  })
})

describe('unpacking', () => {
  /** Positions of the triangle as the reader finds them. */
  async function positions(change: (json: Json) => void): Promise<number[]> {
    const builder = triangle()
    change(builder.json)
    return [...(await builder.model()).meshes[0].positions]
  }

  test('interleaved numbers', async () => {
    const builder = triangle()
    const view = builder.view(Float32Array.of(9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 10), { byteStride: 16 })
    Object.assign(builder.json.accessors[0], { bufferView: view, byteOffset: 4 })
    expect([...(await builder.model()).meshes[0].positions]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10])
  })

  test('a stride of 0 means none', async () => {
    expect(await positions((json) => (json.bufferViews[0].byteStride = 0))).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0])
  })

  test('an accessor without a buffer view is zeros', async () => {
    expect(await positions((json) => delete json.accessors[0].bufferView)).toEqual(Array(9).fill(0))
  })

  test('sparse numbers replace some of the others, each part at its own offset', async () => {
    const builder = triangle()
    const base = builder.view(Float32Array.of(99, 0, 0, 0, 1, 0, 0, 0, 1, 0))
    const indices = builder.view(Uint8Array.of(1))
    const values = builder.view(Float32Array.of(5, 6, 7))
    const sparse = { count: 1, indices: { bufferView: indices, componentType: 5121 }, values: { bufferView: values } }
    Object.assign(builder.json.accessors[0], { bufferView: base, byteOffset: 4, sparse })
    expect([...(await builder.model()).meshes[0].positions]).toEqual([0, 0, 0, 5, 6, 7, 0, 1, 0])
  })

  test('sparse numbers need no others', async () => {
    const builder = triangle()
    const sparse = {
      count: 2,
      indices: { bufferView: builder.view(Uint16Array.of(0, 2)), componentType: 5123 },
      values: { bufferView: builder.view(Float32Array.of(1, 2, 3, 4, 5, 6)) },
    }
    builder.json.accessors[0] = { componentType: 5126, count: 3, type: 'VEC3', sparse }
    expect([...(await builder.model()).meshes[0].positions]).toEqual([1, 2, 3, 0, 0, 0, 4, 5, 6])
  })
})
