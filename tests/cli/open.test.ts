import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { run } from './fake-shell.ts'

let folder: string
let told: string
const root = resolve('.')
const fox = resolve('resources/samples/Fox.glb')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vat-open-test-'))
  told = join(folder, 'told')
  // Written under another name first, so that whoever waits for it finds it whole.
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}.part'\nmv '${told}.part' '${told}'\n`
  writeFileSync(join(folder, 'electron'), script, { mode: 0o755 })
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(process.platform === 'win32')('with an Electron', () => {
  test.each([
    ['nothing', ['open'], [root]],
    ['a model', ['open', fox], [root, fox]],
  ])('open starts the editor with %s', async (_, args, words) => {
    vi.stubEnv('ELECTRON_EXEC_PATH', join(folder, 'electron'))
    rmSync(told, { force: true })
    expect(await run(args)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    await vi.waitFor(() => expect(existsSync(told)).toBe(true))
    expect(readFileSync(told, 'utf8').trim().split('\n')).toEqual(words)
  })
})

test('open says what to do where there is no Electron, or no such model', async () => {
  vi.stubEnv('ELECTRON_EXEC_PATH', join(folder, 'none'))
  const { status, stderr } = await run(['open'])
  expect(status).toBe(1)
  expect(stderr).toContain(`ELECTRON_EXEC_PATH names ${join(folder, 'none')}, which does not exist. Set ELECTRON_EXEC_PATH to`)
  expect(stderr).toContain('or use the other commands of vat-studio')
  expect((await run('open missing.glb')).stderr).toContain('/project/missing.glb is not there')
})
