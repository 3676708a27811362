import { app } from 'electron'
import type { AppInfo } from '../../preload/api.ts'
import { currentTheme } from './theme.ts'

/** What the program is made of. */
export function appInfo(): AppInfo {
  const { electron = '', chrome = '', node } = process.versions
  return {
    name: 'VAT Studio',
    version: app.getVersion(),
    platform: process.platform as AppInfo['platform'],
    theme: currentTheme(),
    versions: { Electron: electron, Chromium: chrome, Node: node },
  }
}
