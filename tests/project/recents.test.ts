import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { build } from 'vite'
import { addRecent, applicationData, changeRecents, readRecents, withoutRecent } from '../../main/project/recents.ts'

let folder: string
let file: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recents-'))
})
beforeEach(() => {
  file = join(folder, String(count++), 'recents.json')
})
afterAll(() => rmSync(folder, { recursive: true }))

const paths = () => readRecents(file).map(({ path }) => path)

test('the list lies where the platform keeps what programs remember', () => {
  expect(applicationData({}, 'linux', '/home/me')).toBe('/home/me/.config/VAT Studio')
  expect(applicationData({ XDG_CONFIG_HOME: '/config' }, 'linux', '/home/me')).toBe('/config/VAT Studio')
  expect(applicationData({}, 'darwin', '/Users/me')).toBe('/Users/me/Library/Application Support/VAT Studio')
  expect(applicationData({ APPDATA: '/Roaming' }, 'win32', '/Users/me')).toBe('/Roaming/VAT Studio')
  expect(applicationData({ VAT_STUDIO_USER_DATA: '/mine' }, 'linux', '/home/me')).toBe('/mine')
})

describe('the list', () => {
  test('has the last one first, each once, pinned ones before all', () => {
    for (const [i, path] of ['/a', '/b', '/c', '/a'].entries()) addRecent(file, path, i)
    expect(paths()).toEqual(['/a', '/c', '/b'])
    changeRecents(file, (recents) => recents.map((entry) => ({ ...entry, pinned: entry.path === '/b' })))
    addRecent(file, '/d', 9)
    addRecent(file, '/b', 8)
    expect(readRecents(file)[0]).toEqual({ path: '/b', openedAt: 8, pinned: true })
    expect(paths()).toEqual(['/b', '/d', '/a', '/c'])
    changeRecents(file, (recents) => withoutRecent(recents, '/d'))
    expect(paths()).toEqual(['/b', '/a', '/c'])
  })

  test('keeps fifty, and those that are pinned', () => {
    changeRecents(file, () => [{ path: '/pinned', openedAt: -1, pinned: true }])
    for (let i = 0; i < 60; i++) addRecent(file, `/${i}`, i)
    expect(paths()).toEqual(['/pinned', ...Array.from({ length: 50 }, (_, i) => `/${59 - i}`)])
  })
})

describe('damage', () => {
  test('to the file gives the list as it was before', () => {
    addRecent(file, '/a', 1)
    addRecent(file, '/b', 2)
    writeFileSync(file, '[{"path": "/a", "ope')
    expect(paths()).toEqual(['/a'])
    addRecent(file, '/c', 3)
    expect(paths()).toEqual(['/c', '/a'])
  })

  test('to an entry loses that entry only', () => {
    mkdirSync(join(file, '..'))
    writeFileSync(file, '[{ "path": 7 }, { "path": "/a", "openedAt": 1, "pinned": false, "of a later version": 1 }, null]')
    expect(paths()).toEqual(['/a'])
  })

  test('to everything gives an empty list', () => {
    mkdirSync(join(file, '..'))
    writeFileSync(file, '')
    writeFileSync(`${file}.old`, '{}')
    expect(paths()).toEqual([])
  })

  test.each(['the lock of a program that has died', 'a lock that is in use'])('%s stops nobody for long', (kind) => {
    mkdirSync(`${file}.lock`, { recursive: true })
    if (kind.includes('died')) utimesSync(`${file}.lock`, 1, 1)
    const begin = performance.now()
    addRecent(file, '/a', 1)
    expect(paths()).toEqual(['/a'])
    expect(performance.now() - begin).toBeLessThan(4000)
  })

  test('where nothing can be written spoils nothing', () => {
    writeFileSync(join(folder, 'a file'), '')
    expect(() => addRecent(join(folder, 'a file', 'recents.json'), '/a')).not.toThrow()
  })
})

test('programs that write at once lose nothing', async () => {
  const module = join(folder, 'module')
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: resolve('main/project/recents.ts'), outDir: module, rolldownOptions: { external: [/^node:/], output: { entryFileNames: 'recents.mjs' } } },
    ssr: { noExternal: true },
  })
  const script = (name: string) => `
    import { addRecent } from ${JSON.stringify(pathToFileURL(join(module, 'recents.mjs')).href)}
    for (let i = 0; i < 12; i++) addRecent(${JSON.stringify(file)}, '/${name} ' + i)`
  const names = ['one', 'two', 'three']
  await Promise.all(names.map((name) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(name)])))
  expect(paths().sort()).toEqual(names.flatMap((name) => Array.from({ length: 12 }, (_, i) => `/${name} ${i}`)).sort())
  expect(readdirSync(join(file, '..')).sort()).toEqual(['recents.json', 'recents.json.old'])
  expect(() => JSON.parse(readFileSync(file, 'utf8')) as unknown).not.toThrow()
})
