import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { parseRestMesh } from '../../main/meshes/fbx/parse-rest-mesh.ts'
import { readExr } from '../player/read-exr.ts'
import { WEDGE, writeWedge } from './wedge.ts'

let folder: string
let model: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unreal-'))
  model = join(folder, 'wedge.glb')
  await writeWedge(model)
})
afterAll(() => rm(folder, { recursive: true }))

async function bakeFor(options: BakeOptionsInput): Promise<{ sidecar: Sidecar; file(name: string): Promise<Buffer> }> {
  const output = join(folder, 'out')
  await rm(output, { recursive: true, force: true })
  const work = bake(model, bakeOptions.parse({ target: 'unreal', fps: 1, loop: 'off', output, ...options }))
  let step = await work.next()
  while (!step.done) step = await work.next()
  return { sidecar: step.value.sidecar, file: (name) => readFile(join(output, name)) }
}

describe('a bake for Unreal', () => {
  it('has its textures in centimetres with Z up, mirrored', async () => {
    const { sidecar, file } = await bakeFor({ encoding: 'exr', normals: 'xyz', tangents: true })
    expect(sidecar.space).toMatchObject({ handedness: 'left', up: '+Z', unit: 'centimetre', axesFromGltf: ['+x', '+z', '+y'] })
    expect(sidecar.bounds).toEqual({ min: [0, 0, 0], max: [600, 1000, 800] })
    const texels = async (name: string, channels: string) => {
      const { width, height, channels: read } = readExr(await file(name))
      const at = (texel: number) => [...channels].map((channel) => Number(read.get(channel)!.values[texel].toFixed(5)) + 0)
      return Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, x) => at(row * width + x)))
    }
    expect(await texels('Go_pos.exr', 'RGB')).toEqual([
      [[0, 0, 0], [100, 0, 0], [0, 0, 200], [0, 300, 0]],
      [[500, 700, 600], [600, 700, 600], [500, 700, 800], [500, 1000, 600]],
    ])
    expect((await texels('Go_nrm.exr', 'RGB'))[0]).toEqual([[0, 1, 0], [0.6, 0.8, 0], [0, 0, 1], [0.36, 0.8, 0.48]])
    // A mirrored tangent space has its handedness the other way.
    expect((await texels('Go_tan.exr', 'RGBA'))[0]).toEqual([[1, 0, 0, -1], [0.8, -0.6, 0, -1], [1, 0, 0, 1], [0.8, 0, -0.6, -1]])
  })

  it('has its mesh where the importer, which mirrors Y and nothing else, puts it to the textures', async () => {
    const { sidecar, file } = await bakeFor({ encoding: 'exr', normals: 'xyz' })
    const [{ file: mesh, indexUV }] = sidecar.meshes
    expect(mesh).toBe('Go_mesh.fbx')
    const [{ positions, indices, indexUV: uv }] = parseRestMesh(await file(mesh), indexUV, (bytes) => inflateSync(bytes))
    const imported = indices.length
    expect(imported).toBe(WEDGE.triangles.length)
    const corner = (index: number) => [positions[index * 3], -positions[index * 3 + 1], positions[index * 3 + 2]].map((value) => value + 0)
    const wanted = WEDGE.corners.map(([x, y, z]) => [100 * x, 100 * z, 100 * y])
    expect(Array.from(indices, (index) => corner(index))).toEqual(WEDGE.triangles.map((vertex) => wanted[vertex]))
    // The reader gives back what glTF has, v down: the column of each vertex.
    expect(Array.from(indices, (index) => Math.floor(uv[index * 2] * sidecar.layout.columnsPerRow))).toEqual(WEDGE.triangles)
  })

  it('stores 16 bits as two bytes, which its importer keeps', async () => {
    const { sidecar } = await bakeFor({ encoding: 'rgba16' })
    expect(sidecar.textures[0].type).toBe('unorm8x2')
  })

  it('is refused with the nearest that works', async () => {
    await expect(bakeFor({ meshFormat: 'glb' })).rejects.toThrow('Leave --mesh-format out')
    await expect(bakeFor({ dedupeFrames: true })).rejects.toThrow('Leave it out: each frame then has a row.')
  })

  it.each([
    ['two names that Unreal takes for one', 'Walk über-"1" {{name}}'],
    ['nothing but what it does not take', '走る'],
  ])('has names that Unreal takes: %s', async (_, name) => {
    const { sidecar, file } = await bakeFor({ name })
    const description = JSON.parse((await file(`${sidecar.name}_unreal.json`)).toString())
    expect(description.folder).toMatch(/^\/Game\/VAT\/[A-Za-z0-9_]+$/)
    const script = (await file(`${sidecar.name}_import_vat.py`)).toString()
    expect(script).not.toContain('{{code}}')
    expect(script).not.toContain('{{description}}')
  })
})
