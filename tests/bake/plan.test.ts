import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gpuBytes, indexUVs, planFrames, planLayout, planRange, sampleTimes } from '../../main/bake/plan.ts'

const clip = { name: 'Run', start: 0, end: 1.16 }

describe('the range of a clip', () => {
  it('is the whole clip unless options say otherwise', () => {
    expect(planRange(clip, { fps: 30 })).toEqual({ start: 0, end: 1.16 })
  })

  it('is given in seconds on the time line of the clip', () => {
    const late = { name: 'Late', start: 5, end: 6 }
    expect(planRange(late, { fps: 30, start: 5.25, end: 5.75 })).toEqual({ start: 5.25, end: 5.75 })
  })

  it('is given in frames of --fps', () => {
    expect(planRange(clip, { fps: 10, frameRange: '2:8' })).toEqual({ start: 0.2, end: 0.8 })
  })

  it('is cut at an end that it passes by less than a frame, since people type rounded times', () => {
    expect(planRange({ name: 'Run', start: 0, end: 1.1583 }, { fps: 30, end: 1.16 }).end).toBe(1.1583)
  })

  it.each([
    ['outside', { fps: 30, start: 2 }, /not within the clip "Run", which runs from 0 s to 1.16 s \(frames 0 to 34 at 30 fps\)/],
    ['too long', { fps: 30, end: 3 }, /not within/],
    ['empty', { fps: 30, start: 0.8, end: 0.2 }, /ends before it begins/],
    ['given twice', { fps: 30, start: 0.1, frameRange: '0:5' }, /--frame-range cannot stand together/],
  ])('is refused when it is %s', (_, options, sentence) => {
    expect(() => planRange(clip, options)).toThrow(sentence)
  })
})

describe('the frames of a clip', () => {
  it('do not repeat the end of a loop: F = round(T · f) samples at i · T / F', () => {
    const { frameCount, fps } = planFrames(1.16, true, { fps: 30 })
    expect(frameCount).toBe(35)
    expect(frameCount / fps).toBeCloseTo(1.16, 12)
    const times = sampleTimes({ start: 0, duration: 1.16, loop: true, frameCount })
    expect(times[0]).toBe(0)
    expect(times[34]).toBeCloseTo((34 * 1.16) / 35, 12)
  })

  it('include both ends of a clip that does not loop: F = round(T · f) + 1 samples', () => {
    const { frameCount, fps } = planFrames(1, false, { fps: 24 })
    expect({ frameCount, fps }).toEqual({ frameCount: 25, fps: 24 })
    const times = sampleTimes({ start: 5, duration: 1, loop: false, frameCount })
    expect(times[0]).toBe(5)
    expect(times[24]).toBe(6)
  })

  it('are at least two where both ends count, and at least one in a loop', () => {
    expect(planFrames(0.001, false, { fps: 30 }).frameCount).toBe(2)
    expect(planFrames(0.001, true, { fps: 30 })).toEqual({ frameCount: 1, fps: 30 })
  })

  it('are one, at the asked rate, for a pose and for --frames 1', () => {
    expect(planFrames(0, false, { fps: 25 })).toEqual({ frameCount: 1, fps: 25 })
    expect(planFrames(0, false, { fps: 25, frames: 10 })).toEqual({ frameCount: 1, fps: 25 })
    expect(planFrames(2, false, { fps: 25, frames: 1 })).toEqual({ frameCount: 1, fps: 25 })
  })

  it('can be counted with --frames', () => {
    expect(planFrames(2, false, { fps: 30, frames: 5 })).toEqual({ frameCount: 5, fps: 2 })
    expect(planFrames(2, true, { fps: 30, frames: 5 })).toEqual({ frameCount: 5, fps: 2.5 })
  })

  it('always last as long as the clip', () => {
    const durations = fc.double({ min: 0.01, max: 100, noNaN: true })
    const rates = fc.double({ min: 1, max: 240, noNaN: true })
    fc.assert(
      fc.property(durations, rates, fc.boolean(), (duration, asked, loop) => {
        const { frameCount, fps } = planFrames(duration, loop, { fps: asked })
        const steps = loop ? frameCount : frameCount - 1
        if (frameCount > 1) expect(steps / fps).toBeCloseTo(duration, 9)
        const times = sampleTimes({ start: 1, duration, loop, frameCount })
        times.forEach((time, i) => expect(time).toBeCloseTo(frameCount > 1 ? 1 + i / fps : 1, 9))
      }),
    )
  })
})

