import { join } from 'node:path'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleTimes } from '../../main/bake/plan.ts'
import { readSidecar, verify } from '../../main/bake/verify.ts'
import type { ViewMode } from '../../renderer/viewport/view.ts'
import type { CapturedFrame } from '../../renderer/viewport/viewport.ts'
import { describeProgram, launch, type Program } from './launch.ts'
import { bake, chooseClip, chooseOption, openSample } from './steps.ts'

/** What the viewport's element offers to tests (renderer/viewport/Viewport.vue). */
interface ViewportElement extends HTMLElement {
  loaded(): Promise<void>
  captureFrame(time: number, mode: ViewMode): Promise<CapturedFrame>
}

/** How two frames differ, in pixels. */
interface Difference {
  /** Width and height of either. */
  sizes: number[][]
  pixels: number
  /** Those that are not empty in either. */
  drawn: number
  /** Those of which a channel differs by more than the limit. */
  beyond: number
  largest: number
}

type View = [time: number, mode: ViewMode]

/** A channel may be off by this much of 255, */
const LIMIT = 2
/** but on this share of the pixels. */
const SHARE = 0.001

const MODELS = [
  { file: 'RobotExpressive.glb', clip: 'Dance' },
  { file: 'Fox.glb', clip: 'Run' },
  { file: 'AnimatedMorphCube.glb', clip: 'Square' },
]
const ENCODINGS = [
  { encoding: 'PNG 16-bit', ending: 'png' },
  { encoding: 'EXR float', ending: 'exr' },
]

describeProgram('what was opened through the menu and baked', () => {
  let program: Program
  beforeAll(async () => {
    program = await launch()
  })
  afterAll(() => program.end())

  async function compare(one: View, other: View): Promise<Difference> {
    const difference = await program.page.evaluate(
      async ([one, other, limit]) => {
        const viewport = document.querySelector<ViewportElement>('.viewport')!
        await viewport.loaded()
        const [first, second] = [await viewport.captureFrame(...one), await viewport.captureFrame(...other)]
        const [a, b] = [first.pixels, second.pixels]
        const sizes = [first, second].map(({ width, height }) => [width, height])
        const difference = { sizes, pixels: a.length / 4, drawn: 0, beyond: 0, largest: 0 }
        for (let at = 0; at < a.length; at += 4) {
          if (a[at + 3] > 0 || b[at + 3] > 0) difference.drawn++
          let largest = 0
          for (let channel = at; channel < at + 4; channel++) largest = Math.max(largest, Math.abs(a[channel] - b[channel]))
          if (largest > limit) difference.beyond++
          difference.largest = Math.max(difference.largest, largest)
        }
        return difference
      },
      [one, other, LIMIT] as const,
    )
    expect(difference.sizes[0]).toEqual(difference.sizes[1])
    return difference
  }

  async function verified(sidecarFile: string, model: string): Promise<unknown> {
    const work = verify(sidecarFile, { model })
    let step = await work.next()
    while (!step.done) step = await work.next()
    return step.value
  }

  describe.each(MODELS)('$file', ({ file, clip }) => {
    test.each(ENCODINGS)('as $encoding verifies, and plays as the original does at five of its samples', async ({ encoding, ending }) => {
      const folder = await openSample(program, file)
      await chooseClip(program, clip)
      await chooseOption(program, 'Encoding', encoding)
      await chooseOption(program, 'Normals', 'Vector')
      await bake(program, `${clip} of ${file.replace(/\..*/, '')}`)

      const output = join(folder, 'vat')
      expect(readdirSync(output)).toEqual(expect.arrayContaining([`${clip}.json`, `${clip}_mesh.glb`, `${clip}_nrm.${ending}`, `${clip}_pos.${ending}`]))
      const sidecarFile = join(output, `${clip}.json`)
      expect(await verified(sidecarFile, join(folder, file))).toMatchObject({ damaged: [], modelChanged: false, withinLimit: true })

      // The window shows the bake beside the original by itself.
      await expect.poll(() => program.page.locator('.hud.top-middle').innerText({ timeout: 1000 }).catch(String), { timeout: 20_000 })
        .toContain(`${clip}_pos.${ending}, read from disk`)
      const sidecar = await readSidecar(sidecarFile)
      const times = sampleTimes(sidecar.clips[0])
      const chosen = [0, 0.2, 0.45, 0.7, 0.95].map((share) => times[Math.floor(times.length * share)])
      for (const time of chosen) {
        const difference = await compare([time, 'original'], [time, 'vat'])
        const { pixels, drawn, beyond, largest } = difference
        console.log(
          `${file} ${clip} ${encoding}, ${time.toFixed(3)} s: ${beyond} of ${pixels} pixels (${drawn} drawn) differ by more than ${LIMIT}/255: ` +
            `${((100 * beyond) / pixels).toFixed(4)} %, at most by ${largest}`,
        )
        expect(drawn).toBeGreaterThan(pixels * 0.02)
        expect(beyond / pixels).toBeLessThanOrEqual(SHARE)
      }
      // The comparison would see another moment.
      const { pixels, beyond } = await compare([chosen[0], 'original'], [chosen[2], 'vat'])
      expect(beyond / pixels).toBeGreaterThan(SHARE)
      expect(program.errors).toEqual([])
    }, 180_000)
  })

  test('as several clips in the same textures plays each of them, and reports each', async () => {
    const { page } = program
    const folder = await openSample(program, 'Fox.glb')
    await page.getByRole('checkbox', { name: 'Bake all clips' }).click()
    await chooseOption(program, 'Encoding', 'PNG 16-bit')
    await chooseOption(program, 'Normals', 'Vector')
    await bake(program, 'Fox')
    const sidecarFile = join(folder, 'vat/Fox.json')
    const sidecar = await readSidecar(sidecarFile)
    expect(sidecar.clips.map(({ name }) => name)).toEqual(['Survey', 'Walk', 'Run'])
    expect(await verified(sidecarFile, join(folder, 'Fox.glb'))).toMatchObject({ damaged: [], asReported: true })
    const rows = page.locator('.report .table tr')
    await expect.poll(() => rows.allInnerTexts(), { timeout: 20_000 }).toHaveLength(1 + 3 + 1)
    expect((await rows.last().innerText()).split('\t').slice(0, 2)).toEqual(['All', String(sidecar.frameCount)])

    for (const clip of sidecar.clips.slice(1)) {
      await page.getByRole('region', { name: 'Errors of every clip' }).getByRole('button', { name: clip.name }).click()
      await expect.poll(() => page.getByRole('img', { name: `Error over time of ${clip.name}` }).count(), { timeout: 20_000 }).toBe(1)
      const { pixels, drawn, beyond } = await compare([sampleTimes(clip)[9], 'original'], [sampleTimes(clip)[9], 'vat'])
      expect(drawn).toBeGreaterThan(pixels * 0.02)
      expect(beyond / pixels).toBeLessThanOrEqual(SHARE)
    }
    expect(program.errors).toEqual([])
  }, 120_000)
})
