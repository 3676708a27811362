import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, Work } from '../../main/bake/contract.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { verify } from '../../main/bake/verify.ts'

const MODEL = 'tests/fixtures/models/mixed_skin_rigid_static.glb'
const FOX = 'resources/samples/Fox.glb'
let output: string

beforeEach(async () => {
  output = await mkdtemp(join(tmpdir(), 'package-'))
})
afterEach(() => rm(output, { recursive: true }))

async function finish<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

function bakeTo(model: string, options: BakeOptionsInput): Promise<BakeResult> {
  return finish(bake(model, bakeOptions.parse({ output, ...options })))
}

describe('a package', () => {
  it('has, for Godot, these texts', async () => {
    const { sidecar } = await bakeTo(MODEL, { target: 'godot', encoding: 'rgba16', normals: 'xyz', all: true, frames: 3, name: 'small', players: ['glsl'] })
    const texts = sidecar.package!.filter(({ file }) => !/\.(png|jpe?g)$/.test(file))
    for (const { file } of texts) await expect(await readFile(join(output, file), 'utf8')).toMatchFileSnapshot(`packages/${file}.txt`)
    expect(texts.map(({ file }) => file)).toMatchSnapshot()
  })

  it('has, for Unreal, these texts', async () => {
    const options: BakeOptionsInput = { target: 'unreal', encoding: 'rgba16', normals: 'xyz', all: true, frames: 3, name: 'small' }
    const { sidecar } = await bakeTo(MODEL, options)
    const texts = sidecar.package!.filter(({ file }) => !/\.(png|jpe?g)$/.test(file))
    for (const { file } of texts) await expect(await readFile(join(output, file), 'utf8')).toMatchFileSnapshot(`packages/unreal/${file}.txt`)
    expect(texts.map(({ file }) => file)).toEqual(['small_VatCommon.ush', 'small_unreal.json', 'small_import_vat.py', 'small_README.md'])
  })

  it('has, for any engine of the web, these texts', async () => {
    const { sidecar } = await bakeTo(MODEL, { encoding: 'exr', all: true, frames: 3, name: 'small', players: ['three', 'babylon', 'hlsl', 'wgsl'] })
    for (const { file } of sidecar.package!) await expect(await readFile(join(output, file), 'utf8')).toMatchFileSnapshot(`packages/${file}.txt`)
  })

  it('goes with every file that its texts name', async () => {
    await bakeTo(FOX, { target: 'godot', anim: ['Run'], normals: 'xyz', tangents: true })
    const files = await readdir(output)
    for (const file of files.filter((file) => /\.(tscn|tres)$/.test(file))) {
      const named = [...(await readFile(join(output, file), 'utf8')).matchAll(/^\[ext_resource .* path="([^"]+)"/gm)].map(([, path]) => path)
      expect(named.length).toBeGreaterThan(0)
      expect(files).toEqual(expect.arrayContaining(named))
    }
    expect(files).toContain('Run_mesh_image.png')
  })

  it('is replaced by the next bake of the same model, also when the engine has written into it', async () => {
    await bakeTo(FOX, { target: 'godot', anim: ['Run'], normals: 'xyz' })
    await writeFile(join(output, 'Run_pos.exr.import'), 'rewritten')
    await bakeTo(FOX, { target: 'godot', anim: ['Run'] })
    expect(await readFile(join(output, 'Run_pos.exr.import'), 'utf8')).toContain('importer="texture"')
    await bakeTo(FOX, { anim: ['Run'] })
    expect(await readdir(output)).not.toContain('Run.tscn')
  })

  it('has a table of the way that was taken out, which the next bake replaces or takes away', async () => {
    const model = 'tests/fixtures/models/cubic_rotation_and_step_translation.glb'
    const options: BakeOptionsInput = { all: true, fps: 10, name: 'cubic', rootMotion: 'extract', rootAxes: 'xyz' }
    const { sidecar } = await bakeTo(model, options)
    // Its node is a joint in the middle.
    expect(sidecar.warnings).toMatchObject([{ code: 'root-motion-part', count: 72 }])
    await bakeTo(model, { ...options, fps: 20 })
    expect(await readdir(output)).toContain('cubic_root.csv')
    await bakeTo(model, { ...options, rootMotion: 'keep' })
    expect(await readdir(output)).not.toContain('cubic_root.csv')
  })

  it('is verified, but for what the engine writes into', async () => {
    const { sidecarFile } = await bakeTo(FOX, { target: 'godot', anim: ['Run'] })
    await writeFile(join(output, 'Run_pos.exr.import'), 'rewritten')
    expect((await finish(verify(sidecarFile, { model: FOX }))).damaged).toEqual([])
    await writeFile(join(output, 'Run.gdshader'), 'edited')
    expect((await finish(verify(sidecarFile, {}))).damaged.map(({ file }) => file)).toEqual(['Run.gdshader'])
  })
})

describe('16 bits for an engine that keeps eight', () => {
  it.each([
    ['in rows', {}],
    ['across', { orientation: 'frames-x', maxSize: 512 }],
    ['in one texture of powers of two', { stack: true, pot: true }],
    ['with normals in alpha', { normals: 'packed' }],
  ] satisfies [string, BakeOptionsInput][])('lose nothing, %s', async (_, options) => {
    const all: BakeOptionsInput = { anim: ['Run'], encoding: 'rgba16', normals: 'xyz', ...options }
    const godot = await bakeTo(FOX, { ...all, target: 'godot' })
    const [texture] = godot.sidecar.textures
    expect(texture.type).toBe('unorm8x2')
    const png = await readFile(join(output, texture.file))
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24]]).toEqual([texture.width, texture.height, 8])
    await rm(output, { recursive: true })
    const agnostic = await bakeTo(FOX, all)
    expect(godot.sidecar.report.position).toEqual(agnostic.sidecar.report.position)
    expect(godot.sidecar.report.normal).toEqual(agnostic.sidecar.report.normal)
  })
})
