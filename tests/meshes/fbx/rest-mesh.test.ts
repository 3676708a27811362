import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transform } from '@gltf-transform/extensions'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFbx, writeFbx } from '../../../main/meshes/fbx/fbx-node.ts'
import type { FbxSpace } from '../../../main/meshes/fbx/space.ts'
import type { RestMesh, Submesh } from '../../../main/meshes/rest-mesh.ts'
import { createPose } from '../../../main/model/animated-model.ts'
import { createEvaluator } from '../../../main/model/evaluate.ts'
import { readModel } from '../../../main/readers/read-model.ts'
import { emptyAppearance, onePixel, restMesh, submesh } from '../fixtures.ts'
import { sha256 } from '../written-mesh.ts'
import { corners, dressedMesh } from './dressed-mesh.ts'

const SPACE: FbxSpace = { up: '+Y', front: '+Z', unitsPerMetre: 1 }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vat-fbx-'))
})
afterEach(() => rm(folder, { recursive: true }))

const file = () => join(folder, 'Run_mesh.fbx')
const write = (rest: RestMesh, appearance = emptyAppearance(), space = SPACE) => writeFbx(rest, appearance, file(), space)

describe('a rest mesh as FBX', () => {
  test('reads back to the bit', async () => {
    const { rest, appearance } = dressedMesh()
    const { indexUV } = await write(rest, appearance)
    expect(indexUV).toBe('TEXCOORD_2')
    const { submeshes } = await readFbx(file(), indexUV)
    expect(submeshes.map(({ name, material }) => [name, material])).toEqual([['Body', 0], ['Tail', 1], ['Ears', 0]])
    submeshes.forEach((read, i) => {
      const { positions, normals, indexUV, indices } = rest.submeshes[i]
      expect([read.positions, read.normals, read.indexUV, read.indices]).toEqual([positions, normals, indexUV, indices])
    })
    expect(submeshes[0].tangents).toEqual(rest.submeshes[0].tangents)
    expect(submeshes[0].attributes).toEqual([
      expect.objectContaining({ semantic: 'TEXCOORD_0', array: rest.submeshes[0].attributes[0].array }),
      expect.objectContaining({ semantic: 'TEXCOORD_1', array: rest.submeshes[0].attributes[1].array }),
      expect.objectContaining({ semantic: 'COLOR_0' }),
    ])
  })

  test('is the same to the byte when it is written again, and names every file with size and hash', async () => {
    const first = await write(dressedMesh().rest, dressedMesh().appearance)
    const bytes = await readFile(file())
    expect(await write(dressedMesh().rest, dressedMesh().appearance)).toEqual(first)
    expect(await readFile(file())).toEqual(bytes)
    expect(first.files[0]).toEqual({ file: 'Run_mesh.fbx', bytes: bytes.length, sha256: sha256(bytes) })
    expect((await readdir(folder)).sort()).toEqual(first.files.map(({ file }) => file).sort())
  })

  test('says what FBX has no place for', async () => {
    const { rest, appearance } = dressedMesh()
    const { warnings } = await write(rest, appearance)
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([['attribute-left-out', 1], ['texture-left-out', 1]])
  })

  test('names nothing but files beside it, and no time', async () => {
    const { rest, appearance } = dressedMesh()
    await write(rest, appearance)
    const text = (await readFile(file())).toString('latin1')
    expect(text).not.toContain(folder)
    expect(text).not.toContain(String(new Date().getFullYear()))
  })
})

