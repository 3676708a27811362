import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document } from '@gltf-transform/core'
import { KHRTextureTransform } from '@gltf-transform/extensions'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readRestMesh, writeRestMesh } from '../../main/meshes/glb.ts'
import type { RestMesh } from '../../main/meshes/rest-mesh.ts'
import type { VertexAttribute } from '../../main/model/animated-model.ts'
import { emptyAppearance, onePixel, restMesh, submesh } from './fixtures.ts'
import { faultsOf, open, sha256 } from './written-mesh.ts'

const FORMATS = ['glb', 'gltf'] as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vat-meshes-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (rest: RestMesh, appearance = emptyAppearance(), format: 'glb' | 'gltf' = 'glb', stem = 'Run_mesh') =>
  writeRestMesh(rest, appearance, { format, file: join(folder, `${stem}.${format}`) })

const uvs = (set: number, vertexCount: number): VertexAttribute => ({
  semantic: `TEXCOORD_${set}`,
  itemSize: 2,
  normalized: false,
  array: Float32Array.from({ length: vertexCount * 2 }, (_, i) => set + i / 8),
})

const alongX = (vertexCount: number) => Float32Array.from({ length: vertexCount * 3 }, (_, i) => (i % 3 === 0 ? 1 : 0))
const tangentsAlongY = (vertexCount: number) => Float32Array.from({ length: vertexCount * 4 }, (_, i) => [0, 1, 0, -1][i % 4])

/** Two sub-meshes that have little in common, and a material with two textures of the same name. */
function dressed(): { rest: RestMesh; appearance: Document } {
  const appearance = emptyAppearance()
  const texture = (name: string, image: Uint8Array) => appearance.createTexture(name).setImage(image).setMimeType('image/png')
  appearance.createMaterial('Unused')
  const fur = appearance.createMaterial('Fur').setBaseColorTexture(texture('Fur', onePixel(200, 80, 20)))
  fur.setEmissiveTexture(texture('fur', onePixel(0, 0, 9)))
  fur.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', appearance.createExtension(KHRTextureTransform).createTransform().setScale([2, 2]))
  fur.getEmissiveTextureInfo()!.setTexCoord(1)
  const body = submesh(5, {
    material: 1,
    normals: alongX(5),
    tangents: tangentsAlongY(5),
    attributes: [
      uvs(0, 5),
      uvs(1, 5),
      { semantic: 'COLOR_0', itemSize: 3, normalized: true, array: Uint8Array.from({ length: 15 }, (_, i) => i * 17) },
      { semantic: '_WIND', itemSize: 1, normalized: false, array: Int16Array.of(1, -2, 3, -4, 5) },
    ],
  })
  return { rest: restMesh([body, submesh(4, { name: 'Tail' })]), appearance }
}

