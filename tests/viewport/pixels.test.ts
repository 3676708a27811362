import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleTimes } from '../../main/bake/plan.ts'
import { compare, openBoth } from './bakes.ts'
import { openHarness, type Harness } from './serve.ts'

let harness: Harness

beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness?.close())

const MODELS = [
  { file: 'Fox.glb', anim: 'Run' },
  // Long enough for its textures to come, and to go to the GPU, in several pieces.
  { file: 'RobotExpressive.glb', anim: 'Dance' },
  { file: 'AnimatedMorphCube.glb', anim: 'Square' },
]

/** The VAT is the original: on 99.9 % of the pixels no channel differs by more than 2 of 255. */
describe.each(MODELS)('$file', ({ file, anim }) => {
  test.each([
    ['rgba16', { normals: 'xyz' }],
    ['rgba16', { normals: 'octahedral', maxSize: 1024, content: 'offset' }],
    ['exr', { normals: 'xyz' }],
    ['exr', { normals: 'xyz', tangents: true, stack: true, orientation: 'frames-x', columns: 'shared' }],
    ['exr', { normals: 'packed', dedupeFrames: true, pot: true, rest: 'first-frame' }],
    ['rgba16', { normals: 'octahedral', guardRows: 2, content: 'offset' }],
  ] as const)('in %s with %o looks as the original does at five of its samples', async (encoding, options) => {
    const { sidecar } = await openBoth(harness, file, { anim: [anim], encoding, ...options })
    const clip = sidecar.clips[0]
    const times = sampleTimes(clip)
    for (const share of [0, 0.2, 0.45, 0.7, 0.95]) {
      const time = times[Math.floor(times.length * share)]
      const { pixels, drawn, beyond, largest } = await compare(harness, time, 'original', 'vat')
      expect(drawn).toBeGreaterThan(pixels * 0.02)
      // A lossless bake is the same to the last bit; steps of 16 bits move edges over a few samples of a pixel.
      if (encoding === 'exr' && options.normals === 'xyz') expect(largest).toBe(0)
      else expect(beyond / pixels).toBeLessThanOrEqual(0.001)
    }
    expect(harness.faults).toEqual([])
  })
})
