import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { sampleTimes } from '../../main/bake/plan.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { openHarness, type Harness } from '../viewport/serve.ts'
import { openChromium } from './chromium/open.ts'
import { describeProgram } from './launch.ts'

type Engine = 'three' | 'babylon'
interface Moment {
  clip: number
  /** After the clip's beginning. */
  seconds: number
}

/** What tests/viewport/players/page.js offers. */
interface PlayersPage {
  playersReady: boolean
  readPositions(engine: Engine, url: string, moments: Moment[]): Promise<number[][]>
  compareWithEditor(engine: Engine, url: string, moment: Moment & { time: number }, way?: string): Promise<Record<'pixels' | 'drawn' | 'beyond', number>>
  compareHandedness(url: string, bounds: Sidecar['bounds']): Promise<Record<'pixels' | 'drawn' | 'beyond', number>>
  decodeWithWgsl(url: string, decode: string, moment: Moment): Promise<Record<'positions' | 'normals', number[]>>
  harness: { open(token: string): Promise<unknown>; set(changes: object): void }
}

/** Models of several meshes, of morph targets, and mirrored ones, of which an independent evaluator told the positions. */
const MODELS = ['mixed_skin_rigid_static.glb', 'morph_plus_skin.glb', 'skin_root_negative_scale.glb']

/** Every encoding, and every layout that a player has code of its own for. */
const BAKES: BakeOptionsInput[] = [
  { encoding: 'rgba8', normals: 'xyz' },
  { encoding: 'rgba16', normals: 'octahedral' },
  { encoding: 'rgba16', normals: 'xyz', stack: true, pot: true, target: 'godot' },
  { encoding: 'exr16', normals: 'xyz', content: 'offset', orientation: 'frames-x' },
  { encoding: 'exr', normals: 'packed', columns: 'shared' },
]

/** How far a stored number may be off, as a share of its scale: half a step, of halves next to 1. */
const BOUNDS = { unorm8: 1 / 510, unorm16: 1 / 131_070, unorm8x2: 1 / 131_070, float16: 1 / 4096, float32: 0 }

/** The clips of the oracle's numbers last a second, and it looked at hundredths of it. */
const FRAMES: BakeOptionsInput = { all: true, frames: 101, loop: 'off' }

