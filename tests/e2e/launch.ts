import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { describe } from 'vitest'
import type { Settings, VatStudioApi } from '../../preload/api.ts'
import type { CommandId } from '../../preload/commands.ts'
import { electronProgram } from './electron-program.ts'

declare global {
  interface Window {
    vatStudio: VatStudioApi
  }
}

/** Tests that need the real program. */
export const describeProgram = describe.skipIf(electronProgram() === null)

/** A program that runs, with a memory of its own. */
export interface Program {
  app: ElectronApplication
  page: Page
  /** What went wrong so far: errors on the console of a page, and exceptions. */
  errors: string[]
  /** A folder for the test's files. */
  folder: string
  /** Chooses an entry of the menu bar. */
  choose(id: CommandId | (string & {})): Promise<void>
  /** What the next system dialogs for opening answer: one path, or none for a person who changes their mind. */
  answerOpenDialog(path: string | null): Promise<void>
  /** The button that the next questions are answered with. What was asked is in `questions`. */
  answerQuestions(button: string): Promise<void>
  questions(): Promise<string[]>
  /** Ends the program without a question, and removes its files. */
  end(): Promise<void>
}

interface LaunchOptions {
  /** Further words of the command line. */
  words?: string[]
  /** Where the program keeps what it remembers; a new folder where none is given. */
  memory?: string
  /** What a new memory says of the first model. Opening none is faster, since nothing has to be drawn. */
  opensWith?: Settings['opensWith']
}

interface Stubs {
  questions: string[]
}

export async function launch({ words = [], memory, opensWith = 'start' }: LaunchOptions = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'vat-e2e-'))
  if (memory === undefined) {
    memory = join(folder, 'memory')
    mkdirSync(memory)
    writeFileSync(join(memory, 'settings.json'), JSON.stringify({ opensWith }))
  }
  const app = await _electron.launch({
    executablePath: electronProgram()!,
    // Otherwise pages would be told that everything is light.
    colorScheme: null,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--enable-unsafe-swiftshader', resolve('.'), ...words],
    env: { ...(process.env as Record<string, string>), VAT_STUDIO_USER_DATA: memory },
  })
  let ended = false
  app.once('close', () => (ended = true))
  const errors: string[] = []
  app.context().on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  app.context().on('weberror', (error) => errors.push(String(error.error())))
  const page = await app.firstWindow()
  await page.waitForSelector('#app > *')

  return {
    app,
    page,
    errors,
    folder,
    choose: (id) =>
      app.evaluate(({ Menu }, id) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(id)
        if (!item) throw new Error(`There is no menu entry ${id}`)
        if (!item.enabled) throw new Error(`The menu entry ${id} is disabled`)
        item.click()
      }, id),
    answerOpenDialog: (path) =>
      app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: path === null, filePaths: path === null ? [] : [path] })
      }, path),
    answerQuestions: (button) =>
      app.evaluate(({ dialog }, button) => {
        const stubs = globalThis as unknown as Stubs
        stubs.questions ??= []
        dialog.showMessageBox = (...args: unknown[]) => {
          const { message, buttons } = args.at(-1) as Electron.MessageBoxOptions
          stubs.questions.push(message)
          return Promise.resolve({ response: buttons!.indexOf(button), checkboxChecked: false })
        }
      }, button),
    questions: () => app.evaluate(() => (globalThis as unknown as Partial<Stubs>).questions ?? []),
    async end() {
      if (!ended) {
        const closed = app.waitForEvent('close')
        await app.evaluate(({ app }) => app.exit()).catch(() => {})
        await closed
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
