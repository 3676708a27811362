import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readModel } from '../../../main/readers/read-model.ts'
import { positionsAt } from '../positions-at.ts'
import { buildMayaCache, buildPointCache, describeMayaCache } from '../vertex-cache/build-caches.ts'
import { buildFbx, type FbxSource, type MeshSource } from './build-fbx.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caches-'))
})
afterEach(() => rm(folder, { recursive: true }))

const TRIANGLE: MeshSource = { points: [0, 0, 0, 1, 0, 0, 0, 1, 0], polygons: [[0, 1, 2]], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1] }
/** Metres, and 24 frames a second. */
const SETTINGS = { UnitScaleFactor: 100, TimeMode: 11 }

const sea = (caches: MeshSource['caches'], others: Partial<MeshSource> = {}): FbxSource => ({
  settings: SETTINGS,
  models: [{ name: 'Sea', mesh: { ...TRIANGLE, ...others, caches }, properties: { 'Lcl Translation': [0, 0, 5] } }],
})
const read = async (source: FbxSource, limits = DEFAULT_LIMITS) => {
  await writeFile(join(folder, 'sea.fbx'), buildFbx(source))
  return readModel(join(folder, 'sea.fbx'), limits)
}
/** The triangle, its first corner lifted. */
const lifted = (height: number) => [0, 0, height, 1, 0, 0, 0, 1, 0]

