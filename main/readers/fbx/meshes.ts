import type { Mesh, MorphSet, VertexAttribute } from '../../model/animated-model.ts'
import { cofactors3, determinant3 } from '../../model/matrix.ts'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import type { VertexCache } from '../vertex-cache/vertex-cache.ts'
import { coordinatesFromTop, pickVertices } from '../vertices.ts'
import type { WarningList } from '../warnings.ts'
import { morphTargetOf, type FbxBlend } from './blend-shapes.ts'
import { targetsOfCache } from './caches.ts'
import type { FbxGeometry, FbxModel } from './library.ts'
import type { FbxNodes } from './nodes.ts'
import { readInfluences, type FbxBinding } from './skins.ts'
import { geometricMatrix } from './transforms.ts'

/** What a file's nodes show. */
export interface FbxMeshes {
  meshes: Mesh[]
  morphSets: MorphSet[]
  /** `[skin]`: the geometry whose binding it is. */
  skins: FbxBinding[]
  /** `[morph set]`: what weighs its targets. */
  morphs: (FbxBlend | VertexCache)[]
}

/**
 * Reads a mesh for each node and material. The geometric transform of a node goes into the vertices; they stay in the
 * file's space and unit, which the matrices of a pose lead out of.
 *
 * @param materials index of a material by its id
 * @throws Problem that names the mesh whose numbers cannot be used
 */
export function readMeshes(
  file: string,
  nodes: FbxNodes,
  materials: Map<number, number>,
  bindings: Map<number, FbxBinding>,
  blends: Map<number, FbxBlend>,
  caches: Map<number, VertexCache>,
  warnings: WarningList,
): FbxMeshes {
  const read: FbxMeshes = { meshes: [], morphSets: [], skins: [], morphs: [] }
  nodes.models.forEach((model, node) => {
    const { geometry } = model
    if (!geometry || !nodes.shown[node]) return
    warnOfGeometry(model, geometry, warnings)
    const name = geometry.name || model.name || `mesh_${node}`
    const morph = geometry.controlPointIndices ? (caches.get(geometry.id) ?? blends.get(geometry.id)) : undefined
    const isCached = morph !== undefined && 'frames' in morph
    const binding = geometry.controlPointIndices && !isCached ? bindings.get(geometry.id) : undefined
    if (binding && !read.skins.includes(binding)) read.skins.push(binding)
    const firstMesh = read.meshes.length
    splitByMaterial(geometry).forEach(({ slot, vertices, indices }, primitive) => {
      const shape = readShape(model, geometry, vertices, morph)
      const moved = shape.morphTargets.map(({ positions }) => positions!)
      const faults = [shape.positions, ...moved].reduce((sum, numbers) => sum + countNotFinite(numbers), 0)
      if (faults > 0) {
        const what = `the positions of "${shortened(name)}" have ${faults} numbers that are not finite, or points that are not there`
        throw new Problem('input', `${file} is broken: ${what}. Repair the mesh and export it again.`)
      }
      read.meshes.push({
        ...shape,
        name,
        node,
        primitive,
        material: materials.get(model.materials[slot]?.id) ?? -1,
        vertexCount: vertices.length,
        indices: shape.mirrored ? turnedOver(indices) : indices,
        indexed: true,
        morphSet: morph ? read.morphSets.length : -1,
        skin: binding ? read.skins.indexOf(binding) : -1,
        influences: binding ? readInfluences(binding, pointsOf(geometry, vertices), warnings) : null,
      })
    })
    if (!morph || read.meshes.length === firstMesh) return
    read.morphSets.push({ node, targets: read.meshes[firstMesh].morphTargets.map((target) => target.name) })
    read.morphs.push(morph)
  })
  return read
}

/** Vertices and triangles of one material: the old numbers of the vertices, and the triangles in the new ones. */
interface Part {
  /** Index into the model's materials. */
  slot: number
  vertices: Uint32Array
  indices: Uint32Array
}

function splitByMaterial({ indices, materialIndices, positions }: FbxGeometry): Part[] {
  if (!materialIndices) return [{ slot: 0, vertices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i), indices }]
  const parts = new Map<number, { newNumbers: Map<number, number>; indices: number[] }>()
  materialIndices.forEach((slot, triangle) => {
    if (!parts.has(slot)) parts.set(slot, { newNumbers: new Map(), indices: [] })
    const part = parts.get(slot)!
    for (const vertex of indices.subarray(triangle * 3, triangle * 3 + 3)) {
      if (!part.newNumbers.has(vertex)) part.newNumbers.set(vertex, part.newNumbers.size)
      part.indices.push(part.newNumbers.get(vertex)!)
    }
  })
  return [...parts]
    .sort(([a], [b]) => a - b)
    .map(([slot, { newNumbers, indices }]) => ({ slot, vertices: Uint32Array.from(newNumbers.keys()), indices: Uint32Array.from(indices) }))
}

