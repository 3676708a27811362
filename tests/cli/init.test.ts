import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchReport } from '../../main/project/batch-contract.ts'
import { addRecent, readRecents, recentsFile } from '../../main/project/recents.ts'
import { works } from '../../main/worker/works.ts'
import { run } from './fake-shell.ts'

/*
 * Projects on the command line, with the true works behind it.
 */

let folder: string
let model: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vat-init-test-'))
  process.env.VAT_STUDIO_USER_DATA = join(folder, 'user data')
  model = join(folder, 'Skin.gltf')
  cpSync(resolve('resources/samples/SimpleSkin.gltf'), model)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const command = (...args: string[]) => run(args, works)
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown

test('init writes a project, which bake --project bakes; both remember it', async () => {
  const project = join(folder, 'Skin.vat.json')
  const made = await command('init', model, '--encoding', 'rgba16', '--fps', '12', '-o', join(folder, 'baked'))
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout).toContain(project)
  expect(read(project)).toEqual({
    format: 'vat-studio-project',
    version: 1,
    model: 'Skin.gltf',
    output: 'baked',
    options: { encoding: 'rgba16', fps: 12 },
  })
  expect(readRecents(recentsFile()).map(({ path }) => path)).toEqual([project])

  expect(await command('bake', '--project', project, '--normals')).toMatchObject({ status: 0, stderr: '' })
  expect(read(join(folder, 'baked/Skin.json'))).toMatchObject({ encoding: 'rgba16', textures: [{ role: 'position' }, { role: 'normal' }] })
  expect(await command('bake', '--project', project, '-o', join(folder, 'other'), '--dry-run')).toMatchObject({ status: 0 })
  expect(existsSync(join(folder, 'other'))).toBe(false)
})

test('batch --recent bakes what is remembered, and says what is gone', async () => {
  addRecent(recentsFile(), join(folder, 'gone.glb'))
  const { status, stdout, stderr } = await command('batch', '--recent', '--json')
  expect(batchReport.parse(JSON.parse(stdout)).rows.map(({ file, outcome }) => [file, outcome])).toEqual([[join(folder, 'Skin.vat.json'), 'baked']])
  expect(stderr).toBe(`${join(folder, 'gone.glb')} is not there any more.\n`)
  expect(status).toBe(0)
})

test('init replaces no project unless it is told to', async () => {
  const project = join(folder, 'Twice.vat.json')
  await command('init', model, '--project', project)
  expect(await command('init', model, '--project', project)).toMatchObject({ status: 1, stderr: expect.stringMatching(/exists already/) as string })
  expect(await command('init', model, '--project', project, '--fps', '6', '--force', '--json')).toMatchObject({ status: 0 })
  expect(read(project)).toMatchObject({ options: { fps: 6 } })
})

test('init writes no project that cannot be baked', async () => {
  const project = join(folder, 'Fly.vat.json')
  const { status, stderr } = await command('init', model, '--anim', 'Fly', '--project', project)
  expect(stderr).toMatch(/^error: Skin\.gltf has no clip "Fly"/)
  expect(status).toBe(2)
  expect(existsSync(project)).toBe(false)
  expect((await command('init', model, '--project', 'Fly.json')).stderr).toBe('error: A project file ends in .vat.json, and Fly.json does not. Name it so.\n')
})

test.each([
  [['bake'], "error: Missing required argument 'model'. Name a model, or a project with --project.\n"],
  [['bake', 'a.glb', '--project', 'a.vat.json'], 'error: A project names its model itself. Leave out the model, or --project.\n'],
  [['batch'], 'error: Nothing to bake is named. Name files or a folder, or give --recent.\n'],
  [['batch', '.', '--jobs', '0'], "error: --jobs must be a whole number from 1 to 999, got '0'.\n"],
  [['batch', 'none/*.glb'], 'error: none/*.glb matches no model and no project (*.vat.json). Check the pattern.\n'],
  [['batch', '.', '--report', 'none/r.html'], 'error: There is no folder /project/none for the report. Make it, or choose another place with --report.\n'],
  [['mcp', '--allow', 'none'], 'error: /project/none is not a folder. Name one that is there with --allow.\n'],
  [['watch', 'none'], 'error: none is not a folder. Name the one to watch.\n'],
])('%o is wrong usage', async (args, sentence) => {
  expect(await command(...args)).toMatchObject({ status: 2, stderr: sentence })
})
