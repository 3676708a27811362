/** Clips whose seam is blended away, and clips whose way is taken out: what the player shows against numbers worked out here. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bakeText } from '../../main/cli/bake.ts'
import { GltfBuilder } from '../readers/build-gltf.ts'
import { bakery, sample } from './bakes.ts'
import { diagonalOf, distance, toBake } from './measure.ts'
import { loadSet, position, positionAt, wayAt } from './player.ts'
import type { Vector } from './player.ts'
import { readTruth } from './truth.ts'

const { bake, verify, write } = bakery()
const fox = sample('Fox.glb')

describe('a blended seam', () => {
  const blended = async (options: object = {}) => {
    const result = await bake(fox, { anim: ['Run:loop=blend:0.25s,start=0,end=0.9'], encoding: 'exr', normals: 'xyz', ...options })
    const set = await loadSet(result.sidecarFile)
    return { result, set, clip: set.sidecar.clips[0] }
  }
  const truth = readTruth(fox)
  /** Largest distance between the model at two times. */
  const between = (from: number, to: number) => {
    const other = truth(2, to).positions
    return Math.max(...truth(2, from).positions.map((point, vertex) => distance(point, other[vertex])))
  }
  const seam = between(0, 0.9)

  it('is none afterwards, and what it was is told', async () => {
    const { result, set, clip } = await blended()
    expect(clip).toMatchObject({ loop: true, blend: { seconds: 0.25 } })
    expect(clip.seam).toBe(0)
    expect(clip.blend!.seamBefore).toBeCloseTo(seam, 3)
    expect(seam).toBeGreaterThan(0.1 * diagonalOf(set))
    expect(bakeText(result, '/').join('\n')).toMatch(/loops, seam 0 mm, before blending [\d,]+ mm/)
  })

  it('leaves everything before the blended part as it is', async () => {
    const { set, clip } = await blended()
    for (let frame = 0; frame < clip.frameCount; frame++) {
      const { positions } = truth(2, frame / clip.fps)
      const most = Math.max(...set.rest.map((_, vertex) => distance(position(set, vertex, 0, frame), positions[vertex])))
      if (frame / clip.fps <= 0.65) expect(most).toBeLessThan(1e-4)
      else expect(most).toBeGreaterThan(1e-3)
    }
  })

  it('is crossed as quickly as the clip moves elsewhere, without a jump', async () => {
    const { set, clip: { frameCount, fps } } = await blended()
    const at = (vertex: number, frame: number) => positionAt(set, vertex, 0, frame / fps)
    const step = (from: number) => Math.max(...set.rest.map((_, vertex) => distance(at(vertex, from), at(vertex, from + 1))))
    const steps = Array.from({ length: frameCount }, (_, frame) => step(frame))
    const before = Math.max(...steps.slice(0, Math.floor(0.65 * fps) - 1))
    // A smooth step is 1.5 times as steep as a straight one at its steepest.
    expect(Math.max(...steps)).toBeLessThan(before + 1.5 * seam / 0.25 / fps)
    expect(steps[frameCount - 1]).toBeLessThan(1.5 * before)
    expect(between(0.9 - 1 / fps, 0)).toBeGreaterThan(2 * steps[frameCount - 1])
  })

  it('is what a verification finds, too', async () => {
    for (const options of [{}, { encoding: 'rgba8', orientation: 'frames-x', content: 'offset', rest: 'first-frame' }]) {
      const { result } = await blended(options)
      expect(await verify(result.sidecarFile, fox)).toMatchObject({ asReported: true, damaged: [], report: result.sidecar.report })
      const sidecar = JSON.parse(await readFile(result.sidecarFile, 'utf8'))
      delete sidecar.clips[0].blend
      await writeFile(result.sidecarFile, JSON.stringify(sidecar))
      expect((await verify(result.sidecarFile, fox)).asReported).toBe(false)
    }
  })

  it.each(['blend:2s', 'blend:0s'])('cannot be longer than the clip, or nothing: %s', async (loop) => {
    await expect(bake(fox, { anim: ['Run'], loop })).rejects.toThrow(`--loop ${loop} cannot blend "Run", which lasts 1.1583 s. Blend a part of that.`)
  })
})

/** Hips go 4 along X, 0.5 up and 2 along Z of an armature that is turned by 90 degrees about Y and twice as large; a lamp stands by. */
const way = (share: number): Vector => [2 * 2 * share, 2 * 0.5 * share, -2 * 4 * share]