describe.each(FORMATS)('a rest mesh as %s', (format) => {
  test('is valid glTF with one mesh on one node that does not move it', async () => {
    const { rest, appearance } = dressed()
    await write(rest, appearance, format)
    const file = join(folder, `Run_mesh.${format}`)
    expect(await faultsOf(file)).toEqual([])
    const { json } = await open(file)
    const extras = { bounds: { min: [-1, -2, -3], max: [1, 2, 3] }, vat: { sidecar: 'Run.json' } }
    expect(json.asset).toEqual({ version: '2.0', generator: 'VAT Studio' })
    expect(json.scene).toBe(0)
    expect(json.scenes).toEqual([{ name: 'Run', nodes: [0] }])
    expect(json.nodes).toEqual([{ name: 'Run', mesh: 0, extras }])
    expect(json.meshes).toMatchObject([{ name: 'Run', extras, primitives: [{ material: 0, extras: { name: 'Body' } }, { extras: { name: 'Tail' } }] }])
    expect(json.meshes![0].primitives[1].material).toBeUndefined()
    expect(json.materials!.map(({ name }) => name)).toEqual(['Fur'])
    expect([json.extensionsUsed, json.extensionsRequired]).toEqual([['KHR_texture_transform'], undefined])
    expect(Object.keys(json).sort()).toEqual([
      'accessors', 'asset', 'bufferViews', 'buffers', 'extensionsUsed', 'images', 'materials', 'meshes', 'nodes', 'samplers', 'scene', 'scenes', 'textures',
    ])
  })

  test('reads back to the bit', async () => {
    const { rest, appearance } = dressed()
    const { indexUV } = await write(rest, appearance, format)
    const [body, tail] = rest.submeshes
    expect(await readRestMesh(join(folder, `Run_mesh.${format}`), indexUV)).toEqual({
      submeshes: [
        { name: 'Body', positions: body.positions, normals: body.normals, tangents: body.tangents, indexUV: body.indexUV, indices: body.indices },
        { name: 'Tail', positions: tail.positions, normals: null, tangents: null, indexUV: tail.indexUV, indices: tail.indices },
      ],
    })
  })

  test('keeps colours and application-specific attributes', async () => {
    const { rest, appearance } = dressed()
    await write(rest, appearance, format)
    const { document } = await open(join(folder, `Run_mesh.${format}`))
    const [body] = document.getRoot().listMeshes()[0].listPrimitives()
    expect(body.getAttribute('COLOR_0')!.getArray()).toEqual(rest.submeshes[0].attributes[2].array)
    expect(body.getAttribute('COLOR_0')!.getNormalized()).toBe(true)
    expect(body.getAttribute('_WIND')!.getArray()).toEqual(Int16Array.of(1, -2, 3, -4, 5))
  })

  test('is the same to the byte when it is written again, and names every file with size and hash', async () => {
    const { rest, appearance } = dressed()
    const first = await write(rest, appearance, format)
    const images = await Promise.all(first.files.map(({ file }) => readFile(join(folder, file))))
    expect(first.files).toEqual(images.map((data, i) => ({ file: first.files[i].file, bytes: data.byteLength, sha256: sha256(data) })))
    expect((await readdir(folder)).sort()).toEqual(first.files.map(({ file }) => file).sort())
    expect(await write(rest, dressed().appearance, format)).toEqual(first)
    expect(await Promise.all(first.files.map(({ file }) => readFile(join(folder, file))))).toEqual(images)
  })
})

describe('the index UV', () => {
  const channelOf = async (rest: RestMesh, appearance?: Document) => {
    const { indexUV } = await write(rest, appearance)
    const { document } = await open(join(folder, 'Run_mesh.glb'))
    const sets = document.getRoot().listMeshes()[0].listPrimitives()
      .map((primitive) => primitive.listSemantics().filter((semantic) => semantic.startsWith('TEXCOORD')))
    expect(await faultsOf(join(folder, 'Run_mesh.glb'))).toEqual([])
    return { indexUV, sets, document }
  }

  test('is TEXCOORD_1 of a mesh without texture coordinates, which gets a TEXCOORD_0 of zeros', async () => {
    const { indexUV, sets, document } = await channelOf(restMesh([submesh(3)]))
    expect([indexUV, sets]).toEqual(['TEXCOORD_1', [['TEXCOORD_0', 'TEXCOORD_1']]])
    expect(document.getRoot().listMeshes()[0].listPrimitives()[0].getAttribute('TEXCOORD_0')!.getArray()).toEqual(new Float32Array(6))
  })

  test('has the same number in all sub-meshes, behind the last set of any', async () => {
    const rest = restMesh([submesh(3, { attributes: [uvs(0, 3), uvs(1, 3)] }), submesh(4, { attributes: [uvs(0, 4)] }), submesh(3)])
    const all = ['TEXCOORD_0', 'TEXCOORD_1', 'TEXCOORD_2']
    expect(await channelOf(rest)).toMatchObject({ indexUV: 'TEXCOORD_2', sets: [all, all, all] })
  })

  test('keeps out of a set that a texture refers to, even where the mesh does not have it', async () => {
    const { appearance } = dressed()
    const { indexUV, document } = await channelOf(restMesh([submesh(3, { material: 1, attributes: [uvs(0, 3)] })]), appearance)
    expect(indexUV).toBe('TEXCOORD_2')
    const [fur] = document.getRoot().listMaterials()
    expect([fur.getBaseColorTextureInfo()!.getTexCoord(), fur.getEmissiveTextureInfo()!.getTexCoord()]).toEqual([0, 1])
  })

  test('may lie outside of 0..1 and keeps its bits', async () => {
    const indexUV = Float32Array.of(1 / 3, -0, 1e-40, 1.5, 16384.5, -2)
    const written = await write(restMesh([submesh(3, { indexUV })]))
    const [read] = (await readRestMesh(join(folder, 'Run_mesh.glb'), written.indexUV)).submeshes
    expect(new Uint32Array(read.indexUV.buffer)).toEqual(new Uint32Array(indexUV.buffer))
  })
})

