import type { ReadSubmesh } from '../meshes/rest-mesh.ts'
import type { Box } from '../model/box.ts'
import { handednessOf, spaceMatrix, type SignedAxis } from '../targets/target.ts'
import type { Sidecar } from './sidecar.ts'
import { createSubject, type Subject } from './subject.ts'

/** A space by where its axes come from, and its factor. */
export type Space = Pick<Sidecar['space'], 'axesFromGltf' | 'scale'>

/** The space of the mesh file as the sidecar tells it: nothing where it is the bake's. */
export function meshSpaceOf({ axesFromGltf, scale }: Space, bake: Space): Space | undefined {
  const isBakes = scale === bake.scale && axesFromGltf.every((axis, i) => axis === bake.axesFromGltf[i])
  return isBakes ? undefined : { axesFromGltf, scale }
}

/** The same meshes in another space; the subject itself where there is none. */
export function subjectIn(space: Space | undefined, subject: Subject): Subject {
  if (!space) return subject
  return createSubject(subject.model, subject.meshes, spaceMatrix(space.axesFromGltf, space.scale))
}

/** Brings points `[vertex][xyz]` from one space into another. */
export function movePoints(points: Float32Array, from: Space, to: Space): Float32Array {
  const steps = stepsBetween(from, to)
  return points.map((_, i) => points[i - (i % 3) + steps[i % 3].component] * steps[i % 3].factor)
}

/** Brings a box from one space into another: a mirrored axis swaps its ends. */
export function moveBox({ min, max }: Box, from: Space, to: Space): Box {
  const steps = stepsBetween(from, to)
  const ends = steps.map(({ component, factor }) => [min[component] * factor, max[component] * factor].sort((a, b) => a - b))
  return { min: ends.map(([low]) => low) as Box['min'], max: ends.map(([, high]) => high) as Box['max'] }
}

type Shape = Pick<ReadSubmesh, 'positions' | 'normals' | 'tangents' | 'indices'>

/** Brings a sub-mesh from one space into another. Where one is the other's mirror image, triangles and tangents are turned over. */
export function movePart({ positions, normals, tangents, indices }: Shape, from: Space, to: Space): Shape {
  const steps = stepsBetween(from, to)
  const mirrored = areMirrored(from, to)
  const turn = (values: Float32Array, size: number) =>
    values.map((value, i) => {
      if (i % size === 3) return mirrored ? -value : value
      const { component, factor } = steps[i % size]
      return values[i - (i % size) + component] * Math.sign(factor)
    })
  return {
    positions: movePoints(positions, from, to),
    normals: normals && turn(normals, 3),
    tangents: tangents && turn(tangents, 4),
    indices: mirrored ? indices.map((_, i) => indices[[i, i + 1, i - 1][i % 3]]) : indices,
  }
}

function areMirrored(one: Space, other: Space): boolean {
  return handednessOf(one.axesFromGltf) !== handednessOf(other.axesFromGltf)
}

/** Component i of a point in the second space is this component of it in the first, times that. */
function stepsBetween(from: Space, to: Space): { component: number; factor: number }[] {
  return to.axesFromGltf.map((axis: SignedAxis) => {
    const component = from.axesFromGltf.findIndex((other) => other[1] === axis[1])
    return { component, factor: ((from.axesFromGltf[component]?.[0] === axis[0] ? 1 : -1) * to.scale) / from.scale }
  })
}
