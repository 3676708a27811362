import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseCoding,
  chooseDirectionCoding,
  createTexelArray,
  decodeTexels,
  encodeTexels,
  texelBytes,
  texelOf,
  type TexelCoding,
  type TexelType,
} from '../../main/codecs/texel.ts'

const TYPES: TexelType[] = ['unorm8', 'unorm16', 'float16', 'float32']
const STEPS = { unorm8: 255, unorm16: 65535 }

const scaleIndices = ({ scale }: TexelCoding) => scale.map((_, channel) => channel)

function roundTrip(coding: TexelCoding, values: ArrayLike<number>): number[] {
  const channels = coding.scale.length
  const texels = createTexelArray(coding.type, values.length)
  const out = new Float64Array(values.length)
  encodeTexels(coding, values, values.length / channels, texels, 0)
  const all = Uint32Array.from({ length: values.length / channels }, (_, i) => i)
  const places = { texels: all, shift: 0, stride: channels, channels: scaleIndices(coding) }
  decodeTexels(coding, texels, places, out)
  return [...out]
}

function boundsOf(values: ArrayLike<number>, channels: number): { min: number[]; max: number[] } {
  const min = Array<number>(channels).fill(Infinity)
  const max = Array<number>(channels).fill(-Infinity)
  for (let i = 0; i < values.length; i++) {
    min[i % channels] = Math.min(min[i % channels], values[i])
    max[i % channels] = Math.max(max[i % channels], values[i])
  }
  return { min, max }
}

/** Half a step, and the rounding of double arithmetic, which counts for a small range far from zero. */
function tolerance({ type, scale, offset }: TexelCoding, channel: number): number {
  if (type === 'float32') return 0
  const halfStep = type === 'float16' ? scale[channel] / 4096 : scale[channel] / STEPS[type] / 2
  return halfStep + (scale[channel] + Math.abs(offset[channel])) * 2 ** -50
}

/** Any float32: negative, tiny, huge, subnormal. */
const anyFloat = fc.float({ noNaN: true, noDefaultInfinity: true })
/** Values around a centre, as far as a scale reaches: also ranges far from zero, on one side of it, or flat. */
const cloud = fc
  .record({
    centre: fc.double({ min: -1000, max: 1000, noNaN: true }),
    size: fc.constantFrom(0, 1e-30, 1e-6, 0.01, 1, 170, 1e6, 1e30),
    points: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
  })
  .map(({ centre, size, points }) => points.map((point) => Math.fround(centre + size * point)))
const values = fc.oneof(fc.array(anyFloat, { minLength: 1, maxLength: 30 }), cloud)