function walker(name = 'Walk'): GltfBuilder {
  const builder = new GltfBuilder({
    scene: 0,
    scenes: [{ nodes: [0, 3, 4] }],
    nodes: [
      { name: 'Armature', rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: [2, 2, 2], children: [1] },
      { name: 'Hips', translation: [0, 1, 0], children: [2] },
      { name: 'Knee', translation: [0, -0.5, 0] },
      { name: 'Body', mesh: 0, skin: 0 },
      { name: 'Lamp', mesh: 1, translation: [5, 0, 0] },
    ],
    skins: [{ joints: [1, 2] }],
    animations: [{ name }],
  })
  const { json } = builder
  const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0]
  json.meshes = [{
    primitives: [{
      attributes: {
        POSITION: builder.floats('VEC3', ...triangle),
        JOINTS_0: builder.accessor('VEC4', Uint8Array.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0])),
        WEIGHTS_0: builder.floats('VEC4', 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0),
      },
    }],
  }, { primitives: [{ attributes: { POSITION: builder.floats('VEC3', ...triangle) } }] }]
  const [animation] = json.animations
  builder.channel(animation, { node: 1, path: 'translation' }, [0.5, 1.5], [0, 1, 0, 4, 1.5, 2])
  builder.channel(animation, { node: 2, path: 'rotation' }, [0.5, 1, 1.5], [0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0, 0, 1])
  return builder
}

const BODY = [0, 1, 2]
const LAMP = [3, 4, 5]

/** Bakes the walker. */
async function walk(options: object, builder = walker()) {
  const model = await write('walker.glb', builder.glb())
  const result = await bake(model, { encoding: 'exr', fps: 8, loop: 'off', ...options })
  const set = await loadSet(result.sidecarFile)
  return { model, result, set, clip: set.sidecar.clips[0], truth: readTruth(model) }
}

/** Vertices are `shift` away from where the model has them, in every frame; `share` is that of the clip that has passed. */
function expectShifted({ set, truth }: Awaited<ReturnType<typeof walk>>, vertices: number[], shift: (share: number) => number[]) {
  const { frameCount, fps, start, duration } = set.sidecar.clips[0]
  for (let frame = 0; frame < frameCount; frame++) {
    const { positions } = truth(0, start + frame / fps)
    const expected = shift(frame / fps / duration)
    for (const vertex of vertices) {
      const wanted = toBake(set, positions[vertex].map((value, i) => value - expected[i]))
      expect(distance(position(set, vertex, 0, frame), wanted)).toBeLessThan(1e-5 * set.sidecar.space.scale)
    }
  }
}