describe('vertices', () => {
  test('that no triangle uses, and ones that are equal, stay where they are', async () => {
    const positions = Float32Array.of(9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 7, 7, 7)
    const written = await write(restMesh([submesh(6, { positions, indices: Uint32Array.of(1, 2, 4) })]))
    const [read] = (await readRestMesh(join(folder, 'Run_mesh.glb'), written.indexUV)).submeshes
    expect([read.positions, read.indices]).toEqual([positions, Uint32Array.of(1, 2, 4)])
  })

  test('without any triangle stay too', async () => {
    const written = await write(restMesh([submesh(2, { indices: new Uint32Array(0) })]))
    const [read] = (await readRestMesh(join(folder, 'Run_mesh.glb'), written.indexUV)).submeshes
    expect(read.positions).toHaveLength(6)
    expect(await faultsOf(join(folder, 'Run_mesh.glb'))).toEqual([])
  })

  test.each([
    [65_535, Uint16Array],
    [65_536, Uint32Array],
  ])('%i of them are indexed with the narrowest type that leaves 65535 free', async (count, Type) => {
    const indices = Uint32Array.of(0, 1, count - 1)
    const written = await write(restMesh([submesh(count, { indices })]))
    const { document } = await open(join(folder, 'Run_mesh.glb'))
    expect(document.getRoot().listMeshes()[0].listPrimitives()[0].getIndices()!.getArray()).toBeInstanceOf(Type)
    expect((await readRestMesh(join(folder, 'Run_mesh.glb'), written.indexUV)).submeshes[0].indices).toEqual(indices)
    expect(await faultsOf(join(folder, 'Run_mesh.glb'))).toEqual([])
  })

  test('with more attributes than fit into one stride stay valid', async () => {
    const attributes = Array.from({ length: 24 }, (_, i): VertexAttribute => (
      { semantic: `_A${i}`, itemSize: 4, normalized: false, array: new Float32Array(12).fill(i) }
    ))
    await write(restMesh([submesh(3, { attributes })]))
    expect(await faultsOf(join(folder, 'Run_mesh.glb'))).toEqual([])
  })

  test('get tangents only where they have normals', async () => {
    const written = await write(restMesh([submesh(3, { tangents: tangentsAlongY(3) })]))
    expect((await readRestMesh(join(folder, 'Run_mesh.glb'), written.indexUV)).submeshes[0].tangents).toBeNull()
  })

  test('whose attributes cannot be written are reported', async () => {
    const attributes: VertexAttribute[] = [{ semantic: 'COLOR_1', itemSize: 3, normalized: false, array: new Float32Array(9) }]
    const { warnings } = await write(restMesh([submesh(3, { attributes }), submesh(3, { attributes })]))
    expect(warnings).toEqual([{
      code: 'attribute-left-out',
      message: '2 vertex attribute(s) that glTF does not allow are left out of the rest mesh: COLOR_1.',
      count: 2,
    }])
  })

  test.each([
    ['none', { positions: new Float32Array(0), indexUV: new Float32Array(0) }, '0 numbers as positions'],
    ['a broken one', { positions: new Float32Array(10) }, '10 numbers as positions'],
    ['too few normals', { normals: new Float32Array(6) }, '6 numbers as normals of 3 vertices'],
    ['too many index UVs', { indexUV: new Float32Array(8) }, '8 numbers as index UV of 3 vertices'],
    ['too few colours', { attributes: [{ ...uvs(0, 2), semantic: 'COLOR_0' }] }, '4 numbers as COLOR_0 of 3 vertices'],
  ])('that contradict each other are a defect of the caller: %s', async (_, over, message) => {
    await expect(write(restMesh([submesh(3, over)]))).rejects.toThrow(new RangeError(`sub-mesh Body: ${message}`))
    expect(await readdir(folder)).toEqual([])
  })

  test('must be there', async () => {
    await expect(write(restMesh([]))).rejects.toThrow(new RangeError('a rest mesh without sub-meshes'))
  })
})

