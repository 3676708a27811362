// @vitest-environment happy-dom
import { Command } from 'commander'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { App } from 'vue'
import { type BakeOptions, bakeOptions } from '../../main/bake/options.ts'
import { bakeFlags, bakeValues } from '../../main/cli/flags.ts'
import { defaultOptions, describeOption, faultOf, isDefault, type OptionKey, optionKeys } from '../../renderer/bake-options/describe-option.ts'
import { ELSEWHERE, optionGroups } from '../../renderer/bake-options/groups.ts'
import { startWindow } from '../../renderer/start.ts'
import { useBakeStore } from '../../renderer/stores/bake.ts'
import { useViewStore } from '../../renderer/stores/view.ts'
import { optionLabel, tickLabel } from '../../renderer/words/labels.ts'
import { SAMPLES } from './fake-api.ts'
import { createTestApi, fillBrowser } from './open-window.ts'

vi.mock('../../renderer/viewport/Viewport.vue', async () => (await import('./open-window.ts')).viewportStandIn)

let app: App

beforeEach(async () => {
  fillBrowser()
  document.body.innerHTML = '<div id="app"></div>'
  window.vatStudio = createTestApi({ first: SAMPLES[0] })
  app = await startWindow(document.querySelector('#app')!)
  const view = useViewStore()
  for (const { name } of optionGroups()) view.sections[name] = true
})
afterEach(() => app.unmount())

/** Texts that some option may be; the schema tells which. */
const TEXTS = ['a b', 'x', '0.1%', 'vertices=5000000', 'three', '-x,+y,+z']

/** A value of an option that is not its default. */
function anotherValue(key: OptionKey): unknown {
  const { words, number, onOff, list, default: start } = describeOption(key)
  const others = number ? [2, 24, 64] : onOff ? [!start] : words.length > 0 ? words : list ? TEXTS.map((text) => [text]) : TEXTS
  const value = others.find((other) => faultOf(key, other) === null && !isDefault(key, other))
  if (value === undefined) throw new Error(`no other value of ${key} is known here`)
  return value
}

/** Every option of the panel at a value that is not its default. */
function changeAll(): BakeOptions {
  const bake = useBakeStore()
  const rows = optionKeys.filter((key) => !(key in ELSEWHERE) && key !== 'output')
  for (const key of rows) bake.set(key, anotherValue(key) as never)
  return bake.optionsFor(bake.sets[0])
}

/** The words of a command line, as a POSIX shell takes it apart. */
const wordsOf = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)

it('has a control for every option of the schema, with its name', async () => {
  changeAll()
  await Promise.resolve()
  const names = [...document.querySelectorAll<HTMLElement>('.subsection [aria-label]')].map((element) => element.getAttribute('aria-label')!)
  const ticks = [...document.querySelectorAll('.subsection .check')].map((tick) => tick.textContent.trim())
  for (const key of [...optionGroups().flatMap(({ rows }) => rows.flatMap(({ options }) => options)), 'target' as const]) {
    if (describeOption(key).onOff) expect(ticks, key).toContain(tickLabel(key))
    else expect(names.some((name) => name === optionLabel(key) || name.startsWith(`${optionLabel(key)}: /`)), `${key}: ${names.join(', ')}`).toBe(true)
  }
})

it('copies a command that the real command line reads as the same options', () => {
  const wanted = changeAll()
  expect(Object.entries(wanted).filter(([key, value]) => isDefault(key as OptionKey, value)).map(([key]) => key).sort()).toEqual(
    // The model has one clip to choose, and all its meshes; a scale and a frame range have their own places.
    ['all', 'frameRange', 'mesh', 'scale', 'target'].filter((key) => key in wanted),
  )
  const line = useBakeStore().commandText('linux')
  const command = new Command('bake').argument('<model>').exitOverride()
  for (const flag of bakeFlags()) command.addOption(flag)
  command.parse(wordsOf(line).slice(3), { from: 'user' })
  expect(bakeOptions.parse(bakeValues(command.opts()))).toEqual({ ...defaultOptions(), ...wanted })
})
