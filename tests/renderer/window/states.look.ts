import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeApi } from '../fake-api.ts'
import { serveWindow, type WindowServer } from './serve.ts'

const AXE = resolve(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js')
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
]

let server: WindowServer

beforeAll(async () => {
  server = await serveWindow()
})
afterAll(async () => {
  await server.close()
})

/** Every clip was looked at, so that the estimates stand. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => /\d mm/.test(document.querySelector('.consequences')?.textContent?.replaceAll('\u00a0', ' ') ?? ''))
  await page.waitForTimeout(1500)
}

const job = (page: Page, event: Parameters<FakeApi['fire']['job']>[0]) => page.evaluate((fired) => window.fake.fire.job(fired), event)

/** How each state of the design is reached. */
const states: Record<string, { query: Record<string, string>; act?(page: Page): Promise<void> }> = {
  start: { query: { recents: '1' }, act: (page) => page.waitForSelector('.card').then(() => {}) },
  open: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await page.click('.clips .name >> text=Run')
      await settled(page)
    },
  },
  problem: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await settled(page)
      await page.click('.check:has-text("Auto") input')
      await page.waitForSelector('.problem')
    },
  },
  baking: {
    query: { first: 'RobotExpressive.glb', bakes: 'hold' },
    async act(page) {
      await settled(page)
      for (const clip of ['Idle', 'Wave']) await page.click(`input[aria-label="Bake ${clip}"]`)
      await page.keyboard.press('Control+b')
      for (const clip of ['Dance', 'Idle']) {
        await page.click(`input[aria-label="Bake ${clip}"]`)
        await page.keyboard.press('Control+b')
      }
      const total = 4 * 256 * 7214
      await job(page, { type: 'accepted', job: '1' })
      for (const share of [0.26, 0.32, 0.38, 0.41]) {
        await job(page, { type: 'progress', job: '1', progress: { stage: 'encoding', done: share * total, total } })
        await page.waitForTimeout(300)
      }
    },
  },
  result: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await page.click('.clips .name >> text=Run')
      await settled(page)
      await page.click('button[aria-label="Normals"]')
      await page.click('[role="option"] >> text=Octahedral')
      await page.keyboard.press('Control+b')
      await page.waitForSelector('.plot canvas')
      await page.click('.worst button')
      await page.waitForTimeout(2500)
    },
  },
  'several clips': {
    query: { first: 'Fox.glb' },
    async act(page) {
      await page.click('input[aria-label="Bake all clips"]')
      await settled(page)
      await page.keyboard.press('Control+b')
      await page.waitForSelector('.plot canvas')
      await page.click('.table button >> text=Run')
      await page.waitForTimeout(1500)
      // Choosing a clip in the report keeps the report in sight.
      expect(await page.locator('.table').evaluate((table) => table.getBoundingClientRect().top < window.innerHeight / 2)).toBe(true)
    },
  },
  crowd: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await settled(page)
      await page.keyboard.press('Control+b')
      await page.waitForSelector('.plot canvas')
      await page.keyboard.press('6')
      await page.waitForTimeout(4000)
    },
  },
  encodings: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await settled(page)
      await page.click('button[aria-label="Encoding"]')
      await page.waitForSelector('[role="option"]')
    },
  },
  error: {
    query: {},
    async act(page) {
      await page.evaluate(() => {
        const path = '/home/mira/Downloads/Dragon_boss.glb'
        window.fake.fire.open({ token: 'refused', kind: 'model', name: 'Dragon_boss.glb', path })
      })
      await page.waitForSelector('[role="alert"]')
    },
  },
  settings: { query: { first: 'Fox.glb' }, act: (page) => page.keyboard.press('Control+,') },
  palette: {
    query: { first: 'Fox.glb' },
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('ba')
      await page.waitForSelector('.palette [role="option"]')
    },
  },
  inspector: {
    query: { first: 'RobotExpressive.glb' },
    async act(page) {
      for (const title of ['Animations', 'Model', 'Meshes', 'Materials']) await page.click(`.section h2 button:has-text("${title}")`)
    },
  },
}

/** What axe finds that makes a part unusable for somebody, colours too. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE })
  // An open list has the keyboard to itself: what lies behind it is out of reach, which axe cannot see.
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document.querySelector('[role="listbox"].menu') ?? document)`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary ?? ''}`).join(' | ')}`)
}

describe.each(['dark', 'light'])('%s', (theme) => {
  describe.each(SIZES)('$width × $height', (size) => {
    it.each(Object.entries(states))('%s', async (name, { query, act }) => {
      const page = await server.open({ ...query, theme }, size)
      await act?.(page)
      if (process.env.SCREENSHOTS) {
        await mkdir(process.env.SCREENSHOTS, { recursive: true })
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${theme}-${size.width}.png`) })
      }
      // Nothing is cut off and nothing scrolls sideways.
      const shown = await page.evaluate(() =>
        [document.documentElement, document.querySelector('.window')!].map(({ scrollWidth, scrollHeight }) => ({ width: scrollWidth, height: scrollHeight })),
      )
      expect(shown).toEqual([size, size])
      expect(await seriousFaults(page)).toEqual([])
      await page.close()
    })
  })
})

it('no page complained', () => {
  // The favicon that every browser asks for is not there.
  expect(server.faults.filter((fault) => !fault.includes('404'))).toEqual([])
})
