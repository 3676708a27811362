import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bakeOptions } from '../../main/bake/options.ts'
import { changedOptions, formatProject, parseProject, projectFile, projectFileOf, readProject, writeProject } from '../../main/project/project-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-file-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A project in art/projects/ of a model in art/models/. */
function setup(given: object = {}) {
  const file = join(folder, 'Fox.vat.json')
  const model = join(folder, '..', 'models', 'Fox.glb')
  return { file, model, options: bakeOptions.parse({ output: join(folder, 'baked'), ...given }) }
}

describe('a project file', () => {
  test('holds what differs from the defaults, and paths from its own folder', () => {
    const text = formatProject(setup({ anim: ['Run'], fps: 60, encoding: 'exr16' }))
    expect(JSON.parse(text)).toEqual({
      format: 'vat-studio-project',
      version: 1,
      model: '../models/Fox.glb',
      output: 'baked',
      options: { anim: ['Run'], fps: 60 },
    })
    expect(text.endsWith('}\n')).toBe(true)
  })

  test('is read as it was written, whatever the option', async () => {
    const given = { anim: ['Run'], fps: 60, loop: 'on', normals: 'octahedral', maxError: '0.5mm', name: 'Rennen', overwrite: true, limit: ['vertices=5'] }
    const written = setup(given)
    await writeProject(written, false)
    expect(await readProject(written.file)).toEqual(written)
    expect(await readProject(written.file, { fps: 12, output: '/elsewhere' })).toEqual({
      ...written,
      options: { ...written.options, fps: 12, output: '/elsewhere' },
    })
  })

  test('has a place for every option of a bake', () => {
    const { options, output, ...others } = projectFile.shape
    expect(Object.keys({ ...options.unwrap().shape, output }).sort()).toEqual(Object.keys(bakeOptions.shape).sort())
    expect(Object.keys(others)).toEqual(['format', 'version', 'model'])
  })

  test('may say as little as the model', async () => {
    const file = join(folder, 'small.vat.json')
    writeFileSync(file, '\ufeff{ "format": "vat-studio-project", "version": 1, "model": "a.glb" }')
    expect(await readProject(file)).toEqual({ file, model: join(folder, 'a.glb'), options: bakeOptions.parse({ output: join(folder, 'out') }) })
  })

  test('lies beside its model, and none is replaced by chance', async () => {
    expect(projectFileOf('/models/Fox.glb')).toBe('/models/Fox.vat.json')
    expect(projectFileOf('/models/walk_*.obj')).toBe('/models/walk.vat.json')
    const written = setup()
    await writeProject(written, true)
    await expect(writeProject({ ...written, options: bakeOptions.parse({ fps: 1 }) }, false)).rejects.toThrow(/exists already.*--force\.$/)
    expect(readFileSync(written.file, 'utf8')).toBe(formatProject(written))
  })
})

test('options that are as by default are left out, also lists', () => {
  expect(changedOptions(bakeOptions.parse({}))).toEqual({})
  expect(changedOptions(bakeOptions.parse({ anim: [], mesh: ['a'], output: 'elsewhere' }))).toEqual({ mesh: ['a'] })
})

describe('versions', () => {
  const old = (version: number, more: object = {}) => JSON.stringify({ format: 'vat-studio-project', version, model: 'a.glb', ...more })

  test('before this one are led on step by step', () => {
    // As if version 1 were to come: what were steps to it leads on from versions before it.
    const toRename = (file: Record<string, unknown>) => ({ ...file, version: 2, settings: { rate: file.rate }, rate: undefined })
    const toOptions = ({ settings, ...file }: Record<string, unknown>) => ({
      format: file.format,
      version: 1,
      model: file.model,
      options: { fps: (settings as { rate: number }).rate },
    })
    expect(parseProject(old(1, { rate: 24 }), 'a.vat.json', [toRename, toOptions])).toMatchObject({ options: { fps: 24 } })
    expect(parseProject(old(2, { settings: { rate: 12 } }), 'a.vat.json', [toRename, toOptions])).toMatchObject({ options: { fps: 12 } })
  })

  test('after this one are refused', () => {
    expect(() => parseProject(old(2), 'a.vat.json')).toThrow('a.vat.json has version 2 of the project format, and this program reads 1 to 1. Update the program.')
    expect(() => parseProject(old(0), 'a.vat.json')).toThrow(/has version 0/)
  })
})

test.each([
  ['{', /^a\.vat\.json is not JSON \(.*\)\. Mend it/],
  ['null', /^a\.vat\.json is not a project of VAT Studio\./],
  ['{ "format": "vat-studio", "version": 1 }', /^a\.vat\.json is not a project of VAT Studio\./],
  ['{ "format": "vat-studio-project", "version": 1 }', /^a\.vat\.json is not a valid project: model: /],
  ['{ "format": "vat-studio-project", "version": 1, "model": "a.glb", "options": { "fps": -1 } }', /^a\.vat\.json is not a valid project: options\.fps: /],
  ['{ "format": "vat-studio-project", "version": 1, "model": "a.glb", "options": { "fsp": 1 } }', /is not a valid project: options: .*"fsp"/],
  ['{ "format": "vat-studio-project", "version": 1, "model": "a.glb", "options": { "output": "o" } }', /is not a valid project: options: .*"output"/],
])('%s is refused with a sentence', (text, sentence) => {
  expect(() => parseProject(text, 'a.vat.json')).toThrow(sentence)
})

test('a file that is not there is refused with a sentence', async () => {
  await expect(readProject(join(folder, 'none.vat.json'))).rejects.toThrow(/none\.vat\.json does not exist\. Make a project/)
})
