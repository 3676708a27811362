import { expect, it } from 'vitest'
import { textureBytes } from '../../../renderer/estimate/texture-bytes.ts'

it('textures of a bake weigh what a GPU keeps: four channels each, and a file that layers share once', () => {
  const texture = { width: 100, height: 10, channels: 3, type: 'float16' }
  const textures = [
    { ...texture, file: 'Run_pos.exr', role: 'position' },
    { ...texture, file: 'Run_nrm.exr', role: 'normal' },
    { ...texture, file: 'Run_nrm.exr', role: 'tangent' },
  ]
  expect(textureBytes({ encoding: 'exr16', textures } as never)).toBe(2 * 100 * 10 * 4 * 2)
})
