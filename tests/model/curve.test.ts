import { describe, expect, test } from 'vitest'
import { createCurve, sampleCurve, type Curve, type Interpolation } from '../../main/model/curve.ts'

function curve(interpolation: Interpolation, size: number, times: number[], values: number[], rotation = false): Curve {
  return createCurve({ interpolation, rotation, size, times: Float64Array.from(times), values: Float64Array.from(values) })
}

function at(sampled: Curve, time: number): number[] {
  const out = new Float64Array(sampled.size + 2).fill(99)
  sampleCurve(sampled, time, out, 1)
  expect([out[0], out[sampled.size + 1]]).toEqual([99, 99])
  return [...out.subarray(1, sampled.size + 1)]
}

/** A rotation about an axis. */
function turn(axis: number[], degrees: number): number[] {
  const half = (degrees * Math.PI) / 360
  return [...axis.map((number) => number * Math.sin(half)), Math.cos(half)]
}

function expectClose(actual: number[], expected: number[]): void {
  expect(actual.length).toBe(expected.length)
  expected.forEach((number, i) => expect(actual[i]).toBeCloseTo(number, 13))
}

describe('outside of the keys', () => {
  test.each(['LINEAR', 'STEP'] as const)('%s holds the nearest key', (interpolation) => {
    const sampled = curve(interpolation, 2, [5, 6], [1, 2, 3, 4])
    expect(at(sampled, -100)).toEqual([1, 2])
    expect(at(sampled, 100)).toEqual([3, 4])
  })

  test('CUBICSPLINE holds the nearest value, not a tangent', () => {
    const sampled = curve('CUBICSPLINE', 1, [5, 6], [10, 1, 20, 30, 2, 40])
    expect(at(sampled, 4)).toEqual([1])
    expect(at(sampled, 7)).toEqual([2])
  })

  test.each(['LINEAR', 'STEP', 'CUBICSPLINE'] as const)('%s of a single key is that key, always', (interpolation) => {
    const sampled = curve(interpolation, 1, [3], interpolation === 'CUBICSPLINE' ? [7, 1, 7] : [1])
    expect([-1, 3, 9].map((time) => at(sampled, time))).toEqual([[1], [1], [1]])
  })
})

test('LINEAR is a straight line from key to key', () => {
  const sampled = curve('LINEAR', 2, [0, 1, 3], [0, 10, 4, 20, 8, -20])
  expect(at(sampled, 0.25)).toEqual([1, 12.5])
  expect(at(sampled, 1)).toEqual([4, 20])
  expect(at(sampled, 2)).toEqual([6, 0])
})

test('STEP holds a key until the next one', () => {
  const sampled = curve('STEP', 1, [0, 1, 2], [1, 2, 3])
  expect([0, 0.999, 1, 1.5, 2].map((time) => at(sampled, time)[0])).toEqual([1, 1, 2, 2, 3])
})

describe('CUBICSPLINE', () => {
  test('is the Hermite spline of values and tangents per second', () => {
    // The cubic p(t) = t³ - 2t² + 3t + 4 is its own Hermite spline: two keys with its values and slopes give it back.
    const p = (t: number) => t ** 3 - 2 * t ** 2 + 3 * t + 4
    const slope = (t: number) => 3 * t ** 2 - 4 * t + 3
    const sampled = curve('CUBICSPLINE', 1, [1, 3.5], [999, p(1), slope(1), slope(3.5), p(3.5), 999])
    for (const time of [1, 1.1, 2, 3, 3.5]) expect(at(sampled, time)[0]).toBeCloseTo(p(time), 12)
  })

  test('keeps all in-tangents of a key together, then all values, then all out-tangents', () => {
    // Two weights: 0 -> 1 and 5 -> 7, the second with slope 4 at both ends.
    const sampled = curve('CUBICSPLINE', 2, [0, 1], [0, 0, 0, 5, 0, 4, 0, 4, 1, 7, 0, 0])
    expectClose(at(sampled, 0.5), [0.5, 0.5 * 5 + 0.5 * 7 + 0.125 * 4 - 0.125 * 4])
    expectClose(at(sampled, 0.25), [0.15625, 5 * 0.84375 + 7 * 0.15625 + 4 * 0.140625 - 4 * 0.046875])
  })

  test('brings quaternions to unit length afterwards', () => {
    const zero = [0, 0, 0, 0]
    const keys = [...zero, ...turn([0, 0, 1], 0), ...zero, ...zero, ...turn([0, 0, 1], 90), ...zero]
    const sampled = curve('CUBICSPLINE', 4, [0, 1], keys, true)
    expectClose(at(sampled, 0.5), turn([0, 0, 1], 45))
    expect(Math.hypot(...at(sampled, 0.3))).toBeCloseTo(1, 14)
  })
})

