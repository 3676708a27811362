import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { type BakeOptions, bakeOptions, flags } from '../../main/bake/options.ts'
import { bakeFlags, bakeValues, flagOf } from '../../main/cli/flags.ts'
import { Problem } from '../../main/model/problem.ts'

const keys = Object.keys(bakeOptions.shape) as (keyof BakeOptions)[]

/** Reads a command line as `bake` does. */
function read(...args: string[]) {
  const command = new Command().exitOverride().configureOutput({ outputError() {} })
  for (const flag of bakeFlags()) command.addOption(flag)
  command.parse(args, { from: 'user' })
  return bakeValues(command.opts())
}

/** One good value on the command line for each option, and what it must become. */
const values: { [Key in keyof Required<BakeOptions>]: [args: string[], value: BakeOptions[Key]] } = {
  anim: [['--anim', 'Run', '--anim', '#2'], ['Run', '#2']],
  all: [['--all'], true],
  fps: [['--fps', '23.976'], 23.976],
  start: [['--start', '.5'], 0.5],
  end: [['--end=1e1'], 10],
  frameRange: [['--frame-range', '0:24'], '0:24'],
  frames: [['--frames', '48'], 48],
  loop: [['--loop', 'blend:0.2s'], 'blend:0.2s'],
  rootMotion: [['--root-motion', 'extract'], 'extract'],
  rootAxes: [['--root-axes', 'xyz'], 'xyz'],
  rootNode: [['--root-node', 'Hips'], 'Hips'],
  encoding: [['--encoding', 'rgba16'], 'rgba16'],
  content: [['--content', 'offset'], 'offset'],
  normals: [['--normals', 'octahedral'], 'octahedral'],
  tangents: [['--tangents'], true],
  orientation: [['--orientation', 'frames-x'], 'frames-x'],
  stack: [['--stack'], true],
  columns: [['--columns', 'shared'], 'shared'],
  rest: [['--rest', 'first-frame'], 'first-frame'],
  guardRows: [['--guard-rows', '1'], 1],
  dedupeFrames: [['--dedupe-frames'], true],
  pot: [['--pot'], true],
  mesh: [['--mesh', 'fox', '--mesh', 'hat'], ['fox', 'hat']],
  target: [['--target', 'godot'], 'godot'],
  profile: [['--profile', 'mobile'], 'mobile'],
  axes: [['--axes', '-x,-z,+y'], '-x,-z,+y'],
  meshFormat: [['--mesh-format', 'gltf'], 'gltf'],
  name: [['--name', 'fox_run'], 'fox_run'],
  scale: [['--scale', '0.01'], 0.01],
  maxSize: [['--max-size', '2048'], 2048],
  maxError: [['--max-error', '0.5mm'], '0.5mm'],
  output: [['-o', 'vat/'], 'vat/'],
  overwrite: [['--overwrite'], true],
  players: [['--players', 'three,glsl'], ['three', 'glsl']],
  limit: [['--limit', 'vertices=5', '--limit', 'frames=9'], ['vertices=5', 'frames=9']],
}

describe('every option of a bake', () => {
  test.each(keys)('%s is a flag, spelled as its registry says, with its line of help', (key) => {
    const option = flagOf(key)
    const flag = flags.get(bakeOptions.shape[key])!
    expect(option.long).toBe(`--${flag.long}`)
    expect(option.short).toBe(flag.short && `-${flag.short}`)
    expect(option.description).toContain(bakeOptions.shape[key].description)
    expect(option.required || option.optional).toBe(flag.value !== undefined)
  })

  test('is offered once, under a heading', () => {
    const offered = bakeFlags()
    expect(offered.map((option) => option.long).sort()).toEqual(keys.map((key) => `--${flags.get(bakeOptions.shape[key])!.long}`).sort())
    for (const option of offered) expect(option.helpGroupHeading).toMatch(/^[A-Z].*:$/)
  })

  test.each(keys)('%s becomes a value that the schema takes', (key) => {
    const [args, value] = values[key]
    const parsed = read(...args)
    expect(parsed).toEqual({ [key]: value })
    expect(bakeOptions.parse(parsed)[key]).toEqual(value)
  })

  test('is left to its default where it is not given', () => {
    expect(read()).toEqual({})
  })
})

describe('the line of help', () => {
  test('names the default and the choices', () => {
    expect(flagOf('fps').description).toMatch(/\(default: 30\)$/)
    expect(flagOf('encoding').description).toMatch(/\(rgba8, rgba16, exr16, exr, auto; default: exr16\)$/)
    expect(flagOf('output').description).toMatch(/\(default: out\)$/)
  })

  test('says what counts where it is not given', () => {
    for (const key of Object.keys(bakeOptions.shape) as (keyof BakeOptions)[]) expect(flagOf(key).description).toMatch(/default: .+\)$/)
    expect(flagOf('frames').description).toMatch(/\(default: as many as --fps gives\)$/)
  })
})

describe('a flag that may stand alone', () => {
  test('means its usual value then', () => {
    expect(read('--normals')).toEqual({ normals: 'xyz' })
    expect(read('--normals', '-o', 'vat')).toEqual({ normals: 'xyz', output: 'vat' })
  })

  test('that took the next word for its value says how to write it', () => {
    expect(() => read('--normals', 'Fox.glb')).toThrow(
      "--normals must be one of none, xyz, octahedral, packed, got 'Fox.glb'. Where it is to stand alone, put it last or write --normals=xyz.",
    )
  })
})

describe('a wrong value', () => {
  test.each([
    [['--fps', 'abc'], "--fps must be a number above 0 and at most 10000, or auto, got 'abc'."],
    [['--fps', '0'], "--fps must be a number above 0 and at most 10000, or auto, got '0'."],
    [['--fps', ''], '--fps must be a number above 0 and at most 10000, or auto.'],
    [['--fps', '0x10'], "--fps must be a number above 0 and at most 10000, or auto, got '0x10'."],
    [['--fps', '29,97'], "--fps must be a number above 0 and at most 10000, or auto, got '29,97'."],
    [['--fps', 'Infinity'], "--fps must be a number above 0 and at most 10000, or auto, got 'Infinity'."],
    [['--scale', '-1'], "--scale must be a number above 0, got '-1'."],
    [['--start', 'x'], "--start must be a number, got 'x'."],
    [['--frames', '1.5'], "--frames must be a whole number of at least 1, got '1.5'."],
    [['--max-size', '5'], "--max-size must be a whole number from 16 to 16384, got '5'."],
    [['--encoding', 'rgb16'], "--encoding must be one of rgba8, rgba16, exr16, exr, auto, got 'rgb16'."],
    [['--frame-range', '5'], "--frame-range must be two frame numbers such as 0:24, got '5'."],
    [['--max-error', '5'], "--max-error must be a length or a share such as 0.5mm or 0.1%, got '5'."],
    [['--anim', ''], '--anim must not be empty.'],
    [['--anim', 'Run', '--anim', ''], '--anim must not be empty.'],
  ])('%j is refused in a sentence', (args, sentence) => {
    expect(() => read(...args)).toThrow(new Problem('usage', sentence))
  })
})
