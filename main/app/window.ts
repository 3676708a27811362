import { join } from 'node:path'
import { BrowserWindow } from 'electron'
import type { AppJobs } from './jobs.ts'
import { mayLoseWork } from './dialogs.ts'
import type { Handlers } from './ipc.ts'
import { developmentOrigin, PAGE } from './protocol.ts'
import { windowColour } from './theme.ts'
import { type PlaceKeeper, SMALLEST } from './window-place.ts'

/** Milliseconds that a page has to live to be loaded again when it stops. */
const SHORTEST_LIFE = 3000

export interface MainWindow {
  handlers: Pick<Handlers, 'window.setDocument'>
  /** @throws Error where the window is gone */
  get(): BrowserWindow
  /** Undefined where the window is gone. */
  find(): BrowserWindow | undefined
  open(): void
  /** Brings it before the other programs' windows. */
  show(): void
}

/** The one window. Closing it ends the program, after asking where work would be lost. */
export function createMainWindow(places: PlaceKeeper, jobs: AppJobs): MainWindow {
  let window: BrowserWindow | undefined
  let unsaved: string | null = null
  /** The question is on the screen, or was answered. */
  let closing = false

  async function close(closed: BrowserWindow): Promise<void> {
    closing = await mayLoseWork(closed, { bakes: jobs.bakesOpen(), unsaved })
    if (!closing) return
    closed.hide()
    await jobs.close()
    closed.destroy()
  }

  return {
    get() {
      if (!window) throw new Error('The window is closed.')
      return window
    },
    find: () => window,
    open() {
      const opened = new BrowserWindow({
        ...places.bounds(),
        minWidth: SMALLEST.width,
        minHeight: SMALLEST.height,
        title: 'VAT Studio',
        backgroundColor: windowColour(),
        show: false,
        webPreferences: {
          preload: join(import.meta.dirname, '../preload/index.cjs'),
          sandbox: true,
          contextIsolation: true,
          nodeIntegration: false,
          // Its dictionaries would be fetched from the network.
          spellcheck: false,
        },
      })
      window = opened
      places.follow(opened)
      opened.once('ready-to-show', () => opened.show())
      // The title is ours to set, whatever the page is called.
      opened.on('page-title-updated', (event) => event.preventDefault())
      opened.on('close', (event) => {
        event.preventDefault()
        if (closing) return
        closing = true
        void close(opened)
      })
      // What it showed is read again; bakes run elsewhere and go on. A page that stops at once stays away.
      let loaded = 0
      opened.webContents.on('did-finish-load', () => (loaded = Date.now()))
      opened.webContents.on('render-process-gone', () => {
        if (!opened.isDestroyed() && Date.now() - loaded > SHORTEST_LIFE) opened.webContents.reload()
      })
      opened.on('closed', () => (window = undefined))
      void opened.loadURL(developmentOrigin() ?? PAGE)
    },
    show() {
      if (window?.isMinimized()) window.restore()
      window?.focus()
    },
    handlers: {
      'window.setDocument': (document) => {
        unsaved = document.unsaved ? (document.name ?? 'the document') : null
        if (!window) return
        window.setTitle(document.name === null ? 'VAT Studio' : `${document.unsaved ? '• ' : ''}${document.name} – VAT Studio`)
        window.setDocumentEdited(document.unsaved)
      },
    },
  }
}
