import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { batchReport, type BatchReport } from '../../main/project/batch-contract.ts'
import { writeModel } from './models.ts'
import { type Ended, contents, fox, remains, run, start, temporaryFolder, tornFiles } from './program.ts'

/*
 * `batch` as a process with its workers.
 */

const folder = temporaryFolder()
// Some start the program a dozen times, which takes its time where other tests run.
vi.setConfig({ testTimeout: 120_000 })
process.env.VAT_STUDIO_USER_DATA = join(folder, 'user data')

/** Runs a batch and answers with what it says of itself as JSON. */
async function batch(cwd: string, ...args: string[]): Promise<{ status: Ended['status']; report: BatchReport }> {
  const { status, stdout } = await run(['batch', ...args, '--json'], { folder: cwd })
  return { status, report: batchReport.parse(JSON.parse(stdout)) }
}

const outcomes = ({ rows }: BatchReport) => rows.map(({ outcome, state }) => (outcome === 'baked' ? `baked: ${state}` : outcome))

/** A folder with models a, b and c. */
function makeModels(name: string): string {
  const cwd = join(folder, name)
  for (const model of ['a', 'b', 'c']) writeModel(join(cwd, 'models', `${model}.gltf`))
  return cwd
}

/** The sets of a batch, without its records. */
function sets(output: string): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.keys(contents(output)).map((name) => {
      const { '.vat-studio': record, ...files } = contents(join(output, name))
      expect(record).toBe('folder')
      return [name, files]
    }),
  )
}

describe('what has changed', () => {
  test('and only that is baked again: a model, its texture, its buffer, an option, a damaged or missing file', async () => {
    const cwd = makeModels('changes')
    const changed = (...args: string[]) => batch(cwd, 'models', '--changed', ...args)
    expect(outcomes((await changed()).report)).toEqual(Array(3).fill('baked: output-missing'))
    const first = sets(join(cwd, 'out'))

    const again = await changed()
    expect(again).toMatchObject({ status: 0, report: { totals: { baked: 0, upToDate: 3 } } })
    expect(sets(join(cwd, 'out'))).toEqual(first)

    appendFileSync(join(cwd, 'models/b.png'), 'changed')
    expect(outcomes((await changed()).report)).toEqual(['up-to-date', 'baked: model-changed', 'up-to-date'])
    writeModel(join(cwd, 'models/c.gltf'), 1)
    expect(outcomes((await changed()).report)).toEqual(['up-to-date', 'up-to-date', 'baked: model-changed'])
    appendFileSync(join(cwd, 'models/a0.bin'), 'changed')
    expect(outcomes((await changed()).report)).toEqual(['baked: model-changed', 'up-to-date', 'up-to-date'])

    appendFileSync(join(cwd, 'out/a/a_pos.exr'), 'changed')
    rmSync(join(cwd, 'out/b/b_mesh.glb'))
    expect(outcomes((await changed()).report)).toEqual(['baked: output-damaged', 'baked: output-missing', 'up-to-date'])
    expect(outcomes((await changed('--encoding', 'rgba16')).report)).toEqual(Array(3).fill('baked: settings-changed'))
    expect(outcomes((await changed('--encoding', 'rgba16')).report)).toEqual(Array(3).fill('up-to-date'))
  })

  test('is seen in projects, which know their options themselves', async () => {
    const cwd = makeModels('projects')
    for (const model of ['a', 'b']) {
      expect(await run(['init', `models/${model}.gltf`, '--encoding', 'exr', '-o', 'baked', '--quiet'], { folder: cwd })).toMatchObject({ status: 0, stderr: '' })
    }
    // c has no project.
    const first = await batch(cwd, '.', '--changed')
    expect(first.report.rows.map(({ file }) => file)).toEqual(['a.vat.json', 'b.vat.json', 'c.gltf'].map((name) => join(cwd, 'models', name)))
    expect(Object.keys(contents(join(cwd, 'baked')))).toEqual(['.vat-studio', 'a.json', 'a_mesh.glb', 'a_pos.exr', 'b.json', 'b_mesh.glb', 'b_pos.exr'])

    const project = join(cwd, 'models/b.vat.json')
    const json = JSON.parse(readFileSync(project, 'utf8')) as { options: object }
    writeFileSync(project, JSON.stringify({ ...json, options: { ...json.options, normals: 'xyz' } }))
    expect(outcomes((await batch(cwd, '.', '--changed')).report)).toEqual(['up-to-date', 'baked: settings-changed', 'up-to-date'])
    // A bake of the project alone is as good.
    writeFileSync(project, JSON.stringify(json))
    expect(await run(['bake', '--project', project, '--quiet'])).toMatchObject({ status: 0, stderr: '' })
    expect(outcomes((await batch(cwd, '.', '--changed')).report)).toEqual(['up-to-date', 'up-to-date', 'up-to-date'])
  })

  test('is not asked for without --changed', async () => {
    const cwd = makeModels('everything')
    await batch(cwd, 'models')
    expect((await batch(cwd, 'models')).report.totals.baked).toBe(3)
  })
})

