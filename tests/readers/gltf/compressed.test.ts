import { createRequire } from 'node:module'
import { Document, WebIO } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions'
import { MeshoptEncoder } from 'meshoptimizer'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readGltf } from '../../../main/readers/gltf/read-gltf.ts'
import { glbOf, triangle } from '../build-gltf.ts'

const draco3d = createRequire(import.meta.url)('draco3dgltf') as { createEncoderModule(): Promise<unknown> }

/** A square of four vertices whose coordinates survive quantisation. */
function square(): Document {
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0])))
    .setIndices(accessor('SCALAR', Uint16Array.from([0, 1, 2, 2, 1, 3])))
  const node = document.createNode('Square').setMesh(document.createMesh('Square').addPrimitive(primitive))
  document.createScene().addChild(node)
  return document
}

/** The JSON and the binary chunk of a GLB. */
function apart(glb: Uint8Array) {
  const view = new DataView(glb.buffer, glb.byteOffset)
  const jsonLength = view.getUint32(12, true)
  const text = new TextDecoder().decode(glb.subarray(20, 20 + jsonLength))

  return { json: JSON.parse(text), binary: glb.slice(28 + jsonLength) }
}

const read = (glb: Uint8Array) => readGltf('/nowhere/model.glb', 'model.glb', glb)

/** Corners of the triangles, however the vertices are numbered. */
async function cornersOf(glb: Uint8Array): Promise<string[]> {
  const { model: { meshes: [{ positions, indices }] } } = await read(glb)
  const corners = [...indices].map((vertex) => positions.subarray(vertex * 3, vertex * 3 + 3))
  return corners.map((corner) => [...corner].map((value) => Math.round(value * 1000) / 1000).join()).sort()
}

const CORNERS = ['0,0,0', '0,1,0', '0,1,0', '1,0,0', '1,0,0', '1,1,0']

