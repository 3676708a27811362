import { describe, expect, it } from 'vitest'
import { spaceMatrix, splitsBytes } from '../../main/targets/target.ts'
import { targetOf } from '../../main/targets/targets.ts'

const apply = (m: Float64Array, [x, y, z]: [number, number, number]) =>
  [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row])

describe('the space of a bake', () => {
  it.each(['agnostic', 'godot'])("is glTF's own for %s", (name) => {
    const { axesFromGltf, handedness, up, unit, uvOrigin } = targetOf(name)
    expect(apply(spaceMatrix(axesFromGltf, 1), [1, 2, 3])).toEqual([1, 2, 3])
    expect({ handedness, up, unit, uvOrigin }).toEqual({ handedness: 'right', up: '+Y', unit: 'metre', uvOrigin: 'top-left' })
  })

  it('takes each axis from where it is told, with its sign and the factor', () => {
    expect(apply(spaceMatrix(['+x', '-z', '+y'], 100), [1, 2, 3])).toEqual([100, -300, 200])
    expect(apply(spaceMatrix(['-x', '+y', '+z'], 1), [1, 2, 3])).toEqual([-1, 2, 3])
  })
})

describe('what an engine would destroy', () => {
  it('is stored otherwise: 16 bits as two bytes, where an importer keeps eight', () => {
    expect(splitsBytes(targetOf('godot'), 'rgba16')).toBe(true)
    expect(splitsBytes(targetOf('godot'), 'rgba8')).toBe(false)
    expect(splitsBytes(targetOf('agnostic'), 'rgba16')).toBe(false)
  })

  it('is refused with the reason and a way out', () => {
    expect(targetOf('godot').refuse!({ dedupeFrames: true, meshFormat: 'auto' })).toMatch(/^--dedupe-frames needs .*\. Leave it out: .*\.$/)
    expect(targetOf('godot').refuse!({ dedupeFrames: false, meshFormat: 'auto' })).toBeNull()
  })
})

it('is refused where there is none of that name', () => {
  expect(() => targetOf('lightwave')).toThrow('There is no target "lightwave". Bake for one of agnostic, godot, unity, unreal.')
})
