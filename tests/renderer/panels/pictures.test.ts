import { describe, expect, it } from 'vitest'
import { toHalf } from '../../../main/codecs/half.ts'
import { pointsOf } from '../../../renderer/panels/error-points.ts'
import { rulerMarks } from '../../../renderer/panels/ruler.ts'
import { texelPlace } from '../../../renderer/panels/texel-place.ts'
import { paintPicture, rangeOf, texelValues } from '../../../renderer/panels/texture-picture.ts'

const bytes = { width: 2, height: 1, channels: 3 as const, type: 'unorm8' as const, texels: new Uint8Array([255, 0, 51, 0, 255, 102]) }

describe('the picture of a texture', () => {
  it('shows each texel as it is, blended with nothing', () => {
    const out = new Uint8ClampedArray(4 * 2 * 4)
    paintPicture(bytes, rangeOf(bytes), 'rgb', { left: 0, top: 0, width: 4, height: 2, scale: 2 }, out)
    expect([...out.subarray(0, 8)]).toEqual([255, 0, 51, 255, 255, 0, 51, 255])
    expect([...out.subarray(8, 16)]).toEqual([0, 255, 102, 255, 0, 255, 102, 255])
  })

  it('shows one channel in grey, and an alpha that is not there as opaque', () => {
    const out = new Uint8ClampedArray(2 * 4)
    const window = { left: 0, top: 0, width: 2, height: 1, scale: 1 }
    paintPicture(bytes, rangeOf(bytes), 'b', window, out)
    expect([...out]).toEqual([51, 51, 51, 255, 102, 102, 102, 255])
    paintPicture(bytes, rangeOf(bytes), 'a', window, out)
    expect([...out]).toEqual([255, 255, 255, 255, 255, 255, 255, 255])
  })

  it('is transparent outside of the texture', () => {
    const out = new Uint8ClampedArray(2 * 4).fill(9)
    paintPicture(bytes, rangeOf(bytes), 'rgb', { left: -1, top: 0, width: 2, height: 1, scale: 1 }, out)
    expect([...out]).toEqual([0, 0, 0, 0, 255, 0, 51, 255])
  })

  it('stretches whole floats between their extremes and half floats over -1 to 1', () => {
    const floats = { width: 2, height: 1, channels: 3 as const, type: 'float32' as const, texels: new Float32Array([-10, 5, 0, 10, 5, 1]) }
    expect(rangeOf(floats)).toEqual({ min: [-10, 5, 0], max: [10, 5, 1] })
    const out = new Uint8ClampedArray(2 * 4)
    paintPicture(floats, rangeOf(floats), 'rgb', { left: 0, top: 0, width: 2, height: 1, scale: 1 }, out)
    expect([...out]).toEqual([0, 0, 0, 255, 255, 0, 255, 255])
    const halves = { width: 1, height: 1, channels: 3 as const, type: 'float16' as const, texels: new Uint16Array([toHalf(-1), toHalf(1), toHalf(0.5)]) }
    const one = new Uint8ClampedArray(4)
    paintPicture(halves, rangeOf(halves), 'rgb', { left: 0, top: 0, width: 1, height: 1, scale: 1 }, one)
    expect([...one]).toEqual([0, 255, 191, 255])
    expect(texelValues(halves, 0, 0)).toEqual([-1, 1, 0.5])
    expect(texelValues(bytes, 1, 0)).toEqual([0, 1, 0.4])
  })
})

describe('what a texel holds', () => {
  const clip = { name: 'a', index: 0, start: 1, fps: 10, duration: 0.3, loop: true, seam: 0, bounds: { min: [0, 0, 0] as [number, number, number], max: [1, 1, 1] as [number, number, number] } }
  const sidecar = {
    columnCount: 5,
    layout: { columnsPerRow: 3, rowsPerFrame: 2, orientation: 'frames-y' as const, guardRows: 1 },
    clips: [{ ...clip, firstRow: 0, frameCount: 2 }, { ...clip, firstRow: 5, frameCount: 3, start: 2 }],
  }

  it('follows the rule of the format', () => {
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 1, 0)).toEqual({ column: 1, frame: 0, clip: 0, time: 1 })
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 1, 3)).toEqual({ column: 4, frame: 1, clip: 0, time: 1.1 })
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 0, 9)).toEqual({ column: 0, frame: 2, clip: 1, time: 2.2 })
    expect(texelPlace({ ...sidecar, layout: { ...sidecar.layout, orientation: 'frames-x' } }, { baseRow: 0, baseColumn: 0 }, 3, 1)).toMatchObject({ column: 4, frame: 1 })
  })

  it('is nothing behind the last column, in guard rows and in other layers', () => {
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 2, 1)).toBeNull()
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 0, 4)).toBeNull()
    expect(texelPlace(sidecar, { baseRow: 10, baseColumn: 0 }, 0, 4)).toBeNull()
    expect(texelPlace(sidecar, { baseRow: 0, baseColumn: 0 }, 3, 0)).toBeNull()
  })
})

describe('the marks of the ruler', () => {
  it('are both ends and round numbers between', () => {
    expect(rulerMarks(0, 1.158)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1, 1.158])
    expect(rulerMarks(0, 3.417)).toEqual([0, 1, 2, 3, 3.417])
    expect(rulerMarks(1, 1)).toEqual([1])
  })

  it('are few and never touch the ends', () => {
    for (const length of [0.04, 0.71, 1.9, 12.4, 99.9, 1000]) {
      const marks = rulerMarks(0, length)
      expect(marks.length).toBeLessThanOrEqual(8)
      expect(marks.at(-2)! <= length * 0.91).toBe(true)
    }
  })
})

describe('the points of an error curve', () => {
  it('are those at the samples or those between, never both', () => {
    const curve = {
      frames: Float64Array.of(0, 0.5, 1, 1.5), times: Float64Array.of(0, 0.1, 0.2, 0.3),
      maxMillimetres: Float64Array.of(1, 50, 2, 60), rmsMillimetres: Float64Array.of(0.1, 5, 0.2, 6), worstVertices: new Uint32Array(4),
    }
    expect(pointsOf(curve, 'samples')).toEqual({ times: [0, 0.2], max: [1, 2], rms: [0.1, 0.2] })
    expect(pointsOf(curve, 'between')).toEqual({ times: [0.1, 0.3], max: [50, 60], rms: [5, 6] })
  })
})
