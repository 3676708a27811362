import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, Work } from '../../main/bake/contract.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { createTexelArray, type TexelArray } from '../../main/codecs/texel.ts'
import { openTextureReader } from '../../main/codecs/texture-node.ts'
import { readRestMesh } from '../../main/meshes/glb.ts'
import { createPose } from '../../main/model/animated-model.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { nodeChannel } from '../../main/worker/channel.ts'
import { createGrants, servePreview, type Grants } from '../../main/worker/preview.ts'
import { createPreviewClient, PreviewProblem, type PreviewClient } from '../../renderer/viewport/preview-client.ts'

const SAMPLES = ['Fox.glb', 'RobotExpressive.glb', 'SimpleSkin.gltf', 'AnimatedMorphCube.glb']
const sample = (name: string) => resolve('resources/samples', name)

let folder: string
let grants: Grants
let client: PreviewClient

async function run<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

const bakeTo = (name: string, model: string, options: BakeOptionsInput): Promise<BakeResult> =>
  run(bake(sample(model), bakeOptions.parse({ ...options, output: join(folder, name) })))

function connect() {
  const { port1, port2 } = new MessageChannel()
  servePreview(nodeChannel(port2), grants)
  return createPreviewClient(port1 as unknown as Parameters<typeof createPreviewClient>[0])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'))
  grants = createGrants(50)
  for (const name of SAMPLES) grants.add(name, sample(name))
  client = connect()
})
afterEach(() => client.ask('close', { handle: 'nothing' }))
afterAll(async () => {
  client.abandon()
  await rm(folder, { recursive: true })
})

describe('a model', () => {
  test.each(SAMPLES)('%s comes over the port as its reader read it', async (name) => {
    const { model, sha256 } = await readModel(sample(name))
    const preview = await client.open(name)
    expect(preview.file).toBe(name)
    expect(preview.sha256).toBe(sha256)
    expect(preview.meshes).toEqual(model.meshes.map(({ attributes: _, ...mesh }) => mesh))
    const { nodes, skins, morphSets, materials, clips, warnings } = model
    expect(preview).toMatchObject({ nodes, skins, morphSets, materials, clips, warnings })
  })

  test.each(SAMPLES)('%s has its rest mesh beside it, with the vertices of mesh i in primitive i', async (name) => {
    const preview = await client.open(name)
    const file = join(folder, 'rest.glb')
    await writeFile(file, preview.restMesh)
    const { submeshes } = await readRestMesh(file, indexUVOf(preview.restMesh))
    expect(submeshes.map((submesh) => submesh.positions.length / 3)).toEqual(preview.meshes.map((mesh) => mesh.vertexCount))
    const points = submeshes.flatMap((submesh) => [...submesh.positions])
    for (const axis of [0, 1, 2]) {
      const values = points.filter((_, i) => i % 3 === axis)
      expect(Math.min(...values)).toBe(preview.bounds!.min[axis])
      expect(Math.max(...values)).toBe(preview.bounds!.max[axis])
    }
  })

  test.each(SAMPLES)('%s is posed in every clip, and at rest, as the model poses itself', async (name) => {
    const { model } = await readModel(sample(name))
    const preview = await client.open(name)
    const pose = createPose(model)
    for (const clip of [null, ...model.clips]) {
      const time = clip ? clip.start + (clip.end - clip.start) * 0.37 : 0
      model.pose(clip, time, pose)
      expect(await client.ask('pose', { model: preview.handle, clip: clip?.index ?? null, time })).toEqual(pose)
    }
    model.pose(null, 0, pose)
    expect(preview.restPose).toEqual(pose)
  })

  test('that was closed, or a clip that it does not have, is refused with a sentence', async () => {
    const { handle } = await client.open('SimpleSkin.gltf')
    await expect(client.ask('pose', { model: handle, clip: 3, time: 0 })).rejects.toThrow('none with the number 3')
    expect(await client.ask('close', { handle })).toBeNull()
    await expect(client.ask('pose', { model: handle, clip: 0, time: 0 })).rejects.toThrow('not open any more')
  })

  test('that cannot be read is refused with the words of its reader', async () => {
    const file = join(folder, 'broken.glb')
    await writeFile(file, 'glTF, not really')
    grants.add('broken', file)
    const problem = await client.open('broken').catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(PreviewProblem)
    expect(problem).toMatchObject({ kind: 'input', message: expect.stringContaining('broken.glb') })
  })
})

