import { describe, expect, test } from 'vitest'
import { countUVSets, layOutAttributes, MAX_UV_SETS } from '../../main/meshes/vertex-attributes.ts'
import type { VertexAttribute } from '../../main/model/animated-model.ts'
import { submesh } from './fixtures.ts'

const attribute = (
  semantic: string,
  itemSize: VertexAttribute['itemSize'],
  array: VertexAttribute['array'],
  normalized = false,
): VertexAttribute => ({ semantic, itemSize, array, normalized })

const laidOut = (attributes: VertexAttribute[], indexChannel = 1) => {
  const { written, leftOut } = layOutAttributes(submesh(1, { attributes }), indexChannel)
  const of = (name: string) => written.find(({ semantic }) => semantic === name)!
  return { leftOut, semantics: written.map(({ semantic }) => semantic), of }
}

describe('texture coordinate sets', () => {
  test('are counted up to the last one, with the gaps', () => {
    expect(countUVSets([])).toBe(0)
    expect(countUVSets([attribute('TEXCOORD_0', 2, new Float32Array(2)), attribute('COLOR_3', 4, new Float32Array(4))])).toBe(1)
    expect(countUVSets([attribute('TEXCOORD_2', 2, new Float32Array(2)), attribute('TEXCOORD_0', 2, new Float32Array(2))])).toBe(3)
  })

  test('keep their numbers; the ones that are missing below the index UV are zero', () => {
    const second = Float32Array.of(0.25, 0.75)
    const result = laidOut([attribute('TEXCOORD_1', 2, second)], 3)
    expect(result.semantics).toEqual(['TEXCOORD_0', 'TEXCOORD_1', 'TEXCOORD_2', 'TEXCOORD_3'])
    expect(result.of('TEXCOORD_0').array).toEqual(new Float32Array(2))
    expect(result.of('TEXCOORD_1').array).toBe(second)
    expect(result.of('TEXCOORD_2').array).toEqual(new Float32Array(2))
    expect(result.of('TEXCOORD_3').array).toEqual(submesh(1).indexUV)
    expect(result.leftOut).toEqual([])
  })

  test('are written as the floats that their integers stand for', () => {
    const floatsOf = (array: VertexAttribute['array'], normalized: boolean) => {
      const { array: floats, normalized: still } = laidOut([attribute('TEXCOORD_0', 2, array, normalized)]).of('TEXCOORD_0')
      expect(floats).toBeInstanceOf(Float32Array)
      expect(still).toBe(false)
      return [...floats]
    }
    expect(floatsOf(Uint8Array.of(0, 255), true)).toEqual([0, 1])
    expect(floatsOf(Uint16Array.of(65535, 13107), true)).toEqual([1, Math.fround(0.2)])
    expect(floatsOf(Int8Array.of(-128, -127), true)).toEqual([-1, -1])
    expect(floatsOf(Int16Array.of(-32768, 32767), true)).toEqual([-1, 1])
    expect(floatsOf(Uint16Array.of(3, 700), false)).toEqual([3, 700])
  })

  test('that no engine could read are left out, so that a wild number fills no sets', () => {
    const wild = [attribute(`TEXCOORD_${MAX_UV_SETS}`, 2, new Float32Array(2)), attribute('TEXCOORD_4000000000', 2, new Float32Array(2))]
    expect(countUVSets(wild)).toBe(0)
    expect(laidOut([...wild, attribute('TEXCOORD_0', 3, new Float32Array(3))])).toMatchObject({
      semantics: ['TEXCOORD_0', 'TEXCOORD_1'],
      leftOut: [...wild.map(({ semantic }) => semantic), 'TEXCOORD_0'],
    })
  })
})

describe('colours', () => {
  test.each([
    ['8-bit fractions', Uint8Array.of(0, 128, 255, 7), true],
    ['16-bit fractions', Uint16Array.of(0, 128, 65535, 7), true],
    ['floats', Float32Array.of(0, 0.5, 1, 2), false],
  ])('stay as they are: %s', (_, array, normalized) => {
    const colour = attribute('COLOR_0', 4, array, normalized)
    expect(laidOut([colour]).of('COLOR_0')).toBe(colour)
  })

  test('of types that only KHR_mesh_quantization knows become floats', () => {
    expect(laidOut([attribute('COLOR_0', 3, Int8Array.of(127, 0, -127), true)]).of('COLOR_0')).toEqual(
      attribute('COLOR_0', 3, Float32Array.of(1, 0, -1)),
    )
  })

  test('after a gap are left out: they must be numbered from 0', () => {
    const result = laidOut([attribute('COLOR_0', 3, new Float32Array(3)), attribute('COLOR_2', 3, new Float32Array(3))])
    expect(result.semantics).toEqual(['TEXCOORD_0', 'TEXCOORD_1', 'COLOR_0'])
    expect(result.leftOut).toEqual(['COLOR_2'])
  })
})

describe('application-specific attributes', () => {
  test('stay as they are', () => {
    const wind = attribute('_WIND', 1, Int16Array.of(-5))
    expect(laidOut([wind]).of('_WIND')).toBe(wind)
  })

  test('of 32-bit integers, which glTF forbids, become floats', () => {
    expect(laidOut([attribute('_ID', 1, Uint32Array.of(70_000))]).of('_ID')).toEqual(attribute('_ID', 1, Float32Array.of(70_000)))
  })
})

test('what belongs to skins and unknown semantics are left out and named', () => {
  expect(laidOut([attribute('JOINTS_0', 4, new Uint8Array(4)), attribute('WIND', 1, new Float32Array(1))]).leftOut).toEqual(['JOINTS_0', 'WIND'])
})