describeProgram('the players in Chromium', () => {
  let harness: Harness
  let bakes = 0

  beforeAll(async () => {
    harness = await openHarness({ width: 480, height: 320 }, openChromium)
    await harness.page.addScriptTag({ type: 'module', url: '/tests/viewport/players/page.js' })
    await harness.page.waitForFunction(() => 'playersReady' in window)
  })
  afterAll(() => harness?.close())

  async function bakeModel(file: string, options: BakeOptionsInput): Promise<{ url: string; sidecar: Sidecar }> {
    const folder = String(bakes++)
    const output = join(harness.folder, folder)
    const work = bake(file, bakeOptions.parse({ players: ['three', 'babylon'], name: 'model', ...options, output }))
    let step = await work.next()
    while (!step.done) step = await work.next()
    return { url: `/bakes/${folder}`, sidecar: step.value.sidecar }
  }

  describe.each(BAKES)('of a bake with %o', (options) => {
    test.each(MODELS)("draw the vertices of %s where the oracle's are, to within the bound of the encoding", async (model) => {
      const { url, sidecar } = await bakeModel(resolve('tests/fixtures/models', model), { ...FRAMES, ...options })
      const oracle = oracleOf(model)
      const moments = oracle.map(({ clip, frame }) => ({ clip, seconds: frame / sidecar.clips[clip].fps }))
      const { type, scale } = sidecar.textures[0]
      // What is left is the rounding of the GPU's own floats.
      const rounding = 2 ** -21 * Math.max(...sidecar.bounds.min.map(Math.abs), ...sidecar.bounds.max.map(Math.abs))
      for (const engine of ['three', 'babylon'] as const) {
        const drawn = await harness.page.evaluate(
          ([engine, url, moments]) => (window as unknown as PlayersPage).readPositions(engine, url, moments),
          [engine, url, moments] as const,
        )
        for (const [i, { positions }] of oracle.entries()) {
          expect(drawn[i].length).toBe(positions.length)
          const errors = drawn[i].map((value, at) => Math.abs(value - positions[at]) / (BOUNDS[type] * scale[at % 3] + rounding))
          expect(Math.max(...errors), `${engine}, moment ${i}`).toBeLessThanOrEqual(1)
        }
      }
      expect(harness.faults).toEqual([])
    })
  })

  test.each<[Engine, string, string, BakeOptionsInput, way?: string]>([
    ['babylon', 'Fox.glb', 'Run', { encoding: 'rgba16', normals: 'octahedral', maxSize: 1024 }],
    ['babylon', 'RobotExpressive.glb', 'Dance', { encoding: 'exr', normals: 'xyz' }, 'crowd'],
    ['three', 'Fox.glb', 'Run', { encoding: 'rgba16', normals: 'octahedral', maxSize: 1024 }],
    ['three', 'RobotExpressive.glb', 'Dance', { encoding: 'exr', normals: 'xyz' }, 'crowd'],
  ])('draw with %s what the editor shows of %s', async (engine, file, anim, options, way) => {
    const path = resolve('resources/samples', file)
    const { url, sidecar } = await bakeModel(path, { anim: [anim], ...options })
    harness.grants.add(file, path)
    const [clip] = sidecar.clips
    await harness.page.evaluate(
      async ([model, clip]) => {
        const { harness } = window as unknown as PlayersPage
        await harness.open(model)
        harness.set({ clip })
      },
      [file, clip.index] as const,
    )
    for (const share of [0.2, 0.7]) {
      const frame = Math.floor(clip.frameCount * share)
      const moment = { clip: 0, seconds: frame / clip.fps, time: sampleTimes(clip)[frame] }
      const { pixels, drawn, beyond } = await harness.page.evaluate(
        ([engine, url, moment, way]) => (window as unknown as PlayersPage).compareWithEditor(engine, url, moment, way),
        [engine, url, moment, way] as const,
      )
      expect(drawn / pixels).toBeGreaterThan(0.02)
      expect(beyond / pixels).toBeLessThanOrEqual(0.001)
    }
    expect(harness.faults).toEqual([])
  })

  test('look the same in a left-handed scene of Babylon', async () => {
    const { url, sidecar } = await bakeModel(resolve('tests/fixtures/models/mixed_skin_rigid_static.glb'), { all: true, normals: 'xyz' })
    const { pixels, drawn, beyond } = await harness.page.evaluate(
      ([url, bounds]) => (window as unknown as PlayersPage).compareHandedness(url, bounds),
      [url, sidecar.bounds] as const,
    )
    expect(drawn / pixels).toBeGreaterThan(0.02)
    expect(beyond / pixels).toBeLessThanOrEqual(0.001)
  })

  // Its compiler is Chromium's everywhere, but not everywhere is there a WebGPU without a graphics card.
  describe.runIf(process.platform === 'linux')('decode.wgsl', () => {
    test.each<BakeOptionsInput>([
      { encoding: 'rgba16', normals: 'octahedral', target: 'godot' },
      { encoding: 'exr', normals: 'packed' },
    ])('decodes %o on a GPU', async (options) => {
      const model = 'mixed_skin_rigid_static.glb'
      const { url, sidecar } = await bakeModel(resolve('tests/fixtures/models', model), { ...FRAMES, ...options })
      const decode = readFileSync(resolve('native-templates/agnostic/decode.wgsl'), 'utf8')
      const { type, scale } = sidecar.textures[0]
      for (const { clip, frame, positions, normals } of oracleOf(model)) {
        const decoded = await harness.page.evaluate(
          ([url, decode, moment]) => (window as unknown as PlayersPage).decodeWithWgsl(url, decode, moment),
          [url, decode, { clip, seconds: frame / sidecar.clips[clip].fps }] as const,
        )
        const errors = decoded.positions.map((value, at) => Math.abs(value - positions[at]) / (BOUNDS[type] * scale[at % 3] + 2 ** -20))
        expect(errors.length).toBe(positions.length)
        expect(Math.max(...errors)).toBeLessThanOrEqual(1)
        // Twelve bits for each coordinate are the coarsest. Half a step of both moves the unfolded vector by up to the square root of 6
        // of that, and where it is shortest, 1 / sqrt(3), making it of length 1 stretches this by sqrt(3).
        const halfStep = 1 / (2 * 2047)
        expect(Math.max(...decoded.normals.map((value, at) => Math.abs(value - normals[at])))).toBeLessThanOrEqual(Math.sqrt(18) * halfStep)
      }
    })
  })
})

/** What the oracle told: all clips, each at its times. Positions and normals are `[vertex][xyz]` through all meshes. */
function oracleOf(model: string): { clip: number; frame: number; positions: Float32Array; normals: Float32Array }[] {
  const read = (ending: string) => readFileSync(resolve(`tests/fixtures/oracle-numbers.${ending}`))
  const index = JSON.parse(String(read('json'))) as Record<string, OracleClip[]>
  const numbers = new Float32Array(Uint8Array.from(read('bin')).buffer)
  return index[model].flatMap(({ clip, times, meshes }) =>
    times.map((time, i) => {
      const all = (kind: 'positions' | 'normals') => {
        const arrays = meshes.map(({ vertexCount: count, [kind]: at }) => numbers.subarray(at + i * 3 * count, at + (i + 1) * 3 * count))
        return Float32Array.from(arrays.flatMap((array) => [...array]))
      }
      return { clip, frame: Math.round(time * 100), positions: all('positions'), normals: all('normals') }
    }),
  )
}

interface OracleClip {
  clip: number
  times: number[]
  /** Where in the numbers the arrays of a mesh begin, `[time][vertex][xyz]`. */
  meshes: { vertexCount: number; positions: number; normals: number }[]
}
