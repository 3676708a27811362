import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { electronProgram } from './electron-program.ts'
import { describeProgram, launch, type Program } from './launch.ts'

let program: Program

const titleOf = ({ app }: Program) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getTitle())
const boundsOf = ({ app }: Program) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getBounds())

/** A model outside of the program's own folder. */
function ownModel(name: string): string {
  const file = join(program.folder, name)
  cpSync(resolve('resources/samples/SimpleSkin.gltf'), file)
  return file
}

describeProgram('a window', () => {
  afterEach(() => program.end())

  test('opens with the first sample, and without an error', async () => {
    program = await launch({ opensWith: 'sample' })
    const { page, errors } = program
    await expect.poll(() => titleOf(program), { timeout: 20_000 }).toBe('Fox.glb – VAT Studio')
    expect(page.url()).toBe('app://bundle/index.html')
    // Time to draw it, and to measure its first clip.
    await page.waitForTimeout(3000)
    expect(errors).toEqual([])
    expect(await page.evaluate(() => window.vatStudio.recents.list())).toEqual([])
  })

  test('opens with the file that the program was started with', async () => {
    program = await launch({ words: ['resources/samples/SimpleSkin.gltf'] })
    await expect.poll(() => titleOf(program), { timeout: 20_000 }).toBe('SimpleSkin.gltf – VAT Studio')
  })

  test('remembers its place, its settings and its theme', async () => {
    const memory = mkdtempSync(join(tmpdir(), 'vat-e2e-memory-'))
    program = await launch({ memory })
    const drawnLight = () => program.page.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches)
    await program.page.evaluate(() => window.vatStudio.settings.set({ theme: 'light', interface: { 'test.width': 420 } }))
    await expect.poll(drawnLight).toBe(true)
    await program.choose('theme.dark')
    await expect.poll(drawnLight).toBe(false)
    await program.choose('theme.light')
    const place = { x: 40, y: 30, width: 1100, height: 700 }
    await program.app.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[0].setBounds(place), place)
    await expect.poll(() => boundsOf(program)).toEqual(place)
    const closed = program.app.waitForEvent('close')
    await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].close())
    await closed
    await program.end()

    program = await launch({ memory })
    expect(await program.page.evaluate(() => window.vatStudio.settings.get())).toMatchObject({ theme: 'light', interface: { 'test.width': 420 } })
    expect(await drawnLight()).toBe(true)
    expect(await boundsOf(program)).toEqual(place)
    rmSync(memory, { recursive: true })
  })
})

