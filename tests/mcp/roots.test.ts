import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRoots } from '../../main/mcp/roots.ts'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'roots-')))
  for (const name of ['open', 'open too', 'closed', 'open/below', 'open-and-not']) mkdirSync(join(folder, name))
  for (const name of ['open/a.glb', 'closed/b.glb']) writeFileSync(join(folder, name), '')
  const link = (target: string, path: string) => symlinkSync(join(folder, target), join(folder, path))
  link('closed', 'open/out')
  link('open/below', 'open/in')
  link('closed/b.glb', 'open/b.glb')
  link('open/a.glb', 'closed/a.glb')
  link('closed/nowhere', 'open/dangling')
  link('open', 'also open')
})
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const resolveIn = (path: string, ...open: string[]) => createRoots(async () => open.map(at)).resolve(path)

describe('open are', () => {
  test.each(['open', 'open/a.glb', 'open/in', 'open/in/new/file', 'open/new', 'open/below/../a.glb', 'open too/x'])('%s', async (name) => {
    expect(await resolveIn(at(name), 'open', 'open too')).toBe(at(name))
  })

  test('relative paths, from the first folder on', async () => {
    expect(await resolveIn('a.glb', 'open', 'open too')).toBe(at('open/a.glb'))
  })

  test('folders that are links themselves', async () => {
    expect(await resolveIn(at('also open/a.glb'), 'also open')).toBe(at('also open/a.glb'))
    expect(await resolveIn(at('open/a.glb'), 'also open')).toBe(at('open/a.glb'))
  })
})

describe('closed are', () => {
  test.each([
    'closed/b.glb',
    'open/../closed/b.glb',
    'open/out',
    'open/out/b.glb',
    'open/out/new',
    'open/b.glb',
    'open/dangling',
    'open/dangling/new',
    'open-and-not/a.glb',
    'closed/a.glb',
    '.',
  ])('%s', async (name) => {
    await expect(resolveIn(folder + '/' + name, 'open', 'open too')).rejects.toThrow(/is outside of the folders that this server may use/)
  })

  test('all, where no folder is open', async () => {
    await expect(resolveIn(at('open'))).rejects.toThrow(/^No folder is open to this server/)
  })

  test('what is relative and leads out', async () => {
    await expect(resolveIn('../closed/b.glb', 'open')).rejects.toThrow(/^\.\.\/closed\/b\.glb is outside of the folders/)
  })
})
