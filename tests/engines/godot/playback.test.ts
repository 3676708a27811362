import { resolve } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../../main/bake/options.ts'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { describeWithEngines } from '../engine.ts'
import { TURN, turnedTangents, writeShield, writeWedge } from './models.ts'
import { addOriginal, comparePictures, createProject, type GodotProject, type Picture, type Shot } from './project.ts'
import { bakePackage, meshShot, mixVertices, readSubject, referenceShot, verticesAt, type Subject } from './reference.ts'

/** As in the pictures of single frames. */
const LIMIT = 8
const SHARE = 0.001
/** Frames a second that Godot believes to draw. */
const RATE = 30
/** Times a second at which a picture is held against others. */
const STEPS = 120

const LAYOUTS: Record<string, BakeOptionsInput> = {
  across: { orientation: 'frames-x' },
  packed: { normals: 'packed' },
  folded: { normals: 'octahedral', tangents: true },
  stacked: { stack: true, pot: true },
}

describeWithEngines('a package that plays in Godot', () => {
  let project: GodotProject
  let fox: Subject
  let original: string
  let sidecar: Sidecar
  let wedge: Subject
  let wedgeOriginal: string
  let wedgeSidecar: Sidecar
  let shield: Subject
  let shieldFile: string
  let shieldOriginal: string

  beforeAll(async () => {
    project = await createProject()
    const file = resolve('resources/samples/Fox.glb')
    fox = await readSubject(file)
    original = await addOriginal(project, file)
    sidecar = await bakePackage(project, file, 'fox', { encoding: 'exr' })
    const wedgeFile = await writeWedge(project)
    wedge = await readSubject(wedgeFile)
    wedgeOriginal = await addOriginal(project, wedgeFile)
    wedgeSidecar = await bakePackage(project, wedgeFile, 'wedge', { encoding: 'exr' })
    shieldFile = await writeShield(project)
    shield = await readSubject(shieldFile)
    shieldOriginal = await addOriginal(project, shieldFile)
    for (const encoding of ['rgba16', 'exr16', 'exr'] as const) {
      await bakePackage(project, shieldFile, `shield_${encoding}`, { encoding, tangents: true, loop: 'off', frames: 5 })
    }
    // One of each layout that the shader has code of its own for.
    for (const [name, options] of Object.entries(LAYOUTS)) {
      await bakePackage(project, file, name, { encoding: 'rgba16', content: 'offset', columns: 'shared', ...options })
    }
    expect(await project.import()).toEqual([])
  })
  afterAll(() => project?.remove())

  const share = async (one: string, other: string) => comparePictures(await project.read(one), await project.read(other), LIMIT).share
  const manual = (clip: number, time: number) => ({ vat_manual: true, vat_clip: clip, vat_time: time })
  const foxView = () => view(sidecar.bounds)

  it.each(Object.keys(LAYOUTS))('looks the same in the layout "%s"', async (folder) => {
    const [{ fps }] = sidecar.clips
    const shots: Shot[] = []
    for (const frame of [0, 20]) {
      // Normals of a byte for each coordinate move the edges of shadows, since the engine looks for them a little along the normal.
      const look = { ...foxView(), sun_casts: false }
      shots.push({ ...(await referenceShot(project, fox, 0, frame, original)), ...look, out: `truth-${frame}.png` })
      const scene = { kind: 'scene', scene: `res://${folder}/model.tscn`, parameters: manual(0, frame / fps) }
      shots.push({ ...scene, ...look, out: `${folder}-${frame}.png` })
    }
    await project.draw(shots)
    for (const frame of [0, 20]) expect(await share(`truth-${frame}.png`, `${folder}-${frame}.png`)).toBeLessThanOrEqual(SHARE)
  })

  it('fades from one clip to another', async () => {
    const [walk, run] = [1, 2]
    const [walkTime, runTime] = [4 / sidecar.clips[walk].fps, 9 / sidecar.clips[run].fps]
    const mixed = mixVertices(verticesAt(fox, walk, walkTime), verticesAt(fox, run, runTime), 0.4)
    const parameters = { ...manual(walk, walkTime), vat_fade: 0.4, vat_next: run, vat_next_time: runTime }
    await project.draw([
      { ...(await meshShot(project, fox, 'fade', mixed, original)), ...foxView(), out: 'fade-truth.png' },
      { kind: 'scene', scene: 'res://fox/model.tscn', parameters, ...foxView(), out: 'fade.png' },
    ])
    expect(await share('fade-truth.png', 'fade.png')).toBeLessThanOrEqual(SHARE)
  })

  it('fades when a script plays another clip, and has it alone afterwards', async () => {
    const [walk, run] = [1, 2]
    const scene = { kind: 'scene', scene: 'res://fox/model.tscn', ...foxView(), parameters: {} }
    const ask = ['vat_clip', 'vat_time', 'vat_next', 'vat_next_time', 'vat_fade']
    const printed = await project.draw(
      [
        { ...scene, play: 'Walk', frames: 4, out: 'walked.png' },
        { ...scene, keep: true, play: 'Run', fade: 0.5, frames: 6, ask, out: 'fading.png' },
        { ...scene, keep: true, frames: 12, ask, out: 'faded.png' },
      ],
      ['--fixed-fps', String(RATE)],
    )
    const asked = (file: string) => JSON.parse(new RegExp(`parameters of res://${file}: (.*)`).exec(printed)![1]) as Record<string, number>
    const fading = asked('fading.png')
    const faded = asked('faded.png')
    // A frame more or less, by when the script comes to run.
    const near = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThanOrEqual(1.5 / RATE)
    expect([fading.vat_clip, fading.vat_next]).toEqual([walk, run])
    near(fading.vat_next_time, 6 / RATE)
    near(fading.vat_time - fading.vat_next_time, 4 / RATE)
    expect(fading.vat_fade).toBeCloseTo(fading.vat_next_time / 0.5, 4)
    expect([faded.vat_clip, faded.vat_fade]).toEqual([run, 0])
    near(faded.vat_time, 18 / RATE)
    const mixed = mixVertices(verticesAt(fox, walk, fading.vat_time), verticesAt(fox, run, fading.vat_next_time), fading.vat_fade)
    await project.draw([
      { ...(await meshShot(project, fox, 'fading', mixed, original)), ...foxView(), out: 'fading-truth.png' },
      { ...(await meshShot(project, fox, 'faded', verticesAt(fox, run, faded.vat_time), original)), ...foxView(), out: 'faded-truth.png' },
    ])
    expect(await share('fading-truth.png', 'fading.png')).toBeLessThanOrEqual(SHARE)
    expect(await share('faded-truth.png', 'faded.png')).toBeLessThanOrEqual(SHARE)
  })

  it.each(['rgba16', 'exr16', 'exr'] as const)('keeps the maps of a material, its tangents too, in %s', async (encoding) => {
    const [clip] = shield.clips
    const tangents = (await new NodeIO().read(shieldFile)).getRoot().listMeshes()[0].listPrimitives()[0].getAttribute('TANGENT')!.getArray()!
    const { bounds, clips } = clip.decoded.sidecar
    const shots: Shot[] = []
    for (const [i, frame] of [0, Math.floor(clips[0].frameCount / 2)].entries()) {
      const seconds = frame / clips[0].fps
      const turned = turnedTangents(tangents, TURN * seconds)
      const look = { ...view(bounds), sun_casts: false }
      const truth = await meshShot(project, shield, `${encoding}-${i}`, verticesAt(shield, 0, seconds), shieldOriginal, turned)
      shots.push({ ...truth, ...look, out: `maps-truth-${i}.png` })
      const scene = { kind: 'scene', scene: `res://shield_${encoding}/model.tscn`, parameters: manual(0, seconds) }
      shots.push({ ...scene, ...look, out: `maps-${i}.png` })
    }
    await project.draw(shots)
    for (const i of [0, 1]) {
      expect(drawn(await project.read(`maps-truth-${i}.png`))).toBeGreaterThan(0.02)
      expect(await share(`maps-truth-${i}.png`, `maps-${i}.png`)).toBeLessThanOrEqual(SHARE)
    }
  })

  it('casts a shadow that moves', async () => {
    const run = 2
    const look = { ...foxView(), only_shadow: true }
    const scene = { kind: 'scene', scene: 'res://fox/model.tscn', ...look }
    const shots: Shot[] = [
      { ...scene, parameters: manual(run, 0), out: 'shadow-0.png' },
      { ...scene, parameters: manual(run, 12 / sidecar.clips[run].fps), keep: true, out: 'shadow-12.png' },
      { ...scene, parameters: { vat_clip: run }, out: 'shadow-early.png' },
      { ...scene, parameters: {}, keep: true, frames: 10, out: 'shadow-late.png' },
    ]
    for (const frame of [0, 12]) shots.push({ ...(await referenceShot(project, fox, run, frame, original)), ...look, out: `shadow-truth-${frame}.png` })
    await project.draw(shots, ['--fixed-fps', String(RATE)])
    expect(await share('shadow-truth-0.png', 'shadow-truth-12.png')).toBeGreaterThan(0.01)
    for (const frame of [0, 12]) expect(await share(`shadow-truth-${frame}.png`, `shadow-${frame}.png`)).toBeLessThanOrEqual(SHARE)
    expect(await share('shadow-early.png', 'shadow-late.png')).toBeGreaterThan(0.01)
  })

  it("plays by itself, at the speed of the engine's clock, and when it is told to", async () => {
    const run = 2
    const scene = { kind: 'scene', scene: 'res://fox/model.tscn', ...foxView() }
    const { duration } = sidecar.clips[run]
    const steps = Math.round(duration * STEPS)
    const printed = await project.draw(
      [
        { ...scene, parameters: { vat_clip: run }, frames: 8, out: 'early.png' },
        { ...scene, parameters: { vat_clip: run }, keep: true, frames: 6, out: 'late.png' },
        { ...scene, parameters: {}, play: 'Run', frames: 5, out: 'played.png' },
        ...Array.from({ length: steps }, (_, step) => ({ ...scene, parameters: manual(run, step / STEPS), out: `step-${step}.png` })),
      ],
      ['--fixed-fps', String(RATE)],
    )
    const pictures = await Promise.all(Array.from({ length: steps }, (_, step) => project.read(`step-${step}.png`)))
    const stepOf = async (file: string) => nearest(await project.read(file), pictures)
    const drawnAt = (file: string) => Number(new RegExp(`frame of res://${file}: (\\d+)`).exec(printed)![1])
    const [early, late, played] = [await stepOf('early.png'), await stepOf('late.png'), await stepOf('played.png')]
    const passed = (drawnAt('late.png') - drawnAt('early.png')) / RATE
    const shown = ((late - early + steps) % steps) / STEPS
    expect(Math.abs(shown - (passed % duration))).toBeLessThanOrEqual(2 / STEPS)
    // One frame more or less, by when the script comes to run.
    expect(Math.abs(played / STEPS - 5 / RATE)).toBeLessThanOrEqual(1.5 / RATE)
  })

  it('is still drawn at the end of its way, with the camera turned there', async () => {
    const [clip] = wedgeSidecar.clips
    const frame = clip.frameCount - 1
    const there = { eye: [4, 1, 3], target: [5, 0.8, 0] }
    await project.draw([
      { ...(await referenceShot(project, wedge, 0, frame, wedgeOriginal)), ...there, out: 'there-truth.png' },
      { kind: 'scene', scene: 'res://wedge/model.tscn', parameters: manual(0, frame / clip.fps), ...there, out: 'there.png' },
    ])
    const truth = await project.read('there-truth.png')
    expect(drawn(truth)).toBeGreaterThan(0.01)
    expect(await share('there-truth.png', 'there.png')).toBeLessThanOrEqual(SHARE)
  })

  it('draws two thousand, each with its own clip and phase', async () => {
    const count = 2000
    // Sixteenths of a second, which the halves hold in which the engine keeps them.
    const instances = Array.from({ length: 7 }, (_, i) => [i % 3, i / 16, 1])
    const distance = 600
    const side = Math.ceil(Math.sqrt(count))
    // From above, so that no neighbour is in the picture.
    const from = (place: number[]) => ({ eye: [place[0] + 60, 260, place[2] + 60], target: [place[0], 40, place[2]] })
    const crowd = { kind: 'crowd', scene: 'res://fox/model_crowd.tscn', parameters: { vat_manual: true, vat_time: 0 }, count, distance, instances }
    const looked = [0, 1, 44, 1003, 1999]
    const shots: Shot[] = []
    for (const [i, index] of looked.entries()) {
      const place = [(index % side) * distance, 0, Math.floor(index / side) * distance]
      shots.push({ ...crowd, ...from(place), keep: i > 0, out: `crowd-${index}.png` })
    }
    for (const index of looked) {
      const [clip, phase] = instances[index % instances.length]
      const truth = await meshShot(project, fox, `crowd-${index}`, verticesAt(fox, clip, phase), original)
      shots.push({ ...truth, ...from([0, 0, 0]), out: `crowd-truth-${index}.png` })
    }
    await project.draw(shots)
    for (const index of looked) {
      expect(drawn(await project.read(`crowd-truth-${index}.png`))).toBeGreaterThan(0.05)
      expect(await share(`crowd-truth-${index}.png`, `crowd-${index}.png`), String(index)).toBeLessThanOrEqual(SHARE)
    }
  })

  it("prints how long a crowd's frames take, and how far Godot's own animation is from the truth", async () => {
    const far = { eye: [-2500, 2500, -2500], target: [2500, 0, 2500] }
    const [run, frame] = [2, 12]
    const time = frame / sidecar.clips[run].fps
    const instances = [[0, 0, 1], [1, 0.3, 1], [2, 0.1, 1]]
    const printed = await project.draw([
      { kind: 'crowd', scene: 'res://fox/model_crowd.tscn', parameters: {}, count: 2000, distance: 120, instances, ...far, measure: 5, out: 'many-baked.png' },
      { kind: 'original', original, animation: 'Run', time: 0, count: 200, distance: 350, ...far, measure: 5, out: 'many-skinned.png' },
      { ...(await referenceShot(project, fox, run, frame, original)), ...foxView(), out: 'own-truth.png' },
      { kind: 'original', original, animation: 'Run', time, ...foxView(), out: 'own.png' },
    ])
    const times = [...printed.matchAll(/frame time res:\/\/(\S+): (.*)/g)].map(([, file, time]) => `${file} ${time}`)
    expect(times).toHaveLength(2)
    const own = await share('own-truth.png', 'own.png')
    console.log(
      `2,000 baked and 200 skinned foxes, drawn in software: ${times.join(', ')}\n` +
        `Godot's own animation differs from the truth in ${(own * 100).toFixed(2)} % of the pixels: it samples clips at 120 fps and blends between, ` +
        'and the model has no normals of its own, so that Godot lights it otherwise.',
    )
  })
})

function view({ min, max }: Sidecar['bounds']) {
  const size = max.map((value, axis) => value - min[axis])
  const target = min.map((value, axis) => value + size[axis] / 2)
  const distance = Math.hypot(...size) * 1.2
  return { eye: [0.6, 0.35, 0.72].map((way, axis) => target[axis] + way * distance), target, floor: min[1] }
}

/** Share of the pixels where something is, before a background of one colour. */
function drawn({ width, height, channels, data }: Picture): number {
  let count = 0
  for (let i = 0; i < width * height * channels; i += channels) if (Math.abs(data[i] - data[0]) > LIMIT) count++
  return count / (width * height)
}

/** Number of the picture that differs least. */
function nearest(picture: Picture, others: Picture[]): number {
  const shares = others.map((other) => comparePictures(picture, other, LIMIT).share)
  const least = Math.min(...shares)
  // Between two of them it is no picture of its own; any other clip or time is far more.
  expect(least).toBeLessThanOrEqual(0.01)
  return shares.indexOf(least)
}