test('its sets are byte for byte those of single bakes', async () => {
  const cwd = makeModels('same')
  await batch(cwd, 'models', '--normals')
  for (const model of ['a', 'b', 'c']) await run(['bake', `models/${model}.gltf`, '--normals', '-o', `single/${model}`], { folder: cwd })
  const single = Object.fromEntries(['a', 'b', 'c'].map((model) => [model, contents(join(cwd, 'single', model))]))
  expect(sets(join(cwd, 'out'))).toEqual(single)
})

describe('what goes wrong with one', () => {
  test('is one row that fails; with --keep-going the others are baked, and a page tells of all', async () => {
    const cwd = makeModels('wrong')
    writeFileSync(join(cwd, 'models/b.gltf'), 'no model')
    writeFileSync(join(cwd, 'models/<i>.vat.json'), '{}')
    const { status, report } = await batch(cwd, 'models', '--keep-going', '--report', 'report.html')
    expect(status).toBe(1)
    expect(report.rows.map(({ outcome }) => outcome)).toEqual(['failed', 'baked', 'failed', 'baked'])
    expect(report.rows[0].error?.message).toContain('is not a project of VAT Studio')
    const page = readFileSync(join(cwd, 'report.html'), 'utf8')
    expect(page).toContain('&lt;i&gt;.vat.json')
    expect(page).not.toContain('<i>')
    expect(page.match(/src="data:image\/png;base64,/g)).toHaveLength(2)
    expect(page).not.toMatch(/(src|href)="(?!data:)/)

    // It failed last time, and is tried again.
    expect(outcomes((await batch(cwd, 'models', '--changed', '--keep-going')).report)).toEqual(['failed', 'up-to-date', 'failed', 'up-to-date'])
    writeModel(join(cwd, 'models/b.gltf'))
    expect(outcomes((await batch(cwd, 'models/b.gltf', '--changed')).report)).toEqual(['baked: failed'])
  })

  test('by missing its limit is not baked again in vain', async () => {
    const cwd = makeModels('limit')
    const args = ['models', '--changed', '--keep-going', '--encoding', 'rgba8', '--max-error', '0.0001mm']
    const first = await batch(cwd, ...args)
    expect(first).toMatchObject({ status: 1, report: { totals: { failed: 3 } } })
    expect(first.report.rows[0].error).toEqual({ kind: 'verify', message: expect.stringMatching(/^It misses its limit of 0\.0001mm/) as string })
    const written = statSync(join(cwd, 'out/a/a.json')).mtimeMs
    const again = await batch(cwd, ...args)
    expect(again.report.rows.map(({ error }) => error)).toEqual(first.report.rows.map(({ error }) => error))
    expect(statSync(join(cwd, 'out/a/a.json')).mtimeMs).toBe(written)
    expect(outcomes((await batch(cwd, ...args, '--max-error', '9mm')).report)).toEqual(Array(3).fill('baked: settings-changed'))
  })

  test('begins nothing more without it', async () => {
    const cwd = makeModels('stops')
    writeFileSync(join(cwd, 'models/a.gltf'), 'no model')
    const { status, report } = await batch(cwd, 'models', '--jobs', '1')
    expect(status).toBe(1)
    expect(report.totals).toEqual({ baked: 0, upToDate: 0, failed: 1, cancelled: 0, leftOut: 2 })
  })

  test('is said in lines that a log can be searched for', async () => {
    const cwd = makeModels('lines')
    writeFileSync(join(cwd, 'models/c.gltf'), 'no model')
    const { status, stdout, stderr } = await run(['batch', 'models', '--jobs', '1'], { folder: cwd })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^baked {7}models\/a\.gltf -> out\/a\/a\.json, in .* s, at most .* mm off at the samples\nbaked .*\n2 baked, 1 failed in .* s\.\n$/)
    expect(stderr).toMatch(/^error: models\/c\.gltf: c\.gltf .*\n$/)
  })
})

/** Number of the process that bakes into a folder, once it writes a texture. */
async function workerOf(output: string): Promise<number> {
  for (;;) {
    const staging = existsSync(output) && remains(output).find((name) => name.includes('.vat-staging-'))
    if (staging && existsSync(join(output, staging, 'Run_pos.exr'))) return Number(/staging-(\d+)-/.exec(staging)![1])
    await wait(5)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const LONG = ['--anim', 'Run', '--frames', '800', '--encoding', 'exr']

/** A folder with copies of the fox, which take long enough to be disturbed. */
function makeFoxes(name: string): string {
  const cwd = join(folder, name)
  mkdirSync(join(cwd, 'models'), { recursive: true })
  for (const model of ['a', 'b', 'c']) writeFileSync(join(cwd, 'models', `${model}.glb`), readFileSync(fox))
  return cwd
}

test('a worker that is killed fails its row, and no other', async () => {
  const cwd = makeFoxes('killed')
  const { ended } = start(['batch', 'models', '--jobs', '2', '--keep-going', '--json', ...LONG], { folder: cwd })
  process.kill(await workerOf(join(cwd, 'out/b')), 'SIGKILL')
  const { status, stdout } = await ended
  expect(status).toBe(1)
  const { rows } = batchReport.parse(JSON.parse(stdout))
  expect(rows.map(({ outcome }) => outcome)).toEqual(['baked', 'failed', 'baked'])
  expect(rows[1].error!.message).toMatch(/^The bake of b\.glb stopped unexpectedly/)
  for (const name of ['a', 'c']) expect(tornFiles(join(cwd, 'out', name), 'Run')).toEqual([])
  expect(Object.keys(contents(join(cwd, 'out/b')))).toEqual(['.vat-studio'])
})

test('a batch that is interrupted leaves whole sets, no worker, and goes on from there', async () => {
  const cwd = makeFoxes('interrupted')
  const { child, ended } = start(['batch', 'models', '--jobs', '1', ...LONG], { folder: cwd })
  const worker = await workerOf(join(cwd, 'out/b'))
  child.kill('SIGINT')
  const { status, stdout, stderr } = await ended
  expect(status).toBe(130)
  expect(stderr).toBe('error: The batch was cancelled. Run it again with --changed to go on from there.\n')
  expect(stdout).toMatch(/1 baked, 1 cancelled, 1 left out/)
  expect(isRunning(worker)).toBe(false)
  expect(existsSync(join(cwd, 'out/b'))).toBe(false)
  const { report } = await batch(cwd, 'models', '--changed', ...LONG)
  expect(report.rows.map(({ outcome }) => outcome)).toEqual(['up-to-date', 'baked', 'baked'])
})

test('a batch that is killed leaves no worker and nothing that is half done, and goes on from there', async () => {
  const cwd = makeFoxes('murdered')
  const { child, ended } = start(['batch', 'models', '--jobs', '1', ...LONG], { folder: cwd })
  const worker = await workerOf(join(cwd, 'out/b'))
  child.kill('SIGKILL')
  await ended
  await expect.poll(() => isRunning(worker), { timeout: 10_000 }).toBe(false)
  expect(existsSync(join(cwd, 'out/b'))).toBe(false)
  const { report } = await batch(cwd, 'models', '--changed', ...LONG)
  expect(report.rows.map(({ outcome }) => outcome)).toEqual(['up-to-date', 'baked', 'baked'])
})

test('two at once in the same folder tear no set', async () => {
  const cwd = makeModels('together')
  const runs = await Promise.all(['rgba16', 'exr'].map((encoding) => batch(cwd, 'models', '--encoding', encoding, '--normals')))
  for (const { status, report } of runs) {
    expect(report.rows.map(({ error }) => error)).toEqual([null, null, null])
    expect(status).toBe(0)
  }
  for (const name of ['a', 'b', 'c']) {
    expect(tornFiles(join(cwd, 'out', name), name)).toEqual([])
    expect(remains(join(cwd, 'out', name))).toEqual(['.vat-studio'])
  }
})