describe('root motion', () => {
  it('that is kept is in the vertices', async () => {
    const walked = await walk({ rootMotion: 'keep' })
    expectShifted(walked, [...BODY, ...LAMP], () => [0, 0, 0])
    expect(walked.clip.rootMotion).toBeUndefined()
  })

  it.each([
    ['xz', [1, 0, 1]],
    ['x', [1, 0, 0]],
    ['y', [0, 1, 0]],
    ['xyz', [1, 1, 1]],
  ])('that is stripped along %s leaves the other axes, and what does not hang on the node', async (rootAxes, along) => {
    const walked = await walk({ rootMotion: 'strip', rootAxes })
    expectShifted(walked, BODY, (share) => way(share).map((value, i) => value * along[i]))
    expectShifted(walked, LAMP, () => [0, 0, 0])
    const { rootMotion } = walked.clip
    expect(rootMotion).toMatchObject({ name: 'Hips', axes: rootAxes })
    rootMotion!.travel.forEach((value, i) => expect(value).toBeCloseTo(way(1)[i] * along[i], 5))
    expect([rootMotion!.path, rootMotion!.file]).toEqual([undefined, undefined])
    expect(await verify(walked.result.sidecarFile, walked.model)).toMatchObject({ asReported: true, damaged: [] })
  })

  it('that is extracted is the path of the sidecar and of the table, in the space of the bake', async () => {
    const walked = await walk({ rootMotion: 'extract', scale: 100 }, walker('Walk, "fast"'))
    const { result, clip: { rootMotion, frameCount, fps } } = walked
    expectShifted(walked, BODY, (share) => way(share).map((value, i) => i === 1 ? 0 : value))
    expect(rootMotion!.path).toHaveLength(frameCount)
    rootMotion!.path!.forEach((point, frame) => point.forEach((value, i) => {
      expect(value).toBeCloseTo(i === 1 ? 0 : 100 * way(frame / (frameCount - 1))[i], 3)
    }))
    const table = await readFile(join(dirname(result.sidecarFile), rootMotion!.file!), 'utf8')
    const [header, ...rows] = table.trimEnd().split('\n')
    expect(header).toBe('clip,frame,seconds,x,y,z')
    const cells = rows.map((row) => /^"Walk, ""fast""",(\d+),([^,]+),([^,]+),([^,]+),([^,]+)$/.exec(row)!.slice(1).map(Number))
    expect(cells.map(([frame]) => frame)).toEqual([...rootMotion!.path!.keys()])
    cells.forEach(([frame, seconds, ...point]) => {
      expect(seconds).toBeCloseTo(frame / fps, 9)
      expect(point).toEqual(rootMotion!.path![frame])
    })
    expect(result.files.map(({ role }) => role)).toContain('root-motion')
  })

  it('that is extracted moves the model on where the player adds it, round after round', async () => {
    const { set, truth } = await walk({ rootMotion: 'extract', rootAxes: 'xyz', loop: 'on' })
    const { frameCount, fps, start, duration } = set.sidecar.clips[0]
    for (let frame = 0; frame < 3 * frameCount; frame++) {
      const round = Math.floor(frame / frameCount)
      const { positions } = truth(0, start + frame / fps - round * duration)
      for (const vertex of BODY) {
        const shown = positionAt(set, vertex, 0, frame / fps).map((value, i) => value + wayAt(set, 0, frame / fps)[i])
        expect(distance(shown, positions[vertex].map((value, i) => value + round * way(1)[i]))).toBeLessThan(1e-4)
      }
    }
    // Midway between the last frame and the first one of the next round, the model is midway, and not back at the start.
    const middle = wayAt(set, 0, duration - 0.5 / fps)
    middle.forEach((value, i) => expect(value).toBeCloseTo(way(1 - 0.5 / frameCount)[i], 5))
  })

  it('makes a loop of a clip that only travels', async () => {
    expect((await walk({ rootMotion: 'keep', loop: 'auto' })).clip.loop).toBe(false)
    expect((await walk({ rootMotion: 'strip', rootAxes: 'xyz', loop: 'auto' })).clip).toMatchObject({ loop: true, seam: expect.closeTo(0, 5) })
  })

  it('can be that of a named node', async () => {
    const builder = walker()
    builder.channel(builder.json.animations[0], { node: 4, path: 'translation' }, [0.5, 1.5], [5, 0, 0, 5, 0, 3])
    expect((await walk({ rootMotion: 'strip' }, builder)).clip.rootMotion!.name).toBe('Hips')
    const walked = await walk({ rootMotion: 'strip', rootNode: 'Lamp' }, builder)
    expectShifted(walked, LAMP, (share) => [0, 0, 3 * share])
    expectShifted(walked, BODY, () => [0, 0, 0])
    await expect(walk({ rootMotion: 'strip', rootNode: 'Leg' }, builder)).rejects.toThrow('walker.glb has no node "Leg".')
    await expect(walk({ rootNode: 'Lamp' }, builder)).rejects.toThrow('--root-node only means something with --root-motion strip or extract.')
  })

  it.each([
    [{ rootNode: 'Lamp' }, '"Lamp" does not travel in "Walk" along xz: no way was taken out of it.'],
    [{ mesh: ['Lamp'] }, 'Nothing in "Walk" travels along xz: no way was taken out of it.'],
  ])('that is none is told: %o', async (options, message) => {
    const { result, clip, set } = await walk({ rootMotion: 'extract', ...options })
    expect(result.sidecar.warnings).toContainEqual({ code: 'no-root-motion', message, count: 1 })
    expect(clip.rootMotion).toBeUndefined()
    expect(result.files.map(({ role }) => role)).not.toContain('root-motion')
    expect(set.sidecar.clips).toHaveLength(1)
  })

  it('of several clips is in one table', async () => {
    const builder = walker()
    builder.json.animations.push({ ...builder.json.animations[0], name: 'Again' }, { name: 'Still' })
    builder.channel(builder.json.animations[2], { node: 2, path: 'rotation' }, [0, 1], [0, 0, 0, 1, 0.6, 0, 0, 0.8])
    const { set, result } = await walk({ rootMotion: 'extract', all: true, dedupeFrames: true }, builder)
    const [first, again, still] = set.sidecar.clips
    expect(again.rootMotion).toEqual(first.rootMotion)
    expect(still.rootMotion).toBeUndefined()
    const table = await readFile(join(dirname(result.sidecarFile), first.rootMotion!.file!), 'utf8')
    expect(table.trimEnd().split('\n').map((row) => row.split(',')[0])).toEqual(['clip', ...Array(9).fill('Walk'), ...Array(9).fill('Again')])
  })

  it('and a blended seam go together', async () => {
    const { set, clip, model, result } = await walk({ rootMotion: 'extract', loop: 'blend:0.25s' })
    expect(clip).toMatchObject({ loop: true, seam: expect.closeTo(0, 5), blend: { seamBefore: expect.closeTo(1, 4) } })
    // What is left of the way is upwards, and blended away.
    expect(position(set, 0, 0, clip.frameCount - 1)[1] - position(set, 0, 0, 0)[1]).toBeLessThan(0.7)
    expect(await verify(result.sidecarFile, model)).toMatchObject({ asReported: true, damaged: [] })
  })
})