describe('a bake', () => {
  test.each([
    ['rgba8', 'Fox.glb', 'Walk'],
    ['rgba16', 'Fox.glb', 'Walk'],
    ['exr16', 'Fox.glb', 'Walk'],
    // 5 MB: in two pieces.
    ['exr', 'RobotExpressive.glb', 'Wave'],
  ] as const)('in %s comes over the port as the codecs read it from the files', async (encoding, model, clip) => {
    const { sidecarFile, sidecar } = await bakeTo(encoding, model, { anim: [clip], encoding, normals: 'octahedral' })
    grants.add(encoding, sidecarFile)
    const preview = await client.openBake(encoding)
    expect(preview.sidecar).toEqual(sidecar)
    expect(preview.textures).toHaveLength(2)
    for (const [index, texture] of preview.textures.entries()) {
      const reader = await openTextureReader(join(folder, encoding, sidecar.textures[index].file))
      const { width, height, channels, type } = reader
      expect({ ...texture, texels: null }).toEqual({ sameAs: index, width, height, channels, type, texels: null })
      expect(texture.texels.constructor).toBe(createTexelArray(type, 0).constructor)
      expect(bytesOf(texture.texels).equals(bytesOf(await reader.readRows(0, height)))).toBe(true)
      await reader.close()
    }
    const [mesh] = sidecar.meshes
    const { submeshes } = await readRestMesh(join(folder, encoding, mesh.file), mesh.indexUV)
    expect(preview.submeshes).toEqual(submeshes.map(({ name, positions, indexUV }) => ({ name, positions, indexUV })))
  })

  test('gives each row of a texture once, in order', async () => {
    const { sidecarFile } = await bakeTo('rows', 'SimpleSkin.gltf', { encoding: 'exr' })
    grants.add('rows', sidecarFile)
    const { handle: bake, textures } = await client.ask('openBake', { token: 'rows' })
    const rows = (firstRow: number, rowCount: number) => client.ask('texels', { bake, texture: 0, firstRow, rowCount })
    const first = await rows(0, 100)
    expect(first).toHaveLength(100 * textures[0].width * 3)
    expect(first.buffer.byteLength).toBe(first.byteLength)
    for (const [from, count] of [[0, 1], [100, 66], [120, 1]]) await expect(rows(from, count)).rejects.toThrow('cannot be had')
    expect(await rows(100, 65)).toHaveLength(65 * textures[0].width * 3)
    await expect(rows(164, 1)).rejects.toThrow('cannot be had')
  })

  test('written as .gltf has its rest mesh packed into one GLB', async () => {
    const { sidecarFile } = await bakeTo('gltf', 'Fox.glb', { anim: ['Run'], meshFormat: 'gltf' })
    grants.add('gltf', sidecarFile)
    const { restMesh, submeshes, sidecar } = await client.openBake('gltf')
    const file = join(folder, 'packed.glb')
    await writeFile(file, restMesh)
    const packed = await readRestMesh(file, sidecar.meshes[0].indexUV)
    expect(packed.submeshes.map((submesh) => submesh.positions)).toEqual(submeshes.map((submesh) => submesh.positions))
    expect(jsonOf(restMesh).images).toMatchObject([{ mimeType: 'image/png', bufferView: expect.any(Number) }])
  })

  test('that is torn is refused, with the file that is wrong', async () => {
    const { sidecarFile } = await bakeTo('torn', 'SimpleSkin.gltf', { name: 'Bend' })
    await writeFile(join(folder, 'torn', 'Bend_pos.exr'), 'something else')
    grants.add('torn', sidecarFile)
    await expect(client.openBake('torn')).rejects.toThrow('Bend_pos.exr of this bake is not the file that was baked')
  })

  test('whose sidecar lies about a texture is refused', async () => {
    const { sidecarFile, sidecar } = await bakeTo('lying', 'SimpleSkin.gltf', { name: 'Bend' })
    sidecar.textures[0].width = 4000
    await writeFile(sidecarFile, JSON.stringify(sidecar))
    grants.add('lying', sidecarFile)
    await expect(client.openBake('lying')).rejects.toThrow('contradicts itself: Bend_pos.exr has 4000 × 165 pixels')
  })

  test('is compared with its model frame by frame, with the maximum that the report has', async () => {
    const { sidecarFile, sidecar } = await bakeTo('compared', 'Fox.glb', { anim: ['Run'], encoding: 'rgba16' })
    grants.add('compared', sidecarFile)
    const [{ handle: bake }, { handle: model }] = [await client.openBake('compared'), await client.open('Fox.glb')]
    const curve = await client.ask('errors', { bake, model, clip: 0 })
    const { position } = sidecar.report
    const largest = (wholes: boolean) =>
      curve.maxMillimetres.reduce((max, value, i) => (Number.isInteger(curve.frames[i]) === wholes ? Math.max(max, value) : max), 0)
    expect(largest(true)).toBe(position.maxMillimetres)
    expect(largest(false)).toBe(position.betweenSamples.maxMillimetres)
    const at = [...curve.frames].indexOf(position.betweenSamples.worst.frame)
    expect(curve.worstVertices[at]).toBe(position.betweenSamples.worst.vertex)
    expect(curve.times[at]).toBeCloseTo(position.betweenSamples.worst.frame / sidecar.clips[0].fps, 9)
    // A loop has as many gaps between frames as it has frames.
    expect(curve.frames).toHaveLength(sidecar.frameCount * 2)
    expect([...curve.rmsMillimetres].every((rms, i) => rms > 0 && rms <= curve.maxMillimetres[i])).toBe(true)
  })

  test('of another model is not compared', async () => {
    const { sidecarFile } = await bakeTo('other', 'RobotExpressive.glb', { anim: ['Jump'] })
    grants.add('other', sidecarFile)
    const [{ handle: bake }, { handle: model }] = [await client.openBake('other'), await client.open('SimpleSkin.gltf')]
    await expect(client.ask('errors', { bake, model, clip: 0 })).rejects.toThrow('not the RobotExpressive.glb that was baked')
  })
})

