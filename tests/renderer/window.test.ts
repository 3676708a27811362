// @vitest-environment happy-dom
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type App, nextTick } from 'vue'
import { startWindow } from '../../renderer/start.ts'
import { useBakeStore } from '../../renderer/stores/bake.ts'
import { useJobsStore } from '../../renderer/stores/jobs.ts'
import { useModelStore } from '../../renderer/stores/model.ts'
import { useResultStore } from '../../renderer/stores/result.ts'
import { useViewStore } from '../../renderer/stores/view.ts'
import type { FakeApi, FakeOptions } from './fake-api.ts'
import { SAMPLES, sample } from './fake-api.ts'
import { createTestApi, fillBrowser } from './open-window.ts'

vi.mock('../../renderer/viewport/Viewport.vue', async () => (await import('./open-window.ts')).viewportStandIn)

const [FOX, ROBOT] = SAMPLES
let app: App | null = null
let api: FakeApi

async function open(options: FakeOptions = {}): Promise<void> {
  document.body.innerHTML = '<div id="app"></div>'
  // As index.html has them.
  document.title = 'VAT Studio'
  document.documentElement.lang = 'en'
  api = createTestApi(options)
  window.vatStudio = api
  app = await startWindow(document.querySelector('#app')!)
}

beforeEach(fillBrowser)
afterEach(() => {
  app?.unmount()
  app = null
})

const text = (selector: string) => document.querySelector(selector)?.textContent?.replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim() ?? ''
const button = (label: string) => [...document.querySelectorAll('button')].find((found) => (found.getAttribute('aria-label') ?? found.textContent)?.trim().startsWith(label))!
const press = (key: string, more: KeyboardEventInit = {}) => window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

