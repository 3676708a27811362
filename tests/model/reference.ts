import type { Mesh, MorphTarget, Pose } from '../../main/model/animated-model.ts'
import { product } from './build-model.ts'

/*
 * Skinning as one would write it down, for comparison. It takes other ways than the code it checks: the moved points are
 * blended and not the matrices, and normals come from solving a system of equations (the inverse transpose) and not from
 * cofactors.
 */

export type Vector = [number, number, number]

/** Where a vertex is in the space: Σ weight × (space × matrix × morphed position). */
export function referencePosition(mesh: Mesh, vertex: number, pose: Pose, space: number[]): Vector {
  const point = morphed(mesh, vertex, pose, 'positions')
  const sum: Vector = [0, 0, 0]
  for (const { matrix, weight } of matricesOf(mesh, vertex, pose, space)) {
    for (const row of [0, 1, 2]) {
      sum[row] += weight * (matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] + matrix[12 + row])
    }
  }
  return sum
}

/** The normal that is perpendicular to the moved surface and on its outer side. */
export function referenceNormal(mesh: Mesh, vertex: number, pose: Pose, space: number[]): Vector {
  const blended = blendedMatrix(mesh, vertex, pose, space)
  return unit(inverseTranspose(blended, morphed(mesh, vertex, pose, 'normals')))
}

/** Σ weight × (space × matrix) of a vertex, as rows of its upper left 3×3. */
export function blendedMatrix(mesh: Mesh, vertex: number, pose: Pose, space: number[]): number[][] {
  const rows = [0, 1, 2].map(() => [0, 0, 0])
  for (const { matrix, weight } of matricesOf(mesh, vertex, pose, space)) {
    for (const row of [0, 1, 2]) for (const column of [0, 1, 2]) rows[row][column] += weight * matrix[column * 4 + row]
  }
  return rows
}

/** Solves transpose(matrix) × result = vector by elimination with pivots. */
export function inverseTranspose(rows: number[][], vector: number[]): Vector {
  const system = [0, 1, 2].map((row) => [rows[0][row], rows[1][row], rows[2][row], vector[row]])
  for (const column of [0, 1, 2]) {
    const size = (row: number) => Math.abs(system[row][column])
    const pivot = [0, 1, 2].slice(column).reduce((best, row) => (size(row) > size(best) ? row : best))
    ;[system[column], system[pivot]] = [system[pivot], system[column]]
    for (const row of [0, 1, 2]) {
      if (row === column) continue
      const factor = system[row][column] / system[column][column]
      for (let k = column; k < 4; k++) system[row][k] -= factor * system[column][k]
    }
  }
  return [0, 1, 2].map((row) => system[row][3] / system[row][row]) as Vector
}

export function morphed(mesh: Mesh, vertex: number, pose: Pose, attribute: keyof Omit<MorphTarget, 'name'>): Vector {
  const own = mesh[attribute]!
  const itemSize = own.length / mesh.vertexCount
  return [0, 1, 2].map((axis) =>
    mesh.morphTargets.reduce(
      (sum, target, index) => sum + pose.morphWeights[mesh.morphSet][index] * (target[attribute]?.[vertex * 3 + axis] ?? 0),
      own[vertex * itemSize + axis],
    ),
  ) as Vector
}

export function unit(vector: number[]): Vector {
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length) as Vector
}

export function cross(a: number[], b: number[]): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/** Angle between two directions, in degrees; exact for small angles too. */
export function degrees(a: number[], b: number[]): number {
  return (Math.atan2(Math.hypot(...cross(a, b)), dot(a, b)) * 180) / Math.PI
}

export function at(array: ArrayLike<number>, vertex: number, itemSize = 3): Vector {
  return [array[vertex * itemSize], array[vertex * itemSize + 1], array[vertex * itemSize + 2]]
}

function matricesOf(mesh: Mesh, vertex: number, pose: Pose, space: number[]): { matrix: number[]; weight: number }[] {
  const { influences } = mesh
  const moved = Array.from({ length: influences?.perVertex ?? 0 }, (_, index) => {
    const influence = vertex * influences!.perVertex + index
    const joint = influences!.joints[influence] * 16
    const palette = Array.from(pose.palettes[mesh.skin].slice(joint, joint + 16))
    return { matrix: product(space, palette), weight: influences!.weights[influence] }
  }).filter(({ weight }) => weight !== 0)
  if (moved.length > 0) return moved
  return [{ matrix: product(space, Array.from(pose.worldMatrices.slice(mesh.node * 16, mesh.node * 16 + 16))), weight: 1 }]
}
