/** A verification finds what was changed in a bake of any layout, also where the hashes were brought up to date. */
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { rowOf } from '../../main/bake/layers.ts'
import { texelOf } from '../../main/codecs/texel.ts'
import { openTextureReader, openTextureWriter } from '../../main/codecs/texture-node.ts'
import { bakery, sample } from '../player/bakes.ts'
import { buildModel } from '../player/random-model.ts'

const { bake, verify, write } = bakery()

const writeModel = () => write('model.glb', buildModel({
  seed: 3,
  meshes: [{ movedBy: 'skin', dress: 'tangents', mirrored: false, side: 4 }, { movedBy: 'morph', dress: 'tangents', mirrored: true, side: 3 }],
  clips: [{ seconds: 0.5, begins: 0, returns: true }, { seconds: 0.3, begins: 1, returns: false }],
}))

/** Changes the sidecar of a bake, and brings hashes up to date. */
function edit(sidecarFile: string, change: (sidecar: Sidecar) => void): void {
  const sidecar = JSON.parse(readFileSync(sidecarFile, 'utf8')) as Sidecar
  change(sidecar)
  for (const texture of sidecar.textures) {
    texture.sha256 = createHash('sha256').update(readFileSync(join(dirname(sidecarFile), texture.file))).digest('hex')
  }
  writeFileSync(sidecarFile, JSON.stringify(sidecar))
}

/** Turns one number of a layer over, at the first column of a frame of a clip: its last one, or what lies `behind` it. */
async function changeTexel(sidecarFile: string, role: string, clip: number, behind = 0): Promise<void> {
  const { textures, layout, clips } = JSON.parse(readFileSync(sidecarFile, 'utf8')) as Sidecar
  const texture = textures.find((texture) => texture.role === role)!
  const file = join(dirname(sidecarFile), texture.file)
  const reader = await openTextureReader(file)
  const texels = (await reader.readRows(0, texture.height)).slice()
  await reader.close()
  const row = texture.baseRow + rowOf(clips[clip], clips[clip].frameCount - 1 + behind, layout.rowsPerFrame)
  const pixel = layout.orientation === 'frames-x' ? texture.baseColumn * texture.width + row : row * texture.width + texture.baseColumn
  const at = pixel * reader.channels + 'rgba'.indexOf(texture.channels.at(-1)!)
  // The other end of what the type holds, in steps that count in each encoding. The handedness of tangents comes last.
  const turned = { unorm8: 255 - texels[at], unorm16: 65535 - texels[at], float16: texels[at] ^ 0x8000, float32: -texels[at] }[reader.type]
  texels[at] = texture.content.startsWith('octahedral1') ? (texels[at] + 2 ** 23) % 2 ** 24 : turned
  expect(Number.isFinite(texelOf(reader.type, texels[at]))).toBe(true)
  const writer = await openTextureWriter(file, reader)
  await writer.write(texels)
  await writer.close()
}

const layouts: BakeOptionsInput[] = [
  { encoding: 'rgba8', normals: 'xyz', tangents: true },
  { encoding: 'rgba16', normals: 'octahedral', stack: true },
  { encoding: 'rgba16', normals: 'packed', tangents: true, orientation: 'frames-x', columns: 'shared' },
  { encoding: 'exr16', normals: 'octahedral', tangents: true, stack: true, orientation: 'frames-x', content: 'offset' },
  { encoding: 'exr', normals: 'packed', tangents: true, stack: true, guardRows: 2, pot: true, rest: 'first-frame' },
  { encoding: 'exr', normals: 'xyz', tangents: true, maxSize: 24, dedupeFrames: true },
]

