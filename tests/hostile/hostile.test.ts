import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { printTable } from '../engines/print-table.ts'
import { animated, brokenFiles } from './broken-files.ts'
import { HEAD, MOST_MEGABYTES, MOST_SECONDS, rowOf, runMeasured, warningsOf } from './run-measured.ts'

/*
 * The command line against files that lie: each ends soon, in little memory, with one sentence and a status that says so, or
 * bakes with the warning that belongs to it. Nothing is left beside the files of a bake.
 */

/** Making the files takes time as well, on a busy machine. */
const PATIENCE = 60_000

let root: string
const rows: string[][] = []

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'hostile-'))
})
afterAll(() => {
  printTable(HEAD, rows)
  rmSync(root, { recursive: true, force: true })
})

describe('a file that lies', () => {
  const here = brokenFiles.filter(({ notOn }) => notOn !== process.platform)
  test.each(here.map((file) => [file.what, file] as const))('%s', async (what, { make, args = ['bake'], refused, warned }) => {
    const folder = mkdtempSync(join(root, 'file-'))
    const output = join(folder, 'out')
    mkdirSync(output)
    const model = make(folder)
    const before = readdirSync(folder).sort()
    const [command, ...flags] = args
    const choice = command === 'bake' ? ['--anim', '#0', '--normals', '-o', output] : []
    const ended = await runMeasured(inject('program'), [command, model, ...choice, ...flags], folder)
    const said = ended.stderr.trim() || warningsOf(ended.stdout)
    rows.push(rowOf(what, ended, said))

    expect(readdirSync(folder).sort()).toEqual(before)
    if (refused) {
      expect(ended.stderr.trimEnd()).toMatch(refused)
      expect(ended.stderr).toMatch(/^error: [^\n]+\n$/)
      expect(ended).toMatchObject({ status: 1, stdout: '' })
      expect(readdirSync(output)).toEqual([])
    } else {
      expect(ended).toMatchObject({ status: 0, stderr: '' })
      if (warned) expect(ended.stdout).toMatch(warned)
      else expect(warningsOf(ended.stdout)).toBe('')
    }
    expect(ended.seconds).toBeLessThanOrEqual(MOST_SECONDS)
    expect(ended.megabytes).toBeLessThanOrEqual(MOST_MEGABYTES)
    rmSync(folder, { recursive: true })
  }, PATIENCE)
})

/** What clips may be called, and what their files are called then. */
const CLIPS: [name: string, file: string][] = [
  ['Run', 'Run'],
  ['run', 'run_2'],
  ['a/b', 'a_b'],
  ['a:b', 'a_b_2'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'model'],
  ['', 'model_2'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  [' dots and spaces . ', 'dots and spaces'],
  ['💃🏽 走る', '💃🏽 走る'],
  ['Run\u202egnp', 'Run_gnp'],
  ['x'.repeat(300), 'x'.repeat(100)],
  [`${'x'.repeat(300)}y`, `${'x'.repeat(100)}_2`],
]

test('clips of any names become sets of files in the output folder, one beside the other', async () => {
  const folder = mkdtempSync(join(root, 'names-'))
  const builder = animated()
  builder.json.animations = CLIPS.map(([name]) => ({ ...builder.json.animations[0], name }))
  writeFileSync(join(folder, 'model.glb'), builder.glb())
  for (const index of CLIPS.keys()) {
    const flags = ['--anim', `#${index}`, '--frames', '2', '--encoding', 'rgba8', '-o', join(folder, 'out'), '--quiet']
    const ended = await runMeasured(inject('program'), ['bake', join(folder, 'model.glb'), ...flags], folder)
    expect(ended).toMatchObject({ status: 0, stderr: '' })
  }
  expect(readdirSync(folder).sort()).toEqual(['model.glb', 'out'])
  const files = CLIPS.flatMap(([, file]) => [`${file}.json`, `${file}_mesh.glb`, `${file}_pos.png`])
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(files.sort())
  expect(new Set(files.map((file) => file.normalize('NFKC').toLowerCase())).size).toBe(files.length)
}, 2 * PATIENCE)
