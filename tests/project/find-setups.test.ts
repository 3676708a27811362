import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { findSetups } from '../../main/project/find-setups.ts'
import { formatProject } from '../../main/project/project-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-setups-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text = ''): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function writeProjectOf(model: string, file: string, options: BakeOptionsInput = {}): void {
  const path = join(folder, file)
  write(file, formatProject({ file: path, model: join(folder, model), options: bakeOptions.parse({ output: join(dirname(path), 'baked'), ...options }) }))
}

/** `file -> output`, from the folder. */
async function find(places: string[], given: BakeOptionsInput = {}): Promise<string[]> {
  const found = await findSetups(places, { folder, given })
  const short = (path: string) => relative(folder, path).replaceAll('\\', '/')
  return Promise.all(found.map(async ({ file, read }) => `${short(file)} -> ${short((await read()).options.output)}`))
}

describe('a folder', () => {
  test('gives its models and projects by name, each model a folder of its own', async () => {
    for (const file of ['b.glb', 'a/c.GLTF', 'a/notes.txt', '.hidden/d.glb', 'node_modules/e.glb']) write(file)
    writeProjectOf('a/c.GLTF', 'a/Walk.vat.json')
    writeProjectOf('a/c.GLTF', 'a/Run.vat.json')
    expect(await find(['.'])).toEqual(['a/Run.vat.json -> a/baked', 'a/Walk.vat.json -> a/baked', 'b.glb -> out/b'])
    expect(await find(['a', 'b.glb', 'b.glb'], { output: 'into' })).toEqual(['a/Run.vat.json -> a/baked', 'a/Walk.vat.json -> a/baked', 'b.glb -> into/b'])
  })

  test('gives no mesh of an earlier bake, but a model that is only named so', async () => {
    write('out/Fox/Run_mesh.glb')
    write('out/Fox/Run.json', '{ "format": "vat-studio" }')
    write('Tree_mesh.glb')
    expect(await find(['.'])).toEqual(['Tree_mesh.glb -> out/Tree_mesh'])
  })

  test('without anything is wrong usage', async () => {
    write('notes.txt')
    await expect(find(['.'])).rejects.toThrow('. holds nothing to bake. Name a folder with models or projects (*.vat.json).')
  })
})

describe('a pattern', () => {
  beforeEach(() => ['x/a.glb', 'x/y/ab.gltf', 'x/y/b+c.glb', 'z.glb'].forEach((file) => write(file)))

  test.each([
    ['x/*', ['x/a.glb -> out/a']],
    ['**/*.glb', ['x/a.glb -> out/x/a', 'x/y/b+c.glb -> out/x/y/b+c', 'z.glb -> out/z']],
    ['x/**/a*', ['x/a.glb -> out/a', 'x/y/ab.gltf -> out/y/ab']],
    ['x/y/b+?.glb', ['x/y/b+c.glb -> out/b+c']],
  ])('%s', async (pattern, expected) => {
    expect(await find([pattern])).toEqual(expected)
  })

  test('that matches nothing is wrong usage', async () => {
    await expect(find(['x/*.fbx'])).rejects.toThrow('x/*.fbx matches no model and no project (*.vat.json). Check the pattern.')
  })
})

test('a star in the name of numbered files is no pattern', async () => {
  write('walk_1.obj')
  expect(await find(['walk_*.obj'])).toEqual(['walk_*.obj -> out/walk'])
})

test('models of the same name keep apart', async () => {
  write('Fox.glb')
  write('Fox.gltf')
  write('a/Fox.glb')
  expect(await find(['.'])).toEqual(['Fox.glb -> out/Fox.glb', 'Fox.gltf -> out/Fox.gltf', 'a/Fox.glb -> out/a/Fox'])
  await expect(find(['Fox.glb', 'a/Fox.glb'])).rejects.toThrow(/would both be baked into Fox\.glb/)
})

test('options that are given count for models and instead of those of projects', async () => {
  write('a.glb')
  writeProjectOf('b.glb', 'b.vat.json', { fps: 12, normals: 'xyz' })
  const [a, b] = await findSetups(['.'], { folder, given: { fps: 60 } })
  expect((await a.read()).options).toMatchObject({ fps: 60, normals: 'none' })
  expect((await b.read()).options).toMatchObject({ fps: 60, normals: 'xyz' })
})

test('files that are missing or broken are found: they will fail by themselves', async () => {
  write('broken.vat.json', '{')
  const found = await findSetups(['none.glb', 'broken.vat.json'], { folder, given: {} })
  expect((await found[0].read()).model).toBe(join(folder, 'none.glb'))
  await expect(found[1].read()).rejects.toThrow('broken.vat.json is not JSON')
})