describe('the files', () => {
  test('of a .gltf are the buffer and the images, named after the mesh', async () => {
    const { rest, appearance } = dressed()
    const { files } = await write(rest, appearance, 'gltf')
    expect(files.map(({ file }) => file)).toEqual(['Run_mesh.gltf', 'Run_mesh.bin', 'Run_mesh_Fur.png', 'Run_mesh_fur_2.png'])
    expect(await readFile(join(folder, 'Run_mesh_Fur.png'))).toEqual(Buffer.from(onePixel(200, 80, 20)))
    expect(await readFile(join(folder, 'Run_mesh_fur_2.png'))).toEqual(Buffer.from(onePixel(0, 0, 9)))
  })

  test('may have names that are no plain URIs', async () => {
    const { rest, appearance } = dressed()
    const stem = 'Läuft 100% #2'
    const { files, indexUV } = await write(rest, appearance, 'gltf', stem)
    expect((await readdir(folder)).sort()).toEqual(files.map(({ file }) => file).sort())
    expect(files[1].file).toBe(`${stem}.bin`)
    expect((await readRestMesh(join(folder, `${stem}.gltf`), indexUV)).submeshes).toHaveLength(2)
    expect(await faultsOf(join(folder, `${stem}.gltf`))).toEqual([])
  })

  test('of a .glb is one file with the same images', async () => {
    const { rest, appearance } = dressed()
    const { files } = await write(rest, appearance, 'glb')
    expect(files.map(({ file }) => file)).toEqual(['Run_mesh.glb'])
    const { document } = await open(join(folder, 'Run_mesh.glb'))
    expect(document.getRoot().listTextures().map((texture) => texture.getImage())).toEqual([onePixel(200, 80, 20), onePixel(0, 0, 9)])
  })

  test("keep the authors' notice of the model", async () => {
    const appearance = emptyAppearance()
    appearance.getRoot().getAsset().copyright = 'CC-BY 4.0 Somebody'
    await write(restMesh([submesh(3)]), appearance)
    expect((await open(join(folder, 'Run_mesh.glb'))).json.asset.copyright).toBe('CC-BY 4.0 Somebody')
  })

  test('that cannot be written are a problem of the output', async () => {
    const file = join(folder, 'missing', 'Run_mesh.glb')
    await expect(writeRestMesh(restMesh([submesh(3)]), emptyAppearance(), { format: 'glb', file })).rejects.toMatchObject({
      kind: 'output',
      message: '"Run_mesh.glb" cannot be written (ENOENT). Free some space or choose another folder.',
    })
  })
})

describe('reading a file that is not a rest mesh is a problem of the input', () => {
  const reading = (file: string, indexUV = 'TEXCOORD_1') => expect(readRestMesh(join(folder, file), indexUV)).rejects
  const problem = (message: string | RegExp) => ({ kind: 'input', message: expect.stringMatching(message) as string })

  test('because it is not there', () => reading('none.glb').toMatchObject(problem(/^"none\.glb" cannot be read as a rest mesh \(ENOENT.*\)\. Bake/)))

  test('because it is cut short', async () => {
    await write(restMesh([submesh(30)]))
    const whole = await readFile(join(folder, 'Run_mesh.glb'))
    for (const length of [0, 11, 12, 19, 200, whole.length - 100]) {
      await writeFile(join(folder, 'cut.glb'), whole.subarray(0, length))
      await reading('cut.glb').toMatchObject(problem(/^"cut\.glb" cannot be read as a rest mesh \(.+\)\. Bake/))
    }
  })

  test('because it counts more vertices than it can hold, which is found before any memory is taken', async () => {
    await write(restMesh([submesh(3)]), undefined, 'gltf')
    const file = join(folder, 'Run_mesh.gltf')
    const json = JSON.parse(await readFile(file, 'utf8')) as { accessors: { count: number }[] }
    json.accessors[1].count = 1_000_000_000
    await writeFile(file, JSON.stringify(json))
    await reading('Run_mesh.gltf').toMatchObject(problem('more vertices than it has bytes'))
  })

  test('because the index UV is not where the sidecar says', async () => {
    await write(restMesh([submesh(3)]))
    await reading('Run_mesh.glb', 'TEXCOORD_2').toMatchObject(problem('has no TEXCOORD_2 of floats in its sub-mesh 0'))
  })

  test('because it has no indices', async () => {
    await write(restMesh([submesh(3)]), undefined, 'gltf')
    const file = join(folder, 'Run_mesh.gltf')
    const json = JSON.parse(await readFile(file, 'utf8')) as { meshes: { primitives: { indices?: number }[] }[] }
    delete json.meshes[0].primitives[0].indices
    await writeFile(file, JSON.stringify(json))
    await reading('Run_mesh.gltf').toMatchObject(problem('has no indices in its sub-mesh 0'))
  })

  test('because it has no mesh', async () => {
    await writeFile(join(folder, 'empty.gltf'), '{"asset":{"version":"2.0"}}')
    await reading('empty.gltf').toMatchObject(problem('holds 0 meshes where a rest mesh has one'))
  })
})
