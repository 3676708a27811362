import { join } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { sampleTimes } from '../../main/bake/plan.ts'
import type { TargetDescription } from '../../main/targets/target.ts'
import type { BakePreview } from '../../main/worker/preview-contract.ts'
import { DEFAULT_OVERLAYS, type ErrorReading, type FrameCost, type ScreenPoint } from '../../renderer/viewport/view.ts'
import { compare, openBoth } from './bakes.ts'
import { openHarness, type Harness } from './serve.ts'

/** Spaces such as engines have: Z up and in centimetres, and mirrored. */
const zUp: TargetDescription = {
  name: 'z-up',
  handedness: 'right',
  up: '+Z',
  unit: 'centimetre',
  uvOrigin: 'top-left',
  axesFromGltf: ['+z', '+x', '+y'],
  unitsPerMetre: 100,
  maxSize: 8192,
  pngBits: 16,
  meshFormat: 'fbx',
  fbx: { axesFromGltf: ['+z', '+x', '+y'], up: '+Z', front: '+X', unitsPerMetre: 100 },
}
const mirrored: TargetDescription = {
  ...zUp,
  name: 'mirrored',
  handedness: 'left',
  up: '+Y',
  axesFromGltf: ['-x', '+y', '+z'],
  unitsPerMetre: 1,
  fbx: { axesFromGltf: ['+x', '+y', '+z'], up: '+Y', front: '+Z', unitsPerMetre: 1 },
}

const target = vi.hoisted((): { now: unknown } => ({ now: null }))
vi.mock(import('../../main/targets/targets.ts'), async (importActual) => {
  const actual = await importActual()
  return { ...actual, targetOf: (name: string) => (target.now as TargetDescription | null) ?? actual.targetOf(name) }
})

let harness: Harness
beforeAll(async () => {
  harness = await openHarness({ width: 640, height: 480 })
})
afterEach(async () => {
  target.now = null
  await set({ mode: 'original', errorMap: false, bake: null, clip: null })
  expect(harness.faults.splice(0)).toEqual([])
  expect(await event('problems')).toEqual([])
})
afterAll(() => harness?.close())

const set = (changes: Record<string, unknown>) => harness.page.evaluate((changes) => window.harness.set(changes), changes)
const setTime = (time: number) => harness.page.evaluate((time) => void (window.harness.time.value = time), time)
const event = <Event>(name: string) => harness.page.evaluate((name) => window.harness.events[name], name) as Promise<Event>
const displayed = async () => (await event<{ time: number }>('displayed')).time

/** Frames that the page asks for within half a second. */
const framesAskedFor = () =>
  harness.page.evaluate(async () => {
    const { requestAnimationFrame } = window
    let count = 0
    window.requestAnimationFrame = (callback) => {
      count++
      return requestAnimationFrame(callback)
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    window.requestAnimationFrame = requestAnimationFrame
    return count
  })

test.each([zUp, mirrored])('a bake in a space that is $name stands where the model stands', async (space) => {
  target.now = space
  const { sidecar } = await openBoth(harness, 'Fox.glb', { anim: ['Run'], encoding: 'exr', normals: 'xyz', scale: 0.5 })
  expect(sidecar.space.axesFromGltf).toEqual(space.axesFromGltf)
  const { pixels, drawn, beyond } = await compare(harness, sampleTimes(sidecar.clips[0])[12], 'original', 'vat')
  expect(drawn).toBeGreaterThan(pixels * 0.02)
  expect(beyond / drawn).toBeLessThanOrEqual(0.001)
})

test('a bake whose frames run along x is read along x', async () => {
  const { sidecar, sidecarFile } = await openBoth(harness, 'Fox.glb', { anim: ['Run'], encoding: 'rgba16', normals: 'octahedral', maxSize: 300 })
  await harness.page.evaluate(async (token) => {
    const bake = (await window.harness.openBake(token)) as BakePreview
    const textures = bake.textures.map((texture) => {
      const { width, height, channels } = texture
      const texels = texture.texels.slice()
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const from = (y * width + x) * channels
          texels.set(texture.texels.subarray(from, from + channels), (x * height + y) * channels)
        }
      }
      return { ...texture, width: height, height: width, texels }
    })
    const layout = { ...bake.sidecar.layout, orientation: 'frames-x' }
    window.harness.set({ bake: { ...bake, textures, sidecar: { ...bake.sidecar, layout } } })
    await new Promise((resolve) => setTimeout(resolve))
    await window.harness.viewport.loaded()
  }, sidecarFile)
  const { pixels, drawn, beyond } = await compare(harness, sampleTimes(sidecar.clips[0])[7], 'original', 'vat')
  expect(drawn).toBeGreaterThan(pixels * 0.02)
  expect(beyond / pixels).toBeLessThanOrEqual(0.001)
})

