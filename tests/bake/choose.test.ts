/** What `--fps auto` and `--encoding auto` choose holds the limit in the bake itself, and the next cheaper choice does not. */
import { describe, expect, it } from 'vitest'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { planBake } from '../../main/bake/plan-bake.ts'
import { bakery, run, sample } from '../player/bakes.ts'

const { bake } = bakery()
const fox = sample('Fox.glb')
const robot = sample('RobotExpressive.glb')

/** The largest error of a bake in percent of its size, at its samples and between them. */
async function errorOf(model: string, options: BakeOptionsInput) {
  const { sidecar } = await bake(model, options)
  return { at: sidecar.report.position.maxPercent, between: sidecar.report.position.betweenSamples.maxPercent }
}

describe('--fps auto', () => {
  it.each([
    [fox, 'Run', '0.1%', {}],
    [fox, 'Run', '5%', { encoding: 'rgba8' }],
    [fox, 'Run', '1%', { encoding: 'rgba8', content: 'offset' }],
    [fox, 'Walk', '0.1%', { encoding: 'rgba16', content: 'offset', loop: 'off' }],
    [fox, 'Run', '0.5%', { loop: 'blend:0.3s', end: 0.9 }],
    [robot, 'Sitting', '0.1%', {}],
    [robot, 'Jump', '0.1%', {}],
  ] as [string, string, string, BakeOptionsInput][])('of %s, clip %s, within %s and with %o', async (model, clip, maxError, options) => {
    const auto = await bake(model, { ...options, anim: [clip], fps: 'auto', maxError })
    const limit = Number.parseFloat(maxError)
    expect(auto.withinLimit).toBe(true)
    expect(auto.sidecar.report.position.maxPercent).toBeLessThanOrEqual(limit)
    expect(auto.sidecar.report.position.betweenSamples.maxPercent).toBeLessThanOrEqual(limit)
    const [{ option, value, why }] = auto.choices
    const fps = Number(value)
    expect({ option, why }).toEqual({ option: 'fps', why: `"${clip}" stays within ${maxError}, between samples too. At ${fps - 1} fps it does not.` })

    const lower = await errorOf(model, { ...options, anim: [clip], fps: fps - 1 })
    expect(Math.max(lower.at, lower.between)).toBeGreaterThan(limit)
    const same = await errorOf(model, { ...options, anim: [clip], fps })
    expect(same).toEqual({ at: auto.sidecar.report.position.maxPercent, between: auto.sidecar.report.position.betweenSamples.maxPercent })
  })

  it('finds the rate of each of several clips, under the bounds of all of them', async () => {
    const options: BakeOptionsInput = { anim: ['Run', 'Walk', 'Survey:fps=20'], fps: 'auto', maxError: '0.4%', encoding: 'rgba8' }
    const { sidecar, choices, withinLimit } = await bake(fox, options)
    expect(withinLimit).toBe(true)
    expect(choices.map(({ why }) => why.split(' stays')[0])).toEqual(['"Run"', '"Walk"'])
    const { clips } = sidecar.report.position
    for (const clip of [0, 1]) expect(clips[clip].betweenSamples.maxPercent).toBeLessThanOrEqual(0.4)
    for (const clip of [0, 1]) {
      const rates = choices.map(({ value }, i) => Number(value) - (i === clip ? 1 : 0))
      const lower = await bake(fox, { ...options, fps: 30, anim: [`Run:fps=${rates[0]}`, `Walk:fps=${rates[1]}`, 'Survey:fps=20'] })
      const { maxPercent, betweenSamples } = lower.sidecar.report.position.clips[clip]
      expect(Math.max(maxPercent, betweenSamples.maxPercent)).toBeGreaterThan(0.4)
    }
  })

  it('may be asked of one clip alone, and the others then count at their samples only', async () => {
    const { sidecar, withinLimit } = await bake(fox, { anim: ['Run:fps=auto', 'Walk:fps=5'], maxError: '0.5%' })
    const [run, walk] = sidecar.report.position.clips
    expect(withinLimit).toBe(true)
    expect(run.betweenSamples.maxPercent).toBeLessThanOrEqual(0.5)
    expect(walk.betweenSamples.maxPercent).toBeGreaterThan(0.5)
  })

  it('takes any rate for a pose', async () => {
    const { sidecar, choices } = await bake(fox, { anim: ['Run'], start: 0.5, end: 0.5, fps: 'auto', maxError: '0.1%' })
    expect(sidecar.clips[0]).toMatchObject({ frameCount: 1, duration: 0 })
    expect(choices).toEqual([])
  })

  it.each<[string, BakeOptionsInput, RegExp]>([
    ['no limit', { fps: 'auto' }, /--fps auto needs to know how far off frames may be/],
    ['no limit, for one clip', { anim: ['Run:fps=auto'] }, /--fps auto needs to know how far off frames may be/],
    ['a number of frames', { fps: 'auto', maxError: '1%', frames: 5 }, /--fps auto cannot stand together with --frames/],
    ['a number of frames, for one clip', { anim: ['Run:fps=auto,frames=5'], maxError: '1%' }, /--fps auto cannot stand together with --frames/],
    ['a range in frames', { fps: 'auto', maxError: '1%', frameRange: '0:5' }, /--frame-range counts frames of --fps, which auto leaves open/],
    ['a limit that no rate holds', { fps: 'auto', maxError: '0.01%', encoding: 'rgba8' }, /"Run" does not stay within 0\.01% .* up to 240 fps in rgba8\. Allow more/],
  ])('is refused with %s', async (_, options, sentence) => {
    await expect(bake(fox, { anim: ['Run'], ...options })).rejects.toThrow(sentence)
  })
})

