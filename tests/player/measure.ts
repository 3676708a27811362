/** The errors of a set, measured as section 9 of vat-format.md says: what the player shows against what the model is. */
import { normal, normalAt, position, positionAt, tangent, tangentAt } from './player.ts'
import type { Place, Vector, VatSet } from './player.ts'
import type { Truth } from './truth.ts'

/** The error of a vertex at a frame; 12.5 is midway between frames 12 and 13. */
type ErrorAt = (set: VatSet, truth: Truth, place: Place) => number

/** The largest and the root-mean-square error. */
export interface Errors { max: number, rms: number }

/** The errors of all vertices of all clips, at the samples or midway between them. */
export function measure(set: VatSet, truth: Truth, errorAt: ErrorAt, where: 'samples' | 'between'): Errors {
  let [max, squares, count] = [0, 0, 0]
  for (const [clip, { frameCount, loop }] of set.sidecar.clips.entries()) {
    // The frame after the last one of a loop is the first one. A single frame is compared in the middle of its duration.
    const between = loop ? frameCount : Math.max(frameCount - 1, 1)
    for (let i = 0; i < (where === 'samples' ? frameCount : between); i++) {
      for (let vertex = 0; vertex < set.rest.length; vertex++) {
        const error = errorAt(set, truth, { clip, frame: where === 'samples' ? i : i + 0.5, vertex })
        if (!Number.isFinite(error)) throw new Error(`The error of vertex ${vertex} at frame ${i} is ${error}.`)
        max = Math.max(max, error)
        squares += error * error
        count++
      }
    }
  }
  return { max, rms: Math.sqrt(squares / count) }
}

/** Distance of a vertex from where it should be, in units of the bake. */
export const positionError: ErrorAt = (set, truth, { clip, frame, vertex }) => {
  const { seconds, shape } = momentOf(set, truth, clip, frame)
  const shown = Number.isInteger(frame) ? position(set, vertex, clip, frame) : positionAt(set, vertex, clip, seconds)
  return distance(shown, toBake(set, shape.positions[vertex]))
}

/** Angle between a vertex's normal and what it should be, in degrees. */
export const normalError: ErrorAt = (set, truth, { clip, frame, vertex }) => {
  const { seconds, shape } = momentOf(set, truth, clip, frame)
  const shown = Number.isInteger(frame) ? normal(set, vertex, clip, frame) : normalAt(set, vertex, clip, seconds)
  return degrees(shown, toBake(set, shape.normals[vertex], 1))
}

/** Angle between a vertex's tangent and what it should be, in degrees; 180 where its handedness is the wrong one. */
export const tangentError: ErrorAt = (set, truth, { clip, frame, vertex }) => {
  const { seconds, shape } = momentOf(set, truth, clip, frame)
  const [x, y, z, w] = Number.isInteger(frame) ? tangent(set, vertex, clip, frame) : tangentAt(set, vertex, clip, seconds)
  const [tx, ty, tz, tw] = shape.tangents[vertex]
  return w === tw ? degrees([x, y, z], toBake(set, [tx, ty, tz], 1)) : 180
}

/** Seconds after the beginning of the clip, and the model at that time. */
function momentOf({ sidecar: { clips } }: VatSet, truth: Truth, clip: number, frame: number) {
  const { index, start, fps, frameCount, duration } = clips[clip]
  const seconds = frameCount === 1 && frame > 0 ? duration / 2 : frame / fps
  return { seconds, shape: truth(index, start + seconds) }
}

/** The diagonal of the box around everything, in units of the bake. */
export function diagonalOf({ sidecar: { bounds } }: VatSet): number {
  return distance(bounds.min, bounds.max)
}

/** A vector of glTF's space in the space of the bake (section 8). Directions are not scaled. */
export function toBake({ sidecar: { space } }: VatSet, vector: number[], scale = space.scale): Vector {
  return space.axesFromGltf.map((axis) => (axis[0] === '-' ? -scale : scale) * vector['xyz'.indexOf(axis[1])]) as Vector
}

/** The distance of two points. */
export function distance(a: number[], b: number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** The angle between two directions in degrees; the tangent is exact for small angles too, where the cosine is not. */
function degrees(a: Vector, b: Vector): number {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
  return Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * 180 / Math.PI
}