describe('one number that was changed', () => {
  const cases = layouts.flatMap((options) => [
    ...(['position', ...(options.normals === 'none' ? [] : ['normal']), ...(options.tangents ? ['tangent'] : [])]).map((role, i) => ({ role, clip: i % 2, options })),
  ])
  it.each(cases)('in the layer of $role is found, with $options', async ({ role, clip, options }) => {
    const model = await writeModel()
    const { sidecarFile } = await bake(model, { all: true, fps: 10, ...options })
    expect(await verify(sidecarFile, model)).toMatchObject({ damaged: [], asReported: true })
    await changeTexel(sidecarFile, role, clip)
    expect((await verify(sidecarFile, model)).damaged).toMatchObject([{ problem: 'is not the file that was baked: its hash differs' }])
    edit(sidecarFile, () => {})
    const { asReported, report, damaged, sidecar } = await verify(sidecarFile, model)
    expect({ asReported, damaged }).toEqual({ asReported: false, damaged: [] })
    const found = report![role as 'position']
    expect(found.worst).toMatchObject({ clip, frame: sidecar.clips[clip].frameCount - 1 })
  })
})

describe('one number that was changed in a guard row', () => {
  it.each<[string, string, number, (frames: number) => number, string, BakeOptionsInput]>([
    ['the last one behind a clip that does not loop', 'position', 1, () => 2, '"Clip 1" that does not repeat frame 3', { encoding: 'rgba16' }],
    ['the one before a loop, across a texture', 'normal', 0, (frames) => -frames, '"Clip 0" that does not repeat frame 4', { normals: 'xyz', orientation: 'frames-x' }],
    ['where a frame takes several rows', 'tangent', 0, () => 1, '"Clip 0" that does not repeat frame 0', { tangents: true, frames: 2, maxSize: 24 }],
  ])('is found: %s', async (_, role, clip, behind, repeated, options) => {
    const model = await writeModel()
    const { sidecarFile, sidecar } = await bake(model, { all: true, fps: 10, encoding: 'exr', guardRows: 2, ...options })
    expect(await verify(sidecarFile, model)).toMatchObject({ damaged: [], asReported: true, withinLimit: true })
    await changeTexel(sidecarFile, role, clip, behind(sidecar.clips[clip].frameCount))
    edit(sidecarFile, () => {})
    const { file } = sidecar.textures.find((texture) => texture.role === role)!
    const damaged = [{ file, problem: `has a guard row of ${repeated}` }]
    expect(await verify(sidecarFile, model)).toMatchObject({ damaged, asReported: true, withinLimit: false })
  })
})