describeProgram('the program', () => {
  beforeAll(async () => {
    program = await launch()
  })
  afterAll(() => program.end())

  test('says what it is, and knows its samples', async () => {
    const { page } = program
    expect(await page.evaluate(() => window.vatStudio.app.info())).toMatchObject({ name: 'VAT Studio', version: '0.1.0' })
    const samples = await page.evaluate(() => window.vatStudio.models.samples())
    expect(samples.map(({ name }) => name)).toEqual(['Fox.glb', 'RobotExpressive.glb', 'AnimatedMorphCube.glb', 'SimpleSkin.gltf'])
    expect(samples.every(({ path }) => existsSync(path))).toBe(true)
    await program.answerQuestions('Close')
    await program.choose('help.about')
    await expect.poll(() => program.questions()).toEqual(['VAT Studio 0.1.0'])
  })

  test('has every entry in its menu', async () => {
    const ids = await program.app.evaluate(({ Menu }) => {
      const idsOf = (items: Electron.MenuItem[]): string[] => items.flatMap(({ id, submenu }) => [id, ...idsOf(submenu?.items ?? [])])
      return idsOf(Menu.getApplicationMenu()!.items)
    })
    const modes = ['original', 'vat', 'sideBySide', 'overlay', 'split', 'crowd'].map((mode) => `mode.${mode}`)
    const wanted = ['file.open', 'file.recent', 'file.recent.clear', 'file.export', 'file.close', 'edit.palette', 'edit.settings', ...modes]
    wanted.push('theme.system', 'theme.light', 'theme.dark', 'bake.start', 'bake.cancel', 'help.format', 'help.about')
    expect(ids).toEqual(expect.arrayContaining(wanted))
  })

  test('opens a model through the menu, lists it, and opens it again', async () => {
    const { app, page, choose } = program
    await expect(choose('file.close')).rejects.toThrow('disabled')
    await program.answerOpenDialog(null)
    await choose('file.open')
    const file = ownModel('Mine.gltf')
    await program.answerOpenDialog(file)
    await choose('file.open')
    await expect.poll(() => titleOf(program), { timeout: 20_000 }).toBe('Mine.gltf – VAT Studio')
    expect(await page.evaluate(() => window.vatStudio.recents.list())).toMatchObject([{ name: 'Mine.gltf', path: file, missing: false, pinned: false }])
    const enabled = (id: string) => app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id)!.enabled, id)
    await expect.poll(() => enabled('file.close')).toBe(true)
    await choose('file.close')
    await expect.poll(() => titleOf(program)).toBe('VAT Studio')
    await expect.poll(() => enabled('file.close')).toBe(false)

    expect(await app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('file.recent.1')!.label)).toBe(file)
    await choose('file.recent.1')
    await expect.poll(() => titleOf(program)).toBe('Mine.gltf – VAT Studio')
    await choose('file.recent.clear')
    expect(await page.evaluate(() => window.vatStudio.recents.list())).toEqual([])
    await expect(choose('file.recent.1')).rejects.toThrow('no menu entry')
  })

  test('ticks what the window says', async () => {
    const { app, page } = program
    const checked = (id: string) => app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id)!.checked, id)
    await page.evaluate(() => window.vatStudio.commands.setStates({ 'mode.split': { checked: true } }))
    expect([await checked('mode.split'), await checked('mode.original')]).toEqual([true, false])
    await page.evaluate(() => window.vatStudio.commands.setStates({ 'mode.original': { checked: true } }))
    expect([await checked('mode.split'), await checked('mode.original')]).toEqual([false, true])
  })

  test('opens the file that a second start of it hands over', async () => {
    const file = ownModel('Handed.gltf')
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const env = { ...process.env, VAT_STUDIO_USER_DATA: join(program.folder, 'memory') }
    // It ends by itself.
    await new Promise((done) => execFile(electronProgram()!, [...root, resolve('.'), 'open', file], { env }, done))
    await expect.poll(() => titleOf(program), { timeout: 20_000 }).toBe('Handed.gltf – VAT Studio')
  })

  test('takes a file that is dropped when it is a model, and says so in a sentence otherwise', async () => {
    const { page, folder } = program
    await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'drop' })))
    const drop = async (file: string) => {
      await page.setInputFiles('#drop', file)
      return page.evaluate(() => window.vatStudio.models.drop((document.querySelector('#drop') as HTMLInputElement).files![0]))
    }
    const model = ownModel('Dropped.gltf')
    expect(await drop(model)).toMatchObject({ kind: 'model', name: 'Dropped.gltf', path: model })
    const note = join(folder, 'note.txt')
    writeFileSync(note, 'no model')
    await expect(drop(note)).rejects.toThrow(/note\.txt is no model that VAT Studio can open\. Choose a file that ends in \.glb, \.gltf,.* or \.\w+\./)
  })

  test('shows the VAT format in a window of its own', async () => {
    const { app } = program
    const opened = app.waitForEvent('window')
    await program.choose('help.format')
    await (await opened).waitForLoadState()
    await program.choose('help.format')
    const shown = await app.evaluate(async ({ BrowserWindow, net }) => {
      const windows = BrowserWindow.getAllWindows().filter((each) => each.webContents.getURL() === 'app://docs/vat-format.md')
      return { titles: windows.map((each) => each.getTitle()), html: await (await net.fetch('app://docs/vat-format.md')).text() }
    })
    expect(shown.titles).toEqual(['The VAT format of VAT Studio, version 1'])
    expect(shown.html).toContain('<h2 id="3-the-rest-mesh">')
  })
})
