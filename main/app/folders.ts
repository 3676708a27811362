import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app, type BrowserWindow, shell } from 'electron'
import { Problem } from '../model/problem.ts'
import { chooseFolder } from './dialogs.ts'
import type { Grants } from './grants.ts'
import type { Handlers } from './ipc.ts'
import { isSample } from './models.ts'

/** Where bakes go. */
export function folderHandlers(window: () => BrowserWindow, grants: Grants): Pick<Handlers, 'folders.choose' | 'folders.forModel' | 'folders.reveal'> {
  return {
    'folders.choose': async () => {
      const path = await chooseFolder(window())
      return path === null ? null : grants.give('folder', path)
    },
    'folders.forModel': (token) => {
      const { path } = grants.take(token, 'model')
      // The samples lie inside the program, where nothing may be written.
      const beside = isSample(path) ? join(app.getPath('documents'), 'VAT Studio') : dirname(path)
      return grants.give('folder', join(beside, 'vat'))
    },
    'folders.reveal': async (token) => {
      const { kind, path, name } = grants.take(token, 'model', 'sidecar', 'folder')
      if (!existsSync(path)) throw new Problem('input', `${name} is not there any more.`)
      if (kind !== 'folder') return shell.showItemInFolder(path)
      const fault = await shell.openPath(path)
      if (fault) throw new Problem('output', `${name} could not be shown: ${fault}.`)
    },
  }
}
