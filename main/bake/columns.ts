import type { Mesh } from '../model/animated-model.ts'
import type { Subject } from './subject.ts'

/** Which vertices share a texture address. */
export interface Columns {
  count: number
  /** `[vertex]`: the column of each. */
  ofVertex: Uint32Array
  /** `[column]`: a vertex of each; null where every vertex has a column of its own, in order. */
  vertices: Uint32Array | null
}

/** A column for each vertex. */
export function ownColumns(vertexCount: number): Columns {
  return { count: vertexCount, ofVertex: Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex), vertices: null }
}

/**
 * One column for all vertices that move alike in every pose: those of one node whose position, normal, tangent, influences and
 * morph deltas are equal. Where normals are wanted and the file has none, they come from a vertex's own triangles, and nothing
 * is shared.
 */
export function shareColumns({ model, meshes, evaluator }: Subject, wanted: { normals: boolean; tangents: boolean }): Columns {
  const columns = new Map<string, number>()
  const ofVertex = new Uint32Array(evaluator.vertexCount)
  const vertices: number[] = []
  for (const [i, index] of meshes.entries()) {
    const mesh = model.meshes[index]
    const first = evaluator.firstVertices[i]
    const isAlone = wanted.normals && evaluator.computedNormals[i]
    const describe = describer(mesh, wanted)
    for (let vertex = 0; vertex < mesh.vertexCount; vertex++) {
      const key = isAlone ? `${first + vertex}` : describe(vertex)
      let column = columns.get(key)
      if (column === undefined) {
        column = vertices.push(first + vertex) - 1
        columns.set(key, column)
      }
      ofVertex[first + vertex] = column
    }
  }
  return { count: vertices.length, ofVertex, vertices: Uint32Array.from(vertices) }
}

/** Writes down everything that a vertex's way follows from, number for number. */
function describer(mesh: Mesh, wanted: { normals: boolean; tangents: boolean }): (vertex: number) => string {
  const { node, skin, positions, normals, tangents, influences, morphTargets } = mesh
  const parts: [array: ArrayLike<number>, size: number][] = [[positions, 3]]
  if (wanted.normals && normals) parts.push([normals, 3])
  if (wanted.tangents && tangents) parts.push([tangents, 4])
  if (influences) parts.push([influences.joints, influences.perVertex], [influences.weights, influences.perVertex])
  for (const target of morphTargets) {
    if (target.positions) parts.push([target.positions, 3])
    if (wanted.normals && target.normals) parts.push([target.normals, 3])
    if (wanted.tangents && target.tangents) parts.push([target.tangents, 3])
  }
  const numbers = new Float64Array(parts.reduce((sum, [, size]) => sum + size, 0))
  const bytes = Buffer.from(numbers.buffer)
  const has = morphTargets.map((target) => [target.positions, target.normals, target.tangents].map((deltas) => (deltas ? 1 : 0)).join(''))
  const prefix = `${node} ${skin} ${influences?.perVertex} ${has.join(' ')} `
  return (vertex) => {
    let to = 0
    for (const [array, size] of parts) {
      // Adding 0 makes one of the two zeros.
      for (let i = vertex * size; i < (vertex + 1) * size; i++) numbers[to++] = array[i] + 0
    }
    return prefix + bytes.toString('latin1')
  }
}

/**
 * The values of the columns among those of all vertices.
 *
 * @param values `[vertex][stride]`
 * @param out    `[column][stride]`, used where columns are shared
 * @returns `out`, or `values` where every vertex has a column of its own
 */
export function columnValues({ vertices }: Columns, values: Float32Array, stride: number, out: Float32Array): Float32Array {
  if (vertices === null) return values
  for (let column = 0, to = 0; column < vertices.length; column++) {
    for (let from = vertices[column] * stride, i = 0; i < stride; i++) out[to++] = values[from + i]
  }
  return out
}