describe('--encoding auto', () => {
  const cheaper = { rgba8: null, rgba16: 'rgba8', exr16: 'rgba16', exr: 'exr16' } as const

  it.each([
    [fox, 'Run', '1%', 'rgba8', {}],
    [fox, 'Run', '0.1%', 'rgba16', {}],
    [robot, 'Dance', '0.01%', 'rgba16', { normals: 'packed' }],
    [fox, 'Run', '0.0001%', 'exr', {}],
    [fox, 'Run', '0.5%', 'rgba8', { content: 'offset' }],
    [fox, 'Run', '1%', 'rgba16', { normals: 'packed' }],
  ] as [string, string, string, keyof typeof cheaper, BakeOptionsInput][])('of %s, clip %s, within %s is %s with %o', async (model, clip, maxError, expected, options) => {
    const { sidecar, withinLimit, choices } = await bake(model, { ...options, anim: [clip], encoding: 'auto', maxError })
    expect({ encoding: sidecar.encoding, withinLimit }).toEqual({ encoding: expected, withinLimit: true })
    expect(choices).toMatchObject([{ option: 'encoding', value: expected }])
    const next = cheaper[expected]
    if (next === null || options.normals === 'packed') return
    expect((await bake(model, { ...options, anim: [clip], encoding: next, maxError })).withinLimit).toBe(false)
    expect(choices[0].why).toContain(`${next} would not`)
  })

  it('together with --fps auto holds the limit between samples, too', async () => {
    const { sidecar, withinLimit, choices } = await bake(robot, { anim: ['Sitting'], encoding: 'auto', fps: 'auto', maxError: '0.2%' })
    expect(withinLimit).toBe(true)
    expect(sidecar.report.position.betweenSamples.maxPercent).toBeLessThanOrEqual(0.2)
    expect(choices.map(({ option }) => option)).toEqual(['fps', 'encoding'])
  })

  it('works for a pose', async () => {
    expect((await bake(fox, { anim: ['Run'], start: 0.5, end: 0.5, encoding: 'auto', maxError: '1%' })).sidecar.encoding).toBe('rgba8')
  })

  it('needs a limit', async () => {
    await expect(bake(fox, { anim: ['Run'], encoding: 'auto' })).rejects.toThrow(/--encoding auto needs to know how far off vertices may be/)
  })

  it('is told by a plan, too', async () => {
    const plan = await run(planBake(fox, bakeOptions.parse({ anim: ['Run'], encoding: 'auto', maxError: '0.1%' })))
    expect(plan).toMatchObject({ encoding: 'rgba16', choices: [{ option: 'encoding', value: 'rgba16', why: 'rgba16 stays within 0.1%, and rgba8 would not.' }] })
  })
})
