import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, Progress, Work } from '../../main/bake/contract.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { planBake } from '../../main/bake/plan-bake.ts'
import { sidecar as sidecarSchema, type Sidecar } from '../../main/bake/sidecar.ts'
import { verify } from '../../main/bake/verify.ts'

const samples = resolve('resources/samples')
const fox = join(samples, 'Fox.glb')
const robot = join(samples, 'RobotExpressive.glb')
const skin = join(samples, 'SimpleSkin.gltf')
const morph = join(samples, 'AnimatedMorphCube.glb')

let root: string
let output: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'vat-bake-test-'))
})
beforeEach(() => {
  output = join(root, `out${folders++}`)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function run<Result>(work: Work<Result>, steps: Progress[] = []): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
    steps.push(step.value)
  }
}

const bakeInto = (model: string, options: BakeOptionsInput, steps?: Progress[]): Promise<BakeResult> =>
  run(bake(model, bakeOptions.parse({ output, ...options })), steps)

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

describe('a bake of the Fox', () => {
  it('writes the four files that its sidecar promises, with their hashes', async () => {
    const { sidecar, files } = await bakeInto(fox, { anim: ['Run'], encoding: 'rgba16', normals: 'xyz' })
    expect(readdirSync(output).sort()).toEqual(['Run.json', 'Run_mesh.glb', 'Run_nrm.png', 'Run_pos.png'])
    expect(files.map(({ role }) => role)).toEqual(['position', 'normal', 'mesh', 'sidecar'])
    for (const { file, sha256: expected } of [...sidecar.textures, ...sidecar.meshes]) expect(sha256(join(output, file))).toBe(expected)
    expect(sidecarSchema.parse(JSON.parse(readFileSync(join(output, 'Run.json'), 'utf8')))).toEqual(sidecar)
  })

  it('writes 16 bits where 16 bits are asked for', async () => {
    await bakeInto(fox, { anim: ['Run'], encoding: 'rgba16', normals: 'xyz' })
    // IHDR is the first chunk; its bit depth follows the width and height.
    for (const file of ['Run_pos.png', 'Run_nrm.png']) expect(readFileSync(join(output, file))[24]).toBe(16)
  })

  it('finds its loop by itself, and samples it without repeating its end', async () => {
    const { sidecar } = await bakeInto(fox, { anim: ['Run'] })
    const [clip] = sidecar.clips
    expect(clip).toMatchObject({ name: 'Run', loop: true, frameCount: 35, firstRow: 0, seam: 0 })
    expect(clip.frameCount / clip.fps).toBeCloseTo(clip.duration, 12)
  })

  it.each([
    ['rgba8', 8e-3],
    ['rgba16', 3e-5],
    ['exr16', 5e-4],
    ['exr', 0],
  ] as const)('in %s is at most %f of its size off at the samples', async (encoding, share) => {
    const { sidecar } = await bakeInto(fox, { anim: ['Walk'], encoding })
    expect(sidecar.report.position.maxPercent / 100).toBeLessThanOrEqual(share)
    // Between the samples the rate of 30 a second is what errs.
    expect(sidecar.report.position.betweenSamples.maxPercent).toBeGreaterThan(0.1)
  })

  it.each(['rgba8', 'rgba16', 'exr16', 'exr'] as const)('holds its normals in %s', async (encoding) => {
    const limit = encoding === 'rgba8' ? 1 : 0.05
    for (const normals of ['xyz', 'octahedral'] as const) {
      const { sidecar } = await bakeInto(fox, { anim: ['Walk'], encoding, normals })
      expect(sidecar.report.normal!.maxDegrees).toBeLessThanOrEqual(limit)
    }
  })

  it('is the same in offsets from the rest mesh', async () => {
    const { sidecar } = await bakeInto(fox, { anim: ['Walk'], encoding: 'exr', content: 'offset' })
    expect(sidecar.textures[0].content).toBe('offset')
    expect(sidecar.report.position.maxPercent).toBeLessThan(1e-5)
  })

  it('wraps rows at the limit, and is as precise', async () => {
    const { sidecar } = await bakeInto(fox, { anim: ['Run'], encoding: 'exr', maxSize: 512 })
    expect(sidecar.layout).toMatchObject({ columnsPerRow: 432, rowsPerFrame: 4 })
    expect(sidecar.textures[0]).toMatchObject({ width: 432, height: 140 })
    expect(sidecar.report.position.maxMillimetres).toBe(0)
  })

  it('counts its progress in vertex-frames, upwards, to the very end', async () => {
    const steps: Progress[] = []
    await bakeInto(fox, { anim: ['Run'], encoding: 'rgba8' }, steps)
    const known = steps.filter(({ total }) => total > 0)
    expect(new Set(known.map(({ total }) => total))).toEqual(new Set([4 * 35 * 1728]))
    known.forEach(({ done }, i) => expect(done).toBeGreaterThanOrEqual(known[i - 1]?.done ?? 0))
    expect(known.at(-1)).toMatchObject({ stage: 'publishing', done: 4 * 35 * 1728 })
  })

  it('is byte-identical the second time', async () => {
    const options: BakeOptionsInput = { anim: ['Run'], encoding: 'rgba16', normals: 'octahedral' }
    await bakeInto(fox, options)
    const first = Object.fromEntries(readdirSync(output).map((file) => [file, sha256(join(output, file))]))
    rmSync(output, { recursive: true })
    await bakeInto(fox, options)
    expect(Object.fromEntries(readdirSync(output).map((file) => [file, sha256(join(output, file))]))).toEqual(first)
  })
})