describe('Draco', () => {
  let glb: Uint8Array
  beforeAll(async () => {
    const document = square()
    document.createExtension(KHRDracoMeshCompression).setRequired(true)
    const io = new WebIO().registerExtensions([KHRDracoMeshCompression])
    glb = await io.registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule() }).writeBinary(document)
  })

  it('is unpacked', async () => {
    expect(await cornersOf(glb)).toEqual(CORNERS)
  })

  it.each([
    ['a count that is far from that of the data', (json: Json) => (positionsOf(json).count = 1), 'announces 4 vertices and 2 triangles instead of 1 and 2'],
    [
      'another kind of attribute',
      (json: Json) => {
        json.accessors.push({ ...positionsOf(json), type: 'VEC2' })
        json.meshes[0].primitives[0].attributes.TEXCOORD_0 = json.accessors.length - 1
        dracoOf(json).attributes.TEXCOORD_0 = 0
      },
      'cannot be unpacked (its attribute 0 has 3 components instead of 2)',
    ],
    [
      'other counts outside of the data',
      (json: Json) => {
        json.accessors.push({ ...positionsOf(json), count: 5 })
        positionsOf(json).count = 5
        json.meshes[0].primitives[0].targets = [{ POSITION: json.accessors.length - 1 }]
      },
      'it has 4 vertices, and POSITION outside of the compressed data 5',
    ],
    ['an attribute that is not there', (json: Json) => (dracoOf(json).attributes.POSITION = 7), 'cannot be unpacked (it has no attribute 7)'],
    ['a buffer view that is not there', (json: Json) => (dracoOf(json).bufferView = 7), 'its description is wrong'],
  ])('is refused with %s', async (_, damage, sentence) => {
    const { json, binary } = apart(glb)
    damage(json)
    await expect(read(glbOf(JSON.stringify(json), binary))).rejects.toThrow(
      `model.glb is broken: primitive 0 of mesh 0 ("Square") is compressed with Draco, and ${sentence}`,
    )
  })

  it('counts by what comes out, where another number of vertices or triangles is announced, and that is said', async () => {
    const { json, binary } = apart(glb)
    positionsOf(json).count = 3
    json.accessors[json.meshes[0].primitives[0].indices].count = 3
    const changed = glbOf(JSON.stringify(json), binary)
    expect(await cornersOf(changed)).toEqual(CORNERS)
    const { model } = await read(changed)
    expect(model.warnings).toMatchObject([{ code: 'draco-counts', count: 1 }])
    expect((await read(glb)).model.warnings).toEqual([])
  })

  it('makes triangles of strips, and of primitives without indices', async () => {
    const { json, binary } = apart(glb)
    Object.assign(json.meshes[0].primitives[0], { mode: 5 })
    expect(await cornersOf(glbOf(JSON.stringify(json), binary))).toEqual(CORNERS)
    delete json.meshes[0].primitives[0].indices
    expect(await cornersOf(glbOf(JSON.stringify(json), binary))).toEqual(CORNERS)
  })

  it('gives each primitive its own data, where they share accessors', async () => {
    const { json, binary } = apart(glb)
    json.meshes[0].primitives.push({ ...json.meshes[0].primitives[0] })
    const { model: { meshes } } = await read(glbOf(JSON.stringify(json), binary))
    expect(meshes.map(({ vertexCount }) => vertexCount)).toEqual([4, 4])
  })

  it('takes no memory for what an attribute claims', async () => {
    const { json, binary } = apart(glb)
    const varint = (value: number) => [0, 7, 14, 21].map((shift, i) => ((value >> shift) & 0x7f) | (i < 3 ? 0x80 : 0))
    // One triangle of two million points in a row, whose only attribute has 127 numbers of 8 bytes each.
    const header = [2, 2, 1, 0, 0, 0, 1, ...varint(2_000_000), 1, 0, 0, 0]
    const attribute = [1, 1, 0, 10, 127, 0, 0, 0]
    const data = Uint8Array.from([...Buffer.from('DRACO'), ...header, ...attribute, ...new Array<number>(64).fill(0)])
    Object.assign(json.bufferViews[dracoOf(json).bufferView], { buffer: 0, byteOffset: binary.length, byteLength: data.length })
    json.buffers[0].byteLength = binary.length + data.length
    positionsOf(json).count = 2_000_000
    const claiming = read(glbOf(JSON.stringify(json), Uint8Array.from([...binary, ...data])))
    await expect(claiming).rejects.toThrow('is compressed with Draco, and cannot be unpacked (')
    expect(process.memoryUsage.rss()).toBeLessThan(1e9)
  })

  it('is refused with data that is damaged, and the next file is read all the same', async () => {
    const { json, binary } = apart(glb)
    await expect(read(glbOf(JSON.stringify(json), binary.fill(0xff)))).rejects.toThrow('is compressed with Draco, and cannot be unpacked')
    expect(await cornersOf(glb)).toEqual(CORNERS)
  })
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any
const positionsOf = (json: Json) => json.accessors[json.meshes[0].primitives[0].attributes.POSITION]
const dracoOf = (json: Json) => json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression

describe('meshopt', () => {
  let glb: Uint8Array
  beforeAll(async () => {
    await MeshoptEncoder.ready
    const document = square()
    document.createExtension(EXTMeshoptCompression).setRequired(true)
    glb = await new WebIO().registerExtensions([EXTMeshoptCompression]).registerDependencies({ 'meshopt.encoder': MeshoptEncoder }).writeBinary(document)
  })

  it('is unpacked', async () => {
    expect(await cornersOf(glb)).toEqual(CORNERS)
  })

  it('is unpacked under its new name', async () => {
    const { json, binary } = apart(glb)
    const renamed = JSON.stringify(json).replaceAll('EXT_meshopt_compression', 'KHR_meshopt_compression')
    expect(await cornersOf(glbOf(renamed, binary))).toEqual(CORNERS)
  })

  it.each([
    ['a mode that is unknown', (view: Json) => (view.mode = 'MAGIC'), 'its description is wrong'],
    ['more bytes than there are', (view: Json) => (view.byteLength = 9999), 'its 9999 bytes are not there'],
    ['a count that does not fit', (view: Json) => (view.count += 4), 'bytes are not the'],
  ])('is refused with %s', async (_, damage, sentence) => {
    const { json, binary } = apart(glb)
    damage(json.bufferViews.find((view: Json) => view.extensions).extensions.EXT_meshopt_compression)
    await expect(read(glbOf(JSON.stringify(json), binary))).rejects.toThrow(sentence)
  })

  it('is refused with data that is damaged', async () => {
    const { json, binary } = apart(glb)
    await expect(read(glbOf(JSON.stringify(json), binary.fill(0xff)))).rejects.toThrow('is compressed with meshopt, and cannot be unpacked')
  })
})