type Shape = Pick<Mesh, 'positions' | 'normals' | 'tangents' | 'attributes' | 'morphTargets'>

function readShape(
  model: FbxModel,
  geometry: FbxGeometry,
  vertices: Uint32Array,
  morph: FbxBlend | VertexCache | undefined,
): Shape & { mirrored: boolean } {
  const matrix = geometricMatrix(model)
  const cofactors = new Float64Array(9)
  cofactors3(cofactors, 0, matrix, 0)
  const mirrored = determinant3(matrix, 0) < 0
  if (mirrored) cofactors.forEach((value, i) => (cofactors[i] = -value))
  const linear = Float64Array.from([0, 1, 2, 4, 5, 6, 8, 9, 10], (i) => matrix[i])
  const origin = matrix.subarray(12, 15)
  const points = pointsOf(geometry, vertices)

  const positions = pickVertices(geometry.positions, 3, vertices)
  transformEach(positions, 3, linear)
  positions.forEach((_, i) => (positions[i] += origin[i % 3]))
  const place = (deltas: Float64Array) => transformEach(deltas, 3, linear)
  const isCached = morph !== undefined && 'frames' in morph
  // The normals of a mesh whose points move one by one are computed for each frame.
  const normals = isCached ? null : geometry.normals && directions(pickVertices(geometry.normals, 3, vertices), 3, cofactors)
  const tangents = normals && geometry.tangents && directions(pickVertices(geometry.tangents, 4, vertices), 4, linear)
  return {
    mirrored,
    positions: Float32Array.from(positions),
    normals,
    tangents,
    attributes: readAttributes(geometry, vertices),
    morphTargets: isCached
      ? targetsOfCache(morph, pickVertices(geometry.positions, 3, vertices), points, place)
      : (morph?.targets ?? []).map((target) => morphTargetOf(target, points, place, normals !== null)),
  }
}

/** `[vertex]`: control points. */
function pointsOf({ controlPointIndices }: FbxGeometry, vertices: Uint32Array): Uint32Array {
  return controlPointIndices ? vertices.map((vertex) => controlPointIndices[vertex]) : vertices
}

function readAttributes({ uvSets, colors }: FbxGeometry, vertices: Uint32Array): VertexAttribute[] {
  const attributes = uvSets.map(({ data }, i): VertexAttribute => {
    const array = coordinatesFromTop(pickVertices(data, 2, vertices))
    return { semantic: `TEXCOORD_${i}`, itemSize: 2, normalized: false, array }
  })
  if (colors) {
    attributes.push({ semantic: 'COLOR_0', itemSize: 4, normalized: false, array: Float32Array.from(pickVertices(colors, 4, vertices)) })
  }
  return attributes
}

/** Turns vectors by a 3×3 matrix, in place. */
function transformEach(vectors: Float64Array, size: number, m: Float64Array): void {
  for (let i = 0; i < vectors.length; i += size) {
    const [x, y, z] = vectors.subarray(i, i + 3)
    for (let row = 0; row < 3; row++) vectors[i + row] = m[row] * x + m[3 + row] * y + m[6 + row] * z
  }
}

/** Vectors of unit length; zeros, where they have no direction. */
function directions(vectors: Float64Array, size: number, matrix: Float64Array): Float32Array {
  transformEach(vectors, size, matrix)
  for (let i = 0; i < vectors.length; i += size) {
    const length = Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2])
    const scale = length > 0 && Number.isFinite(length) ? 1 / length : 0
    for (let k = 0; k < 3; k++) vectors[i + k] = scale === 0 ? 0 : vectors[i + k] * scale
  }
  return Float32Array.from(vectors)
}

function turnedOver(indices: Uint32Array): Uint32Array {
  return indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1])
}

function countNotFinite(numbers: Float32Array): number {
  return numbers.reduce((count, number) => (Number.isFinite(number) ? count : count + 1), 0)
}

function warnOfGeometry(model: FbxModel, geometry: FbxGeometry, warnings: WarningList): void {
  const count = (type: string) => geometry.diagnostics.filter((diagnostic) => diagnostic.type === type).length
  warnings.add('polygon-degenerate', 'Found # degenerate polygon|polygons', count('degenerate-polygon'), model.name)
  warnings.add('nurbs-undeformed', 'Read # curved surface|surfaces without their deformers', count('nurbs-deformer-ignored'), model.name)
  warnings.add('nurbs-untrimmed', 'Read # curved surface|surfaces untrimmed', count('nurbs-trim-ignored'), model.name)
}
