import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { verify } from '../../main/bake/verify.ts'
import { readFbx } from '../../main/meshes/fbx/fbx-node.ts'
import { guidOf } from '../../main/targets/unity/guid.ts'
import { readExr } from '../player/read-exr.ts'
import { WEDGE, writeWedge } from './wedge.ts'

const SMALL = 'tests/fixtures/models/mixed_skin_rigid_static.glb'
const FOX = 'resources/samples/Fox.glb'
/** The platforms of the table in Unity's documentation of TextureImporterPlatformSettings that can play a bake. */
const PLATFORMS = ['DefaultTexturePlatform', 'Standalone', 'Android', 'iPhone', 'WebGL', 'Server']

let folder: string
let wedge: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unity-'))
  wedge = join(folder, 'wedge.glb')
  await writeWedge(wedge)
})
afterAll(() => rm(folder, { recursive: true }))

interface Baked {
  sidecar: Sidecar
  sidecarFile: string
  files: string[]
  read(file: string): Promise<Buffer>
  meta(file: string): Promise<Meta>
}

interface Meta {
  fileFormatVersion: number
  guid: string
  [importer: string]: unknown
}

let count = 0
async function bakeFor(model: string, options: BakeOptionsInput = {}): Promise<Baked> {
  const work = bake(model, bakeOptions.parse({ target: 'unity', output: join(folder, String(++count)), ...options }))
  let step = await work.next()
  while (!step.done) step = await work.next()
  const { sidecar, sidecarFile, folder: into } = step.value
  const read = (file: string) => readFile(join(into, file))
  return { sidecar, sidecarFile, files: await readdir(into), read, meta: async (file) => parse((await read(`${file}.meta`)).toString()) as Meta }
}

describe('a package for Unity', () => {
  it('is a folder of the name of the bake, since Unity makes one assembly of a folder', async () => {
    const { sidecarFile } = await bakeFor(FOX, { anim: ['Run'], frames: 2, output: join(folder, 'own') })
    expect(sidecarFile).toBe(join(folder, 'own', 'Run', 'Run.json'))
  })

  it('has these texts', async () => {
    const { sidecar, read } = await bakeFor(SMALL, { encoding: 'exr16', normals: 'octahedral', all: true, frames: 3, name: 'small' })
    const texts = sidecar.package!.filter(({ file }) => !/\.(png|jpe?g)$/.test(file))
    for (const { file } of texts) await expect((await read(file)).toString()).toMatchFileSnapshot(`unity/${file}.txt`)
  })

  it('has a .meta for each of its files, each with a GUID that no other has and none refers to', async () => {
    const { files, meta, read } = await bakeFor(FOX, { anim: ['Run'], frames: 2, normals: 'xyz', rootMotion: 'extract' })
    const assets = files.filter((file) => !file.endsWith('.meta'))
    expect(files.filter((file) => file.endsWith('.meta')).sort()).toEqual(assets.map((file) => `${file}.meta`).sort())
    const guids = new Set<string>()
    for (const file of assets) {
      const { fileFormatVersion, guid } = await meta(file)
      expect([fileFormatVersion, guid]).toEqual([2, expect.stringMatching(/^[0-9a-f]{32}$/) as string])
      guids.add(guid)
    }
    expect(guids.size).toBe(assets.length)
    const texts = await Promise.all(files.filter((file) => !/\.(exr|png|fbx)$/.test(file)).map(async (file) => (await read(file)).toString()))
    expect(texts.join('\n').match(/guid: *\w+/gi)).toHaveLength(assets.length)
  })

  it('keeps its GUIDs when it is baked again with other options, and has others than another bake', async () => {
    const guids = async (options: BakeOptionsInput) => (await (await bakeFor(FOX, { frames: 2, ...options })).meta(`${options.name}_mesh.fbx`)).guid
    const first = await guids({ anim: ['Run'], name: 'Run' })
    expect(await guids({ anim: ['Run'], name: 'Run', encoding: 'exr' })).toBe(first)
    expect(await guids({ anim: ['Walk'], name: 'Walk' })).not.toBe(first)
  })

  it('makes GUIDs by FNV-1a', () => {
    // Of the published test vectors: the hash of nothing is the offset basis.
    expect(guidOf('')).toBe('6c62272e07bb014262b821756295c58d')
    expect(guidOf('a')).toBe('d228cb696f1a8caf78912b704e4a8964')
  })

  it('is verified, but for what Unity writes into', async () => {
    const { sidecarFile, sidecar } = await bakeFor(FOX, { anim: ['Run'], frames: 2 })
    const work = verify(sidecarFile, { model: FOX })
    let step = await work.next()
    while (!step.done) step = await work.next()
    expect(step.value).toMatchObject({ damaged: [], asReported: true })
    expect(sidecar.package!.filter(({ sha256 }) => sha256 === undefined).every(({ file }) => file.endsWith('.meta'))).toBe(true)
  })

  it.each([
    ['Läuft 100 % "{{name}}"', /^L_uft_100____[_\w]*_[0-9a-f]{4}VatPlayer\.cs$/],
    ['2 steps', /^_2_steps_[0-9a-f]{4}VatPlayer\.cs$/],
  ])('has words that C# takes for "%s"', async (name, player) => {
    const { files, sidecar, read } = await bakeFor(SMALL, { anim: ['#0'], frames: 2, name })
    const script = files.find((file) => file.endsWith('VatPlayer.cs'))!
    expect(script).toMatch(player)
    const text = (await read(script)).toString()
    expect(text).toContain(`class ${script.replace('.cs', '')} : MonoBehaviour`)
    expect((await read(`${sidecar.name}.shader`)).toString()).toContain(`#include "${sidecar.name}_vat.hlsl"`)
  })

  it.each([
    [{ dedupeFrames: true }, /Leave it out: each frame/],
    [{ meshFormat: 'gltf' }, /Unity imports no gltf files by itself\. Leave --mesh-format out/],
  ] satisfies [BakeOptionsInput, RegExp][])('refuses %j with a way out', async (options, sentence) => {
    await expect(bakeFor(FOX, { anim: ['Run'], ...options })).rejects.toThrow(sentence)
  })
})

