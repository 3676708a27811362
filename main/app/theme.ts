import { nativeTheme } from 'electron'
import type { Theme } from '../../preload/api.ts'
import type { Tell } from './ipc.ts'
import type { SettingsKeeper } from './settings.ts'

/** Colour of an empty window, so that none flashes before the page is drawn. */
const WINDOW_COLOUR: Record<Theme, string> = { dark: '#131417', light: '#e3e5e9' }

export function currentTheme(): Theme {
  return nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
}

export function windowColour(): string {
  return WINDOW_COLOUR[currentTheme()]
}

/** Light or dark as the settings say, or as the system says where they leave it to the system. */
export function setupTheme(settings: SettingsKeeper, tell: Tell): void {
  nativeTheme.themeSource = settings.get().theme
  settings.onChange(({ theme }) => (nativeTheme.themeSource = theme))
  let told = currentTheme()
  // Electron also says "updated" when nothing has changed that we show.
  nativeTheme.on('updated', () => {
    if (currentTheme() === told) return
    told = currentTheme()
    tell('app.onTheme', told)
  })
}