describe('tokens and nonsense', () => {
  test('a token that comes before its grant waits for it', async () => {
    const answer = client.open('late')
    grants.add('late', sample('SimpleSkin.gltf'))
    expect((await answer).file).toBe('SimpleSkin.gltf')
  })

  test('a path is no token', async () => {
    await expect(client.open(sample('Fox.glb'))).rejects.toMatchObject({ kind: 'input', message: expect.stringContaining('not chosen') })
  })

  test('what is not a request is refused where it has an id, and passed over where it has none', async () => {
    const { port1, port2 } = new MessageChannel()
    servePreview(nodeChannel(port2), grants)
    const replies: unknown[] = []
    port1.on('message', (reply) => replies.push(reply))
    for (const nonsense of [null, 'open', { id: 7 }, { id: 8, request: { kind: 'open', token: 5 } }, { id: 9, request: { kind: 'erase' } }]) {
      port1.postMessage(nonsense)
    }
    await expect.poll(() => replies).toMatchObject([7, 8, 9].map((id) => ({ id, ok: false, kind: 'internal' })))
    port1.close()
  })

  test('a client whose service has ended says so', async () => {
    const lost = connect()
    const open = lost.open('never granted')
    lost.abandon()
    await expect(open).rejects.toMatchObject({ kind: 'gone' })
    await expect(lost.open('Fox.glb')).rejects.toMatchObject({ kind: 'gone' })
  })
})

const bytesOf = ({ buffer, byteOffset, byteLength }: TexelArray) => Buffer.from(buffer, byteOffset, byteLength)

/** The JSON chunk of a GLB (glTF 2.0, section 4.4). */
function jsonOf(glb: Uint8Array): { images?: unknown[]; meshes: { primitives: { attributes: Record<string, number> }[] }[] } {
  const view = new DataView(glb.buffer, glb.byteOffset)
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))))
}

function indexUVOf(glb: Uint8Array): string {
  const names = Object.keys(jsonOf(glb).meshes[0].primitives[0].attributes)
  return names.filter((name) => name.startsWith('TEXCOORD_')).sort().at(-1)!
}
