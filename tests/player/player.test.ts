/**
 * The format page is complete: a player written from resources/docs/vat-format.md alone plays what the product bakes, and finds
 * the errors that the sidecar reports. The truth they are measured against is a second, independent evaluation of the model.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import { verify } from '../../main/bake/verify.ts'
import { diagonalOf, distance, measure, normalError, positionError, toBake } from './measure.ts'
import { loadSet, momentAt, position, positionAt } from './player.ts'
import type { VatSet } from './player.ts'
import { cross, dot, readGltf, readTruth } from './truth.ts'
import type { Gltf, Shape, Truth } from './truth.ts'

const here = import.meta.dirname
const sample = (file: string) => join(here, '../../resources/samples', file)

/**
 * The product evaluates the model in 32-bit floats and this test in 64-bit ones. The textures that both read are the same, so that
 * only this rounding is between their errors, however large these are: half a step of a float is 6e-8 of a coordinate, and
 * 3.4e-6 degrees of a component of a normal.
 */
const POSITION_TOLERANCE = 1e-7 // of the diagonal
const NORMAL_TOLERANCE = 1e-5 // degrees

let folder: string
let bakes = 0
beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'vat-player-')) })
afterAll(() => rm(folder, { recursive: true }))

/** Bake into a folder of its own, and return the path of the sidecar. */
async function baked(model: string, options: object): Promise<string> {
  const run = bake(model, bakeOptions.parse({ ...options, output: join(folder, String(bakes++)) }))
  let step = await run.next()
  while (!step.done) step = await run.next()
  return step.value.sidecarFile
}

/** The truth of a file; what was evaluated once is kept, since bakes of one clip share their times. */
const truths = new Map<string, Truth>()
function truthOf(file: string): Truth {
  const known = truths.get(file)
  if (known !== undefined) return known
  const evaluate = readTruth(file)
  const shapes = new Map<string, Shape>()
  const truth: Truth = (animation, seconds) => {
    const key = `${animation} ${seconds}`
    const shape = shapes.get(key) ?? evaluate(animation, seconds)
    shapes.set(key, shape)
    return shape
  }
  truths.set(file, truth)
  return truth
}

const schema = JSON.parse(await readFile(join(here, '../../resources/docs/vat.schema.json'), 'utf8')) as object
const matchesSchema = new Ajv2020().compile(schema)

/** The set shows what its report says, and its boxes, seams and rest mesh are those of the model. */
function expectFaithful(set: VatSet, truth: Truth) {
  matchesSchema(set.sidecar)
  expect(matchesSchema.errors).toBeNull()

  const { report, clips, bounds } = set.sidecar
  const diagonal = diagonalOf(set)
  const near = POSITION_TOLERANCE * diagonal
  for (const [where, figures] of [['samples', report.position], ['between', report.position.betweenSamples]] as const) {
    const { max, rms } = measure(set, truth, positionError, where)
    expectNear(figures.maxMillimetres / 1000, max, near)
    expectNear(figures.rmsMillimetres / 1000, rms, near)
    expectNear(figures.maxPercent / 100 * diagonal, max, near)
    expectNear(figures.rmsPercent / 100 * diagonal, rms, near)
    expectNear(positionError(set, truth, figures.worst), max, near)
  }
  expect(report.normal === undefined).toBe(set.normal === undefined)
  if (report.normal !== undefined) {
    for (const [where, figures] of [['samples', report.normal], ['between', report.normal.betweenSamples]] as const) {
      const { max, rms } = measure(set, truth, normalError, where)
      expectNear(figures.maxDegrees, max, NORMAL_TOLERANCE)
      expectNear(figures.rmsDegrees, rms, NORMAL_TOLERANCE)
      expectNear(normalError(set, truth, figures.worst), max, NORMAL_TOLERANCE)
    }
    expect({ ...report.normal.clips[0], clips: report.normal.clips }).toEqual(report.normal)
  }
  // There is one clip in a bake as yet, so its figures are those of the bake.
  expect(clips).toHaveLength(1)
  expect({ ...report.position.clips[0], clips: report.position.clips }).toEqual(report.position)

  const [{ index, start, fps, frameCount, duration, seam }] = clips
  const frames = Array.from({ length: frameCount }, (_, i) => truth(index, start + i / fps).positions.map((point) => toBake(set, point)))
  for (const box of [bounds, clips[0].bounds]) {
    for (const axis of [0, 1, 2]) {
      const values = frames.flatMap((frame) => frame.map((point) => point[axis]))
      expectNear(box.min[axis], values.reduce((a, b) => Math.min(a, b)), near)
      expectNear(box.max[axis], values.reduce((a, b) => Math.max(a, b)), near)
    }
  }
  const end = truth(index, start + duration).positions
  expectNear(seam, Math.max(...frames[0].map((point, vertex) => distance(point, toBake(set, end[vertex])))), 2 * near)

  expect(set.restBounds).toEqual(bounds)
  const rest = truth(undefined, 0)
  expect(set.rest).toHaveLength(rest.positions.length)
  expect(Math.max(...set.rest.map((point, vertex) => distance(point, toBake(set, rest.positions[vertex]))))).toBeLessThan(near)
  expect(Math.max(...set.restNormals.map((point, vertex) => distance(point, toBake(set, rest.normals[vertex], 1))))).toBeLessThan(1e-6)
}

