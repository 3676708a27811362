import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult } from '../../main/bake/contract.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import type { BakeSetup } from '../../main/project/project-file.ts'
import { recordBake, recordFailure } from '../../main/project/record.ts'
import { filesOf, stateOf } from '../../main/project/state.ts'
import { writeModel } from '../process/models.ts'

let folder: string
let baked: BakeResult
let place: string
let count = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-'))
  const setup = setupIn(join(folder, 'origin'))
  writeModel(setup.model)
  baked = await bakeTo(setup)
  await recordBake(setup, baked)
})
beforeEach(() => {
  // Everything is relative: the whole folder may be moved.
  place = join(folder, String(count++))
  cpSync(join(folder, 'origin'), place, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

function setupIn(place: string, given: object = {}): BakeSetup {
  const model = join(place, 'models/a.gltf')
  return { file: model, model, options: bakeOptions.parse({ encoding: 'rgba16', ...given, output: join(place, 'out') }) }
}

test('a setup is up to date where nothing has changed, wherever the folder was moved to', async () => {
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'up-to-date', detail: '', set: { sidecarFile: join(place, 'out/a.json') } })
  // Neither changes what is written.
  expect(await stateOf(setupIn(place, { overwrite: true }))).toMatchObject({ state: 'up-to-date' })
  expect(baked.external.map(({ file }) => basename(file))).toEqual(['a0.bin', 'a1.bin', 'a2.bin', 'a3.bin', 'a.png'])
})

test.each<[string, (place: string) => void, object]>([
  ['the model', (place) => appendFileSync(join(place, 'models/a.gltf'), ' '), { state: 'model-changed', detail: 'a.gltf has changed' }],
  ['its texture', (place) => appendFileSync(join(place, 'models/a.png'), ' '), { state: 'model-changed', detail: 'a.png has changed' }],
  ['its buffer', (place) => rmSync(join(place, 'models/a0.bin')), { state: 'model-changed', detail: 'a0.bin has changed' }],
  ['no model', (place) => rmSync(join(place, 'models/a.gltf')), { state: 'source-missing' }],
  ['the set', (place) => appendFileSync(join(place, 'out/a_pos.png'), ' '), { state: 'output-damaged', detail: 'a_pos.png is not the file that was baked' }],
  ['the sidecar', (place) => appendFileSync(join(place, 'out/a.json'), ' '), { state: 'output-damaged', detail: 'a.json is not the file that was baked' }],
  ['no sidecar', (place) => rmSync(join(place, 'out/a.json')), { state: 'output-missing', detail: 'a.json is missing' }],
  ['no mesh', (place) => rmSync(join(place, 'out/a_mesh.glb')), { state: 'output-missing', detail: 'a_mesh.glb is missing' }],
  ['no output', (place) => rmSync(join(place, 'out'), { recursive: true }), { state: 'output-missing', detail: 'it was not baked here yet' }],
  ['a damaged record', (place) => damageRecord(place), { state: 'output-missing', detail: 'it was not baked here yet' }],
])('%s tells', async (_, change, state) => {
  change(place)
  expect(await stateOf(setupIn(place))).toMatchObject(state)
})

test('an image that was missing is noticed when it comes', async () => {
  const missing = { file: join(place, 'models/later.png'), sha256: null }
  await recordBake(setupIn(place), { ...baked, sidecarFile: join(place, 'out/a.json'), external: [missing] })
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'up-to-date' })
  writeFileSync(missing.file, '')
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'model-changed', detail: 'later.png has changed' })
})

test('settings that have changed are named', async () => {
  expect(await stateOf(setupIn(place, { fps: 12 }))).toMatchObject({ state: 'settings-changed', detail: 'fps is not what it was' })
  expect(await stateOf(setupIn(place, { encoding: 'exr16' }))).toMatchObject({ state: 'settings-changed', detail: 'encoding is not what it was' })
})

test('a set that a bake with other options has put in the place of ours is not taken for ours', async () => {
  await recordBake(setupIn(place), { ...baked, sidecarFile: join(place, 'out/a.json'), sidecar: { ...baked.sidecar, encoding: 'exr' } })
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'output-damaged' })
})

test('a set that misses its limit has failed, until something changes', async () => {
  const sidecarFile = join(place, 'out/a.json')
  await recordBake(setupIn(place), { ...baked, sidecarFile }, 'It misses its limit.')
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'failed', detail: 'It misses its limit.', set: { sidecarFile } })
  appendFileSync(join(place, 'models/a.gltf'), ' ')
  expect(await stateOf(setupIn(place))).toEqual({ state: 'model-changed', detail: 'a.gltf has changed' })
})

test('numbered files are one model: each counts, and new ones, too', async () => {
  const write = (number: number, height: number) => {
    writeFileSync(join(place, `models/walk_${number}.obj`), `v 0 0 0\nv 1 0 0\nv 0 ${height} 0\nf 1 2 3\n`)
  }
  for (const number of [1, 2, 3]) write(number, number)
  const setup = { ...setupIn(place, { name: 'walk' }), model: join(place, 'models/walk_*.obj') }
  await recordBake(setup, await bakeTo(setup))
  expect(await stateOf(setup)).toMatchObject({ state: 'up-to-date' })
  write(4, 1)
  expect(await stateOf(setup)).toMatchObject({ state: 'model-changed', detail: 'walk_4.obj is new' })
  rmSync(join(place, 'models/walk_4.obj'))
  write(2, 7)
  expect(await stateOf(setup)).toMatchObject({ state: 'model-changed', detail: 'walk_2.obj has changed' })
  write(1, 7)
  expect(await stateOf(setup)).toMatchObject({ state: 'model-changed', detail: 'walk_1.obj has changed' })
  for (const number of [1, 2, 3]) rmSync(join(place, `models/walk_${number}.obj`))
  expect(await stateOf(setup)).toMatchObject({ state: 'source-missing' })
})

test('a failure is remembered until the next bake', async () => {
  await recordFailure(setupIn(place), 'a.gltf is broken.')
  expect(await stateOf(setupIn(place))).toEqual({ state: 'failed', detail: 'a.gltf is broken.' })
  await recordBake(setupIn(place), { ...baked, sidecarFile: join(place, 'out/a.json') })
  expect(await stateOf(setupIn(place))).toMatchObject({ state: 'up-to-date' })
})

async function bakeTo({ model, options }: BakeSetup): Promise<BakeResult> {
  const work = bake(model, options)
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

function damageRecord(place: string): void {
  const records = join(place, 'out/.vat-studio')
  for (const name of readdirSync(records)) writeFileSync(join(records, name), '{ "version": 1')
}

test('files are found wherever a sidecar names them', () => {
  const set = { ...baked.sidecar, later: [{ deep: { file: 'a.csv', sha256: 'b' } }, { file: 'a.shader' }] }
  const named = filesOf(set)
  expect(named.map(({ file }) => file)).toEqual(['a_pos.png', 'a_mesh.glb', 'a.csv', 'a.shader'])
  expect(named.slice(2)).toEqual([{ file: 'a.csv', sha256: 'b' }, { file: 'a.shader', sha256: undefined }])
})