describe('a range', () => {
  it('is baked in seconds, frames, or a number of frames', async () => {
    const seconds = await bakeInto(fox, { anim: ['Run'], start: 0.2, end: 0.6 })
    expect(seconds.sidecar.clips[0]).toMatchObject({ start: 0.2, frameCount: 13, loop: false })
    const frames = await bakeInto(fox, { anim: ['Run'], frameRange: '6:18' })
    expect(frames.sidecar.clips[0]).toMatchObject({ start: 0.2, frameCount: 13 })
    const count = await bakeInto(fox, { anim: ['Run'], frames: 7 })
    expect(count.sidecar.clips[0]).toMatchObject({ frameCount: 7, loop: true })
    const still = await bakeInto(fox, { anim: ['Run'], frames: 1 })
    expect(still.sidecar.clips[0]).toMatchObject({ frameCount: 1, fps: 30 })
  })

  it('that is made to loop warns of its jump', async () => {
    const { sidecar } = await bakeInto(fox, { anim: ['Run'], end: 0.5, loop: 'on' })
    expect(sidecar.clips[0]).toMatchObject({ loop: true, frameCount: 15 })
    expect(sidecar.warnings.map(({ code }) => code)).toContain('seam')
  })
})

describe('all kinds of movement', () => {
  it('of RobotExpressive (skins, rigid parts, morph targets) go into one bake', async () => {
    const { sidecar } = await bakeInto(robot, { anim: ['Dance'], encoding: 'exr', normals: 'xyz' })
    expect(sidecar.vertexCount).toBe(7214)
    expect(sidecar.meshes[0].submeshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0)).toBe(7214)
    expect(sidecar.report.position.maxMillimetres).toBe(0)
    expect(sidecar.report.normal!.maxDegrees).toBeLessThan(1e-4)
  })

  it('can be narrowed to meshes by name', async () => {
    const { sidecar } = await bakeInto(robot, { anim: ['Dance'], mesh: ['Head'] })
    expect(sidecar.vertexCount).toBeLessThan(7214)
    await expect(bakeInto(robot, { anim: ['Dance'], mesh: ['Tail'] })).rejects.toThrow(/has no mesh "Tail"\. It has "/)
  })

  it('work without normals, UVs or a material (SimpleSkin), and with morph targets alone (AnimatedMorphCube)', async () => {
    for (const model of [skin, morph]) {
      const { sidecar } = await bakeInto(model, { encoding: 'rgba16', normals: 'xyz', overwrite: true, name: 'Bake' })
      expect(sidecar.report.position.maxPercent).toBeLessThan(2e-3)
      expect(sidecar.report.normal!.maxDegrees).toBeLessThan(0.05)
    }
  })
})

it('scales positions but not normals', async () => {
  const small = await bakeInto(fox, { anim: ['Run'], encoding: 'exr', normals: 'xyz' })
  const large = await bakeInto(fox, { anim: ['Run'], encoding: 'exr', normals: 'xyz', scale: 100 })
  expect(large.sidecar.space.scale).toBe(100)
  large.sidecar.bounds.max.forEach((value, axis) => expect(value / small.sidecar.bounds.max[axis]).toBeCloseTo(100, 4))
  expect(large.sidecar.report.normal!.maxDegrees).toBeLessThan(1e-4)
})

