import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type BatchRow, batchRow } from '../../main/project/batch-contract.ts'
import { writeModel } from './models.ts'
import { type Running, remains, start, temporaryFolder, tornFiles } from './program.ts'

/*
 * `watch` as a process, while files change.
 */

const folder = temporaryFolder()
let watching: Running & { rows: BatchRow[]; errors(): string }
afterEach(async () => {
  watching.child.kill('SIGINT')
  const { status, stderr } = await watching.ended
  expect(status, stderr).toBe(0)
})

function watch(cwd: string): void {
  const running = start(['watch', 'models', '-o', 'out', '--json'], { folder: cwd })
  const rows: BatchRow[] = []
  let rest = ''
  let errors = ''
  running.child.stdout.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    rows.push(...lines.map((line) => batchRow.parse(JSON.parse(line))))
  })
  running.child.stderr.on('data', (piece: string) => (errors += piece))
  watching = { ...running, rows, errors: () => errors }
}

async function rowsAre(count: number): Promise<BatchRow[]> {
  const deadline = Date.now() + 20_000
  while (watching.rows.length < count && Date.now() < deadline) await wait(10)
  expect(watching.rows, watching.errors()).toHaveLength(count)
  return watching.rows
}

/** Longer than it waits for further changes, looks at everything, and bakes one of these models. */
const quiet = () => wait(2500)

const sourceOf = (output: string, name: string) =>
  (JSON.parse(readFileSync(join(output, `${name}.json`), 'utf8')) as { source: { sha256: string } }).source.sha256
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

test('a model that is saved twice within 100 ms is baked once, as it was saved last', async () => {
  const cwd = join(folder, 'twice')
  const model = writeModel(join(cwd, 'models/a.gltf'))
  writeModel(join(cwd, 'models/b.gltf'))
  watch(cwd)
  await rowsAre(2)
  await quiet()

  writeModel(model, 1)
  await wait(80)
  writeModel(model, 2)
  const rows = await rowsAre(3)
  await quiet()
  expect(rows).toHaveLength(3)
  expect(rows[2]).toMatchObject({ file: model, state: 'model-changed', outcome: 'baked' })
  expect(sourceOf(join(cwd, 'out/a'), 'a')).toBe(hashOf(model))
})

test('a model that is saved while it is baked is baked again, and the set is whole all the time', async () => {
  const cwd = join(folder, 'while')
  const model = writeModel(join(cwd, 'models/a.gltf'))
  watch(cwd)
  await rowsAre(1)
  writeModel(model, 1)
  while (remains(join(cwd, 'out/a')).every((name) => !name.includes('staging'))) await wait(2)
  writeModel(model, 2)
  const deadline = Date.now() + 20_000
  while (sourceOf(join(cwd, 'out/a'), 'a') !== hashOf(model) && Date.now() < deadline) {
    await wait(5)
  }
  expect(sourceOf(join(cwd, 'out/a'), 'a')).toBe(hashOf(model))
  expect(tornFiles(join(cwd, 'out/a'), 'a')).toEqual([])
})

test('a model that others are renamed over, again and again, is baked each time, and when it is saved in place after that', async () => {
  const cwd = join(folder, 'renamed')
  const model = writeModel(join(cwd, 'models/a.gltf'))
  watch(cwd)
  await rowsAre(1)
  for (const turn of [1, 2]) {
    renameSync(writeModel(join(cwd, 'models/.saving.gltf'), turn), model)
    expect((await rowsAre(turn + 1))[turn]).toMatchObject({ file: model, state: 'model-changed', outcome: 'baked' })
  }
  writeModel(model, 3)
  await rowsAre(4)
  expect(sourceOf(join(cwd, 'out/a'), 'a')).toBe(hashOf(model))
})

test('new models and projects are found, also in new folders; what fails is told once', async () => {
  const cwd = join(folder, 'new')
  mkdirSync(join(cwd, 'models'), { recursive: true })
  watch(cwd)
  await wait(1000)
  writeModel(join(cwd, 'models/below/deep/a.gltf'))
  expect((await rowsAre(1))[0]).toMatchObject({ outcome: 'baked', sidecarFile: join(cwd, 'out/below/deep/a/a.json') })

  writeFileSync(join(cwd, 'models/broken.gltf'), 'no model')
  expect((await rowsAre(2))[1]).toMatchObject({ outcome: 'failed' })
  // Written elsewhere and renamed into place, as careful programs save.
  writeModel(join(cwd, 'models/below/deep/new/b.gltf'))
  renameSync(join(cwd, 'models/below/deep/new'), join(cwd, 'models/c'))
  expect((await rowsAre(3))[2]).toMatchObject({ outcome: 'baked' })
  await quiet()
  expect(watching.errors().match(/broken\.gltf/g)).toHaveLength(2)
  rmSync(join(cwd, 'models/broken.gltf'))
  await quiet()
  expect(existsSync(join(cwd, 'out/broken'))).toBe(true)
  expect(watching.rows).toHaveLength(3)
})
