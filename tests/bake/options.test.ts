import { expect, it } from 'vitest'
import { bakeOptions, flags, parseErrorLimit } from '../../main/bake/options.ts'

it('fills in every default', () => {
  expect(bakeOptions.parse({})).toEqual({
    anim: [],
    fps: 30,
    loop: 'auto',
    encoding: 'exr16',
    content: 'position',
    normals: 'none',
    mesh: [],
    target: 'agnostic',
    meshFormat: 'glb',
    scale: 1,
    output: 'out',
    overwrite: false,
  })
})

it('refuses what it does not know', () => {
  expect(bakeOptions.safeParse({ fsp: 30 }).success).toBe(false)
})

it.each([
  ['fps', 0],
  ['fps', -1],
  ['fps', Infinity],
  ['frames', 0],
  ['frames', 1.5],
  ['scale', 0],
  ['maxSize', 8],
  ['maxSize', 20_000],
  ['frameRange', '5'],
  ['maxError', '0.5'],
  ['maxError', '5cm'],
  ['encoding', 'png'],
])('refuses %s %j', (field, value) => {
  expect(bakeOptions.safeParse({ [field]: value }).success).toBe(false)
})

it('describes every option, and knows its flag', () => {
  for (const [name, field] of Object.entries(bakeOptions.shape)) {
    expect(field.description, name).toBeTruthy()
    expect(flags.get(field)?.long, name).toBeTruthy()
  }
})

it('reads error limits', () => {
  expect(parseErrorLimit('0.5mm')).toEqual({ unit: 'mm', value: 0.5 })
  expect(parseErrorLimit('.1 %')).toEqual({ unit: '%', value: 0.1 })
  expect(() => parseErrorLimit('much')).toThrow(TypeError)
})
