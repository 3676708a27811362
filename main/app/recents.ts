import { existsSync } from 'node:fs'
import { app } from 'electron'
import { z } from 'zod'
import type { RecentFile } from '../../preload/api.ts'
import type { Grants } from './grants.ts'
import type { Handlers, Tell } from './ipc.ts'
import { createStore } from './store.ts'

/** Pinned files are always kept and do not count. */
const KEPT = 50

const recentFiles = z.array(z.strictObject({ path: z.string(), openedAt: z.number(), pinned: z.boolean() }))

type Entry = z.output<typeof recentFiles>[number]

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

/** The models that were opened last, in a file of their own. What is listed may be opened again: it is granted. */
export function createRecents(file: string, grants: Grants): Recents {
  const store = createStore(file, recentFiles, [])
  const listeners: (() => void)[] = []

  function change(entries: Entry[]): void {
    const sorted = entries.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.openedAt - a.openedAt)
    const pinned = sorted.filter((entry) => entry.pinned).length
    store.set(sorted.slice(0, pinned + KEPT))
    for (const listener of listeners) listener()
  }
  const others = (path: string) => store.get().filter((entry) => entry.path !== path)

  return {
    list: () => store.get().map(({ path, ...entry }) => ({ ...grants.give('model', path), ...entry, missing: !existsSync(path) })),
    add(path) {
      app.addRecentDocument(path)
      const pinned = store.get().find((entry) => entry.path === path)?.pinned ?? false
      change([{ path, openedAt: Date.now(), pinned }, ...others(path)])
    },
    pin(path, pinned) {
      const entry = store.get().find((each) => each.path === path)
      if (entry) change([{ ...entry, pinned }, ...others(path)])
    },
    remove: (path) => change(others(path)),
    clear() {
      app.clearRecentDocuments()
      change(store.get().filter((entry) => entry.pinned))
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