describe('GPU instances', () => {
  const instanced = () => {
    const builder = triangle()
    const attributes = {
      TRANSLATION: builder.floats('VEC3', 0, 0, 0, 5, 0, 0),
      ROTATION: builder.floats('VEC4', 0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
      SCALE: builder.floats('VEC3', 1, 1, 1, 2, 2, 2),
    }
    builder.json.extensionsUsed = builder.json.extensionsRequired = ['EXT_mesh_gpu_instancing']
    builder.json.nodes = [{ mesh: 0, name: 'Tree', translation: [0, 0, 3], extensions: { EXT_mesh_gpu_instancing: { attributes } } }]
    return builder
  }

  test('become nodes of their own below the one that has them', async () => {
    const model = await instanced().model()
    expect(model.meshes.map(({ node }) => node)).toEqual([1, 2])
    expect(model.nodes).toEqual([{ name: 'Tree', parent: -1 }, { name: 'Tree', parent: 0 }, { name: 'Tree', parent: 0 }])
    const pose = { worldMatrices: new Float64Array(48), palettes: [], morphWeights: [] }
    model.pose(null, 0, pose)
    const [xx, xy] = pose.worldMatrices.subarray(32)
    expect([xx, xy, ...pose.worldMatrices.subarray(44, 47)].map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([0, 2, 5, 0, 3])
  })

  test('of a skinned or morphed mesh are one copy, which is said', async () => {
    const builder = instanced()
    const primitive = builder.json.meshes[0].primitives[0]
    primitive.targets = [{ POSITION: primitive.attributes.POSITION }]
    const { meshes, warnings } = await builder.model()
    expect(meshes).toHaveLength(1)
    expect(warnings).toMatchObject([{ code: 'instances-ignored', count: 1 }])
  })

  test('are refused where their attributes do not fit together', async () => {
    const builder = instanced()
    builder.json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes.SCALE = builder.floats('VEC3', 1, 1, 1)
    await expect(builder.model()).rejects.toThrow('model.glb is broken: the instances of node 0 ("Tree") have 2 and 1 numbers of attributes')
  })

  test('are refused where they make more nodes than allowed', async () => {
    const budget = { file: 'model.glb', limits: { ...DEFAULT_LIMITS, nodes: 2 }, spent: 0 }
    const reading = readGltf('/nowhere/model.glb', 'model.glb', instanced().glb(), budget)
    await expect(reading).rejects.toThrow('model.glb has 3 nodes, and at most 2 are allowed')
  })
})

describe('animation pointers', () => {
  const pointing = (pointer: string) => {
    const builder = triangle()
    const animation = { name: 'Move' }
    builder.channel(animation, { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } }, [0, 1], [0, 0, 0, 4, 0, 0])
    Object.assign(builder.json, { animations: [animation], extensionsUsed: ['KHR_animation_pointer'] })
    return builder
  }

  test.each(['/nodes/0/translation', '/materials/0/emissiveFactor'])('are left out, and counted: %s', async (pointer) => {
    const { warnings } = await pointing(pointer).model()
    expect(warnings).toMatchObject([{ code: 'channel-pointer', count: 1 }])
  })
})