describe('a request that cannot be fulfilled', () => {
  it.each([
    ['several clips and none named', fox, {}, /has 3 clips\. Choose with --anim, or bake them all with --all: "Survey", "Walk" and "Run"\./],
    ['an unknown clip', fox, { anim: ['Fly'] }, /has no clip "Fly"\. It has "Survey", "Walk" and "Run"\./],
    ['a clip in other letters', fox, { anim: ['run'] }, /has no clip "run"\. Did you mean "Run"\?/],
    ['all clips and one of them', fox, { anim: ['Run'], all: true }, /--all bakes every clip of the model, so --anim cannot choose/],
    ['what an engine cannot play', fox, { anim: ['Run'], target: 'unity', dedupeFrames: true }, /--dedupe-frames needs a table of rows, for which Unity/],
    ['a file that is missing', join(samples, 'Wolf.glb'), {}, /Wolf\.glb/],
    ['a texture over the limit', fox, { anim: ['Run'], maxSize: 64 }, /does not fit: 1,728 vertices in 35 frames.*It fits with/],
  ] as const)('says why: %s', async (_, model, options, sentence) => {
    await expect(bakeInto(model, options as BakeOptionsInput)).rejects.toThrow(sentence)
    expect(existsSync(output)).toBe(false)
  })

  it('takes a clip by its number', async () => {
    expect((await bakeInto(fox, { anim: ['#1'] })).sidecar.name).toBe('Walk')
  })
})

it('leaves nothing when it is stopped at any step', async () => {
  const count = (await (async () => {
    const steps: Progress[] = []
    await bakeInto(skin, { encoding: 'rgba16', normals: 'xyz' }, steps)
    return steps.length
  })())
  for (let stop = 1; stop <= count; stop += Math.max(1, Math.floor(count / 25))) {
    output = join(root, `stopped${stop}`)
    const work = bake(skin, bakeOptions.parse({ output, encoding: 'rgba16', normals: 'xyz' }))
    for (let step = 0; step < stop; step++) await work.next()
    await work.return(undefined as never)
    expect(existsSync(output), `stopped at step ${stop}`).toBe(false)
  }
})

describe('the error limit', () => {
  it('is held or not at the samples', async () => {
    expect((await bakeInto(fox, { anim: ['Run'], encoding: 'rgba16', maxError: '2mm' })).withinLimit).toBe(true)
    expect((await bakeInto(fox, { anim: ['Run'], encoding: 'rgba16', maxError: '1mm' })).withinLimit).toBe(false)
    expect((await bakeInto(fox, { anim: ['Run'], encoding: 'rgba16', maxError: '0.001%' })).withinLimit).toBe(true)
  })
})

describe('verification of an earlier bake', () => {
  it('comes to the figures of its report', async () => {
    const { sidecarFile, sidecar } = await bakeInto(fox, { anim: ['Run'], encoding: 'rgba8', normals: 'octahedral', content: 'offset' })
    const result = await run(verify(sidecarFile, { model: fox }))
    expect(result).toMatchObject({ damaged: [], modelChanged: false, withinLimit: true, model: fox })
    expect(result.report).toEqual(sidecar.report)
  })

  it('finds the model beside the bake, and says so when there is none', async () => {
    const { sidecarFile } = await bakeInto(fox, { anim: ['Run'] })
    expect((await run(verify(sidecarFile, {}))).report).toBeNull()
    await expect(run(verify(sidecarFile, { maxError: '1mm' }))).rejects.toThrow(/Pass it with --model/)
    cpSync(fox, join(output, 'Fox.glb'))
    expect((await run(verify(sidecarFile, {}))).report).not.toBeNull()
  })

  it('names the files that are missing or were changed', async () => {
    const { sidecarFile } = await bakeInto(fox, { anim: ['Run'] })
    const texture = join(output, 'Run_pos.exr')
    const bytes = readFileSync(texture)
    bytes[bytes.length - 1] ^= 1
    writeFileSync(texture, bytes)
    rmSync(join(output, 'Run_mesh.glb'))
    const { damaged, withinLimit } = await run(verify(sidecarFile, { model: fox }))
    expect(damaged).toEqual([
      { file: 'Run_pos.exr', problem: 'is not the file that was baked: its hash differs' },
      { file: 'Run_mesh.glb', problem: 'is missing' },
    ])
    expect(withinLimit).toBe(false)
  })

  it('refuses another model and other files than sidecars', async () => {
    const { sidecarFile } = await bakeInto(fox, { anim: ['Run'] })
    await expect(run(verify(sidecarFile, { model: skin }))).rejects.toThrow(/is not the Fox\.glb that was baked/)
    await expect(run(verify(fox, {}))).rejects.toThrow(/is not JSON/)
    await expect(run(verify(resolve('package.json'), {}))).rejects.toThrow(/is not a sidecar/)
    await expect(run(verify(join(output, 'nothing.json'), {}))).rejects.toThrow(/does not exist/)
    const json = JSON.parse(readFileSync(sidecarFile, 'utf8'))
    writeFileSync(sidecarFile, JSON.stringify({ ...json, version: 2 }))
    await expect(run(verify(sidecarFile, {}))).rejects.toThrow(/version 2 of the format/)
    writeFileSync(sidecarFile, JSON.stringify({ ...json, clips: [] }))
    await expect(run(verify(sidecarFile, {}))).rejects.toThrow(/is damaged: clips/)
  })
})