describe('the settings', () => {
  it.each([
    ['rgba8', 4],
    ['rgba16', 74],
    ['exr16', 17],
    ['exr', 20],
  ] as const)('of a texture keep every bit of %s on every platform', async (encoding, format) => {
    const { meta, sidecar } = await bakeFor(FOX, { anim: ['Run'], frames: 2, encoding, normals: 'xyz' })
    for (const { file, width } of sidecar.textures) {
      const importer = (await meta(file)).TextureImporter as Record<string, unknown>
      expect(importer).toMatchObject({
        mipmaps: { enableMipMap: 0, sRGBTexture: 0 },
        streamingMipmaps: 0,
        textureSettings: { filterMode: 0, wrapU: 1, wrapV: 1, wrapW: 1, mipBias: 0 },
        nPOTScale: 0,
        alphaUsage: 1,
        alphaIsTransparency: 0,
        textureType: 0,
        textureShape: 1,
        ignoreMipmapLimit: 1,
      })
      const platforms = importer.platformSettings as Record<string, unknown>[]
      expect(platforms.map(({ buildTarget }) => buildTarget)).toEqual(PLATFORMS)
      for (const platform of platforms) {
        expect(platform).toMatchObject({
          maxTextureSize: 2048,
          textureFormat: format,
          textureCompression: 0,
          crunchedCompression: 0,
          overridden: platform.buildTarget === 'DefaultTexturePlatform' ? 0 : 1,
        })
        expect(platform.maxTextureSize).toBeGreaterThanOrEqual(width)
      }
    }
  })

  it('of an image are those of a colour', async () => {
    const { meta } = await bakeFor(FOX, { anim: ['Run'], frames: 2 })
    expect((await meta('Run_mesh_image.png')).TextureImporter).toMatchObject({
      mipmaps: { sRGBTexture: 1, enableMipMap: 1 },
      textureSettings: { filterMode: 1, wrapU: 0 },
      textureType: 0,
    })
  })

  it('of the mesh leave its vertices, UV sets and normals alone, and add nothing', async () => {
    const { meta, sidecar } = await bakeFor(FOX, { anim: ['Run'], frames: 2 })
    expect((await meta(sidecar.meshes[0].file)).ModelImporter).toMatchObject({
      materials: { materialImportMode: 0 },
      animations: { isReadable: 1 },
      meshes: {
        globalScale: 1,
        meshCompression: 0,
        importBlendShapes: 0,
        swapUVChannels: 0,
        generateSecondaryUV: 0,
        useFileUnits: 1,
        useFileScale: 1,
        weldVertices: 0,
        keepQuads: 0,
        bakeAxisConversion: 0,
        meshOptimizationFlags: 0,
      },
      tangentSpace: { normalImportMode: 0 },
      importAnimation: 0,
      animationType: 0,
    })
  })
})

