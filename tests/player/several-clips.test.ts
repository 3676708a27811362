/** Many clips in one texture: each row of each is exact, frames that are shared are found, and guard rows keep clips apart. */
import { describe, expect, it } from 'vitest'
import { bakeText } from '../../main/cli/bake.ts'
import { bakery, sample } from './bakes.ts'
import { expectExact, keeping } from './exact.ts'
import { distance, toBake } from './measure.ts'
import { loadSet, position, positionAt, rowOf, valuesAt } from './player.ts'
import type { Vector, VatSet } from './player.ts'
import { buildModel, type ModelChoice } from './random-model.ts'
import { readTruth } from './truth.ts'

const { bake, verify, write } = bakery()

/** Sixty clips of one to six frames at 10 frames a second; every third one loops. */
const sixty: ModelChoice = {
  seed: 60,
  meshes: [
    { movedBy: 'skin and morph', dress: 'normals', mirrored: false, side: 4 },
    { movedBy: 'node', dress: 'tangents', mirrored: true, side: 3 },
  ],
  clips: Array.from({ length: 60 }, (_, i) => ({ seconds: (i % 6) / 10, begins: i % 2, returns: i % 3 === 0 })),
}

describe('sixty clips', () => {
  it.each([
    {},
    { guardRows: 1 },
    { guardRows: 3, orientation: 'frames-x' },
    { dedupeFrames: true },
    { maxSize: 1024, columns: 'shared', stack: true, normals: 'xyz', tangents: true, orientation: 'frames-x', guardRows: 2 },
    { maxSize: 1024, pot: true, normals: 'packed' },
    { loop: 'blend:0.1s', anim: Array.from({ length: 60 }, (_, i) => `#${i}`).filter((_, i) => i % 6 > 0), all: false, blends: true },
  ] as const)('are exact in every row, with %o', async ({ blends = false, ...options }: { blends?: boolean }) => {
    const model = await write('sixty.glb', buildModel(sixty))
    const { sidecarFile } = await bake(model, { all: true, fps: 10, encoding: 'exr', ...options })
    const set = await loadSet(sidecarFile)
    const { clips, frameCount, layout, textures } = set.sidecar
    expect(clips).toHaveLength(blends ? 50 : 60)
    expect(frameCount).toBe(clips.reduce((sum, clip) => sum + clip.frameCount, 0))
    if (!blends) expectExact(set, keeping(readTruth(model)))
    expect(await verify(sidecarFile, model)).toMatchObject({ damaged: [], asReported: true, report: set.sidecar.report })

    const rows = clips.flatMap((clip, index) => Array.from({ length: clip.frameCount }, (_, frame) => rowOf(set.sidecar, index, frame)))
    if (!('dedupeFrames' in options)) expect(new Set(rows).size).toBe(frameCount)
    const along = layout.orientation === 'frames-x' ? textures[0].width : textures[0].height
    for (const row of rows) expect(row + layout.rowsPerFrame).toBeLessThanOrEqual(along)
    expectGuards(set)
  })

  it('name and count themselves in the sidecar as the model does', async () => {
    const model = await write('sixty.glb', buildModel(sixty))
    const { sidecar } = await bake(model, { all: true, fps: 10 })
    expect(sidecar.clips.map(({ name, index }) => [name, index])).toEqual(sixty.clips.map((_, i) => [`Clip ${i}`, i]))
    expect(sidecar.name).toBe('sixty')
    expect(sidecar.report.position.clips).toHaveLength(60)
  })
})

/** Guard rows hold the frames that a sampler would find there if the clip went on (4). */
function expectGuards({ sidecar, position: texture }: VatSet) {
  const { layout: { columnsPerRow, rowsPerFrame, guardRows }, clips } = sidecar
  for (const { firstRow, frameCount, loop } of clips) {
    for (let guard = 1; guard <= guardRows / rowsPerFrame; guard++) {
      const before = loop ? ((-guard % frameCount) + frameCount) % frameCount : 0
      const after = loop ? (guard - 1) % frameCount : frameCount - 1
      for (let r = 0; r < rowsPerFrame; r++) {
        for (let x = 0; x < columnsPerRow; x++) {
          const at = (frame: number) => valuesAt(sidecar, texture, x, firstRow + frame * rowsPerFrame + r)
          expect(at(-guard)).toEqual(at(before))
          expect(at(frameCount + guard - 1)).toEqual(at(after))
        }
      }
    }
  }
}

