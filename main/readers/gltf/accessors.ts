import type { Accessor, TypedArray } from '@gltf-transform/core'

/** What integers were decoded into, so that a hundred morph targets of one accessor take no more than one. */
const decoded = new WeakMap<Accessor, Float32Array>()

/**
 * The numbers of an accessor, `[element][component]`, as floats. Integers that stand for 0..1 or -1..1 are decoded
 * (glTF 2.0, section 3.6.2.2). What shares an accessor shares memory: the array must not be changed.
 */
export function floatsOf(accessor: Accessor): Float32Array {
  const array = accessor.getArray()!
  if (array instanceof Float32Array) return array
  const known = decoded.get(accessor)
  if (known) return known
  const floats = decode(array, accessor.getNormalized(), new Float32Array(array.length))
  decoded.set(accessor, floats)
  return floats
}

/** The same in double precision, always a copy. */
export function doublesOf(accessor: Accessor): Float64Array {
  const array = accessor.getArray()!
  return decode(array, accessor.getNormalized(), new Float64Array(array.length))
}

function decode<Out extends Float32Array | Float64Array>(array: TypedArray, normalized: boolean, out: Out): Out {
  const one = normalized ? ONES.get(array.constructor) : undefined
  if (one === undefined) out.set(array)
  else for (let i = 0; i < array.length; i++) out[i] = Math.max(array[i] / one, -1)
  return out
}

/** The integer that stands for 1, by the kind of array. Floats are never normalised. */
const ONES = new Map<unknown, number>([
  [Int8Array, 127],
  [Uint8Array, 255],
  [Int16Array, 32767],
  [Uint16Array, 65535],
])

/** How many numbers are not finite. */
export function countNotFinite(numbers: ArrayLike<number>): number {
  let count = 0
  for (let i = 0; i < numbers.length; i++) if (!Number.isFinite(numbers[i])) count++
  return count
}
