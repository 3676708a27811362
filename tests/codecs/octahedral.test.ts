import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeOctahedral,
  encodeOctahedral,
  encodePacked,
  octahedralCoding,
  packedCoding,
  unpackOctahedral,
  type PackedBits,
} from '../../main/codecs/octahedral.ts'
import { createTexelArray, decodeTexels, type TexelType } from '../../main/codecs/texel.ts'

function roundTrip(type: TexelType, normals: ArrayLike<number>): Float64Array {
  const count = normals.length / 3
  const coding = octahedralCoding(type)
  const texels = createTexelArray(type, count * 3)
  encodeOctahedral(coding, normals, count, texels, 0, 3)
  const values = new Float64Array(count * 2)
  decodeTexels(coding, texels, { texels: Uint32Array.from({ length: count }, (_, i) => i), shift: 0, stride: 3, channels: [0, 1] }, values)
  const decoded = new Float64Array(count * 3)
  decodeOctahedral(values, 0, count, decoded, 0)
  return decoded
}

function degreesBetween(a: ArrayLike<number>, b: ArrayLike<number>, index: number): number {
  const lengthOf = (vector: ArrayLike<number>) => Math.hypot(vector[index], vector[index + 1], vector[index + 2])
  const chord = Math.hypot(...[0, 1, 2].map((axis) => a[index + axis] / lengthOf(a) - b[index + axis] / lengthOf(b)))
  return (2 * Math.asin(chord / 2) * 180) / Math.PI
}

/** A lattice of directions over the whole sphere, dense near (1, 1, 1), where octahedral steps are the widest, and its mirrors. */
function directions(count: number): Float32Array {
  const normals = new Float32Array(count * 3)
  for (let i = 0; i < count; i++) {
    const height = 1 - (2 * i + 1) / count
    const turn = i * Math.PI * (3 - Math.sqrt(5))
    const radius = Math.sqrt(1 - height * height)
    let direction = [radius * Math.cos(turn), radius * Math.sin(turn), height]
    if (i % 2) direction = direction.map((value) => Math.sign(value) * (1 + value / 10))
    const length = Math.hypot(...direction)
    normals.set(direction.map((value) => value / length), i * 3)
  }
  return normals
}

const TYPES: TexelType[] = ['unorm8', 'unorm16', 'float16', 'float32']
const axes = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]

describe('octahedral normals', () => {
  it.each([
    ['unorm8', 0.64],
    ['unorm16', 0.0025],
    ['float16', 0.04],
    ['float32', 0.00001],
  ] as [TexelType, number][])('in %s are off by less than %f degrees', (type, limit) => {
    const normals = directions(100_000)
    const decoded = roundTrip(type, normals)
    let worst = 0
    for (let i = 0; i < normals.length; i += 3) worst = Math.max(worst, degreesBetween(decoded, normals, i))
    expect(worst).toBeLessThan(limit)
    // The bound is the one that is reached, not a generous one.
    expect(worst).toBeGreaterThan(limit * 0.6)
  })

  it.each(TYPES)('in %s hold all six axis directions exactly', (type) => {
    roundTrip(type, axes).forEach((value, i) => expect(value).toBeCloseTo(axes[i], 15))
  })

  it.each(TYPES)('in %s are decoded to unit length', (type) => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(coordinate, coordinate, coordinate), (normal) => {
        fc.pre(Math.hypot(...normal) > 1e-3)
        expect(Math.hypot(...roundTrip(type, normal))).toBeCloseTo(1, 12)
      }),
    )
  })

  it('follow the formula that is documented, worked by hand', () => {
    const values = new Float32Array(2 * 3)
    const third = 1 / Math.sqrt(3)
    encodeOctahedral(octahedralCoding('float32'), [third, third, third, third, -third, -third, 0.6, 0, -0.8], 3, values, 0, 2)
    const expected = [1 / 3, 1 / 3, 2 / 3, -2 / 3, 1, 1 - 0.6 / 1.4]
    values.forEach((value, i) => expect(value).toBeCloseTo(expected[i], 6))
  })

  it('come nearer than plain rounding of both numbers, and a third nearer in the worst case', () => {
    const normals = directions(20_000)
    const values = new Float32Array((normals.length / 3) * 2)
    encodeOctahedral(octahedralCoding('float32'), normals, normals.length / 3, values, 0, 2)
    const rounded = values.map((value) => Math.round(value * 127) / 127)
    const plain = new Float64Array(normals.length)
    decodeOctahedral(rounded, 0, normals.length / 3, plain, 0)
    const chosen = roundTrip('unorm8', normals)
    let worstPlain = 0
    let worstChosen = 0
    for (let i = 0; i < normals.length; i += 3) {
      const degrees = { plain: degreesBetween(plain, normals, i), chosen: degreesBetween(chosen, normals, i) }
      expect(degrees.chosen).toBeLessThan(degrees.plain + 1e-4)
      worstPlain = Math.max(worstPlain, degrees.plain)
      worstChosen = Math.max(worstChosen, degrees.chosen)
    }
    expect(worstChosen).toBeLessThan(worstPlain * 0.7)
  })

  it('are the nearest of all that 8 bits can say', () => {
    const everything = new Float64Array(255 * 255 * 3)
    for (let u = 0; u < 255; u++) {
      for (let v = 0; v < 255; v++) decodeOctahedral([u / 127 - 1, v / 127 - 1], 0, 1, everything, (u * 255 + v) * 3)
    }
    const normals = directions(200)
    const decoded = roundTrip('unorm8', normals)
    let missed = 0
    for (let i = 0; i < normals.length; i += 3) {
      const [x, y, z] = normals.subarray(i, i + 3)
      const cosine = (from: Float64Array, at: number) => from[at] * x + from[at + 1] * y + from[at + 2] * z
      let best = -1
      for (let at = 0; at < everything.length; at += 3) best = Math.max(best, cosine(everything, at))
      if (best > cosine(decoded, i) + 1e-12) missed++
    }
    // A fifth pair, two steps away, is nearer now and then.
    expect(missed).toBeLessThan(normals.length / 3 / 20)
  })

  it('set the other channels to 0 and leave the texels around alone', () => {
    const texels = new Uint8Array(10).fill(9)
    encodeOctahedral(octahedralCoding('unorm8'), [0, 0, 1, 0, 0, -1], 2, texels, 1, 4)
    expect([...texels]).toEqual([9, 127, 127, 0, 0, 254, 254, 0, 0, 9])
  })

  it('refuse a normal without a direction', () => {
    for (const normal of [[0, 0, 0], [NaN, 0, 1], [Infinity, 0, 0]]) {
      expect(() => encodeOctahedral(octahedralCoding('unorm8'), normal, 1, new Uint8Array(2), 0, 2)).toThrow(RangeError)
    }
  })
})

