/** How a value goes from key to key (glTF 2.0, section 3.11 and appendix C). */
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE'

/** A value over time, in double precision. */
export interface Curve {
  interpolation: Interpolation
  /** Whether the values are quaternions (xyzw): then LINEAR goes along the shortest arc, and every result is of unit length. */
  rotation: boolean
  /** Numbers a value has. */
  size: number
  /** Seconds of each key, never decreasing; at least one. */
  times: Float64Array
  /** LINEAR and STEP: `[key][component]`. CUBICSPLINE: `[key][in-tangent, value, out-tangent][component]`. */
  values: Float64Array
  /** The key found last, where the next search begins. It changes nothing but the speed. */
  lastKey: number
}

/**
 * Makes a curve of keys. The quaternions of LINEAR and STEP curves are brought to unit length once, here, in place;
 * one of length zero, which says nothing, becomes no rotation.
 */
export function createCurve(keys: Omit<Curve, 'lastKey'>): Curve {
  if (keys.rotation && keys.interpolation !== 'CUBICSPLINE') {
    for (let at = 0; at < keys.values.length; at += 4) normalizeQuaternion(keys.values, at)
  }
  return { ...keys, lastKey: 0 }
}

/**
 * Evaluates a curve: `out[at .. at + curve.size]` is its value at `time`. Before the first and after the last key the
 * nearest key counts; where two keys have the same time, the later one counts from that time on.
 */
export function sampleCurve(curve: Curve, time: number, out: Float64Array, at: number): void {
  const { times, values, size, interpolation } = curve
  const key = findKey(times, time, curve.lastKey)
  curve.lastKey = Math.max(key, 0)
  const cubic = interpolation === 'CUBICSPLINE'

  if (key < 0 || key === times.length - 1 || interpolation === 'STEP') {
    const from = cubic ? (Math.max(key, 0) * 3 + 1) * size : Math.max(key, 0) * size
    for (let i = 0; i < size; i++) out[at + i] = values[from + i]
  } else {
    const duration = times[key + 1] - times[key]
    const progress = (time - times[key]) / duration
    if (cubic) hermite(values, key * 3 * size, size, progress, duration, out, at)
    else if (curve.rotation) return slerp(values, key * 4, progress, out, at)
    else {
      const from = key * size
      for (let i = 0; i < size; i++) {
        const start = values[from + i]
        out[at + i] = start + (values[from + size + i] - start) * progress
      }
    }
  }
  if (cubic && curve.rotation) normalizeQuaternion(out, at)
}

/**
 * Index of the last key at or before a time, or -1 before the first. Playback mostly stays on a key or goes on to the
 * next, so these are tried first; otherwise the range is halved.
 */
function findKey(times: Float64Array, time: number, lastKey: number): number {
  const last = times.length - 1
  if (time < times[0]) return -1
  if (time >= times[last]) return last
  let low = 0
  let high = last
  if (times[lastKey] <= time) {
    low = lastKey
    if (time < times[low + 1]) return low
    if (time < times[low + 2]) return low + 1
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle
    else high = middle
  }
  return low
}

/** Cubic Hermite spline between two keys `[in-tangent, value, out-tangent][component]`; tangents are per second (appendix C.5). */
function hermite(
  values: Float64Array,
  from: number,
  size: number,
  progress: number,
  duration: number,
  out: Float64Array,
  at: number,
): void {
  const t2 = progress * progress
  const t3 = t2 * progress
  const startWeight = 2 * t3 - 3 * t2 + 1
  const leaveWeight = (t3 - 2 * t2 + progress) * duration
  const endWeight = -2 * t3 + 3 * t2
  const arriveWeight = (t3 - t2) * duration
  for (let i = from; i < from + size; i++) {
    out[at + i - from] =
      startWeight * values[i + size] +
      leaveWeight * values[i + 2 * size] +
      arriveWeight * values[i + 3 * size] +
      endWeight * values[i + 4 * size]
  }
}

/** Above this cosine the arc is so short (4e-5 rad) that a straight line is as exact, and the sine too small to divide by. */
const NEARLY_EQUAL = 1 - 1e-9

/** Spherical interpolation from the unit quaternion at `from` to the one behind it, the short way round (appendix C.4). */
function slerp(values: Float64Array, from: number, progress: number, out: Float64Array, at: number): void {
  const x = values[from]
  const y = values[from + 1]
  const z = values[from + 2]
  const w = values[from + 3]
  const x1 = values[from + 4]
  const y1 = values[from + 5]
  const z1 = values[from + 6]
  const w1 = values[from + 7]
  const dot = x * x1 + y * y1 + z * z1 + w * w1
  const cosine = Math.abs(dot)
  let startWeight = 1 - progress
  let endWeight = progress
  if (cosine < NEARLY_EQUAL) {
    const angle = Math.acos(cosine)
    const sine = Math.sin(angle)
    startWeight = Math.sin(startWeight * angle) / sine
    endWeight = Math.sin(endWeight * angle) / sine
  }
  if (dot < 0) endWeight = -endWeight
  out[at] = startWeight * x + endWeight * x1
  out[at + 1] = startWeight * y + endWeight * y1
  out[at + 2] = startWeight * z + endWeight * z1
  out[at + 3] = startWeight * w + endWeight * w1
  normalizeQuaternion(out, at)
}

/** Brings the quaternion `values[at .. at + 4]` to unit length; one of length zero becomes no rotation. */
export function normalizeQuaternion(values: Float64Array, at: number): void {
  const x = values[at]
  const y = values[at + 1]
  const z = values[at + 2]
  const w = values[at + 3]
  const length = Math.sqrt(x * x + y * y + z * z + w * w)
  if (length > 0) {
    values[at] = x / length
    values[at + 1] = y / length
    values[at + 2] = z / length
    values[at + 3] = w / length
  } else {
    values[at] = values[at + 1] = values[at + 2] = 0
    values[at + 3] = 1
  }
}
