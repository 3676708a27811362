import { existsSync } from 'node:fs'
import { app } from 'electron'
import type { RecentFile } from '../../preload/api.ts'
import { addRecent, changeRecents, readRecents, type Recent, withoutRecent } from '../project/recents.ts'
import type { Grants } from './grants.ts'
import type { Handlers, Tell } from './ipc.ts'
import { isModelName } from './model-files.ts'

export interface Recents {
  /** Pinned ones first, then by date. */
  list(): RecentFile[]
  add(path: string): void
  pin(path: string, pinned: boolean): void
  remove(path: string): void
  /** Forgets all but the pinned ones. */
  clear(): void
  onChange(listener: () => void): void
}

/**
 * The models that were opened last, in the list that is shared with the command line, which also holds projects. What is listed
 * may be opened again: it is granted.
 */
export function createRecents(file: string, grants: Grants): Recents {
  const listeners: (() => void)[] = []
  const tell = () => listeners.forEach((listener) => listener())

  function change(changed: (recents: Recent[]) => Recent[]): void {
    try {
      changeRecents(file, changed)
    } catch (error) {
      console.error(`${file} could not be written: ${(error as Error).message}`)
    }
    tell()
  }

  return {
    list: () =>
      readRecents(file)
        .filter(({ path }) => isModelName(path))
        .map(({ path, ...entry }) => ({ ...grants.give('model', path), ...entry, missing: !existsSync(path) })),
    add(path) {
      app.addRecentDocument(path)
      addRecent(file, path)
      tell()
    },
    pin: (path, pinned) => change((recents) => recents.map((entry) => (entry.path === path ? { ...entry, pinned } : entry))),
    remove: (path) => change((recents) => withoutRecent(recents, path)),
    clear() {
      app.clearRecentDocuments()
      change((recents) => recents.filter((entry) => entry.pinned))
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

export function recentHandlers(
  recents: Recents,
  grants: Grants,
  tell: Tell,
): Pick<Handlers, 'recents.list' | 'recents.pin' | 'recents.remove' | 'recents.clear'> {
  recents.onChange(() => tell('recents.onChange', recents.list()))
  return {
    'recents.list': () => recents.list(),
    'recents.pin': (token, pinned) => recents.pin(grants.take(token, 'model').path, pinned),
    'recents.remove': (token) => recents.remove(grants.take(token, 'model').path),
    'recents.clear': () => recents.clear(),
  }
}