/** What a sampler with bilinear filtering gives for a place in pixels of the image; the centre of the first pixel is at 0.5. */
function bilinear({ layer, texels }: VatSet['position'], x: number, y: number): Vector {
  const clamp = (value: number, size: number) => Math.min(Math.max(value, 0), size - 1)
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  const [s, t] = [x - 0.5 - left, y - 0.5 - top]
  return texels.map((plane, i) => {
    const at = (column: number, row: number) => plane[clamp(row, layer.height) * layer.width + clamp(column, layer.width)]
    const [above, below] = [top, top + 1].map((row) => at(left, row) * (1 - s) + at(left + 1, row) * s)
    return (above * (1 - t) + below * t) * layer.scale[i] + layer.offset[i]
  }) as Vector
}

describe('a sampler that filters between rows', () => {
  const sampled = async (options: object) => {
    const model = await write('sixty.glb', buildModel(sixty))
    return loadSet((await bake(model, { all: true, fps: 10, encoding: 'exr', ...options })).sidecarFile)
  }
  /** Largest distance of what the sampler shows from what a player shows at the same time, in and around all clips. */
  const farthest = (set: VatSet) => {
    const { clips, layout: { orientation } } = set.sidecar
    let most = 0
    for (const [clip, { firstRow, frameCount, fps, loop }] of clips.entries()) {
      // A texture coordinate of time runs over the whole clip: from half a row before the middle of its first row, to half a row
      // behind the middle of its last one. In a loop, that is where the last frame becomes the first one.
      for (let frame = -0.5; frame <= frameCount - 0.5; frame += 0.125) {
        for (const [vertex, { x }] of set.columns.entries()) {
          const [across, along] = [x + 0.5, firstRow + frame + 0.5]
          const shown = orientation === 'frames-x' ? bilinear(set.position, along, across) : bilinear(set.position, across, along)
          const wanted = loop || frameCount === 1 ? frame : Math.min(Math.max(frame, 0), frameCount - 1)
          most = Math.max(most, distance(shown, positionAt(set, vertex, clip, wanted / fps)))
        }
      }
    }
    return most
  }

  it.each(['frames-y', 'frames-x'])('finds nothing of other clips with a guard row, %s', async (orientation) => {
    expect(farthest(await sampled({ guardRows: 1, orientation }))).toBeLessThan(1e-5)
  })

  it('finds the clips beside it without', async () => {
    expect(farthest(await sampled({ guardRows: 0 }))).toBeGreaterThan(0.1)
  })
})

describe('equal frames', () => {
  const clips = [true, false].map((returns) => ({ seconds: 0.5, begins: 0, returns }))
  const still = { seed: 1, meshes: sixty.meshes, clips }

  it('are stored once, and how many is told', async () => {
    const model = await write('still.glb', buildModel(still))
    // The clip from its start, twice, and its first moment alone: of 5 + 5 + 1 frames, the second five and the last one are shared.
    const anim = ['#1:once', '#1:once', '#1:start=0,end=0', '#0:loop']
    const result = await bake(model, { anim, fps: 8, encoding: 'exr', normals: 'octahedral', dedupeFrames: true })
    const set = await loadSet(result.sidecarFile)
    expect(set.sidecar.clips.map(({ firstRow }) => firstRow)).toEqual([0, 0, 0, 5])
    expect(set.sidecar.clips.map(({ frameRows }) => frameRows)).toEqual([undefined, undefined, undefined, undefined])
    expect(set.sidecar.textures.map(({ height }) => height)).toEqual([9, 9])
    expectExact(set, keeping(readTruth(model)))
    expect(result.choices).toEqual([{ option: 'dedupe-frames', value: '', why: '6 of 15 frames equal another one, and take no room.' }])
    expect(bakeText(result, '/').join('\n')).toMatch(/^Chosen +--dedupe-frames: 6 of 15 frames equal another one, and take no room\.$/m)
  })

  it('lead to rows of their own order', async () => {
    const model = await write('still.glb', buildModel(still))
    const { sidecarFile } = await bake(model, { anim: ['#1:start=0.25', '#1'], loop: 'off', fps: 8, encoding: 'exr', dedupeFrames: true, maxSize: 18 })
    const set = await loadSet(sidecarFile)
    const { layout: { rowsPerFrame: rows }, clips } = set.sidecar
    expect(rows).toBeGreaterThan(1)
    // Frames 2, 3 and 4 of the whole clip are there already.
    expect(clips.map(({ firstRow }) => firstRow)).toEqual([0, 3 * rows])
    expect(clips.map(({ frameRows }) => frameRows)).toEqual([undefined, [3, 4, 0, 1, 2].map((block) => block * rows)])
    expectExact(set, keeping(readTruth(model)))
  })

  it('are none in a clip that never stands still', async () => {
    const model = await write('still.glb', buildModel(still))
    const { sidecar, choices } = await bake(model, { anim: ['#1'], loop: 'off', fps: 8, dedupeFrames: true })
    expect(choices[0].why).toBe('None of 5 frames equals another one.')
    expect(sidecar.textures[0].height).toBe(5)
  })
})

