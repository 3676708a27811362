import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, Work } from '../../main/bake/contract.ts'
import { hashFile } from '../../main/bake/hash.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { lookAtBake } from '../../main/bake/preview.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { verify } from '../../main/bake/verify.ts'

const FOX = 'resources/samples/Fox.glb'
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'format-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function finish<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

function bakeFox(into: string, options: BakeOptionsInput): Promise<BakeResult> {
  return finish(bake(FOX, bakeOptions.parse({ output: join(folder, into), anim: ['Run'], frames: 3, ...options })))
}

describe('a bake whose rest mesh is FBX', () => {
  it('is read back through its index UV, and is as good as one with glTF', async () => {
    const options: BakeOptionsInput = { encoding: 'rgba16', content: 'offset', normals: 'xyz' }
    const fbx = await bakeFox('fbx', { ...options, meshFormat: 'fbx' })
    const glb = await bakeFox('glb', options)
    expect(fbx.sidecar.report).toEqual(glb.sidecar.report)
    const [mesh] = fbx.sidecar.meshes
    expect(mesh).toMatchObject({ file: 'Run_mesh.fbx', indexUV: 'TEXCOORD_1', resources: [{ file: 'Run_mesh_image.png' }] })
    expect(mesh.space).toBeUndefined()
    expect(await finish(verify(fbx.sidecarFile, { model: FOX }))).toMatchObject({ damaged: [], asReported: true, withinLimit: true })
  })

  it('is refused with the mesh of another bake', async () => {
    const { sidecarFile } = await bakeFox('one', { meshFormat: 'fbx' })
    await bakeFox('other', { meshFormat: 'fbx', scale: 2 })
    const mesh = join(folder, 'one/Run_mesh.fbx')
    await copyFile(join(folder, 'other/Run_mesh.fbx'), mesh)
    const json = JSON.parse(await readFile(sidecarFile, 'utf8')) as Sidecar
    json.meshes[0].sha256 = await hashFile(mesh)
    await writeFile(sidecarFile, JSON.stringify(json))
    await expect(finish(verify(sidecarFile, { model: FOX }))).rejects.toThrow('Run_mesh.fbx is not the rest mesh of the model')
  })

  it('is shown from its file, with its texture', async () => {
    const fbx = await lookAtBake((await bakeFox('fbx', { meshFormat: 'fbx' })).sidecarFile)
    const glb = await lookAtBake((await bakeFox('glb', {})).sidecarFile)
    expect(fbx.submeshes).toMatchObject(glb.submeshes)
    const text = Buffer.from(fbx.restMesh).toString('latin1')
    expect(text.slice(0, 4)).toBe('glTF')
    expect(text).toContain('image/png')
  })

  it('is shown in the space of the bake, where its file is in another', async () => {
    const unity = await lookAtBake((await bakeFox('unity', { target: 'unity' })).sidecarFile)
    const glb = await lookAtBake((await bakeFox('glb', {})).sidecarFile)
    expect(unity.sidecar.meshes[0].space).toEqual({ axesFromGltf: ['+x', '+y', '+z'], scale: 1 })
    const [mirrored, plain] = [unity.submeshes[0], glb.submeshes[0]]
    expect(Array.from(mirrored.positions)).toEqual(Array.from(plain.positions, (value, i) => (i % 3 === 0 ? -value : value)))
    expect(mirrored.indices.slice(0, 3)).toEqual(Uint32Array.of(plain.indices[0], plain.indices[2], plain.indices[1]))
    expect(mirrored.indexUV).toEqual(plain.indexUV)
  })

  it('cannot go to a player that loads glTF', async () => {
    await expect(bakeFox('web', { meshFormat: 'fbx', players: ['hlsl', 'three'] })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/^--players three loads the rest mesh as glTF/) as string,
    })
  })
})
