import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStaging, recoverOutput, recoverStaging, refuseForeignFiles } from '../../main/bake/staging.ts'

let output: string
beforeEach(() => {
  output = mkdtempSync(join(tmpdir(), 'vat-staging-test-'))
})
afterEach(() => rmSync(output, { recursive: true, force: true }))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const read = (file: string) => readFileSync(join(output, file), 'utf8')
const sidecar = (files: Record<string, string>, source = 'Fox.glb') =>
  JSON.stringify({
    format: 'vat-studio',
    source: { file: source },
    textures: Object.entries(files).map(([file, text]) => ({ file, sha256: sha256(text) })),
    meshes: [],
  })

/** Puts a set of files into place as a bake does. */
async function publish(files: Record<string, string>, name = 'Run') {
  const staging = await createStaging(output, name)
  const all = { ...files, [`${name}.json`]: sidecar(files) }
  for (const [file, text] of Object.entries(all)) writeFileSync(staging.path(file), text)
  await staging.publish(Object.keys(all))
}

/** No process has this number on any system. */
const NOBODY = 2 ** 30

/** Leaves a staging folder as a process does that was killed. */
async function leave(files: Record<string, string>, options: { complete: boolean; owner?: object }) {
  const staging = await createStaging(output, 'Run')
  for (const [file, text] of Object.entries(files)) writeFileSync(staging.path(file), text)
  if (options.complete) writeFileSync(staging.path('publish.json'), JSON.stringify({ files: Object.keys(files) }))
  writeFileSync(staging.path('owner.json'), JSON.stringify({ pid: NOBODY, host: hostname(), ...options.owner }))
  return staging.folder
}

/** Leaves the lock of a process that was killed. */
function leaveLock() {
  mkdirSync(join(output, '.Run.vat-lock'))
  writeFileSync(join(output, '.Run.vat-lock', 'holder.json'), JSON.stringify({ pid: NOBODY, host: hostname() }))
}

describe('a finished bake', () => {
  it('moves its files into place and leaves nothing else', async () => {
    await publish({ 'Run_pos.exr': 'positions' })
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_pos.exr'])
    expect(read('Run_pos.exr')).toBe('positions')
  })

  it('replaces the set before it, and removes what that had and this has not', async () => {
    await publish({ 'Run_pos.exr': 'old', 'Run_nrm.exr': 'old normals' })
    await publish({ 'Run_pos.png': 'new' })
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_pos.png'])
  })

  it('keeps a file of the set before it that somebody has changed', async () => {
    await publish({ 'Run_pos.exr': 'old' })
    writeFileSync(join(output, 'Run_pos.exr'), 'painted over by hand')
    await publish({ 'Run_pos.png': 'new' })
    expect(read('Run_pos.exr')).toBe('painted over by hand')
  })
})

describe('a bake that is refused at the last moment', () => {
  it('leaves the old files alone, and nothing to finish later', async () => {
    await publish({ 'Run_pos.exr': 'old' })
    const staging = await createStaging(output, 'Run')
    writeFileSync(staging.path('Run_pos.exr'), 'new')
    const refusal = new Error('refused')
    await expect(staging.publish(['Run_pos.exr', 'Run.json'], () => Promise.reject(refusal))).rejects.toBe(refusal)
    await staging.discard()
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_pos.exr'])
    expect(read('Run_pos.exr')).toBe('old')
  })
})

describe('a bake that is given up', () => {
  it('leaves the old files alone', async () => {
    await publish({ 'Run_pos.exr': 'old' })
    const staging = await createStaging(output, 'Run')
    writeFileSync(staging.path('Run_pos.exr'), 'half of the new')
    await staging.discard()
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_pos.exr'])
    expect(read('Run_pos.exr')).toBe('old')
  })

  it('removes the folders that it made, but no others', async () => {
    const staging = await createStaging(join(output, 'a', 'b'), 'Run')
    await staging.discard()
    expect(readdirSync(output)).toEqual([])

    mkdirSync(join(output, 'mine'))
    const second = await createStaging(join(output, 'mine', 'new'), 'Run')
    writeFileSync(join(output, 'mine', 'new', 'note.txt'), 'mine')
    await second.discard()
    expect(readdirSync(join(output, 'mine', 'new'))).toEqual(['note.txt'])
  })
})

