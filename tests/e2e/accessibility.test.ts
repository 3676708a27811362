import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeProgram, launch, type Program } from './launch.ts'
import { bake, chooseOption, openSample } from './steps.ts'

const AXE = readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8')

describeProgram('what makes a part unusable for somebody is nowhere to be found', () => {
  let program: Program
  beforeAll(async () => {
    program = await launch()
    // As a debugger does it: no script of the page may come from anywhere but the program.
    await program.page.evaluate(AXE)
  })
  afterAll(() => program.end())

  /** Serious and critical faults, colours and contrasts among them. */
  async function faults(): Promise<string[]> {
    // Colours fade from one theme to the other.
    await program.page.waitForTimeout(400)
    const { violations } = await program.page.evaluate<AxeResults>('axe.run(document)')
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`).join(' | ')}`)
  }

  const inBothThemes = (check: () => Promise<void>) => {
    for (const theme of ['dark', 'light'] as const) {
      test(`in the ${theme} theme`, async () => {
        await program.choose(`theme.${theme}`)
        await expect.poll(() => program.page.locator('html').getAttribute('data-theme')).toBe(theme)
        await check()
      }, 60_000)
    }
  }

  /** Every part that opens is open. */
  async function openSections(): Promise<void> {
    const closed = program.page.locator(':is(h2, h3, h4) > button[aria-expanded="false"]:first-child:not(:disabled)')
    while ((await closed.count()) > 0) await closed.first().click()
  }

  describe('on the start page', () => {
    inBothThemes(async () => {
      await expect.poll(() => program.page.locator('.start .sample-card').count()).toBe(4)
      expect(await faults()).toEqual([])
    })
  })

  describe('with a model open, and every section', () => {
    test('which is opened', async () => {
      await openSample(program, 'RobotExpressive.glb')
      await openSections()
    })
    inBothThemes(async () => {
      expect(await program.page.locator('.subsection .field').count()).toBeGreaterThan(12)
      expect(await faults()).toEqual([])
    })
  })

  describe('with the report of a bake', () => {
    test('which is made', async () => {
      await chooseOption(program, 'Normals', 'Vector')
      await bake(program, 'Dance of RobotExpressive')
      await program.page.locator('.plot canvas').waitFor()
      await openSections()
    })
    inBothThemes(async () => {
      expect(await program.page.locator('.report .table tbody tr').count()).toBe(1)
      expect(await program.page.locator('.report .texture').count()).toBe(2)
      expect(await faults()).toEqual([])
    })
  })

  describe('in the settings', () => {
    test('which are shown', () => program.choose('edit.settings'))
    inBothThemes(async () => expect(await faults()).toEqual([]))
  })
})
