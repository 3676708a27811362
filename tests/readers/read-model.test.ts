import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitsOf } from '../../main/model/limits.ts'
import { Problem } from '../../main/model/problem.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { triangle } from './build-gltf.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-model-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function problemOf(path: string): Promise<Problem> {
  const error: unknown = await readModel(path).then(
    () => new Error('it was read'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

test('a GLB is known by its first bytes, whatever its name is', async () => {
  const bytes = triangle().glb()
  for (const name of ['model.glb', 'MODEL.GLB', 'model.vrm', 'model', 'модель с пробелом.glb']) {
    const path = await write(name, bytes)
    const loaded = await readModel(path)
    expect(loaded.model.meshes).toHaveLength(1)
    expect(loaded.file).toBe(path)
  }
})

test('a .gltf is read as text', async () => {
  const path = await write('model.GLTF', JSON.stringify({ asset: { version: '2.0' }, nodes: [{ name: 'a' }] }))
  expect((await readModel(path)).model.nodes).toEqual([{ name: 'a', parent: -1 }])
})

test("the hash is SHA-256 of the file's bytes", async () => {
  const bytes = triangle().glb()
  const expected = createHash('sha256').update(bytes).digest('hex')
  expect((await readModel(await write('hashed.glb', bytes))).sha256).toBe(expected)
})

describe('what cannot be read gets a sentence', () => {
  test.each([
    ['Run.dae', '<COLLADA/>', 'Run.dae is a .dae file, which cannot be read.'],
    ['teapot.STL', 'solid', 'teapot.STL is a .stl file, which cannot be read.'],
    ['noname', 'x', 'noname is no model that can be read.'],
  ])('%s: which formats can be read', async (name, content, sentence) => {
    const problem = await problemOf(await write(name, content))
    expect(problem.kind).toBe('input')
    expect(problem.message).toContain(sentence)
    expect(problem.message).toContain('.glb and .gltf')
  })

  test('a PNG that calls itself .glb', async () => {
    const problem = await problemOf(await write('picture.glb', Uint8Array.of(0x89, 0x50, 0x4e, 0x47)))
    expect(problem.message).toContain('picture.glb is not a GLB file')
  })

  test('an empty file', async () => {
    expect((await problemOf(await write('empty.glb', ''))).message).toContain('empty.glb is empty')
  })

  test('a file that is not there', async () => {
    const path = join(folder, 'gone.glb')
    expect((await problemOf(path)).message).toBe(`gone.glb does not exist. Check the path: ${path}.`)
    expect((await problemOf(join(await write('file', 'x'), 'inside.glb'))).message).toContain('does not exist')
  })

  test('a file that is larger than allowed', async () => {
    const path = await write('large.glb', new Uint8Array(2_000_001))
    const problem = await readModel(path, limitsOf(['file-size=2'])).catch((error: unknown) => error)
    expect(problem).toMatchObject({ kind: 'limit', message: expect.stringContaining('large.glb has 3 megabytes') })
  })

  test('a model with more of something than allowed, whatever it is', async () => {
    const path = await write('triangle.glb', triangle().glb())
    await expect(readModel(path, limitsOf(['vertices=2']))).rejects.toThrow(
      'triangle.glb has 3 vertices in its scene, and at most 2 are allowed. Simplify the model, or allow more with --limit vertices=3.',
    )
    expect((await readModel(path, limitsOf(['vertices=3']))).model.meshes).toHaveLength(1)
  })

  test('a folder', async () => {
    await mkdir(join(folder, 'models.glb'))
    expect((await problemOf(join(folder, 'models.glb'))).message).toContain('models.glb is a folder')
  })

  test('a path that is no path', async () => {
    expect((await problemOf('a\0b.glb')).message).toContain('cannot be read')
  })
})
