import { expect, it } from 'vitest'
import { bakeOptions, flags, parseErrorLimit, parseLoop } from '../../main/bake/options.ts'

it('fills in every default', () => {
  expect(bakeOptions.parse({})).toEqual({
    anim: [],
    all: false,
    fps: 30,
    loop: 'auto',
    rootMotion: 'keep',
    rootAxes: 'xz',
    encoding: 'exr16',
    content: 'position',
    normals: 'none',
    tangents: false,
    orientation: 'frames-y',
    stack: false,
    columns: 'vertex',
    rest: 'rest',
    guardRows: 0,
    dedupeFrames: false,
    pot: false,
    mesh: [],
    target: 'agnostic',
    meshFormat: 'auto',
    scale: 1,
    players: [],
    profile: 'desktop',
    output: 'out',
    overwrite: false,
    limit: [],
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
  ['fps', 'slow'],
  ['loop', 'blend'],
  ['loop', 'blend:0.2'],
  ['loop', 'blend:-1s'],
  ['rootAxes', ''],
  ['rootAxes', 'zx'],
  ['rootAxes', 'xx'],
  ['guardRows', 17],
  ['guardRows', -1],
  ['guardRows', 0.5],
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

it('reads how a clip is to repeat', () => {
  for (const mode of ['auto', 'on', 'off']) expect(parseLoop(bakeOptions.parse({ loop: mode }).loop)).toEqual({ mode })
  expect(parseLoop(bakeOptions.parse({ loop: 'blend:.25s' }).loop)).toEqual({ mode: 'blend', seconds: 0.25 })
})
