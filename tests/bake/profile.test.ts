import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { bakery } from '../player/bakes.ts'

const FOX = resolve('resources/samples/Fox.glb')
const { bake, verify } = bakery()
const bakeFox = (options: BakeOptionsInput) => bake(FOX, { anim: ['Run'], frames: 4, normals: 'xyz', ...options })

describe('for phones', () => {
  it.each(['agnostic', 'unity'] as const)('16 bits are two bytes, as exact as they were, for %s', async (target) => {
    const { sidecar } = await bakeFox({ target, profile: 'mobile', encoding: 'rgba16' })
    expect(sidecar.textures.map(({ type }) => type)).toEqual(['unorm8x2', 'unorm8x2'])
    const whole = await bakeFox({ target, encoding: 'rgba16' })
    expect(whole.sidecar.textures[0].type).toBe('unorm16')
    expect(sidecar.report.position).toEqual(whole.sidecar.report.position)
  })

  it('floats of 32 bits are refused, and never chosen', async () => {
    await expect(bakeFox({ profile: 'mobile', encoding: 'exr' })).rejects.toThrow('Use --encoding exr16 or rgba16.')
    const { sidecar, withinLimit } = await bakeFox({ profile: 'mobile', encoding: 'auto', maxError: '0.000001%' })
    expect(sidecar.textures[0].type).not.toBe('float32')
    expect(withinLimit).toBe(false)
  })
})

describe("for a project's own axes", () => {
  it.each([
    ['unity', '-x,-z,+y', '+Z'],
    ['unreal', '-z,+x,+y', '+Z'],
    ['agnostic', '+x,-z,+y', '+Z'],
  ] as const)('%s with %s has textures and mesh that fit each other', async (target, axes, up) => {
    const { sidecar, sidecarFile } = await bakeFox({ target, axes, content: 'offset', encoding: 'exr' })
    expect(sidecar.space).toMatchObject({ axesFromGltf: axes.split(','), up })
    expect(await verify(sidecarFile, FOX)).toMatchObject({ damaged: [], withinLimit: true })
    // Offsets are from the mesh, as it was written.
    expect(sidecar.report.position.maxPercent).toBeLessThan(1e-4)
  })
})