describe('packed normals', () => {
  const decode = (bits: PackedBits, type: 'unorm16' | 'float32', normals: ArrayLike<number>) => {
    const count = normals.length / 3
    const coding = packedCoding(type)
    const texels = createTexelArray(type, count * 4)
    encodePacked(bits, normals, count, texels, 3, 4)
    const codes = new Float64Array(count)
    decodeTexels(coding, texels, { texels: Uint32Array.from({ length: count }, (_, i) => i), shift: 0, stride: 4, channels: [3] }, codes)
    const pairs = new Float64Array(count * 2)
    unpackOctahedral(bits, codes, count, pairs)
    const decoded = new Float64Array(count * 3)
    decodeOctahedral(pairs, 0, count, decoded, 0)
    return { codes, decoded, texels }
  }

  it.each([
    [8, 'unorm16', 0.64],
    [12, 'float32', 0.04],
  ] as [PackedBits, 'unorm16' | 'float32', number][])('of 2 × %i bits in %s are off by less than %f degrees', (bits, type, limit) => {
    const normals = directions(100_000)
    const { decoded } = decode(bits, type, normals)
    let worst = 0
    for (let i = 0; i < normals.length; i += 3) worst = Math.max(worst, degreesBetween(decoded, normals, i))
    expect(worst).toBeLessThan(limit)
    expect(worst).toBeGreaterThan(limit * 0.6)
  })

  it.each([
    [8, 'unorm16'],
    [12, 'float32'],
  ] as [PackedBits, 'unorm16' | 'float32'][])('of 2 × %i bits in %s are whole numbers that the channel holds exactly, axes too', (bits, type) => {
    const { codes, decoded } = decode(bits, type, axes)
    decoded.forEach((value, i) => expect(value).toBeCloseTo(axes[i], 15))
    for (const code of codes) {
      expect(Math.abs(code - Math.round(code))).toBeLessThan(1e-9)
      expect(Math.round(code)).toBeLessThan(2 ** (2 * bits))
      expect(Math.fround(Math.round(code))).toBe(Math.round(code))
    }
  })

  it('follow the formula that is documented, worked by hand', () => {
    // u = 1/3, v = -2/3 of half 127: 169.33 and 42.33.
    const { codes } = decode(8, 'unorm16', [1, -2, 0])
    expect([169, 170].map((first) => first * 256 + 42).concat([169, 170].map((first) => first * 256 + 43))).toContain(Math.round(codes[0]))
    expect(decode(8, 'unorm16', [0, 0, 1]).codes[0]).toBeCloseTo(127 * 256 + 127, 9)
    expect(decode(12, 'float32', [0, 0, -1]).codes[0]).toBe(4094 * 4096 + 4094)
  })

  it('leave the channels beside them alone', () => {
    const texels = new Uint16Array(8).fill(9)
    encodePacked(8, [1, 0, 0, 0, 1, 0], 2, texels, 3, 4)
    expect([0, 1, 2, 4, 5, 6].map((i) => texels[i])).toEqual([9, 9, 9, 9, 9, 9])
  })

  it('refuse a normal without a direction', () => {
    for (const normal of [[0, 0, 0], [NaN, 0, 1], [Infinity, 0, 0]]) {
      expect(() => encodePacked(12, normal, 1, new Float32Array(1), 0, 1)).toThrow(RangeError)
    }
  })
})
