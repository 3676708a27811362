import { describe, expect, it } from 'vitest'
import { spaceMatrix } from '../../main/targets/target.ts'
import { targetOf } from '../../main/targets/targets.ts'

const apply = (m: Float64Array, [x, y, z]: [number, number, number]) =>
  [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row])

describe('the space of a bake', () => {
  it("is glTF's own for any engine", () => {
    const { axesFromGltf, handedness, up, unit, uvOrigin } = targetOf('agnostic')
    expect(apply(spaceMatrix(axesFromGltf, 1), [1, 2, 3])).toEqual([1, 2, 3])
    expect({ handedness, up, unit, uvOrigin }).toEqual({ handedness: 'right', up: '+Y', unit: 'metre', uvOrigin: 'top-left' })
  })

  it('takes each axis from where it is told, with its sign and the factor', () => {
    expect(apply(spaceMatrix(['+x', '-z', '+y'], 100), [1, 2, 3])).toEqual([100, -300, 200])
    expect(apply(spaceMatrix(['-x', '+y', '+z'], 1), [1, 2, 3])).toEqual([-1, 2, 3])
  })
})

it.each(['unity', 'unreal', 'godot'])('refuses %s with a way out until its package exists', (name) => {
  expect(() => targetOf(name)).toThrow(`--target ${name} is not available yet. Bake with --target agnostic`)
})