function expectNear(found: number, expected: number, tolerance: number) {
  expect(Math.abs(found - expected), `${found} is not ${expected}`).toBeLessThanOrEqual(tolerance)
}

describe('every sample decodes to the figures of its report', () => {
  const samples = [
    { file: 'Fox.glb', clip: 'Run' },
    { file: 'Fox.glb', clip: 'Walk' },
    { file: 'RobotExpressive.glb', clip: 'Sitting' },
    { file: 'SimpleSkin.gltf', clip: '#0' },
    { file: 'AnimatedMorphCube.glb', clip: 'Square' },
  ]
  // Every pair of sample, encoding, content and kind of normals occurs in at least one of these twenty.
  const combinations = samples.flatMap(({ file, clip }, s) => ['rgba8', 'rgba16', 'exr16', 'exr'].map((encoding, e) => ({
    file, clip, encoding, content: ['position', 'offset'][(s + e) % 2], normals: ['xyz', 'octahedral'][(s + (e >> 1)) % 2],
  })))
  it.each(combinations)('$file, clip $clip, $encoding, $content, $normals', async ({ file, clip, ...options }) => {
    const set = await loadSet(await baked(sample(file), { anim: [clip], ...options }))
    expect(set.position.layer.content).toBe(options.content)
    expect(set.normal?.layer.content).toBe(options.normals)
    expectFaithful(set, truthOf(sample(file)))
  })
})

describe('so do bakes of another shape', () => {
  it('wrapped: four rows a frame, where the texture may not be wider than 512', async () => {
    const set = await loadSet(await baked(sample('Fox.glb'), { anim: ['Run'], maxSize: 512, normals: 'octahedral' }))
    expect(set.sidecar.layout.rowsPerFrame).toBe(4)
    expect(set.position.layer.width).toBeLessThanOrEqual(512)
    expect(new Set(set.columns.map(({ r }) => r))).toEqual(new Set([0, 1, 2, 3]))
    expectFaithful(set, truthOf(sample('Fox.glb')))
  })

  it('in another scale, of a part of the clip, with a .gltf and without normals', async () => {
    const set = await loadSet(await baked(sample('Fox.glb'), { anim: ['Run'], scale: 0.01, start: 0.25, end: 0.5, meshFormat: 'gltf' }))
    expect(set.sidecar.space.scale).toBe(0.01)
    expect(set.sidecar.clips[0]).toMatchObject({ start: 0.25, loop: false })
    expect(set.normal).toBeUndefined()
    expectFaithful(set, truthOf(sample('Fox.glb')))
  })

  it('of a single frame, which is shown at any time', async () => {
    const set = await loadSet(await baked(sample('Fox.glb'), { anim: ['Run'], frames: 1, normals: 'xyz' }))
    for (const seconds of [-1, 0, 0.4, 1000]) expect(momentAt(set.sidecar.clips[0], seconds)).toEqual({ a: 0, b: 0, blend: 0 })
    expectFaithful(set, truthOf(sample('Fox.glb')))
  })
})