describe("Babylon's parser of FBX", () => {
  const merged = (parts: Submesh[], size: number, values: (part: Submesh) => ArrayLike<number>) =>
    parts.flatMap((part) => corners(values(part), size, part.indices))
  const rounded = (numbers: number[][], digits = 6) => numbers.map((values) => values.map((value) => Number(value.toFixed(digits)) + 0))

  test('finds the same triangles, normals, tangents, texture coordinates and colours, by material', async () => {
    const { rest, appearance } = dressedMesh()
    await write(rest, appearance)
    const { model } = await readModel(file())
    expect(model.warnings).toEqual([])
    expect(model.materials).toEqual(['Fur', 'Skin'])
    expect(model.meshes.map(({ material }) => material)).toEqual([0, 1])
    const [body, tail, ears] = rest.submeshes
    const partsOf = [[body, ears], [tail]]
    model.meshes.forEach((mesh, i) => {
      const parts = partsOf[i]
      expect(corners(mesh.positions, 3, mesh.indices)).toEqual(merged(parts, 3, ({ positions }) => positions))
      expect(rounded(corners(mesh.normals!, 3, mesh.indices))).toEqual(rounded(merged(parts, 3, ({ normals }) => normals!)))
      const sets = mesh.attributes.filter(({ semantic }) => semantic.startsWith('TEXCOORD'))
      expect(sets.map(({ semantic }) => semantic)).toEqual(['TEXCOORD_0', 'TEXCOORD_1', 'TEXCOORD_2'])
      const given = (part: Submesh, set: number) => {
        return set === 2 ? part.indexUV : (part.attributes[set]?.array ?? new Float32Array(part.indexUV.length))
      }
      sets.forEach(({ array }, set) => expect(corners(array, 2, mesh.indices)).toEqual(merged(parts, 2, (part) => given(part, set))))
    })
    const [first] = model.meshes
    const bodyCorners = first.indices.subarray(0, body.indices.length)
    expect(rounded(corners(first.tangents!, 4, bodyCorners))).toEqual(rounded(corners(body.tangents!, 4, body.indices)))
    const colours = first.attributes.find(({ semantic }) => semantic === 'COLOR_0')!
    const expected = corners(body.attributes[2].array, 3, body.indices).map((colour) => [...colour.map((value) => value / 255), 1])
    expect(rounded(corners(colours.array, 4, bodyCorners), 5)).toEqual(rounded(expected, 5))
    expect(corners(colours.array, 4, first.indices.subarray(body.indices.length))).toEqual(Array(3).fill([1, 1, 1, 1]))
  })

  test('finds the materials, and the textures beside the file', async () => {
    const { rest, appearance } = dressedMesh()
    await write(rest, appearance)
    const { appearance: read } = await readModel(file())
    const [fur, skin] = read.getRoot().listMaterials()
    expect([fur.getRoughnessFactor(), fur.getMetallicFactor(), fur.getAlphaMode()]).toEqual([expect.closeTo(0.3), 0, 'OPAQUE'])
    expect(Buffer.from(fur.getBaseColorTexture()!.getImage()!)).toEqual(Buffer.from(onePixel(200, 80, 20)))
    expect(Buffer.from(fur.getNormalTexture()!.getImage()!)).toEqual(Buffer.from(onePixel(128, 128, 255)))
    expect(Buffer.from(fur.getEmissiveTexture()!.getImage()!)).toEqual(Buffer.from(onePixel(0, 0, 9)))
    const info = fur.getBaseColorTextureInfo()!
    expect(info.getWrapS()).toBe(33071)
    const transform = info.getExtension<Transform>('KHR_texture_transform')!
    expect([transform.getScale(), transform.getOffset()]).toEqual([[2, 3], [0.25, 0.125]])
    expect([skin.getBaseColorFactor(), skin.getAlphaMode()]).toEqual([[0.1, 0.2, 0.3, 0.5], 'BLEND'])
  })

  test.each<[string, FbxSpace, (x: number, y: number, z: number) => number[]]>([
    ['metres and Y up', SPACE, (x, y, z) => [x, y, z]],
    ['centimetres and Z up', { up: '+Z', front: '-Y', unitsPerMetre: 100 }, (x, y, z) => [x * 100, -z * 100, y * 100]],
    ['centimetres and its front to X', { up: '+Z', front: '+X', unitsPerMetre: 100 }, (x, y, z) => [z * 100, x * 100, y * 100]],
  ])('puts a file in %s at the same place in glTF', async (_, space, fromGltf) => {
    const positions = Float32Array.of(1, 2, 3, -4, 5, 0.5, 0.25, -2, 7)
    const placed = Float32Array.from([0, 3, 6].flatMap((i) => fromGltf(positions[i], positions[i + 1], positions[i + 2])))
    await write(restMesh([submesh(3, { positions: placed })]), emptyAppearance(), space)
    const { model } = await readModel(file())
    const evaluator = createEvaluator(model, [0], Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))
    const pose = createPose(model)
    const frame = evaluator.createFrame({ normals: false, tangents: false })
    model.pose(null, 0, pose)
    evaluator.evaluate(pose, frame)
    expect(Array.from(frame.positions)).toEqual(Array.from(positions, (value) => expect.closeTo(value, 5) as number))
  })
})

describe('names', () => {
  test('that the format cannot hold, none, and equal ones become safe and unique', async () => {
    const appearance = emptyAppearance()
    const names = ['Fur', 'fur', '', 'Zero\0\x01Material', 'Läuft 走る', 'Lone \ud800', 'Fur']
    for (const name of names) appearance.createMaterial(name)
    await write(restMesh(names.map((_, material) => submesh(3, { name: `Part ${material}\0`, material }))), appearance)
    const { model } = await readModel(file())
    expect(model.materials).toEqual(['Fur', 'fur_2', 'Material', 'Zero__Material', 'Läuft 走る', 'Lone _', 'Fur_3'])
    expect((await readFbx(file(), 'TEXCOORD_1')).submeshes.map(({ name }) => name)).toEqual(names.map((_, i) => `Part ${i}\0`))
  })
})

test('a mesh without any triangle keeps its vertices', async () => {
  const { indexUV } = await write(restMesh([submesh(2, { indices: new Uint32Array(0) })]))
  const [read] = (await readFbx(file(), indexUV)).submeshes
  expect([read.positions.length, read.indices.length]).toEqual([6, 0])
})

describe('reading a file that is not a rest mesh is a problem of the input', () => {
  const refused = (message: RegExp) => expect(readFbx(file(), 'TEXCOORD_1')).rejects.toMatchObject({ kind: 'input', message: expect.stringMatching(message) as string })

  test('because it is cut short', async () => {
    await write(restMesh([submesh(60)]))
    const whole = await readFile(file())
    for (const length of [0, 26, 500, Math.floor(whole.length / 2)]) {
      await writeFile(file(), whole.subarray(0, length))
      await refused(/^"Run_mesh\.fbx" cannot be read as a rest mesh \(.+\)\. Bake the model again to replace it\.$/)
    }
  })

  test('because the index UV is not where the sidecar says', async () => {
    await write(restMesh([submesh(3)]))
    await expect(readFbx(file(), 'TEXCOORD_2')).rejects.toThrow('it has no TEXCOORD_2')
  })

  test('because its sub-meshes have other vertices than it says', async () => {
    const { rest, appearance } = dressedMesh()
    await write(rest, appearance)
    const bytes = await readFile(file())
    bytes.write('7', bytes.indexOf('"vertexCount":6') + 14)
    await writeFile(file(), bytes)
    await refused(/cannot be read as a rest mesh \(its sub-meshes have \d+ vertices and it has 13\)/)
  })
})