describe('verification of files that were edited, with their hashes', () => {
  /** Bakes the Fox, changes the sidecar or files, and verifies. */
  async function verifyEdited(edit: (json: Sidecar, folder: string) => void, options: BakeOptionsInput = {}) {
    const { sidecarFile } = await bakeInto(fox, { anim: ['Run'], frames: 5, encoding: 'rgba16', normals: 'xyz', ...options })
    const json = JSON.parse(readFileSync(sidecarFile, 'utf8')) as Sidecar
    edit(json, output)
    for (const entry of [...json.textures, ...json.meshes]) entry.sha256 = sha256(join(output, entry.file))
    writeFileSync(sidecarFile, JSON.stringify(json))
    return run(verify(sidecarFile, { model: fox }))
  }

  it.each<[string, (json: Sidecar) => void]>([
    ['a doubled scale', ({ textures }) => (textures[0].scale = textures[0].scale.map((value) => value * 2))],
    ['a moved offset', ({ textures }) => (textures[0].offset[1] += 1)],
    ['a smaller error in millimetres', ({ report }) => (report.position.maxMillimetres = 0)],
    ['swapped axes', ({ space }) => (space.axesFromGltf = ['+x', '+x', '+x'])],
    ['bounds that make any error small', ({ bounds, textures }) => {
      bounds.max = [1e9, 1e9, 1e9]
      textures[0].scale[0] *= 1.01
    }],
  ])('tells %s from what the report says', async (_, edit) => {
    const answer = verifyEdited(edit)
    await answer.then(
      ({ asReported }) => expect(asReported).toBe(false),
      (error: Error) => expect(error.message).toMatch(/not the rest mesh/),
    )
  })

  it('takes the size of the model from the model, not from the sidecar', async () => {
    const honest = await verifyEdited(() => {})
    expect(honest.asReported).toBe(true)
    const { report } = await verifyEdited(({ bounds }) => (bounds.max = [1e9, 1e9, 1e9]))
    expect(report!.position.maxPercent).toBe(honest.report!.position.maxPercent)
  })

  it('counts a normal without direction as wholly wrong', async () => {
    const { report } = await verifyEdited(({ textures }) => {
      textures[1].scale = [0, 0, 0]
      textures[1].offset = [0, 0, 0]
    })
    expect(report!.normal!.maxDegrees).toBe(180)
  })

  it('names the frame for which a texture holds no number', async () => {
    const answer = verifyEdited(({ textures }) => (textures[0].scale[0] = 1e308 * 10))
    await expect(answer).rejects.toThrow()
    const { sidecarFile, sidecar } = await bakeInto(fox, { anim: ['Run'], frames: 2, encoding: 'exr', name: 'Exr' })
    const endless = { ...sidecar.textures[0], scale: [1e308, 1, 1], offset: [1e308, 0, 0] }
    writeFileSync(sidecarFile, JSON.stringify({ ...sidecar, textures: [endless] }))
    await expect(run(verify(sidecarFile, { model: fox }))).rejects.toThrow(/holds something that is no number in frame 0/)
  })

  it('refuses a rest mesh that is not the model at rest', async () => {
    const answer = verifyEdited((_, folder) => {
      const mesh = join(folder, 'Run_mesh.glb')
      const bytes = readFileSync(mesh)
      // The last numbers of the file are attributes or images; the first ones of the binary chunk are indices.
      const binary = bytes.indexOf('BIN\0', 0, 'latin1') + 4
      bytes.writeUInt16LE(7, binary)
      writeFileSync(mesh, bytes)
    })
    await expect(answer).rejects.toThrow(/Run_mesh\.glb is not the rest mesh of the model/)
  })

  it('does not follow a rest mesh out of its folder', async () => {
    const answer = verifyEdited(
      (_, folder) => {
        const mesh = join(folder, 'Run_mesh.gltf')
        const json = JSON.parse(readFileSync(mesh, 'utf8')) as { buffers: { uri: string }[] }
        json.buffers[0].uri = '../../secret.bin'
        writeFileSync(mesh, JSON.stringify(json))
      },
      { meshFormat: 'gltf' },
    )
    await expect(answer).rejects.toThrow(/refers to \.\.\/\.\.\/secret\.bin, which is no file beside it/)
  })

  it.each<[string, RegExp, (json: Sidecar) => void]>([
    ['frames that the texture has no rows for', /too small for its 6 frames/, (json) => (json.frameCount = json.clips[0].frameCount = 6)],
    ['a first row beyond the texture', /too small/, ({ clips }) => (clips[0].firstRow = 4)],
    ['a billion frames', /frameCount is not the sum/, (json) => (json.frameCount = 1e9)],
    ['a rate that does not last the clip', /does not last/, ({ clips }) => (clips[0].fps = 7.77)],
    ['frames that go the other way', /too small for its 5 frames/, ({ layout }) => (layout.orientation = 'frames-x')],
    ['rows that do not follow', /rowsPerFrame is 3, and 1 follow/, ({ layout }) => (layout.rowsPerFrame = 3)],
    ['no positions', /0 layers of role position/, ({ textures }) => (textures[0].role = 'colour')],
    ['two layers of positions', /2 layers of role position/, ({ textures }) => (textures[1].role = 'position')],
    ['normals as positions', /cannot have the role position/, ({ textures }) => (textures[0].content = 'xyz')],
    ['too few scales', /needs 3 channels, scales and offsets/, ({ textures }) => (textures[0].scale = [1])],
    ['sub-meshes of fewer vertices', /not the sum of the vertices/, ({ meshes }) => (meshes[0].submeshes[0].vertexCount = 5)],
    ['fewer columns', /index UV that points outside of a frame at vertex 1\./, (json) => (json.columnCount = 1)],
    ['more columns than vertices', /columnCount is larger than vertexCount/, (json) => (json.columnCount = 2000)],
  ])('refuses a sidecar with %s', async (_, sentence, edit) => {
    await expect(verifyEdited(edit)).rejects.toThrow(sentence)
  })
})

