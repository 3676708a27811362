import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHalf, fromHalves, toHalf, toHalves } from '../../main/codecs/half.ts'

/** What IEEE 754-2008, 3.4 says that the bits mean, spelled out. */
function definition(bits: number): number {
  const sign = bits >> 15 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const mantissa = bits & 1023
  if (exponent === 31) return mantissa ? NaN : sign * Infinity
  if (exponent === 0) return sign * 2 ** -14 * (mantissa / 1024)
  return sign * 2 ** (exponent - 15) * (1 + mantissa / 1024)
}

const allBits = Array.from({ length: 65536 }, (_, bits) => bits)
const finiteHalves = Array.from({ length: 0x7c00 }, (_, bits) => definition(bits))

/** The nearest half by search, ties to the even mantissa, overflow from the middle between 65504 and 65536. */
function nearest(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (size >= 65520) return sign | 0x7c00
  let low = 0
  let high = finiteHalves.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (finiteHalves[middle] <= size) low = middle
    else high = middle - 1
  }
  if (low === finiteHalves.length - 1) return sign | low
  const below = size - finiteHalves[low]
  const above = finiteHalves[low + 1] - size
  return sign | (below < above || (below === above && low % 2 === 0) ? low : low + 1)
}

describe('half floats', () => {
  it('decode as the standard says, all 65536 of them', () => {
    expect(allBits.filter((bits) => !Object.is(fromHalf(bits), definition(bits)))).toEqual([])
  })

  it('survive being decoded and encoded', () => {
    const expected = (bits: number) => (Number.isNaN(definition(bits)) ? 0x7e00 : bits)
    expect(allBits.filter((bits) => toHalf(fromHalf(bits)) !== expected(bits))).toEqual([])
  })

  it('have the values that everybody knows', () => {
    expect([0, -0, 1, -2, 65504, 2 ** -14, 2 ** -24, 1 / 3].map(toHalf)).toEqual([0, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x400, 1, 0x3555])
  })

  it('round ties to even, and overflow to infinity from the middle of the last step on', () => {
    expect([1 + 1 / 2048, 1 + 3 / 2048, 2 ** -25, 3 * 2 ** -25].map(toHalf)).toEqual([0x3c00, 0x3c02, 0, 2])
    expect([65519.99, 65520, -65520, 1e300, Infinity, -Infinity].map(toHalf)).toEqual([0x7bff, 0x7c00, 0xfc00, 0x7c00, 0x7c00, 0xfc00])
  })

  it('are rounded once, from the double', () => {
    // Float32 would round this to the tie, and the tie down to 1.
    const justAboveTie = 1 + 1 / 2048 + 2 ** -40
    expect(Math.fround(justAboveTie)).toBe(1 + 1 / 2048)
    expect(toHalf(justAboveTie)).toBe(0x3c01)
  })

  it('are the nearest to every middle between two of them, and to its neighbours', () => {
    const values = finiteHalves.slice(1).flatMap((half, i) => {
      const middle = (finiteHalves[i] + half) / 2
      return [middle, middle * (1 - 2 ** -52), middle * (1 + 2 ** -52)]
    })
    expect(values.filter((value) => toHalf(value) !== nearest(value) || toHalf(-value) !== nearest(-value))).toEqual([])
  })

  it('are the nearest to any double', () => {
    fc.assert(fc.property(fc.double({ noNaN: true }), (value) => toHalf(value) === nearest(value)), { numRuns: 2000 })
    fc.assert(fc.property(fc.double({ noNaN: true, min: -70000, max: 70000 }), (value) => toHalf(value) === nearest(value)), {
      numRuns: 5000,
    })
  })

  it('are converted from and into the middle of arrays', () => {
    const halves = new Uint16Array(4)
    toHalves([9, 1, -1, 9], 1, 2, halves, 2)
    expect([...halves]).toEqual([0, 0, 0x3c00, 0xbc00])
    const values = new Float64Array(4)
    fromHalves(halves, 2, 2, values, 1)
    expect([...values]).toEqual([0, 1, -1, 0])
  })
})