describe('a model without symmetry', () => {
  const mirrored = ([x, y, z]: number[]) => [-x + 0, y, z]
  let baked: Baked
  beforeAll(async () => {
    baked = await bakeFor(wedge, { encoding: 'exr', normals: 'xyz', tangents: true, fps: 1, loop: 'off' })
  })

  async function texels(file: string, channels: string): Promise<number[][][]> {
    const { width, height, channels: values } = readExr(await baked.read(file))
    const texel = (pixel: number) => [...channels].map((channel) => Number(values.get(channel)!.values[pixel].toFixed(5)) + 0)
    return Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, x) => texel(row * width + x)))
  }

  it('is in metres with Y up, X mirrored, and so are its bounds', () => {
    const { space, bounds } = baked.sidecar
    const axes = { up: '+Y', axesFromGltf: ['-x', '+y', '+z'] }
    expect(space).toEqual({ handedness: 'left', ...axes, unit: 'metre', uvOrigin: 'bottom-left', scale: 1 })
    expect(bounds).toEqual({ min: [-6, 0, 0], max: [0, 8, 10] })
  })

  it('has its positions and normals mirrored in the textures, and its tangents with the other handedness', async () => {
    const moved = WEDGE.corners.map((corner) => corner.map((value, axis) => value + WEDGE.way[axis]))
    expect(await texels('Go_pos.exr', 'RGB')).toEqual([WEDGE.corners.map(mirrored), moved.map(mirrored)])
    expect((await texels('Go_nrm.exr', 'RGB'))[0]).toEqual(WEDGE.normals.map(mirrored))
    expect((await texels('Go_tan.exr', 'RGBA'))[0]).toEqual(WEDGE.tangents.map(([x, y, z, w]) => [-x + 0, y, z, -w]))
  })

  it('has a mesh that the importer, which mirrors X and turns triangles over, puts to the textures', async () => {
    const [mesh] = baked.sidecar.meshes
    expect(mesh.space).toEqual({ axesFromGltf: ['+x', '+y', '+z'], scale: 1 })
    const { submeshes: [part] } = await readFbx(join(baked.sidecarFile, '..', mesh.file), mesh.indexUV)
    const imported = {
      position: (vertex: number) => mirrored(Array.from(part.positions.subarray(vertex * 3, vertex * 3 + 3))),
      normal: (vertex: number) => mirrored(Array.from(part.normals!.subarray(vertex * 3, vertex * 3 + 3))),
      // In front are corners that go clockwise in Unity: turned over, those of the file.
      triangles: Array.from(part.indices, (_, i) => part.indices[[i, i + 1, i - 1][i % 3]]),
      column: (vertex: number) => Math.floor(part.indexUV[vertex * 2] * baked.sidecar.layout.columnsPerRow),
    }
    const [first] = await texels('Go_pos.exr', 'RGB')
    const [normals] = await texels('Go_nrm.exr', 'RGB')
    const vertices = [...new Set(part.indices)]
    expect(vertices).toHaveLength(4)
    for (const vertex of vertices) {
      expect(imported.position(vertex)).toEqual(first[imported.column(vertex)])
      imported.normal(vertex).forEach((value, axis) => expect(value).toBeCloseTo(normals[imported.column(vertex)][axis], 5))
    }
    const outside = (triangle: number) => {
      const [a, b, c] = [0, 1, 2].map((corner) => imported.position(imported.triangles[triangle * 3 + corner]))
      const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]))
      const front = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      const middle = [-0.25, 0.5, 0.75]
      return front.reduce((sum, value, axis) => sum + value * (a[axis] - middle[axis]), 0)
    }
    // Of a left-handed space: the cross product of edges that go clockwise points to whoever looks.
    for (let triangle = 0; triangle < 4; triangle++) expect(outside(triangle)).toBeGreaterThan(0)
  })
})