test.each<[string, string, BakeOptionsInput]>([
  ['frames of several rows', 'RobotExpressive.glb', { anim: ['Running'], maxSize: 512 }],
  // Its last frame is its first one.
  ['equal frames stored once', 'RobotExpressive.glb', { anim: ['Running', 'Death'], dedupeFrames: true, loop: 'off' }],
])('an instance of the crowd plays what the bake plays, at samples and between them: %s', async (_, file, options) => {
  const { sidecar } = await openBoth(harness, file, { encoding: 'rgba16', normals: 'octahedral', ...options })
  expect(sidecar.clips.some(({ frameRows }) => frameRows)).toBe('dedupeFrames' in options)
  const [clip] = sidecar.clips
  await set({ crowd: { count: 1, spacing: null, phase: 'in-step', clips: [0] } })
  for (const time of [clip.start, clip.start + 3.4 / clip.fps, clip.start + (clip.frameCount - 0.3) / clip.fps]) {
    const { drawn, beyond } = await compare(harness, time, 'vat', 'crowd')
    expect(drawn).toBeGreaterThan(5000)
    expect(beyond / drawn).toBeLessThanOrEqual(0.001)
  }
  await set({ crowd: { count: 100, spacing: null, phase: 'random', clips: [] } })
  const { drawn, beyond } = await compare(harness, clip.start, 'vat', 'crowd')
  expect(beyond / drawn).toBeGreaterThan(0.1)
})

test('while nothing changes nothing is drawn; a new time draws it, with original and VAT in step', async () => {
  const { sidecar } = await openBoth(harness, 'Fox.glb', { anim: ['Walk'], encoding: 'rgba16' })
  await set({ mode: 'side-by-side' })
  await harness.page.waitForTimeout(1500)
  expect(await framesAskedFor()).toBe(0)
  const time = sampleTimes(sidecar.clips[0])[3]
  await setTime(time)
  await expect.poll(displayed, { timeout: 5000 }).toBe(time)
})

test('what the window sets while a frame is captured is not in the picture, and is in force afterwards', async () => {
  const { sidecar } = await openBoth(harness, 'Fox.glb', { anim: ['Walk'], encoding: 'rgba16', normals: 'xyz' })
  const [, captured, wanted] = sampleTimes(sidecar.clips[0])
  const plain = { mode: 'original', errorMap: false, overlays: { ...DEFAULT_OVERLAYS } }
  const busy = { mode: 'side-by-side', errorMap: true, overlays: { wireframe: true, skeleton: true, bounds: true, grid: true, axes: true } }
  const screen = async () => {
    await expect.poll(displayed, { timeout: 5000 }).toBe(wanted)
    await harness.page.waitForTimeout(500)
    return harness.page.screenshot()
  }
  await set(busy)
  await setTime(wanted)
  const undisturbed = await screen()
  await set(plain)
  await setTime(0)

  const differences = await harness.page.evaluate(
    async ([captured, wanted, busy]) => {
      const { harness, fetch } = window
      await harness.capture('alone', captured, 'original')
      // Another pose is there now, so the next picture asks for its own again. Its answer waits until the window has set things.
      await harness.capture('other moment', wanted, 'original')
      let answer = () => {}
      const answers = new Promise<void>((resolve) => (answer = resolve))
      const asked = new Promise<void>((resolve) => {
        window.fetch = (...request) => {
          resolve()
          return answers.then(() => fetch(...request))
        }
      })
      const captures = [harness.capture('disturbed', captured, 'original'), harness.capture('behind it', captured, 'vat')]
      await asked
      harness.set(busy)
      harness.time.value = wanted
      // Changed props are passed on in a later task.
      await new Promise((resolve) => setTimeout(resolve))
      window.fetch = fetch
      answer()
      await Promise.all(captures)
      return {
        disturbed: harness.compare('alone', 'disturbed', 0),
        behind: harness.compare('alone', 'behind it', 64),
        otherMoment: harness.compare('alone', 'other moment', 64),
      }
    },
    [captured, wanted, busy] as const,
  )
  expect(differences.disturbed.drawn).toBeGreaterThan(5000)
  expect(differences.disturbed.beyond).toBe(0)
  expect(differences.behind.beyond).toBeLessThan(10)
  expect(differences.otherMoment.beyond).toBeGreaterThan(100)
  expect((await screen()).equals(undisturbed)).toBe(true)
  await set(plain)
})

