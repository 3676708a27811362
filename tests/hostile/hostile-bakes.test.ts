import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { printTable } from '../engines/print-table.ts'
import { brokenBakes } from './broken-bakes.ts'
import { animated } from './broken-files.ts'
import { HEAD, MOST_MEGABYTES, MOST_SECONDS, rowOf, runMeasured } from './run-measured.ts'

let root: string
const rows: string[][] = []

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'hostile-bakes-'))
  writeFileSync(join(root, 'model.glb'), animated().glb())
  const flags = ['--frames', '3', '--encoding', 'rgba16', '-o', join(root, 'whole')]
  expect(await runMeasured(inject('program'), ['bake', join(root, 'model.glb'), ...flags], root)).toMatchObject({ status: 0 })
})
afterAll(() => {
  printTable(HEAD, rows)
  rmSync(root, { recursive: true, force: true })
})

describe('a bake that lies', () => {
  const here = brokenBakes.filter(({ notOn }) => notOn !== process.platform)
  test.each(here.map((bake) => [bake.what, bake] as const))('%s', async (what, { spoil, refused }) => {
    const folder = mkdtempSync(join(root, 'bake-'))
    cpSync(join(root, 'whole'), folder, { recursive: true })
    const sidecar = spoil(folder) ?? join(folder, 'Turn.json')
    const ended = await runMeasured(inject('program'), ['verify', sidecar, '--model', join(root, 'model.glb'), '--quiet'], folder)
    rows.push(rowOf(what, ended, ended.stderr))
    expect(ended.stderr.trimEnd()).toMatch(refused)
    expect(ended.stderr).toMatch(/^error: [^\n]+\n$/)
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.seconds).toBeLessThanOrEqual(MOST_SECONDS)
    expect(ended.megabytes).toBeLessThanOrEqual(MOST_MEGABYTES)
    rmSync(folder, { recursive: true })
  })

  test('whole, it passes', async () => {
    const ended = await runMeasured(inject('program'), ['verify', join(root, 'whole/Turn.json'), '--model', join(root, 'model.glb')], root)
    expect(ended).toMatchObject({ status: 0, stderr: '' })
  })
})