describe.each(TYPES)('%s', (type) => {
  it('is never further off than half a step, whatever the bounds', () => {
    fc.assert(
      fc.property(values, (numbers) => {
        const { min, max } = boundsOf(numbers, 1)
        const coding = chooseCoding(type, min, max)
        const decoded = roundTrip(coding, numbers)
        numbers.forEach((number, i) => expect(Math.abs(decoded[i] - number)).toBeLessThanOrEqual(tolerance(coding, 0)))
      }),
      { numRuns: 1000 },
    )
  })

  it('decodes the extremes to exactly the float32 that went in', () => {
    fc.assert(
      fc.property(values, (numbers) => {
        const { min, max } = boundsOf(numbers, 1)
        const extremes = [min[0], max[0]]
        const decoded = roundTrip(chooseCoding(type, min, max), extremes)
        const extent = max[0] - min[0]
        extremes.forEach((extreme, i) => {
          // Double arithmetic cannot tell an extreme from zero where the other one is 2^52 times as large.
          const negligible = Math.abs(extreme) < extent * 2 ** -27
          if (negligible) expect(Math.abs(decoded[i] - extreme)).toBeLessThanOrEqual(extent * 2 ** -52)
          else expect(Math.fround(decoded[i]) - extreme).toBe(0)
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('decodes a flat axis exactly', () => {
    fc.assert(
      fc.property(anyFloat, (number) => {
        const decoded = roundTrip(chooseCoding(type, [number], [number]), [number, number])
        expect(decoded.every((value) => value - number === 0)).toBe(true)
      }),
    )
  })

  it('keeps the channels apart', () => {
    const numbers = Float32Array.from([-1, 5, 1000, 1, 5, 3000, 0.25, 5, 1234.5])
    const { min, max } = boundsOf(numbers, 3)
    const coding = chooseCoding(type, min, max)
    roundTrip(coding, numbers).forEach((value, i) => {
      expect(Math.abs(value - numbers[i])).toBeLessThanOrEqual(tolerance(coding, i % 3))
    })
  })

  it('takes texels from and to the middle of arrays, with a stride', () => {
    const coding = chooseCoding(type, [-1, -1], [1, 1])
    const texels = createTexelArray(type, 10).fill(7)
    encodeTexels(coding, [-1, 1, 1, -1], 2, texels, 1, 4)
    const untouched = [0, 3, 4, 7, 8, 9]
    expect(untouched.map((i) => texels[i])).toEqual(untouched.map(() => 7))
    const out = new Float64Array(6)
    // The second, the first and the second texel again, of an image that begins one texel later; channels 1 and 2 of four.
    decodeTexels(coding, texels, { texels: Uint32Array.of(2, 1, 2), shift: -1, stride: 4, channels: [1, 2] }, out)
    expect([...out]).toEqual([1, -1, -1, 1, 1, -1])
  })

  it('refuses NaN and infinity', () => {
    const coding = chooseCoding(type, [-1], [1])
    for (const value of [NaN, Infinity, -Infinity]) {
      expect(() => encodeTexels(coding, [0, value], 2, createTexelArray(type, 2), 0)).toThrow(RangeError)
      expect(() => chooseCoding(type, [-1], [value])).toThrow(RangeError)
      expect(() => chooseCoding(type, [value], [1])).toThrow(RangeError)
    }
    expect(() => chooseCoding(type, [1], [-1])).toThrow('bounds 1..-1 of channel 0 are not a range')
  })

  it('has exact axis directions', () => {
    const coding = chooseDirectionCoding(type, 3)
    const axes = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]
    roundTrip(coding, axes).forEach((value, i) => expect(value).toBeCloseTo(axes[i], 15))
  })
})

describe.each(['unorm8', 'unorm16', 'float16'] as const)('%s', (type) => {
  it('refuses values outside of its bounds instead of clamping them', () => {
    const next = 1 + 2 ** -23
    const coding = chooseCoding(type, [-1, 2], [1, 2])
    const encode = (first: number, second: number) => () => encodeTexels(coding, [first, second], 1, createTexelArray(type, 2), 0)
    expect(encode(1, 2)).not.toThrow()
    expect(encode(next, 2)).toThrow(RangeError)
    expect(encode(-next, 2)).toThrow(RangeError)
    expect(encode(1, 2 * next)).toThrow("value 2.000000238418579 of channel 1 is outside of the coding's bounds")
  })
})

describe('the coding of unorm', () => {
  it('comes from tight bounds', () => {
    expect(chooseCoding('unorm16', [-2, 5], [6, 5])).toEqual({ type: 'unorm16', scale: [8, 0], offset: [-2, 5] })
  })

  it('uses all numbers from 0 to the last', () => {
    const texels = new Uint8Array(3)
    encodeTexels(chooseCoding('unorm8', [-2], [6]), [-2, 2, 6], 3, texels, 0)
    expect([...texels]).toEqual([0, 128, 255])
  })
})

describe('the coding of float16', () => {
  it('is centred, with the extremes at -1 and 1', () => {
    const coding = chooseCoding('float16', [-2, 5], [6, 5])
    expect(coding).toEqual({ type: 'float16', scale: [4, 0], offset: [2, 5] })
    const texels = new Uint16Array(6)
    encodeTexels(coding, [-2, 5, 2, 5, 6, 5], 3, texels, 0)
    expect([...texels].map((bits) => texelOf('float16', bits))).toEqual([-1, 0, 0, 0, 1, 0])
  })
})

describe('a model of one metre', () => {
  /** A box whose diagonal is one metre, anywhere within ten metres, and points in it. */
  const box = fc.record({
    sides: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.3)),
    corner: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 }),
    points: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }),
  })

  it.each([
    ['unorm8', 2e-3],
    ['unorm16', 1e-5],
    ['float16', 0.25e-3],
    ['float32', 1e-6],
  ] as [TexelType, number][])('is within the error that is promised for %s', (type, limit) => {
    fc.assert(
      fc.property(box, ({ sides, corner, points }) => {
        const diagonal = Math.hypot(...sides) || 1
        const positions = Float32Array.from(points, (point, i) => corner[i % 3] + (point * sides[i % 3]) / diagonal)
        const { min, max } = boundsOf(positions, 3)
        const decoded = roundTrip(chooseCoding(type, min, max), positions)
        for (let i = 0; i < positions.length; i += 3) {
          const distance = Math.hypot(...[0, 1, 2].map((axis) => decoded[i + axis] - positions[i + axis]))
          expect(distance).toBeLessThanOrEqual(limit)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('texel arrays', () => {
  it('have the element size of their type', () => {
    for (const type of TYPES) expect(createTexelArray(type, 5)).toMatchObject({ length: 5, BYTES_PER_ELEMENT: texelBytes(type) })
    expect(TYPES.map(texelBytes)).toEqual([1, 2, 2, 4])
  })
})