describe('what a killed bake leaves', () => {
  it('is thrown away by the next one where the new set was not complete', async () => {
    await publish({ 'Run_pos.exr': 'old' })
    const folder = await leave({ 'Run_pos.exr': 'half' }, { complete: false })
    await recoverOutput(output)
    expect(existsSync(folder)).toBe(false)
    expect(read('Run_pos.exr')).toBe('old')
  })

  it('is finished by the next one where the new set was complete', async () => {
    await publish({ 'Run_pos.exr': 'old' })
    const files = { 'Run_pos.exr': 'new' }
    const folder = await leave({ ...files, 'Run.json': sidecar(files) }, { complete: true })
    await recoverOutput(output)
    expect(existsSync(folder)).toBe(false)
    expect(read('Run_pos.exr')).toBe('new')
    expect(JSON.parse(read('Run.json')).textures[0].sha256).toBe(sha256('new'))
  })

  it('is finished even where some of its files had been moved, and its lock was left', async () => {
    const files = { 'Run_pos.exr': 'new', 'Run_nrm.exr': 'normals' }
    const folder = await leave({ ...files, 'Run.json': sidecar(files) }, { complete: true })
    renameSync(join(folder, 'Run_pos.exr'), join(output, 'Run_pos.exr'))
    leaveLock()
    await recoverOutput(output)
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_nrm.exr', 'Run_pos.exr'])
  })

  it('is finished before another bake of its name moves its own files, and cannot be mixed with them later', async () => {
    const staging = await createStaging(output, 'Run')
    const killed = { 'Run_pos.exr': 'killed', 'Run_nrm.exr': 'killed normals' }
    const folder = await leave({ ...killed, 'Run.json': sidecar(killed) }, { complete: true })
    renameSync(join(folder, 'Run_pos.exr'), join(output, 'Run_pos.exr'))
    leaveLock()
    const files = { 'Run_pos.exr': 'new' }
    const all = { ...files, 'Run.json': sidecar(files) }
    for (const [file, text] of Object.entries(all)) writeFileSync(staging.path(file), text)
    await staging.publish(Object.keys(all))
    await recoverOutput(output)
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_pos.exr'])
    expect(read('Run_pos.exr')).toBe('new')
  })

  it('has an owner even before its owner file is written', async () => {
    const [left, begun] = [NOBODY, process.ppid].map((pid) => join(output, `.Run.vat-staging-${pid}-abc123`))
    mkdirSync(left)
    mkdirSync(begun)
    await recoverOutput(output)
    expect(readdirSync(output)).toEqual([basename(begun)])
  })

  it('can be a lock alone, whole or half removed', async () => {
    leaveLock()
    mkdirSync(join(output, '.Walk.vat-lock'))
    await recoverOutput(output)
    expect(readdirSync(output)).toEqual([])
  })

  it('is settled at once for whoever killed it, though the process goes on', async () => {
    const folder = await leave({ 'Run_pos.exr': 'half' }, { complete: false, owner: { pid: process.pid } })
    await recoverStaging(folder)
    expect(readdirSync(output)).toEqual([])
    await recoverStaging(folder)
  })

  it('goes together with the folder that was made for it', async () => {
    const folder = join(output, 'new', 'out')
    const staging = await createStaging(folder, 'Run')
    await recoverStaging(staging.folder)
    expect(readdirSync(output)).toEqual([])
  })

  it.each(['../victim.txt', '..', '/victim.txt', 'a\\b', ''])('is thrown away where it was planted to move %j', async (file) => {
    const victim = join(output, 'victim.txt')
    writeFileSync(victim, 'mine')
    const inner = join(output, 'out')
    mkdirSync(inner)
    const staging = await createStaging(inner, 'Run')
    writeFileSync(staging.path('publish.json'), JSON.stringify({ files: [file, 'Run.json'] }))
    writeFileSync(staging.path('Run.json'), '{}')
    await recoverStaging(staging.folder)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(readdirSync(inner)).toEqual([])
  })

  it('is left alone while its process runs', async () => {
    const folder = await leave({ 'Run_pos.exr': 'half' }, { complete: false, owner: { pid: process.ppid } })
    await recoverOutput(output)
    expect(existsSync(folder)).toBe(true)
  })

  it('of another machine, or of a reused process number, is left alone until it has been silent for a minute', async () => {
    for (const owner of [{ host: 'another machine' }, { pid: process.pid }]) {
      const folder = await leave({}, { complete: false, owner })
      await recoverOutput(output)
      expect(existsSync(folder)).toBe(true)
      const old = new Date(Date.now() - 120_000)
      utimesSync(join(folder, 'owner.json'), old, old)
      await recoverOutput(output)
      expect(existsSync(folder)).toBe(false)
    }
  })
})

it('never mixes two bakes of one name that end together', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => publish({ 'Run_pos.exr': `positions ${i}`, 'Run_nrm.exr': `normals ${i}` })))
  const { textures } = JSON.parse(read('Run.json')) as { textures: { file: string; sha256: string }[] }
  for (const { file, sha256: expected } of textures) expect(sha256(read(file))).toBe(expected)
  expect(readdirSync(output)).toHaveLength(3)
})

describe('files in the way', () => {
  const files = ['Run_pos.exr', 'Run_mesh.glb', 'Run.json']
  const model = '/models/Fox.glb'

  it('are replaced where they are an earlier bake of the model', async () => {
    await publish({ 'Run_pos.exr': 'old', 'Run_mesh.glb': 'mesh' })
    await expect(refuseForeignFiles(output, files, model)).resolves.toBeUndefined()
  })

  it('are refused where they are a bake of another model', async () => {
    writeFileSync(join(output, 'Run.json'), sidecar({}, 'Robot.glb'))
    await expect(refuseForeignFiles(output, files, model)).rejects.toThrow(/belongs to a bake of another model, Robot\.glb.*--overwrite/)
  })

  it.each(['not json', '{"format":"something else"}', '[]', 'null'])('are refused where the sidecar is %s', async (text) => {
    writeFileSync(join(output, 'Run.json'), text)
    await expect(refuseForeignFiles(output, files, model)).rejects.toThrow(/not a sidecar of VAT Studio/)
  })

  it('are refused where they belong to no bake', async () => {
    writeFileSync(join(output, 'Run_mesh.glb'), 'modelled by hand')
    await expect(refuseForeignFiles(output, files, model)).rejects.toThrow(/Run_mesh\.glb exists and does not belong to a bake/)
    await expect(refuseForeignFiles(join(output, 'missing'), files, model)).resolves.toBeUndefined()
  })
})

it('says why a folder cannot be made', async () => {
  writeFileSync(join(output, 'file'), '')
  await expect(createStaging(join(output, 'file', 'out'), 'Run')).rejects.toThrow(/Cannot make the folder .*part of the path is a file/)
})
