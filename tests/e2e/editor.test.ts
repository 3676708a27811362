import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeProgram, launch, type Program } from './launch.ts'

describeProgram('the editor', () => {
  let program: Program
  const statusText = () => program.page.locator('footer').innerText({ timeout: 1000 })
  const enabled = (id: string) => program.app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id)!.enabled, id)
  const processes = (name: string) =>
    program.app.evaluate(({ app }, name) => app.getAppMetrics().filter((each) => each.name === name).map(({ pid }) => pid), name)

  beforeAll(async () => {
    program = await launch()
    cpSync(resolve('resources/samples/Fox.glb'), join(program.folder, 'Fox.glb'))
    await program.answerOpenDialog(join(program.folder, 'Fox.glb'))
    await program.choose('file.open')
  })
  afterAll(() => program.end())

  test('opens a model that was chosen in the menu', async () => {
    await expect.poll(statusText, { timeout: 20_000 }).toContain('Fox.glb opened in')
    await expect.poll(() => program.page.locator('ul[aria-label="Clips"]').innerText({ timeout: 1000 }).catch(String)).toMatch(/Survey[^]*Walk[^]*Run/)
    expect(program.errors).toEqual([])
  })

  test('bakes it, verifies it, and shows the bake', async () => {
    await expect.poll(() => enabled('bake.start'), { timeout: 20_000 }).toBe(true)
    expect(await enabled('bake.reveal')).toBe(false)
    await program.choose('bake.start')
    await expect.poll(statusText, { timeout: 30_000 }).toMatch(/baked and verified, max error/)
    expect(readdirSync(join(program.folder, 'vat')).toSorted()).toEqual(['Survey.json', 'Survey_mesh.glb', 'Survey_pos.exr'])
    await expect.poll(() => enabled('bake.reveal')).toBe(true)
    await expect.poll(() => enabled('mode.vat'), { timeout: 20_000 }).toBe(true)
    await program.choose('mode.vat')
    await program.page.waitForTimeout(1000)
    expect(program.errors).toEqual([])
  })

  test('starts the preview again when its process has died', async () => {
    const [preview, ...others] = await processes('VAT Studio previews')
    expect(others).toEqual([])
    process.kill(preview, 'SIGKILL')
    await expect.poll(statusText, { timeout: 20_000 }).toMatch(/The preview stopped and was started again|Fox.glb opened in/)
    await expect.poll(async () => (await processes('VAT Studio previews'))[0] ?? preview, { timeout: 20_000 }).not.toBe(preview)
    await expect.poll(() => enabled('bake.start'), { timeout: 20_000 }).toBe(true)
    expect(program.errors).toEqual([])
  })

  test('comes back when its page has died', async () => {
    // Playwright gives a page up that has died, so the main process is asked.
    const drawn = await program.app.evaluate(async ({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]
      const loaded = new Promise<void>((done) => webContents.once('did-finish-load', () => done()))
      webContents.forcefullyCrashRenderer()
      await loaded
      return webContents.executeJavaScript('document.querySelector("#app") !== null && "vatStudio" in window') as Promise<boolean>
    })
    expect(drawn).toBe(true)
  })
})
