import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Root } from '@gltf-transform/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRestMesh, writeRestMesh } from '../../main/meshes/glb.ts'
import { restMeshOf } from './fixtures.ts'
import { faultsOf, open, sha256 } from './written-mesh.ts'

const SAMPLES = fileURLToPath(new URL('../../resources/samples/', import.meta.url))
const models = (await readdir(SAMPLES)).filter((file) => file !== 'README.md')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vat-samples-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('each sample has its licence in the README and is no larger than 2 MB', async () => {
  const readme = await readFile(join(SAMPLES, 'README.md'), 'utf8')
  expect(models).toEqual(expect.arrayContaining(['Fox.glb', 'RobotExpressive.glb', 'SimpleSkin.gltf', 'AnimatedMorphCube.glb']))
  for (const file of models) {
    expect(readme).toMatch(new RegExp(`^\\| \`${file}\` \\|.*CC(0| BY) `, 'm'))
    expect(readme).toContain(`### ${file}\n`)
    expect((await stat(join(SAMPLES, file))).size).toBeLessThan(2_000_000)
  }
})

describe.each(models)('the rest mesh of %s', (model) => {
  test.each(['glb', 'gltf'] as const)('is valid as %s, keeps materials and images, and reads back to the bit', async (format) => {
    const { document } = await open(join(SAMPLES, model))
    const rest = restMeshOf(document)
    const file = join(folder, `${model}_mesh.${format}`)
    const { indexUV, warnings } = await writeRestMesh(rest, document, { format, file })
    expect(warnings).toEqual([])
    expect(await faultsOf(file)).toEqual([])

    const written = (await open(file)).document.getRoot()
    const source = document.getRoot()
    const used = source.listMaterials().filter((_, index) => rest.submeshes.some(({ material }) => material === index))
    expect(written.listMaterials().map((material) => material.getName())).toEqual(used.map((material) => material.getName()))
    const imagesOf = (root: Root) => root.listTextures().map((texture) => sha256(texture.getImage()!))
    expect(imagesOf(written)).toEqual(imagesOf(source))
    expect(written.getAsset().copyright).toBe(source.getAsset().copyright)

    const { submeshes } = await readRestMesh(file, indexUV)
    expect(submeshes).toEqual(rest.submeshes.map(({ name, positions, normals, tangents, indexUV, indices }) => (
      { name, positions, normals, tangents, indexUV, indices }
    )))
  })
})
