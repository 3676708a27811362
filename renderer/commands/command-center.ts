import { type InjectionKey, inject, onScopeDispose, watchEffect } from 'vue'
import type { AppInfo, CommandState } from '../../preload/api.ts'
import type { CommandId } from '../../preload/commands.ts'
import { vatStudio } from '../vat-studio.ts'
import { type Action, createActions } from './actions.ts'
import { bareCommandOf, commandIds, commandOf, isTaken, isTyping, keyText } from './keys.ts'

/** The commands, as the parts of the window use them. */
export interface CommandCenter {
  run(id: CommandId): void
  actions: Record<CommandId, Action>
  isEnabled(id: CommandId): boolean
  /** Why a command cannot be used now, as a sentence; undefined where it can, or the reason is plain to see. */
  whyNot(id: CommandId): string | undefined
  /** The key of a command as this system writes it; undefined where it has none. */
  keys(id: CommandId): string | undefined
  info: AppInfo
}

export const commandCenterKey: InjectionKey<CommandCenter> = Symbol('commands')

export function useCommands(): CommandCenter {
  const center = inject(commandCenterKey)
  if (!center) throw new Error('no command center was provided')
  return center
}

/** Menus, lists and dialogs have the keys to themselves. */
const OWN_KEYS = '[role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** Makes the commands work from the menu and the keyboard, and keeps the menu's ticks and grey entries true. */
export function createCommandCenter(info: AppInfo): CommandCenter {
  const actions = createActions(() => info.platform)
  const isEnabled = (id: CommandId) => actions[id].enabled?.() ?? true
  const run = (id: CommandId) => {
    if (isEnabled(id)) actions[id].run()
  }

  const stop = vatStudio().commands.onCommand(run)
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.repeat && event.key === ' ')) return
    const focused = document.activeElement
    if (isTyping(focused) || isTaken(focused, event.key) || focused?.closest(OWN_KEYS)) return
    const id = bareCommandOf(event)
    if (!id) return
    event.preventDefault()
    run(id)
  }
  window.addEventListener('keydown', press)
  onScopeDispose(() => {
    stop()
    window.removeEventListener('keydown', press)
  })

  let told = ''
  watchEffect(() => {
    const states: Partial<Record<CommandId, CommandState>> = {}
    for (const id of commandIds) {
      const { checked } = actions[id]
      states[id] = { enabled: isEnabled(id), ...(checked ? { checked: checked() } : {}) }
    }
    const text = JSON.stringify(states)
    if (text === told) return
    told = text
    void vatStudio().commands.setStates(states)
  })

  const whyNot = (id: CommandId) => {
    const { why } = actions[id]
    const text = isEnabled(id) ? undefined : typeof why === 'function' ? why() : why
    return text && `${text[0].toUpperCase()}${text.slice(1)}`
  }

  return {
    run,
    actions,
    isEnabled,
    whyNot,
    info,
    keys(id) {
      const { key } = commandOf(id)
      return key === undefined ? undefined : keyText(key, info.platform)
    },
  }
}
