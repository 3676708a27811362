// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { acceleratorOf, bareCommandOf, commandIds, commandOf, isTaken, isTyping, keyText } from '../../../renderer/commands/keys.ts'

const press = (key: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held,
})

describe('keys', () => {
  it('are each of one command only', () => {
    const keys = commandIds.flatMap((id) => commandOf(id).key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('without Ctrl find their command', () => {
    expect(bareCommandOf(press(' '))).toBe('play.toggle')
    expect(bareCommandOf(press('f'))).toBe('view.frame')
    expect(bareCommandOf(press('F', { shiftKey: true }))).toBe('view.frameWorst')
    expect(bareCommandOf(press('.'))).toBe('play.next')
    expect(bareCommandOf(press('3'))).toBe('mode.sideBySide')
    expect(bareCommandOf(press('Home'))).toBe('play.start')
    expect(bareCommandOf(press('f', { ctrlKey: true }))).toBeNull()
    expect(bareCommandOf(press('q'))).toBeNull()
  })

  it('with Ctrl or ⌘ find theirs', () => {
    expect(acceleratorOf(press('b', { ctrlKey: true }))).toBe('bake.start')
    expect(acceleratorOf(press('C', { metaKey: true, shiftKey: true }))).toBe('bake.copyCommand')
    expect(acceleratorOf(press('b'))).toBeNull()
    expect(acceleratorOf(press('F1'))).toBe('help.format')
  })

  it('are written as the system writes them', () => {
    expect(keyText('CmdOrCtrl+Shift+C', 'linux')).toBe('Ctrl Shift C')
    expect(keyText('CmdOrCtrl+Shift+C', 'darwin')).toBe('⌘ ⇧ C')
    expect(keyText('CmdOrCtrl+.', 'win32')).toBe('Ctrl .')
  })

  it('stay with a field that is typed into, and with a control that wants them', () => {
    document.body.innerHTML = '<input id="text"><input id="tick" type="checkbox"><button id="button">x</button><div id="slider" role="slider"></div>'
    const at = (id: string) => document.getElementById(id)
    expect(isTyping(at('text'))).toBe(true)
    expect(isTyping(at('tick'))).toBe(false)
    expect(isTaken(at('button'), ' ')).toBe(true)
    expect(isTaken(at('button'), 'f')).toBe(false)
    expect(isTaken(at('slider'), 'Home')).toBe(true)
  })
})