describe('the model itself', () => {
  it('is never written over', async () => {
    cpSync(fox, join(root, 'Run_mesh.glb'))
    const answer = bakeInto(join(root, 'Run_mesh.glb'), { anim: ['Run'], output: root, overwrite: true })
    await expect(answer).rejects.toThrow(/Run_mesh\.glb is the model that is baked/)
    expect(sha256(join(root, 'Run_mesh.glb'))).toBe(sha256(fox))
  })
})

it('refuses numbers that a float cannot hold', async () => {
  await expect(bakeInto(fox, { anim: ['Run'], scale: 1e39 })).rejects.toThrow(/leaves the range of numbers/)
})

it('plans without writing', async () => {
  const plan = await run(planBake(fox, bakeOptions.parse({ output, anim: ['Run'], encoding: 'exr', normals: 'xyz' })))
  expect(plan).toMatchObject({ name: 'Run', vertexCount: 1728, clips: [{ frameCount: 35 }], meshes: ['fox1'] })
  expect(plan.textures).toEqual([
    { role: 'position', file: join(output, 'Run_pos.exr'), width: 1728, height: 35, bytes: 1728 * 35 * 16 },
    { role: 'normal', file: join(output, 'Run_nrm.exr'), width: 1728, height: 35, bytes: 1728 * 35 * 16 },
  ])
  expect(existsSync(output)).toBe(false)
})