describe('settings of several clips', () => {
  it('hold for each: rate, loop, number of frames and range', async () => {
    const { sidecarFile } = await bake(sample('Fox.glb'), {
      anim: ['Run:loop,fps=60', 'Walk:once,fps=10', 'Survey:frames=7', '#2:start=0.2,end=0.6'], encoding: 'exr', guardRows: 2,
    })
    const set = await loadSet(sidecarFile)
    expect(set.sidecar.clips).toMatchObject([
      { name: 'Run', loop: true, frameCount: 69, firstRow: 2 },
      { name: 'Walk', loop: false, frameCount: 8, firstRow: 2 + 69 + 4 },
      { name: 'Survey', loop: true, frameCount: 7, firstRow: 2 + 69 + 4 + 8 + 4 },
      { name: 'Run', start: 0.2, loop: false, frameCount: 13, firstRow: 2 + 69 + 4 + 8 + 4 + 7 + 4 },
    ])
    expect(set.sidecar.textures[0].height).toBe(69 + 8 + 7 + 13 + 4 * 4)
    expectExact(set, keeping(readTruth(sample('Fox.glb'))))
    for (const [clip, { frameCount, fps, duration, loop }] of set.sidecar.clips.entries()) {
      expect((loop ? frameCount : frameCount - 1) / fps).toBeCloseTo(duration, 10)
      expect(distance(positionAt(set, 100, clip, 0), position(set, 100, clip, 0))).toBe(0)
    }
  })

  it.each([{ start: 0.5 }, { end: 0.5 }, { frameRange: '0:5' }])('cannot be one range: %o', async (range) => {
    await expect(bake(sample('Fox.glb'), { all: true, ...range })).rejects.toThrow('A range cannot hold for 3 clips. Give each its own')
  })

  it('that do not fit are told what would, in frames of each clip', async () => {
    const model = sample('Fox.glb')
    const options = { all: true, guardRows: 1, maxSize: 256, loop: 'off' }
    const message = await bake(model, options).then(() => '', (error: Error) => error.message)
    expect(message).toMatch(/^The bake of 3 clips does not fit: 1,728 vertices in \d+ frames need .* It fits with --frames \d+ or --fps [\d.]+, or with --max-size \d+\.$/)
    const [, frames, fps] = /--frames (\d+) or --fps ([\d.]+)/.exec(message)!.map(Number)
    expect((await bake(model, { ...options, frames })).sidecar.frameCount).toBe(frames * 3)
    await expect(bake(model, { ...options, frames: frames + 1 })).rejects.toThrow('does not fit')
    await bake(model, { ...options, fps })
    await expect(bake(model, { ...options, all: false, anim: Array.from({ length: 40 }, () => 'Run:frames=1') })).rejects.toThrow(/It fits with --max-size \d+\.$/)
  })
})

it('frames of the first clip are the rest mesh where that is asked for', async () => {
  const model = sample('Fox.glb')
  const set = await loadSet((await bake(model, { anim: ['Walk', 'Run'], rest: 'first-frame', encoding: 'exr', content: 'offset' })).sidecarFile)
  const first = readTruth(model)(1, 0).positions
  for (const [vertex, point] of set.rest.entries()) expect(distance(point, toBake(set, first[vertex]))).toBeLessThan(1e-4)
  for (const vertex of [0, 5, 1000]) expect(distance(position(set, vertex, 0, 0), set.rest[vertex])).toBe(0)
  expectExact(set, keeping(readTruth(model)))
})
