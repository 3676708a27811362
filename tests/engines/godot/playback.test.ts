import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../../main/bake/options.ts'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { describeWithEngines } from '../engine.ts'
import { writeWedge } from './models.ts'
import { addOriginal, comparePictures, createProject, type GodotProject, type Picture, type Shot } from './project.ts'
import { bakePackage, meshShot, normalsOf, readSubject, referenceShot, truePositions, type Subject } from './reference.ts'

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
      shots.push({ ...(await referenceShot(project, fox, 0, frame, original)), ...foxView(), out: `truth-${frame}.png` })
      const scene = { kind: 'scene', scene: `res://${folder}/model.tscn`, parameters: manual(0, frame / fps) }
      shots.push({ ...scene, ...foxView(), out: `${folder}-${frame}.png` })
    }
    await project.draw(shots)
    // Normals of a byte for each coordinate shade a little otherwise.
    const allowed = folder === 'packed' ? 0.01 : SHARE
    for (const frame of [0, 20]) expect(await share(`truth-${frame}.png`, `${folder}-${frame}.png`)).toBeLessThanOrEqual(allowed)
  })

  it('fades from one clip to another', async () => {
    const [walk, run] = [1, 2]
    const mix = (one: Float32Array, other: Float32Array) => one.map((value, i) => value * 0.6 + other[i] * 0.4)
    const positions = mix(truePositions(fox, walk, 4), truePositions(fox, run, 9))
    const normals = mix(normalsOf(fox, walk, 4), normalsOf(fox, run, 9))
    for (let i = 0; i < normals.length; i += 3) {
      const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2])
      for (let axis = 0; axis < 3; axis++) normals[i + axis] /= length
    }
    const next = { vat_fade: 0.4, vat_next: run, vat_next_time: 9 / sidecar.clips[run].fps }
    const parameters = { ...manual(walk, 4 / sidecar.clips[walk].fps), ...next }
    await project.draw([
      { ...(await meshShot(project, fox, 'fade', positions, normals, original)), ...foxView(), out: 'fade-truth.png' },
      { kind: 'scene', scene: 'res://fox/model.tscn', parameters, ...foxView(), out: 'fade.png' },
    ])
    expect(await share('fade-truth.png', 'fade.png')).toBeLessThanOrEqual(SHARE)
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
    const instances = Array.from({ length: 7 }, (_, i) => [i % 3, (2 * i) / sidecar.clips[i % 3].fps, 1])
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
      const [clip] = instances[index % instances.length]
      const frame = 2 * (index % instances.length)
      shots.push({ ...(await referenceShot(project, fox, clip, frame, original)), ...from([0, 0, 0]), out: `crowd-truth-${index}.png` })
    }
    await project.draw(shots)
    for (const index of looked) {
      expect(drawn(await project.read(`crowd-truth-${index}.png`))).toBeGreaterThan(0.05)
      // Far from the origin, floats of the engine itself are coarser.
      expect(await share(`crowd-truth-${index}.png`, `crowd-${index}.png`), String(index)).toBeLessThanOrEqual(0.002)
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
