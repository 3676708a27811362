import { type Settings, settings } from '../../preload/api.ts'
import type { Handlers, Tell } from './ipc.ts'
import { createStore } from './store.ts'

export interface SettingsKeeper {
  get(): Settings
  set(changes: Partial<Settings>): Settings
  onChange(listener: (settings: Settings) => void): void
}

/** Keeps what a person has set, and what the interface wants to remember. */
export function createSettings(file: string): SettingsKeeper {
  const store = createStore(file, settings, settings.parse({}))
  const listeners: ((settings: Settings) => void)[] = []
  return {
    get: store.get,
    set(changes) {
      const old = store.get()
      store.set({ ...old, ...changes, interface: { ...old.interface, ...changes.interface } })
      for (const listener of listeners) listener(store.get())
      return store.get()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

export function settingsHandlers(keeper: SettingsKeeper, tell: Tell): Pick<Handlers, 'settings.get' | 'settings.set'> {
  keeper.onChange((settings) => tell('settings.onChange', settings))
  return {
    'settings.get': () => keeper.get(),
    'settings.set': (changes) => keeper.set(withoutUndefined(changes)),
  }
}

/** A field that is there and undefined would otherwise take the place of what was set. */
function withoutUndefined(changes: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}
