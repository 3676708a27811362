import { type Command, type CommandId, commands } from '../../preload/commands.ts'

export const commandIds = Object.keys(commands) as CommandId[]

/** A command as its interface, so that members it does not have may be asked for. */
export function commandOf(id: CommandId): Command {
  return commands[id]
}

/** A key as people of that system write it: `Ctrl Shift C`, `⌘ ⇧ C`. */
export function keyText(key: string, platform: string): string {
  const mac = platform === 'darwin'
  return splitKey(key)
    .map((part) => {
      if (part === 'CmdOrCtrl') return mac ? '⌘' : 'Ctrl'
      if (part === 'Shift') return mac ? '⇧' : 'Shift'
      if (part === 'Alt') return mac ? '⌥' : 'Alt'
      return part
    })
    .join(' ')
}

/** The command whose key was pressed, among those that need no Ctrl; null where it is none. */
export function bareCommandOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): CommandId | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const pressed = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key
  return (
    commandIds.find((id) => {
      const { key, bare } = commandOf(id)
      if (!bare || key === undefined) return false
      const parts = splitKey(key)
      const letter = parts[parts.length - 1]
      // On some keyboards a full stop or a digit needs Shift itself; only letters are told apart by it.
      const isLetter = /^[A-Z]$/.test(letter)
      return letter === pressed && (!isLetter || parts.includes('Shift') === event.shiftKey)
    }) ?? null
  )
}

/** The command of an accelerator with Ctrl or ⌘, or of a function key. The menu does this where there is one. */
export function acceleratorOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): CommandId | null {
  if (event.altKey) return null
  const pressed = event.key.length === 1 ? event.key.toUpperCase() : event.key
  return (
    commandIds.find((id) => {
      const { key, bare } = commandOf(id)
      if (bare || key === undefined) return false
      const parts = splitKey(key)
      return (
        parts[parts.length - 1] === pressed &&
        parts.includes('CmdOrCtrl') === (event.ctrlKey || event.metaKey) &&
        parts.includes('Shift') === event.shiftKey
      )
    }) ?? null
  )
}

function splitKey(key: string): string[] {
  return key.split(/(?<=.)\+/)
}

/** A field has the focus that wants keys for itself. */
export function isTyping(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(element.type)
}

/** Keys that belong to the control that has the focus: Space presses a button, Home and End move in a slider. */
export function isTaken(element: Element | null, key: string): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (key === ' ') return element.matches('button, [role="button"], [role="radio"], [role="menuitem"], [role="option"], summary, a, input')
  if (key === 'Home' || key === 'End') return element.matches('[role="slider"], [role="radio"], [role="option"], [role="menuitem"], input')
  return false
}