describe('so do models with what the samples lack', () => {
  it.each<[string, (gltf: Gltf, buffers: DataView[]) => void]>([
    ['keys that are steps', ({ animations: [{ samplers: [sampler] }] }) => { sampler.interpolation = 'STEP' }],
    // A spline has three values a key. Those of the sample, from the second on, are three keys with different tangents.
    ['keys of a cubic spline', ({ animations: [{ samplers: [sampler] }], accessors }) => {
      sampler.interpolation = 'CUBICSPLINE'
      Object.assign(accessors[sampler.input], { count: 3, max: [1] })
      const output = accessors[sampler.output]
      accessors[sampler.output] = { bufferView: output.bufferView, byteOffset: output.byteOffset! + 16, componentType: 5126, count: 9, type: 'VEC4' }
    }],
    ['keys that begin after a second', ({ animations: [{ samplers: [sampler] }], accessors }, buffers) => {
      const input = accessors[sampler.input]
      Object.assign(input, { min: [1], max: [6.5] })
      for (let i = 0; i < input.count; i++) buffers[3].setFloat32(i * 4, buffers[3].getFloat32(i * 4, true) + 1, true)
    }],
    // The same rotation with its signs turned; the way there must remain the shorter one.
    ['a rotation of the other sign', ({ animations: [{ samplers: [sampler] }], accessors }, buffers) => {
      for (let i = 0; i < 4; i++) {
        const at = accessors[sampler.output].byteOffset! + 3 * 16 + i * 4
        buffers[3].setFloat32(at, -buffers[3].getFloat32(at, true), true)
      }
    }],
  ])('%s', async (name, change) => {
    const file = await variant('SimpleSkin.gltf', name, change)
    expectFaithful(await loadSet(await baked(file, { encoding: 'exr', normals: 'xyz' })), truthOf(file))
  })

  it('a node that mirrors', async () => {
    const file = await variant('AnimatedMorphCube.glb', 'mirrored', ({ nodes: [node] }) => { node.scale = [-100, 100, 100] })
    const set = await loadSet(await baked(file, { encoding: 'exr', normals: 'xyz' }))
    expectFaithful(set, truthOf(file))
    for (const triangle of set.triangles) {
      const [a, b, c] = triangle.map((vertex) => set.rest[vertex])
      const front = cross(b.map((value, i) => value - a[i]), c.map((value, i) => value - a[i]))
      for (const vertex of triangle) expect(dot(front, set.restNormals[vertex])).toBeGreaterThan(0)
    }
  })

  it.each([true, false])('skins and a moving face, with normals in the file: %s', async (hasNormals) => {
    const file = await variant('RobotExpressive.glb', `Face ${hasNormals}`, ({ meshes, animations, accessors, bufferViews }, [buffer]) => {
      if (!hasNormals) meshes.forEach(({ primitives }) => primitives.forEach(({ attributes }) => delete attributes.NORMAL))
      const { channels, samplers } = animations.find(({ name }) => name === 'Sitting')!
      const weights = accessors[samplers[channels.find(({ target }) => target.path === 'weights')!.sampler].output]
      const begin = (bufferViews[weights.bufferView].byteOffset ?? 0) + (weights.byteOffset ?? 0)
      for (let i = 0; i < weights.count; i++) buffer.setFloat32(begin + i * 4, Math.sin(i) ** 2, true) // all are 0 in the sample
    })
    const options = { anim: ['Sitting'], fps: 8, encoding: 'exr', content: 'offset', normals: 'xyz' }
    expectFaithful(await loadSet(await baked(file, options)), truthOf(file))
  })
})

describe('time (section 7)', () => {
  it('goes round in a clip that loops', async () => {
    const set = await loadSet(await baked(sample('Fox.glb'), { anim: ['Run'], loop: 'on', encoding: 'exr' }))
    const [clip] = set.sidecar.clips
    const { frameCount, fps, duration } = clip
    expect(duration).toBeCloseTo(frameCount / fps, 10)

    expectMoment(momentAt(clip, 0), { a: 0, b: 1, blend: 0 })
    expectMoment(momentAt(clip, 2.25 / fps), { a: 2, b: 3, blend: 0.25 })
    expectMoment(momentAt(clip, (frameCount - 0.75) / fps), { a: frameCount - 1, b: 0, blend: 0.25 })
    expectMoment(momentAt(clip, duration + 2.25 / fps), { a: 2, b: 3, blend: 0.25 })
    expectMoment(momentAt(clip, -0.75 / fps), { a: frameCount - 1, b: 0, blend: 0.25 })
    expect(momentAt(clip, -1e-20)).toEqual({ a: 0, b: 1, blend: 0 })

    for (const vertex of [0, 1000, 1727]) {
      const [last, first] = [position(set, vertex, 0, frameCount - 1), position(set, vertex, 0, 0)]
      const middle = last.map((value, i) => (value + first[i]) / 2)
      expect(distance(positionAt(set, vertex, 0, (frameCount - 0.5) / fps), middle)).toBeLessThan(1e-9)
      expect(distance(positionAt(set, vertex, 0, duration), first)).toBeLessThan(1e-9)
    }
  })

  it('stands still before and after a clip that does not loop', async () => {
    const set = await loadSet(await baked(sample('Fox.glb'), { anim: ['Run'], loop: 'off', encoding: 'exr' }))
    const [clip] = set.sidecar.clips
    const { frameCount, fps, duration } = clip
    const last = frameCount - 1
    expect(duration).toBeCloseTo(last / fps, 10)

    expectMoment(momentAt(clip, -1), { a: 0, b: 1, blend: 0 })
    expectMoment(momentAt(clip, 2.25 / fps), { a: 2, b: 3, blend: 0.25 })
    expectMoment(momentAt(clip, (last - 0.75) / fps), { a: last - 1, b: last, blend: 0.25 })
    expectMoment(momentAt(clip, duration + 1), { a: last, b: last, blend: 0 })

    const end = truthOf(sample('Fox.glb'))(clip.index, clip.start + duration).positions
    for (const vertex of [0, 1000, 1727]) {
      expect(distance(positionAt(set, vertex, 0, duration + 1), end[vertex])).toBeLessThan(POSITION_TOLERANCE * diagonalOf(set))
    }
  })
})