test('playing moves the time, goes round, and stops at the end where it does not repeat', async () => {
  await openBoth(harness, 'Fox.glb', { anim: ['Run'], encoding: 'exr' })
  const play = (playing: boolean) => harness.page.evaluate((playing) => void (window.harness.playing.value = playing), playing)
  const timeNow = () => harness.page.evaluate(() => window.harness.time.value)
  await set({ mode: 'original', range: [0.2, 0.4], repeat: true })
  await setTime(0.3)
  await play(true)
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    await harness.page.waitForTimeout(50)
    times.push(await timeNow())
  }
  expect(new Set(times).size).toBeGreaterThan(3)
  expect(times.every((time) => time >= 0.2 && time < 0.4)).toBe(true)
  await set({ repeat: false })
  await expect.poll(() => harness.page.evaluate(() => window.harness.playing.value), { timeout: 10_000 }).toBe(false)
  expect(await timeNow()).toBe(0.4)
  await set({ range: null, repeat: true })
})

test('the error map tells the error of the displayed frame, and the mark stays on its vertex', async () => {
  const { sidecar } = await openBoth(harness, 'Fox.glb', { anim: ['Run'], encoding: 'rgba8' })
  const { worst, maxMillimetres } = sidecar.report.position
  await set({ mode: 'vat', errorMap: true })
  await setTime(sampleTimes(sidecar.clips[0])[worst.frame])
  const reading = () => event<ErrorReading>('error')
  await expect.poll(async () => (await reading())?.maxMillimetres, { timeout: 5000 }).toBeCloseTo(maxMillimetres, 1)
  const { vertex, scaleMillimetres } = await reading()
  expect(vertex).toBe(worst.vertex)
  // A sample stands still, so the colours reach up to the largest error at one.
  expect(scaleMillimetres).toBe(maxMillimetres)
  await harness.page.evaluate((vertex) => window.harness.viewport.frameVertex(vertex), vertex)
  // Framing puts it into the middle.
  await expect.poll(async () => (await event<ScreenPoint>('marker'))?.x, { timeout: 5000 }).toBeCloseTo(320, 0)
  expect((await event<ScreenPoint>('marker')).y).toBeCloseTo(240, 0)
})

test('a model with a damaged image is shown without its textures, and says so', async () => {
  const document = await new NodeIO().read('resources/samples/Fox.glb')
  document.getRoot().listTextures()[0].setImage(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]))
  const file = join(harness.folder, 'Torn.glb')
  await new NodeIO().write(file, document)
  harness.grants.add('torn', file)
  await harness.page.evaluate(() => window.harness.open('torn').then(() => undefined))
  const problems = await harness.page.evaluate(() => (window.harness.events.problems as string[]).splice(0))
  expect(problems).toEqual([expect.stringContaining('Torn.glb is shown without its textures')])
  const { drawn } = await compare(harness, 0, 'original', 'original')
  expect(drawn).toBeGreaterThan(5000)
  // The browser and Babylon say it too.
  harness.faults.length = 0
})

test('every mode, shading and overlay draws without a word on the console, and tells what it costs', async () => {
  await openBoth(harness, 'RobotExpressive.glb', { anim: ['Walking'], encoding: 'exr16', normals: 'octahedral' })
  for (const mode of ['original', 'vat', 'side-by-side', 'overlay', 'split', 'crowd']) {
    await set({ mode, overlays: { wireframe: true, skeleton: true, bounds: true, grid: true, axes: true } })
    await harness.page.evaluate(() => window.harness.viewport.loaded())
  }
  for (const shading of ['clay', 'unlit', 'normals', 'lit']) {
    await set({ mode: 'side-by-side', errorMap: shading === 'lit', shading })
    await harness.page.evaluate(() => window.harness.viewport.loaded())
  }
  await harness.page.evaluate(() => void (window.harness.playing.value = true))
  await expect.poll(async () => (await event<FrameCost>('cost'))?.vertices, { timeout: 10_000 }).toBe(7214 * 2)
  await harness.page.evaluate(() => void (window.harness.playing.value = false))
})
