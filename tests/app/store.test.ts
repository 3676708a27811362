import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSettings } from '../../main/app/settings.ts'
import { createStore } from '../../main/app/store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vat-store-'))))
afterEach(() => rmSync(folder, { recursive: true }))

describe('a store', () => {
  const schema = z.strictObject({ count: z.int() })
  const open = () => createStore(join(folder, 'deep', 'count.json'), schema, { count: 0 })

  test('keeps its value over starts, in one file', () => {
    expect(open().get()).toEqual({ count: 0 })
    open().set({ count: 7 })
    expect(open().get()).toEqual({ count: 7 })
    expect(readdirSync(join(folder, 'deep'))).toEqual(['count.json'])
  })

  test.each(['', '{"count":', '{"count":"7"}', '{"count":7,"more":1}', 'null'])('is empty where its file is spoilt: %s', (text) => {
    const file = join(folder, 'count.json')
    writeFileSync(file, text)
    const store = createStore(file, schema, { count: 0 })
    expect(store.get()).toEqual({ count: 0 })
    store.set({ count: 1 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ count: 1 })
  })
})

describe('settings', () => {
  test('begin with their defaults, and are changed one by one', () => {
    const settings = createSettings(join(folder, 'settings.json'))
    expect(settings.get()).toEqual({ theme: 'system', opensWith: 'sample', interface: {} })
    settings.set({ theme: 'dark' })
    settings.set({ interface: { width: 392 } })
    settings.set({ interface: { 'section.model': true } })
    const kept = { theme: 'dark', opensWith: 'sample', interface: { width: 392, 'section.model': true } }
    expect(settings.get()).toEqual(kept)
    expect(createSettings(join(folder, 'settings.json')).get()).toEqual(kept)
  })
})