/** The frames are the same, and so is the blend but for rounding. */
function expectMoment(found: ReturnType<typeof momentAt>, expected: ReturnType<typeof momentAt>) {
  expect(found).toEqual({ ...expected, blend: expect.closeTo(expected.blend, 10) })
}

describe('a set that is not whole is refused', () => {
  it('when a byte of any of its files was changed', async () => {
    const sidecarFile = await baked(sample('Fox.glb'), { anim: ['Run'], frames: 2, normals: 'xyz', meshFormat: 'gltf', encoding: 'rgba8' })
    const { sidecar: { textures, meshes: [mesh] } } = await loadSet(sidecarFile)
    const files = [...textures, mesh, ...mesh.resources].map(({ file }) => join(dirname(sidecarFile), file))
    expect(files).toHaveLength(5) // two textures; the mesh, its buffer and its image
    for (const file of files) {
      const bytes = await readFile(file)
      const changed = Uint8Array.from(bytes)
      changed[bytes.length >> 1] ^= 1
      await writeFile(file, changed)
      await expect(loadSet(sidecarFile)).rejects.toThrow('is not the file that was written')
      await writeFile(file, bytes)
    }
    await expect(loadSet(sidecarFile)).resolves.toBeDefined()
  })

  it.each([{ format: 'other' }, { version: 2 }])('when the sidecar says %o', async (other) => {
    const sidecarFile = await baked(sample('SimpleSkin.gltf'), { frames: 2 })
    const sidecar = JSON.parse(await readFile(sidecarFile, 'utf8')) as object
    expect(matchesSchema({ ...sidecar, ...other })).toBe(false)
    await writeFile(sidecarFile, JSON.stringify({ ...sidecar, ...other }))
    await expect(loadSet(sidecarFile)).rejects.toThrow('not vat-studio version 1')
  })
})

it('a later version 1 may have members and layers that this one does not know (section 1)', async () => {
  const model = sample('SimpleSkin.gltf')
  const sidecarFile = await baked(model, { frames: 2, normals: 'xyz' })
  const sidecar = JSON.parse(await readFile(sidecarFile, 'utf8')) as VatSet['sidecar']
  const colour = { ...sidecar.textures[1], role: 'colour', channels: 'rgba', content: 'colour', later: true }
  await writeFile(sidecarFile, JSON.stringify({ ...sidecar, later: { a: 1 }, textures: [colour, ...sidecar.textures] }))
  expectFaithful(await loadSet(sidecarFile), truthOf(model))

  const work = verify(sidecarFile, { model })
  for (;;) {
    const step = await work.next()
    if (!step.done) continue
    expect(step.value).toMatchObject({ damaged: [], report: sidecar.report })
    break
  }
})

it('the player and the truth import nothing of the product', async () => {
  for (const file of ['player.ts', 'read-exr.ts', 'measure.ts', 'truth.ts']) {
    const imports = [...(await readFile(join(here, file), 'utf8')).matchAll(/(?:from|import)[\s(]*'([^']+)'/g)].map(([, source]) => source)
    expect(imports.length).toBeGreaterThan(0)
    for (const source of imports) expect(source).toMatch(/^(node:[a-z/]+|fast-png|@gltf-transform\/(core|extensions)|\.\/(player|read-exr|truth)\.ts)$/)
  }
})

/** A copy of a sample, as .gltf with its buffers inside, after a change. */
async function variant(file: string, name: string, change: (gltf: Gltf, buffers: DataView[]) => void): Promise<string> {
  const { gltf, buffers } = readGltf(sample(file))
  change(gltf, buffers)
  gltf.buffers.forEach((buffer, i) => {
    const bytes = new Uint8Array(buffers[i].buffer, buffers[i].byteOffset, buffers[i].byteLength)
    buffer.uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`
  })
  const path = join(folder, `${name}.gltf`)
  await writeFile(path, JSON.stringify(gltf))
  return path
}
