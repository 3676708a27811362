import { BrowserWindow } from 'electron'
import { DOCUMENTATION } from './protocol.ts'
import { windowColour } from './theme.ts'

let window: BrowserWindow | undefined

/** Shows the VAT format's documentation in a window of its own, which stays open beside the work. Escape closes it. */
export function showDocumentation(): void {
  if (window) return window.focus()
  window = new BrowserWindow({
    width: 860,
    height: 900,
    title: 'VAT Format',
    backgroundColor: windowColour(),
    // The page is text: it runs nothing and can call nothing.
    webPreferences: { sandbox: true, javascript: false, spellcheck: false },
  })
  window.removeMenu()
  window.on('closed', () => (window = undefined))
  window.webContents.on('before-input-event', (_, { type, key, control, meta }) => {
    if (type === 'keyDown' && (key === 'Escape' || (key.toLowerCase() === 'w' && (control || meta)))) window?.close()
  })
  void window.loadURL(DOCUMENTATION)
}
