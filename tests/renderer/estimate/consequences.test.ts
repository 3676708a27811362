import { describe, expect, it } from 'vitest'
import { type BakeOptions, bakeOptions } from '../../../main/bake/options.ts'
import type { Box } from '../../../main/model/box.ts'
import { Problem } from '../../../main/model/problem.ts'
import { assume, consequencesOf, expectedError, framesOf, type KnownClip, likelyLoops, limitMillimetres, loops } from '../../../renderer/estimate/consequences.ts'

const options = (changes: Partial<BakeOptions> = {}) => assume(bakeOptions.parse(changes), [])
/** A box from one place to another on the x axis. */
const along = (from: number, to: number): Box => ({ min: [from, 0, 0], max: [to, 0, 0] })
/** The Run clip of the Fox sample; its diagonal is what a bake of it reports. */
const run: KnownClip = {
  name: 'Run', index: 2, start: 0, end: 1.1583333,
  measured: { seam: 0, endsDiagonal: 180, box: along(0, 194.4), offsets: along(0, 60) },
}
const fox = { vertexCount: 1728, meshBytes: 101_740 }

describe('what a bake comes to', () => {
  it('has exact sizes, from the plan of the core', () => {
    const found = consequencesOf(fox, [run], options({ encoding: 'rgba16' }))
    expect(found).toMatchObject({ frameCount: 35, textures: 1, gpuBytes: 1728 * 35 * 8 })
    expect(found.layout).toMatchObject({ width: 1728, height: 35 })
    expect(consequencesOf(fox, [run], options({ normals: 'octahedral' }))).toMatchObject({ textures: 2, gpuBytes: 2 * 1728 * 35 * 8 })
  })

  it('follows the layout', () => {
    const size = (changes: Partial<BakeOptions>) => {
      const { textures, layout } = consequencesOf(fox, [run], options(changes))
      return [textures, layout.width, layout.height]
    }
    expect(size({ normals: 'packed', encoding: 'exr' })).toEqual([1, 1728, 35])
    expect(size({ normals: 'xyz', tangents: true })).toEqual([3, 1728, 35])
    expect(size({ normals: 'xyz', stack: true })).toEqual([1, 1728, 70])
    expect(size({ orientation: 'frames-x' })).toEqual([1, 35, 1728])
    expect(size({ guardRows: 2 })).toEqual([1, 1728, 39])
    expect(size({ pot: true })).toEqual([1, 256, 256])
  })

  it('is of all clips that share the textures', () => {
    const walk: KnownClip = { ...run, name: 'Walk', index: 1, end: 0.7, measured: { ...run.measured!, box: along(-100, 50) } }
    const both = consequencesOf(fox, [walk, run], options({ normals: 'xyz', guardRows: 2 }))
    expect(both).toMatchObject({ frameCount: 21 + 35, textures: 2, gpuBytes: 2 * 1728 * (56 + 8) * 8 })
    expect(both.layout).toMatchObject({ width: 1728, height: 64 })
    // The steps are those of the box around both.
    expect(both.errorMillimetres).toBeCloseTo(294_400 / 8192, 6)
    expect(limitMillimetres([walk, run], options({ maxError: '1%' }))).toBeCloseTo(2944, 6)
  })

  it('counts twice the rows where an engine is given 16 bits as bytes', () => {
    const found = consequencesOf(fox, [run], options({ encoding: 'rgba16', target: 'godot' }))
    expect(found).toMatchObject({ gpuBytes: 1728 * 35 * 8, layout: { width: 1728, height: 70 } })
  })

  it('goes by what is likely where the bake has to find it', () => {
    const found = (changes: Partial<BakeOptions>) => assume(bakeOptions.parse(changes), [[run]])
    expect(found({ fps: 'auto', maxError: '1mm' }).fps).toBe(30)
    expect(found({ encoding: 'auto', maxError: '0.5%' }).encoding).toBe('rgba8')
    expect(found({ encoding: 'auto', maxError: '5mm' }).encoding).toBe('rgba16')
    expect(found({ encoding: 'auto', maxError: '0.1mm' }).encoding).toBe('exr')
    expect(found({ encoding: 'rgba8', fps: 12 })).toMatchObject({ encoding: 'rgba8', fps: 12 })
  })

  it.each([
    // Encoding, and what the real bake of that clip measured.
    ['rgba8', 374.76],
    ['rgba16', 1.462],
    ['exr16', 23.09],
  ] as const)('expects an error for %s that is never below and close above what was measured', (encoding, measured) => {
    const expected = expectedError([run], options({ encoding }))!
    expect(expected).toBeGreaterThanOrEqual(measured)
    expect(expected).toBeLessThan(measured * 1.05)
  })

  it('expects no error of whole floats, less of offsets, and tells lengths in the scale of the bake', () => {
    expect(expectedError([run], options({ encoding: 'exr' }))).toBe(0)
    expect(expectedError([run], options({ content: 'offset' }))).toBeCloseTo(60_000 / 8192, 6)
    expect(expectedError([run], options({ scale: 0.01 }))).toBeCloseTo(1944 / 8192, 6)
  })

  it.each([
    ['rgba8', 77_552 + 101_740],
    ['rgba16', 245_556 + 101_740],
    ['exr16', 236_539 + 101_740],
    ['exr', 662_310 + 101_740],
  ] as const)('estimates the bytes on disk of %s within a factor of two', (encoding, written) => {
    const { diskBytes } = consequencesOf(fox, [run], options({ encoding }))
    expect(diskBytes).toBeGreaterThan(written / 2)
    expect(diskBytes).toBeLessThan(written * 2)
  })

  it('leaves errors open until the clip was looked at', () => {
    expect(expectedError([run, { ...run, measured: null }], options())).toBeNull()
    expect(loops(options(), { ...run, measured: null })).toBeNull()
  })

  it('refuses as the core does', () => {
    expect(() => consequencesOf(fox, [run], options({ start: 3, end: 4 }))).toThrow(Problem)
    expect(() => consequencesOf({ ...fox, vertexCount: 100_000 }, [run], options({ maxSize: 512 }))).toThrow(Problem)
  })
})

describe('loops and frames', () => {
  it('follow the seam, unless they are told', () => {
    expect(loops(options(), run)).toBe(true)
    expect(loops(options(), { ...run, measured: { ...run.measured!, seam: 1 } })).toBe(false)
    expect(loops(options({ loop: 'off' }), run)).toBe(false)
    expect(framesOf(options(), run)).toBe(35)
    expect(framesOf(options({ loop: 'off' }), run)).toBe(36)
    expect(framesOf(options({ frames: 12 }), run)).toBe(12)
  })

  it('take a piece of a clip for one that does not loop, and a single key as well', () => {
    expect(loops(options({ end: 0.5 }), run)).toBeNull()
    expect(likelyLoops(options({ end: 0.5 }), run)).toBe(false)
    expect(likelyLoops(options({ end: 0.5 }), { ...run, pieceLoops: true })).toBe(true)
    expect(likelyLoops(options(), { ...run, measured: null })).toBe(true)
    expect(loops(options(), { ...run, end: 0 })).toBe(false)
    expect(framesOf(options(), { ...run, end: 0 })).toBe(1)
  })
})

describe('an error limit', () => {
  it('is in millimetres, or a share of the size', () => {
    expect(limitMillimetres([run], options({ maxError: '0.5mm' }))).toBe(0.5)
    expect(limitMillimetres([run], options({ maxError: '0.1%' }))).toBeCloseTo(194.4, 6)
    expect(limitMillimetres([run], options())).toBeNull()
  })
})
