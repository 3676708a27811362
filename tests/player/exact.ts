/** A set is what its model is, to within what its encoding promises. */
import { expect } from 'vitest'
import { normalError, tangentError, toBake } from './measure.ts'
import { position } from './player.ts'
import type { Place, VatSet } from './player.ts'
import type { Shape, Truth } from './truth.ts'

/** A truth that keeps the last shape, since a frame is looked at vertex by vertex. */
export function keeping(truth: Truth): Truth {
  let last: { animation?: number, seconds: number, shape?: Shape } = { seconds: NaN }
  return (animation, seconds) => {
    if (last.animation !== animation || last.seconds !== seconds) last = { animation, seconds }
    return last.shape ??= truth(animation, seconds)
  }
}

/** Half of the step between two numbers of a type, where the values span `scale` (section 5: value = texel · scale + offset). */
const HALF_STEP = { unorm8: 1 / 510, unorm16: 1 / 131070, unorm8x2: 1 / 131070, float16: 1 / 4096, float32: 0 }
/** Worst angle of a direction in degrees, by content and type. */
const DEGREES: Record<string, number> = {
  'xyz unorm8': 0.4, 'xyz unorm16': 0.002, 'xyz float16': 0.03, 'xyz float32': 1e-5,
  'octahedral unorm8': 0.64, 'octahedral unorm16': 0.0025, 'octahedral float16': 0.04, 'octahedral float32': 1e-5,
  'octahedral8 unorm16': 0.64, 'octahedral12 float32': 0.04,
}

/** Every vertex of every frame of every clip is where the model has it. */
export function expectExact(set: VatSet, truth: Truth) {
  const { clips, bounds, vertexCount } = set.sidecar
  const { layer } = set.position
  const largest = [bounds.min, bounds.max, ...set.rest].flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  // Floats keep 24 bits, and offsets have been rounded twice.
  const bound = layer.scale.map((scale) => scale * HALF_STEP[layer.type] + 2e-7 * largest)
  const degrees = ({ layer }: NonNullable<VatSet['normal']>) => DEGREES[`${layer.content} ${layer.type.replace('8x2', '16')}`] + 1e-5
  for (const [clip, { index, start, fps, frameCount }] of clips.entries()) {
    for (let frame = 0; frame < frameCount; frame++) {
      const shape = truth(index, start + frame / fps)
      if (shape.positions.length !== vertexCount) expect.fail(`${vertexCount} vertices instead of ${shape.positions.length}`)
      for (let vertex = 0; vertex < vertexCount; vertex++) {
        const place: Place = { clip, frame, vertex }
        const shown = position(set, vertex, clip, frame)
        const expected = toBake(set, shape.positions[vertex])
        for (const axis of [0, 1, 2]) {
          if (!(Math.abs(shown[axis] - expected[axis]) <= bound[axis])) expect.fail(`${shown} instead of ${expected} at ${JSON.stringify(place)}`)
        }
        if (set.normal && !(normalError(set, truth, place) <= degrees(set.normal))) {
          expect.fail(`The normal is ${normalError(set, truth, place)}° off at ${JSON.stringify(place)}`)
        }
        if (set.tangent && !(tangentError(set, truth, place) <= degrees(set.tangent))) {
          expect.fail(`The tangent is ${tangentError(set, truth, place)}° off at ${JSON.stringify(place)}`)
        }
      }
    }
  }
}