describe('rotations', () => {
  test('LINEAR turns at an even speed', () => {
    const sampled = curve('LINEAR', 4, [0, 1], [...turn([0, 1, 0], 10), ...turn([0, 1, 0], 130)], true)
    for (const part of [0, 0.1, 0.5, 0.9, 1]) expectClose(at(sampled, part), turn([0, 1, 0], 10 + 120 * part))
  })

  test('LINEAR takes the shorter way round where the quaternions have opposite signs', () => {
    const negated = turn([1, 0, 0], 60).map((number) => -number)
    const sampled = curve('LINEAR', 4, [0, 1], [...turn([1, 0, 0], 0), ...negated], true)
    expectClose(at(sampled, 0.5), turn([1, 0, 0], 30))
  })

  test('LINEAR is exact where two keys are nearly the same', () => {
    const sampled = curve('LINEAR', 4, [0, 1], [...turn([0, 0, 1], 20), ...turn([0, 0, 1], 20.000001)], true)
    expectClose(at(sampled, 0.5), turn([0, 0, 1], 20.0000005))
  })

  test.each(['LINEAR', 'STEP'] as const)('%s brings keys that are not of unit length to it first', (interpolation) => {
    const sampled = curve(interpolation, 4, [0, 1], [0, 0, 0, 5, 0, 0, 0.5, 0.5], true)
    expectClose(at(sampled, 0), [0, 0, 0, 1])
    expectClose(at(sampled, 1), turn([0, 0, 1], 90))
    if (interpolation === 'LINEAR') expectClose(at(sampled, 0.5), turn([0, 0, 1], 45))
  })

  test('a quaternion of length zero is no rotation', () => {
    expect(at(curve('STEP', 4, [0], [0, 0, 0, 0], true), 0)).toEqual([0, 0, 0, 1])
    expect(at(curve('CUBICSPLINE', 4, [0], Array<number>(12).fill(0), true), 0)).toEqual([0, 0, 0, 1])
  })
})

describe('finding the key', () => {
  const times = Array.from({ length: 50 }, (_, i) => i * i * 0.1)
  const sampled = curve('STEP', 1, times, times.map((_, i) => i))
  const keyAt = (time: number) => times.filter((key) => key <= time).length - 1

  test.each([
    ['forwards', (i: number) => i],
    ['backwards', (i: number) => 999 - i],
    ['in leaps', (i: number) => (i * 617) % 1000],
  ])('does not depend on what was asked before: %s', (_, order) => {
    for (let i = 0; i < 1000; i++) {
      const time = order(i) * 0.24
      expect(at(sampled, time)[0]).toBe(keyAt(time))
    }
  })

  test('of two keys at the same time the later one counts from then on', () => {
    const jump = curve('LINEAR', 1, [0, 1, 1, 2], [0, 1, 5, 6])
    expect([0.5, 1, 1.5].map((time) => at(jump, time)[0])).toEqual([0.5, 5, 5.5])
    expect(at(curve('LINEAR', 1, [0, 1, 1], [0, 1, 5]), 1)).toEqual([5])
    expect(at(curve('LINEAR', 1, [0, 0, 1], [0, 4, 5]), 0)).toEqual([4])
  })
})