describe('the layout', () => {
  const plan = (columnCount: number, frameCount: number, maxSize = 8192) =>
    planLayout({ what: '"Run"', columnCount, frameCount, maxSize, duration: 1 })

  it('is one pixel a vertex and one row a frame where the width allows', () => {
    expect(plan(1728, 35)).toMatchObject({ columnsPerRow: 1728, rowsPerFrame: 1, width: 1728, height: 35 })
  })

  it.each([
    [8192, 8192, 1],
    [8193, 4097, 2],
    [16385, 5462, 3],
  ])('wraps %i vertices at 8192 into rows of %i', (columns, width, rows) => {
    expect(plan(columns, 10)).toMatchObject({ columnsPerRow: width, rowsPerFrame: rows, width, height: rows * 10 })
  })

  it('holds every column, wastes less than a row a frame, and stays within the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 20 }), (columns, frames) => {
        const { columnsPerRow, rowsPerFrame, width, height } = plan(columns, frames, 16_384)
        expect(rowsPerFrame).toBe(Math.ceil(columns / columnsPerRow))
        expect(columnsPerRow * rowsPerFrame - columns).toBeLessThan(rowsPerFrame)
        expect(Math.max(width, height)).toBeLessThanOrEqual(16_384)
      }),
    )
  })

  it('refuses what does not fit, with the numbers and with what would fit', () => {
    expect(() => plan(1000, 300, 256)).toThrow(
      '"Run" does not fit: 1,000 vertices in 300 frames need 250 × 1,200 pixels, and a side may have 256. ' +
        'It fits with --frames 64 or --fps 63, or with --max-size 600.',
    )
  })

  it('advises only what really fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 2000 }), (columns, frames) => {
        try {
          plan(columns, frames, 128)
        } catch (error) {
          const message = (error as Error).message
          const size = /--max-size (\d+)/.exec(message)?.[1]
          const fewer = /--frames (\d+)/.exec(message)?.[1]
          if (size) {
            expect(() => plan(columns, frames, Number(size))).not.toThrow()
            expect(() => plan(columns, frames, Number(size) - 1)).toThrow()
          }
          if (fewer) {
            expect(() => plan(columns, Number(fewer), 128)).not.toThrow()
            expect(() => plan(columns, Number(fewer) + 1, 128)).toThrow()
          }
          expect(size ?? fewer).toBeDefined()
        }
      }),
    )
  })

  it('says so when not even one frame fits', () => {
    expect(() => plan(300, 1, 16)).toThrow(/--max-size 18/)
    expect(() => plan(300_000_000, 1, 16_384)).toThrow(/does not fit even as a single frame/)
  })
})

describe('the index UV', () => {
  it('is the centre of the texel in a block of W × R', () => {
    expect([...indexUVs({ columnsPerRow: 2, rowsPerFrame: 2 }, Uint32Array.of(0, 1, 2))]).toEqual([0.25, 0.25, 0.75, 0.25, 0.25, 0.75])
  })

  it.each([8192, 8193, 16385, 100_000])('leads every one of %i columns back to itself in float32', (columnCount) => {
    const layout = planLayout({ what: 'x', columnCount, frameCount: 1, maxSize: 8192, duration: 1 })
    const uvs = indexUVs(layout, Uint32Array.from({ length: columnCount }, (_, column) => column))
    for (let column = 0; column < columnCount; column++) {
      const x = Math.floor(uvs[column * 2] * layout.columnsPerRow)
      const r = Math.floor(uvs[column * 2 + 1] * layout.rowsPerFrame)
      if (r * layout.columnsPerRow + x !== column) expect.fail(`column ${column} leads to (${x}, ${r})`)
    }
  })
})

it('counts four channels a texel for the GPU', () => {
  expect(gpuBytes('rgba8', 100, 10)).toBe(4000)
  expect(gpuBytes('rgba16', 100, 10)).toBe(8000)
  expect(gpuBytes('exr16', 100, 10)).toBe(8000)
  expect(gpuBytes('exr', 100, 10)).toBe(16_000)
})
