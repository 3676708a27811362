import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { Settings } from '../../preload/api.ts'
import { type Command, type CommandId, commands } from '../../preload/commands.ts'
import type { Handlers, Tell } from './ipc.ts'
import type { Models } from './models.ts'
import type { Recents } from './recents.ts'
import type { SettingsKeeper } from './settings.ts'

/** More would not fit on a small screen. */
const RECENTS_SHOWN = 10

type Entry = CommandId | MenuItemConstructorOptions

interface MenuOptions {
  tell: Tell
  recents: Recents
  models: Models
  settings: SettingsKeeper
  /** Entries that main serves itself; all others are sent to the window. */
  served: Partial<Record<CommandId, () => void>>
}

/** The native menu bar, from the table of commands. It is built anew when the recent files change. */
export function setupMenu({ tell, recents, models, settings, served }: MenuOptions): Pick<Handlers, 'commands.setStates'> {
  const states = new Map<string, { enabled?: boolean; checked?: boolean }>()
  const mac = process.platform === 'darwin'
  const separator: MenuItemConstructorOptions = { type: 'separator' }

  const themes = { 'theme.system': 'system', 'theme.light': 'light', 'theme.dark': 'dark' } satisfies Partial<Record<CommandId, Settings['theme']>>
  const choose = (id: CommandId) => {
    if (id in themes) settings.set({ theme: themes[id as keyof typeof themes] })
    else if (served[id]) served[id]()
    else tell('commands.onCommand', id)
  }

  function item(entry: Entry): MenuItemConstructorOptions {
    if (typeof entry !== 'string') return entry
    const command: Command = commands[entry]
    // Everywhere but on macOS a key can be shown without acting; there it would act while somebody types.
    const key = command.bare ? (mac ? {} : { accelerator: command.key, registerAccelerator: false }) : { accelerator: command.key }
    return { id: entry, label: command.menu, type: command.type, enabled: !command.disabled, click: () => choose(entry), ...key }
  }

  function recentItems(): MenuItemConstructorOptions[] {
    const files = recents.list().slice(0, RECENTS_SHOWN)
    return [
      ...files.map(
        ({ path, missing }, index): MenuItemConstructorOptions => ({
          id: `file.recent.${index + 1}`,
          label: path.replace(/&/g, '&&'),
          enabled: !missing,
          click: () => models.open(path),
        }),
      ),
      separator,
      { id: 'file.recent.clear', label: 'Clear Recent', enabled: files.some(({ pinned }) => !pinned), click: () => recents.clear() },
    ]
  }

  const menu = (label: string, entries: Entry[]): MenuItemConstructorOptions => ({ label, submenu: entries.map(item) })

  function build(): void {
    const bar = Menu.buildFromTemplate([
      ...(mac ? [menu(app.name, ['help.about', separator, 'edit.settings', separator, { role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, separator, { role: 'quit' }])] : []),
      menu('&File', [
        'file.open',
        { id: 'file.recent', label: 'Open Recent', submenu: recentItems() },
        separator,
        'file.export',
        separator,
        'file.close',
        ...(mac ? [] : [separator, { role: 'quit', id: 'file.quit' } as const]),
      ]),
      menu('&Edit', [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        'edit.palette',
        ...(mac ? [] : (['edit.settings'] as const)),
      ]),
      menu('&View', [
        'mode.original',
        'mode.vat',
        'mode.sideBySide',
        'mode.overlay',
        'mode.split',
        'mode.crowd',
        separator,
        'view.errorMap',
        'view.shading',
        'view.wireframe',
        'view.skeleton',
        'view.bounds',
        'view.grid',
        'view.axes',
        separator,
        'view.frame',
        'view.frameWorst',
        separator,
        'view.inspector',
        { id: 'view.theme', label: 'Theme', submenu: (Object.keys(themes) as CommandId[]).map(item) },
        separator,
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
      ]),
      menu('&Bake', ['bake.start', 'bake.cancel', separator, 'bake.reveal', 'bake.copyCommand']),
      menu('&Help', ['help.format', 'help.keys', ...(mac ? [] : ([separator, 'help.about'] as const))]),
    ])
    Menu.setApplicationMenu(bar)
    tickTheme()
    for (const [id, state] of states) apply(id, state)
  }

  function apply(id: string, { enabled, checked }: { enabled?: boolean; checked?: boolean }): void {
    const entry = Menu.getApplicationMenu()?.getMenuItemById(id)
    if (!entry) return
    if (enabled !== undefined) entry.enabled = enabled
    if (checked !== undefined && (entry.type === 'checkbox' || entry.type === 'radio')) entry.checked = checked
  }

  const tickTheme = () => apply(`theme.${settings.get().theme}`, { checked: true })

  build()
  recents.onChange(build)
  settings.onChange(tickTheme)
  return {
    'commands.setStates': (changes) => {
      for (const [id, state] of Object.entries(changes)) {
        if (!Object.hasOwn(commands, id)) continue
        states.set(id, { ...states.get(id), ...state })
        apply(id, state)
      }
    },
  }
}