describe('vertex caches of FBX files', () => {
  it('of 3ds Max move each point through their frames, and are held before and behind them', async () => {
    await mkdir(join(folder, 'sea_fpc'))
    await writeFile(join(folder, 'sea_fpc', 'waves.pc2'), buildPointCache([lifted(1), lifted(3)], { first: 24, step: 12 }))
    const { model, external } = await read(sea([{ file: 'sea_fpc/waves.pc2' }]))
    const [clip] = model.clips
    expect(clip).toEqual({ name: 'Sea', index: 0, start: 1, end: 1.5 })
    expect([0, 1, 1.25, 1.5, 9].map((time) => positionsAt(model, clip, time)[0][2])).toEqual([6, 6, 7, 8, 8])
    expect(positionsAt(model, null)[0]).toEqual([0, 0, 5])
    expect(external).toEqual([{ file: join(folder, 'sea_fpc', 'waves.pc2'), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }])
    expect(model.warnings).toEqual([])
  })

  it('of Maya are found by the .xml file that the model names, and its channel of positions', async () => {
    const channels = { shape_normals: 'normals', shape: 'positions' }
    await writeFile(join(folder, 'waves.xml'), describeMayaCache('OneFile', 'mcx', channels))
    const frames = [1, 2].map((height, i) => ({ time: i * 3000, channels: { shape_normals: lifted(0), shape: lifted(height) } }))
    await writeFile(join(folder, 'waves.mcx'), buildMayaCache({ wide: true, start: 0, frames }))
    const { model, external } = await read(sea(Object.keys(channels).map((channel) => ({ file: 'waves.xml', channel }))))
    expect([0, 0.25, 0.5].map((time) => positionsAt(model, model.clips[0], time)[0][2])).toEqual([6, 6.5, 7])
    expect(external?.map(({ file }) => file)).toEqual([join(folder, 'waves.xml'), join(folder, 'waves.mcx')])
  })

  it('of Maya may have a file for each frame', async () => {
    await writeFile(join(folder, 'waves.xml'), describeMayaCache('OneFilePerFrame', 'mcc', { shape: 'positions' }))
    await writeFile(join(folder, 'wavesFrameless.mc'), 'no frame')
    for (const [name, start] of [['wavesFrame0', 0], ['wavesFrame1', 250], ['wavesFrame1Tick125', 375]] as const) {
      await writeFile(join(folder, `${name}.mc`), buildMayaCache({ start, frames: [{ channels: { shape: lifted(start) } }] }))
    }
    const { model } = await read(sea([{ file: 'waves.xml', channel: 'shape' }]))
    expect([0, 250, 375].map((ticks) => positionsAt(model, model.clips[0], ticks / 6000)[0][2])).toEqual([5, 255, 380])
  })

  it('take the place of skins and blend shapes, and have normals computed for each frame', async () => {
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([lifted(1)]))
    const channels = [{ name: 'Up', percent: 100, shapes: [{ points: [0], deltas: [0, 0, 50] }] }]
    const { model } = await read(sea([{ file: 'waves.pc2' }], { channels }))
    expect(positionsAt(model, model.clips[0])[0]).toEqual([0, 0, 6])
    expect(model.meshes[0].normals).toBeNull()
  })

  it('play beside the takes of the file', async () => {
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([lifted(0), lifted(2)], { step: 24 }))
    const source = sea([{ file: 'waves.pc2' }])
    const curves = [{ target: 'Sea', property: 'Lcl Translation' as const, keys: { X: [[0, 0], [2, 2]] as [number, number][] } }]
    const { model } = await read({ ...source, takes: [{ name: 'Drift', curves }] })
    expect(model.clips).toEqual([{ name: 'Drift', index: 0, start: 0, end: 2 }])
    expect(positionsAt(model, model.clips[0], 0.5)[0]).toEqual([0.5, 0, 6])
  })

  it('are refused where nothing else moves and they are missing, of another kind, or name no file', async () => {
    const sentence = (what: string) => `sea.fbx keeps its animation in vertex caches that cannot be read or found beside it (${what}). Put the .pc2`
    await expect(read(sea([{ file: 'sea_fpc/waves.pc2' }]))).rejects.toThrow(sentence('waves.pc2 of Sea'))
    await writeFile(join(folder, 'waves.abc'), 'Alembic')
    await expect(read(sea([{ file: 'waves.abc' }]))).rejects.toThrow(sentence('waves.abc of Sea'))
    await expect(read(sea([{}]))).rejects.toThrow(sentence('one without a file of Sea'))
  })

  it('are left out where they are missing and something else moves, and named', async () => {
    const curves = [{ target: 'Sea', property: 'Lcl Translation' as const, keys: { X: [[0, 0], [1, 1]] as [number, number][] } }]
    const { model } = await read({ ...sea([{ file: 'waves.pc2' }]), takes: [{ name: 'Drift', curves }] })
    expect(model.warnings.map(({ message }) => message)).toEqual([
      'Left out 1 vertex cache that cannot be read or found beside the model: waves.pc2 of Sea.',
    ])
  })

  it('are refused where they are of another mesh, damaged, or not whole', async () => {
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([[0, 0, 0]]))
    await expect(read(sea([{ file: 'waves.pc2' }]))).rejects.toThrow(
      'waves.pc2 moves 1 points, and "Sea" of sea.fbx has 3. Export the model and its vertex cache together.',
    )
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([lifted(NaN)]))
    await expect(read(sea([{ file: 'waves.pc2' }]))).rejects.toThrow('waves.pc2 is broken: frame 1 of it has positions that are not finite')
    await writeFile(join(folder, 'waves.xml'), describeMayaCache('OneFile', 'mcc', { shape: 'positions' }))
    await expect(read(sea([{ file: 'waves.xml', channel: 'shape' }]))).rejects.toThrow('waves.xml is broken: waves.mc is not beside it')
  })

  it('are refused where their frames are more than allowed', async () => {
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([lifted(0), lifted(1), lifted(2)]))
    const reading = read(sea([{ file: 'waves.pc2' }]), { ...DEFAULT_LIMITS, morphs: 8 })
    await expect(reading).rejects.toThrow('sea.fbx has 9 vertices in its morph targets, and at most 8 are allowed')
  })

  it('are not read from outside of the folder', async () => {
    const inner = join(folder, 'inner')
    await mkdir(inner)
    await writeFile(join(folder, 'waves.pc2'), buildPointCache([lifted(1)]))
    await symlink(join(folder, 'waves.pc2'), join(inner, 'link.pc2'))
    for (const file of ['../waves.pc2', join(folder, 'waves.pc2'), 'link.pc2']) {
      await writeFile(join(inner, 'sea.fbx'), buildFbx(sea([{ file }])))
      await expect(readModel(join(inner, 'sea.fbx'))).rejects.toThrow('cannot be read or found beside it')
    }
  })
})
