import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeProgram, launch, type Program } from './launch.ts'
import { bake, chooseClip, chooseOption, isEnabled, openModel, openSample, pressBake, setNumber } from './steps.ts'

const FOLDER = process.env.SCREENSHOTS ?? 'screenshots'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
]

let program: Program

const press = (keys: string) => program.page.keyboard.press(keys)
const consequences = () => program.page.locator('.consequences').innerText({ timeout: 1000 }).catch(String)
/** Every clip that is ticked was looked at. */
const estimated = () => expect.poll(consequences, { timeout: 30_000 }).toMatch(/\d\s?mm/)
const openFox = async () => {
  await openSample(program, 'Fox.glb')
  await estimated()
}

/** A fox whose names are as long as names can be. */
async function writeLongNames(): Promise<string> {
  const long = 'Locomotion_of_the_hero_in_the_second_act_final_FINAL_v2_retargeted'
  const document = await new NodeIO().read(resolve('resources/samples/Fox.glb'))
  const root = document.getRoot()
  root.listAnimations().forEach((animation, index) => animation.setName(`${long}_${index}`))
  root.listMaterials().forEach((material) => material.setName(`Material_of_${long}`))
  root.listNodes().forEach((node) => node.getMesh() && node.setName(`Mesh_of_${long}`))
  const folder = join(program.folder, 'a/rather/deep/folder/of/a/project/with/a/long/name')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${long}.glb`)
  await new NodeIO().write(file, document)
  return file
}

/** How each state is reached. What was open in the one before stays, so their order counts. */
const STATES: Record<string, () => Promise<void>> = {
  async start() {
    await expect.poll(() => program.page.locator('.sample-card').count()).toBeGreaterThan(0)
  },
  async 'error-empty'() {
    const file = join(program.folder, 'Dragon_boss.glb')
    writeFileSync(file, 'no model')
    await program.answerOpenDialog(file)
    await program.choose('file.open')
    await program.page.locator('[role="alert"]').waitFor()
  },
  async open() {
    await openFox()
    await chooseClip(program, 'Run')
    await estimated()
  },
  async problem() {
    await program.page.locator('.check:has-text("Auto") input').click()
    await program.page.locator('.problem').waitFor()
  },
  async encodings() {
    await program.page.getByRole('button', { name: 'Use Frame rate' }).click()
    await program.page.getByRole('combobox', { name: 'Encoding', exact: true }).click()
    await program.page.getByRole('option').first().waitFor()
  },
  async result() {
    await press('Escape')
    await chooseOption(program, 'Normals', 'Octahedral')
    await bake(program, 'Run of Fox')
    await program.page.locator('.plot canvas').waitFor()
    await program.page.locator('.worst button').click()
  },
  async 'several-clips'() {
    await program.page.getByRole('checkbox', { name: 'Bake all clips' }).click()
    await estimated()
  },
  async 'several-result'() {
    await bake(program, 'Fox')
    await program.page.locator('tfoot').waitFor()
    await program.page.locator('#report').evaluate((report) => report.scrollIntoView())
  },
  async crowd() {
    await press('6')
  },
  async baking() {
    await openSample(program, 'RobotExpressive.glb')
    await chooseClip(program, 'Wave')
    await setNumber(program, 'Frame count', 3000)
    await pressBake(program)
    const step = program.page.locator('[aria-current="step"]')
    await expect.poll(() => step.innerText({ timeout: 500 }).catch(String), { timeout: 30_000 }).toBe('Encoding')
    for (const clip of ['Idle', 'Walking']) {
      await chooseClip(program, clip)
      await expect.poll(() => isEnabled(program, 'bake.start')).toBe(true)
      await program.choose('bake.start')
    }
  },
  async cancelled() {
    for (let job = 0; job < 3; job++) await program.choose('bake.cancel').catch(() => {})
    await expect.poll(() => program.page.locator('.queue').innerText({ timeout: 500 }).catch(String), { timeout: 20_000 }).toContain('Cancelled')
  },
  async sections() {
    for (const title of ['Animations', 'Model', 'Meshes', 'Materials']) await program.page.locator(`.section h2 button:has-text("${title}")`).click()
  },
  async 'error-banner'() {
    await program.answerOpenDialog(join(program.folder, 'Dragon_boss.glb'))
    for (const title of ['Materials', 'Meshes', 'Model', 'Animations']) await program.page.locator(`.section h2 button:has-text("${title}")`).click()
    await program.choose('file.open')
    await program.page.locator('.over-viewport[role="alert"]').waitFor()
  },
  async 'long-names'() {
    const file = await writeLongNames()
    await openModel(program, file, file.split('/').at(-1)!)
    await estimated()
    await bake(program, 'retargeted')
    await program.page.locator('.plot canvas').waitFor()
  },
  async palette() {
    await program.choose('edit.palette')
    await program.page.locator('.palette input').fill('ba')
  },
  async keys() {
    await press('Escape')
    await program.choose('help.keys')
  },
  async settings() {
    await press('Escape')
    await program.choose('edit.settings')
  },
  async recents() {
    await program.choose('file.close')
    await program.page.locator('.card').first().waitFor()
  },
}

describeProgram.each(['dark', 'light'])('%s', (theme) => {
  describe.each(SIZES)('$width × $height', ({ width, height }) => {
    beforeAll(async () => {
      mkdirSync(FOLDER, { recursive: true })
      program = await launch()
      await program.choose(`theme.${theme}`)
      await program.app.evaluate(({ BrowserWindow }, [width, height]) => {
        BrowserWindow.getAllWindows()[0].setContentSize(width, height)
      }, [width, height])
    })
    afterAll(() => program.end())

    test.each(Object.entries(STATES))('%s', async (name, reach) => {
      try {
        await reach()
        await program.page.waitForTimeout(1500)
      } finally {
        await program.page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`) })
      }
    })
  })
})