/** Faults that axe finds and that make a part unusable for somebody. Colours need a real browser. */
async function seriousFaults(part: Element | Document = document): Promise<string[]> {
  const { violations } = await axe.run(part as Element, { rules: { 'color-contrast': { enabled: false } } })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

describe('the window', () => {
  it('shows a model with its clips, and what the bake of the one that plays comes to', async () => {
    await open({ first: FOX })
    expect(text('.topbar h1')).toBe('Fox.glb')
    expect([...document.querySelectorAll('.clips li .name')].map((name) => name.textContent?.trim())).toEqual(['Survey', 'Walk', 'Run'])
    button('Play Run').click()
    await vi.waitFor(() => expect(text('.consequences')).toContain('mm'), 5000)
    expect(text('.consequences')).toContain('1,728 × 35 px')
    expect(text('.consequences')).toMatch(/Expected error≈ 2\d(\.\d)? mm/)
    expect(text('.pinned .act')).toContain('Bake')
    expect(api.asked.some(([name, token]) => name === 'models.opened' && token === FOX.token)).toBe(true)
  })

  it('follows a change of the options at once', async () => {
    await open({ first: FOX })
    const bake = useBakeStore()
    bake.set('fps', 60)
    bake.set('encoding', 'exr')
    bake.set('normals', 'octahedral')
    const begin = performance.now()
    expect(bake.consequences[0].frameCount).toBe(205)
    expect(performance.now() - begin).toBeLessThan(100)
    await Promise.resolve()
    expect(text('.consequences')).toContain('1,728 × 205 px')
    expect(text('.consequences')).toContain('11.3 MB')
  })

  it('marks a problem, keeps the bake back, and mends it with one click', async () => {
    await open({ first: FOX })
    useBakeStore().set('fps', 'auto')
    await Promise.resolve()
    expect(text('.problem')).toContain('Frame rate Auto needs to know how far off frames may be')
    expect(text('.pinned .act')).toContain('Fix 1 problem to bake')
    expect(button('Bake Ctrl B').getAttribute('aria-disabled')).toBe('true')
    button('Bake Ctrl B').click()
    expect(api.asked.some(([name]) => name === 'jobs.submit')).toBe(false)
    button('Use Error limit 0.1%').click()
    await Promise.resolve()
    expect(document.querySelector('.problem')).toBeNull()
    button('Bake Ctrl B').click()
    await Promise.resolve()
    expect(api.asked.some(([name]) => name === 'jobs.submit')).toBe(true)
  })

  it('keeps the bake back while a field holds what cannot be taken, and forgets it with the model', async () => {
    await open({ first: FOX })
    const bake = useBakeStore()
    const field = () => document.querySelector<HTMLInputElement>('input[aria-label^="Frame rate"]')!
    const type = async (typed: string) => {
      field().value = typed
      field().dispatchEvent(new Event('input', { bubbles: true }))
      field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      await nextTick()
    }
    for (const [typed, sentence] of [['abc', 'Type a number'], ['0', 'Above 0'], ['100000', 'at most']]) {
      await type(typed)
      expect(text('.field .bad')).toContain(sentence)
      expect(text('.pinned .act')).toContain('Fix 1 problem to bake')
      expect(button('Bake Ctrl B').getAttribute('aria-disabled')).toBe('true')
    }
    await type('24')
    expect([bake.obstacle, bake.options.fps]).toEqual([null, 24])

    await type('abc')
    await useModelStore().open(ROBOT)
    await vi.waitFor(() => expect(bake.obstacle).toBeNull())
    expect(field().value).toBe('24')
    expect(document.querySelector('.field .bad')).toBeNull()
  })

  const submitted = () =>
    api.asked.filter(([name]) => name === 'jobs.submit').map(([, job]) => (job as { options: { anim: string[]; all: boolean } }).options)
  const copiedLines = () => (api.asked.findLast(([name]) => name === 'clipboard.writeText')![1] as string).split('\n')

  it('bakes all ticked clips into the same textures, and copies the command', async () => {
    await open({ first: FOX })
    const bake = useBakeStore()
    expect(document.querySelector('[aria-label="Textures"]')).toBeNull()
    bake.tickAll(true)
    await Promise.resolve()
    expect(text('.pinned .act')).toContain('Bake 3 clips')
    expect(text('.consequences')).toContain('1,728 × 159 px')
    api.fire.command('bake.copyCommand')
    await vi.waitFor(() => expect(text('.status')).toContain('Command copied'))
    expect(copiedLines()).toEqual([`npx vat-studio bake ${FOX.path} --all -o /home/mira/Projects/meadow/vat`])
    api.fire.command('bake.start')
    bake.tick(0, false)
    api.fire.command('bake.start')
    await Promise.resolve()
    expect(submitted().map(({ anim, all }) => [anim, all])).toEqual([[[], true], [['Walk', 'Run'], false]])
    api.fire.job({ type: 'accepted', job: '2' })
    await vi.waitFor(() => expect(text('.pinned .queue')).toContain('Fox'))
    expect(text('.pinned .queue')).toContain('EXR half, 3 clips, 159 frames')
    expect(text('.running')).toContain('Baking Fox')
  })

  it('bakes every ticked clip by itself where that is chosen, and copies the commands', async () => {
    await open({ first: FOX })
    useBakeStore().tickAll(true)
    await Promise.resolve()
    document.querySelector<HTMLElement>('[aria-label="Textures"] [aria-label="One each"]')!.click()
    await Promise.resolve()
    expect(text('.consequences')).toContain('Largest texture1,728 × 103 px')
    api.fire.command('bake.copyCommand')
    await vi.waitFor(() => expect(text('.status')).toContain('Commands copied'))
    expect(copiedLines()).toEqual(
      ['Survey', 'Walk', 'Run'].map((clip) => `npx vat-studio bake ${FOX.path} --anim ${clip} -o /home/mira/Projects/meadow/vat`),
    )
    api.fire.command('bake.start')
    await Promise.resolve()
    expect(submitted().map(({ anim }) => anim)).toEqual([['Survey'], ['Walk'], ['Run']])
  })

  it('asks the worker whether a piece of a clip loops', async () => {
    await open({ first: FOX })
    const bake = useBakeStore()
    bake.set('end', 1)
    expect(bake.consequences[0].frameCount).toBe(31)
    await vi.waitFor(() => expect(api.asked.some(([name, job]) => name === 'jobs.submit' && (job as { kind: string }).kind === 'plan')).toBe(true))
    await Promise.resolve()
    const clip = { name: 'Survey', start: 0, duration: 1, frameCount: 30, fps: 30, loop: true, seam: 0 }
    api.fire.job({ type: 'finished', job: '1', result: { clips: [clip] } as never })
    await vi.waitFor(() => expect(bake.consequences[0].frameCount).toBe(30))
  })

  it('shows progress and cancels', async () => {
    await open({ first: FOX })
    api.fire.command('bake.start')
    await Promise.resolve()
    api.fire.job({ type: 'accepted', job: '1' })
    api.fire.job({ type: 'progress', job: '1', progress: { stage: 'encoding', done: 54, total: 100 } })
    await Promise.resolve()
    expect(document.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow')).toBe('54')
    expect(text('.status')).toContain('Baking Survey of Fox: encoding, 54 %')
    expect(text('.topbar')).toContain('1 bake')
    expect(await seriousFaults()).toEqual([])
    api.fire.command('bake.cancel')
    await Promise.resolve()
    expect(text('.running')).toContain('Cancelling…')
    await vi.waitFor(() => expect(text('.queue')).toContain('Cancelled. The old output is untouched.'))
  })

  it('folds many finished bakes away, but for those that went wrong', async () => {
    await open({ first: FOX })
    const jobs = useJobsStore()
    for (let at = 0; at < 5; at++) {
      api.fire.command('bake.start')
      await nextTick()
    }
    for (let job = 1; job <= 5; job++) {
      api.fire.job({ type: 'accepted', job: String(job) })
      const message = 'Too much, or allow more with --limit file-size=9.'
      api.fire.job(job === 2 ? { type: 'failed', job: '2', kind: 'limit', message } : { type: 'cancelled', job: String(job) })
    }
    await vi.waitFor(() => expect(jobs.over).toHaveLength(5))
    await nextTick()
    const rows = () => [...document.querySelectorAll('.queue li .small')].map((row) => row.textContent)
    expect(rows()).toEqual(['Too much, or allow more with “Size limits” file-size=9.'])
    button('5 finished').click()
    await nextTick()
    expect(rows()).toHaveLength(5)
  })

  it('says what is wrong with a file that cannot be opened, and keeps the model that is open', async () => {
    await open({ first: FOX })
    api.fire.open(sample('Dragon_boss.glb'))
    await vi.waitFor(() => expect(text('.banner.is-bad')).toContain('Fox.glb is still open.'), 5000)
    expect(text('.status')).toContain('Dragon_boss.glb could not be opened')
    button('Dismiss').click()
    await Promise.resolve()
    expect(document.querySelector('.banner.is-bad')).toBeNull()
    expect(useModelStore().grant?.name).toBe('Fox.glb')
  })

  it('goes on with the same clip when the preview was lost', async () => {
    await open({ first: FOX })
    const model = useModelStore()
    model.chooseClip(2)
    const { handle } = model.model!
    api.fire.previewLost()
    await vi.waitFor(() => expect(model.model!.handle).not.toBe(handle), 5000)
    expect(model.clip).toBe(2)
    expect(text('.status')).toContain('Fox.glb opened')
  })

  it('says so in the middle where nothing is open', async () => {
    await open({ first: null })
    expect(useViewStore().place).toBe('start')
    api.fire.open(sample('Dragon_boss.glb'))
    await vi.waitFor(() => expect(document.querySelector('.message[role="alert"]')).not.toBeNull(), 5000)
    expect(text('.pinned')).toContain('Open a model to bake')
    expect(await seriousFaults()).toEqual([])
  })

  it('obeys the keyboard, but not while a field has the focus', async () => {
    await open({ first: FOX })
    const view = useViewStore()
    const model = useModelStore()
    press('g')
    expect(view.overlays.grid).toBe(false)
    const playing = model.playing
    press(' ')
    expect(model.playing).toBe(!playing)
    press('.')
    expect(model.time).toBeGreaterThan(0)
    press('Home')
    expect(model.time).toBe(0)
    document.querySelector<HTMLInputElement>('input[aria-label="Frame rate"]')!.focus()
    press('g')
    expect(view.overlays.grid).toBe(false)
  })

  it('tells the menu what can be used and what is ticked', async () => {
    await open({ first: FOX })
    const states = () => api.asked.filter(([name]) => name === 'commands.setStates').at(-1)![1] as Record<string, { enabled: boolean; checked?: boolean }>
    await vi.waitFor(() => expect(states()['bake.start'].enabled).toBe(true))
    expect(states()['mode.vat'].enabled).toBe(false)
    expect(states()['view.grid']).toEqual({ enabled: true, checked: true })
    api.fire.command('file.close')
    await vi.waitFor(() => expect(states()['bake.start'].enabled).toBe(false))
    expect(useViewStore().place).toBe('start')
  })

  it('says why the error map cannot be shown', async () => {
    await open({ first: FOX })
    const view = useViewStore()
    const result = useResultStore()
    view.palette = true
    const hint = async () => {
      await nextTick()
      return [...document.querySelectorAll('.palette [role="option"]')].find((option) => option.textContent.includes('Error map'))?.querySelector('.hint')?.textContent
    }
    await vi.waitFor(async () => expect(await hint()).toBe('Bake first'))
    const clip = { index: 0, name: 'Survey' }
    result.files = { textures: [], sidecar: { clips: [{ ...clip, blend: { seconds: 0.2, seamBefore: 1 } }], textures: [] } } as never
    expect(await hint()).toBe('Not where root motion is taken out or the end is bent: the report has its errors')
    result.files = { textures: [], sidecar: { clips: [clip], textures: [] } } as never
    view.mode = 'overlay'
    view.errorMap = true
    expect(await hint()).toMatch(/^Not in the overlay/)
    expect([button('Error map').disabled, document.querySelector('.legend, .legend-exact')]).toEqual([true, null])
    view.mode = 'crowd'
    expect(await hint()).toBe('Not in a crowd')
    view.mode = 'vat'
    expect(await hint()).toBeUndefined()
  })

  it('remembers what was open and shown', async () => {
    await open({ first: FOX, settings: { interface: { 'section.model': true, 'section.bake': false, 'overlay.skeleton': true, inspectorWidth: 9999, shading: 'nonsense' } } })
    const view = useViewStore()
    expect(view.sections).toMatchObject({ model: true, bake: false })
    expect(view.overlays.skeleton).toBe(true)
    expect(view.inspectorWidth).toBe(560)
    expect(view.shading).toBe('lit')
    view.toggleSection('meshes')
    await vi.waitFor(async () => expect((await api.settings.get()).interface['section.meshes']).toBe(true))
  })

  it.each([
    ['start', { first: null, recents: [{ ...FOX, openedAt: 0, pinned: true, missing: false }, { ...ROBOT, openedAt: 0, pinned: false, missing: true }] }],
    ['a model, every section open', { first: ROBOT, settings: { interface: Object.fromEntries(['model', 'meshes', 'materials', 'layout', 'output', 'report'].map((name) => [`section.${name}`, true])) } }],
  ] satisfies [string, FakeOptions][])('has no serious fault that axe finds: %s', async (_name, options) => {
    await open(options)
    expect(await seriousFaults()).toEqual([])
  })

  it('has none in settings, the palette and the list of keys', async () => {
    await open({ first: FOX })
    const view = useViewStore()
    view.place = 'settings'
    await Promise.resolve()
    expect(await seriousFaults()).toEqual([])
    view.place = 'editor'
    view.palette = true
    await vi.waitFor(() => expect(document.querySelector('.palette')).not.toBeNull())
    // What lies behind cannot be reached meanwhile.
    expect(await seriousFaults(document.querySelector('.palette')!)).toEqual([])
    view.palette = false
    view.keysShown = true
    await vi.waitFor(() => expect(text('.keys')).toContain('Ctrl Shift C'))
    expect(await seriousFaults(document.querySelector('.keys')!)).toEqual([])
  })
})