describe('a sidecar that was changed', () => {
  it.each<[string, BakeOptionsInput, (sidecar: Sidecar) => void]>([
    ['a baseColumn', { orientation: 'frames-x', stack: true, normals: 'xyz' }, ({ textures }) => (textures[1].baseColumn -= 1)],
    ['no baseColumn', { orientation: 'frames-x', stack: true, normals: 'xyz' }, ({ textures }) => (textures[1].baseColumn = 0)],
    ['a baseRow', { stack: true, normals: 'xyz' }, ({ textures }) => (textures[1].baseRow -= 1)],
    ['layers that trade places', { stack: true, normals: 'xyz' }, ({ textures: [position, normal] }) => ([position.baseRow, normal.baseRow] = [normal.baseRow, position.baseRow])],
    ['frameRows', { dedupeFrames: true }, ({ clips }) => (clips[1].frameRows = clips[1].frameRows!.map((_, i, rows) => rows[(i + 1) % rows.length]))],
    ['no frameRows', { dedupeFrames: true }, ({ clips }) => delete clips[1].frameRows],
    ['a firstRow', { guardRows: 1 }, ({ clips }) => (clips[1].firstRow -= 1)],
    ['the orientation', { frames: 16, anim: ['#1'], all: false, mesh: ['mesh 1'], pot: true }, ({ layout }) => (layout.orientation = 'frames-x')],
    ['the content', { content: 'offset' }, ({ textures }) => (textures[0].content = 'position')],
    ['the width of packed normals', { normals: 'packed' }, ({ textures }) => (textures[1].content = 'octahedral8')],
    ['channels', { normals: 'xyz' }, ({ textures }) => (textures[0].channels = 'rbg')],
    ['the pose of the rest mesh', { rest: 'first-frame' }, (sidecar) => (sidecar.rest = 'rest')],
    ['a handedness of nothing', { tangents: true }, ({ textures }) => { textures[1].scale[3] = 0 }],
    ['a loop', {}, ({ clips }) => { clips[1].loop = true; clips[1].fps *= clips[1].frameCount / (clips[1].frameCount - 1) }],
    ['the way that was taken out', { rootMotion: 'extract' }, ({ clips }) => (clips[1].rootMotion!.path![2][0] += 0.01)],
    ['how far it is', { rootMotion: 'strip' }, ({ clips }) => (clips[1].rootMotion!.travel[2] += 0.01)],
    ['axes of the way', { rootMotion: 'strip' }, ({ clips }) => (clips[1].rootMotion!.axes = 'y')],
  ])('is found: %s', async (_, options, change) => {
    const model = await writeModel()
    const clips = options.dedupeFrames ? { anim: ['#1:start=1.15', '#1'], all: false, loop: 'off', fps: 20 } : {}
    const { sidecarFile } = await bake(model, { all: true, fps: 10, encoding: 'exr', ...clips, ...options })
    expect(await verify(sidecarFile, model)).toMatchObject({ damaged: [], asReported: true })
    edit(sidecarFile, change)
    const answer = await verify(sidecarFile, model).then(({ asReported }) => (asReported ? 'as reported' : 'found'), ({ kind }: { kind: string }) => kind)
    expect(answer).toMatch(/^(found|verify|input)$/)
  })

  it.each<[string, RegExp, BakeOptionsInput, (sidecar: Sidecar) => void]>([
    ['too few frameRows', /"Clip 1" has 7 frames and 6 frameRows/, { dedupeFrames: true }, ({ clips }) => clips[1].frameRows!.pop()],
    ['frameRows beyond the texture', /too small for its 11 frames/, { dedupeFrames: true }, ({ clips }) => (clips[1].frameRows![3] = 1e9)],
    ['a baseColumn beyond it', /too small for its/, { orientation: 'frames-x' }, ({ textures }) => (textures[0].baseColumn = 20)],
    ['guard rows that are not there', /begins at row 1 and has no room for 2 guard rows before it/, { guardRows: 1 }, ({ layout }) => (layout.guardRows = 2)],
    ['half a guard', /guardRows is 3, and a frame takes 2 rows/, { guardRows: 2, frames: 2, maxSize: 24 }, ({ layout }) => (layout.guardRows = 3)],
    ['guard rows behind the end', /too small for its/, { guardRows: 1 }, ({ clips }) => (clips[1].firstRow += 1)],
    ['a tangent without handedness', /needs 4 channels, scales and offsets for xyz/, { tangents: true }, ({ textures }) => (textures[1].channels = 'rgb')],
    ['packed tangents', /holds octahedral8 and cannot have the role tangent/, { tangents: true }, ({ textures }) => (textures[1].content = 'octahedral8')],
  ])('contradicts itself: %s', async (_, sentence, options, change) => {
    const model = await writeModel()
    const clips = options.dedupeFrames ? { anim: ['#1:start=1.15', '#1'], all: false, loop: 'off', fps: 20 } : {}
    const { sidecarFile } = await bake(model, { all: true, fps: 10, encoding: 'exr', ...clips, ...options })
    edit(sidecarFile, change)
    await expect(verify(sidecarFile, model)).rejects.toThrow(sentence)
  })
})

it('a table of root motion that was edited is no longer the one that was baked', async () => {
  const { sidecarFile, sidecar } = await bake(sample('Fox.glb'), { anim: ['Survey'], frames: 4, rootMotion: 'extract' })
  expect((await verify(sidecarFile, sample('Fox.glb'))).damaged).toEqual([])
  const { file } = sidecar.clips[0].rootMotion!
  appendFileSync(join(dirname(sidecarFile), file!), '\n')
  expect((await verify(sidecarFile, sample('Fox.glb'))).damaged).toEqual([{ file, problem: 'is not the file that was baked: its hash differs' }])
})
