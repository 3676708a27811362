import { createRequire } from 'node:module'
import type { AnimatedModel, Mesh, MorphTarget, VertexAttribute, Warning } from '../model/animated-model.ts'

type GenerateTangents = (positions: Float32Array, normals: Float32Array, uvs: Float32Array) => Float32Array

/** Corners whose tangents differ by less than this in every number share a vertex. */
const SAME = 1e-4

/**
 * The model with tangents on every chosen mesh that has none: those of MikkTSpace, which normal maps are baked with, from the mesh
 * as it is in the file. Where the corners of a vertex need different ones (at a mirrored seam), the vertex is doubled, behind the
 * others. A mesh without normals or without texture coordinates stays as it is, and is counted in a warning.
 *
 * @param warnings is added to
 */
export function withTangents(model: AnimatedModel, meshes: number[], warnings: Warning[]): AnimatedModel {
  const chosen = new Set(meshes)
  let left = 0
  const made = model.meshes.map((mesh, index) => {
    if (!chosen.has(index) || mesh.tangents !== null) return mesh
    const uvs = mesh.attributes.find(({ semantic }) => semantic === 'TEXCOORD_0')
    if (mesh.normals !== null && uvs && mesh.indices.length > 0) return addTangents(mesh, mesh.normals, readUVs(uvs))
    left++
    return mesh
  })
  if (left > 0) {
    const message = `${left === 1 ? 'One mesh has' : `${left} meshes have`} no normals or no texture coordinates to make tangents of. They are 1, 0, 0 there.`
    warnings.push({ code: 'no-tangents', message, count: left })
  }
  return { ...model, meshes: made }
}

function addTangents(mesh: Mesh, normals: Float32Array, uvs: Float32Array): Mesh {
  const { indices } = mesh
  // Loaded when it is needed: compiling its WebAssembly takes a while.
  const { generateTangents } = createRequire(import.meta.url)('mikktspace') as { generateTangents: GenerateTangents }
  const corners = generateTangents(pick(mesh.positions, 3, indices), pick(normals, 3, indices), pick(uvs, 2, indices))
  // Its v runs upwards, and glTF's downwards.
  for (let i = 3; i < corners.length; i += 4) corners[i] = -corners[i]

  /** `[vertex]`: the first corner of each, and the vertices that were made of it. */
  const cornerOf: number[] = []
  const doubles = new Map<number, number[]>()
  const sources = Array.from({ length: mesh.vertexCount }, (_, vertex) => vertex)
  const same = (a: number, b: number) => [0, 1, 2, 3].every((i) => Math.abs(corners[a * 4 + i] - corners[b * 4 + i]) < SAME)
  const moved = indices.map((vertex, corner) => {
    const candidates = cornerOf[vertex] === undefined ? [] : [vertex, ...(doubles.get(vertex) ?? [])]
    const found = candidates.find((candidate) => same(cornerOf[candidate], corner))
    if (found !== undefined) return found
    const made = candidates.length === 0 ? vertex : sources.push(vertex) - 1
    if (made !== vertex) doubles.set(vertex, [...(doubles.get(vertex) ?? []), made])
    cornerOf[made] = corner
    return made
  })
  const tangents = new Float32Array(sources.length * 4)
  for (let vertex = 0; vertex < sources.length; vertex++) {
    const corner = cornerOf[vertex]
    if (corner === undefined) tangents.set([1, 0, 0, 1], vertex * 4)
    else tangents.set(corners.subarray(corner * 4, corner * 4 + 4), vertex * 4)
  }
  return { ...(sources.length === mesh.vertexCount ? mesh : withVertices(mesh, sources)), tangents, indices: moved }
}

/** The mesh with the vertices `sources` of its own. */
function withVertices(mesh: Mesh, sources: ArrayLike<number>): Mesh {
  const all = <Numbers extends Float32Array | Float64Array | Uint32Array>(array: Numbers, size: number) => pick(array, size, sources)
  const perhaps = (array: Float32Array | null) => array && all(array, 3)
  const { influences } = mesh
  return {
    ...mesh,
    vertexCount: sources.length,
    positions: all(mesh.positions, 3),
    normals: perhaps(mesh.normals),
    attributes: mesh.attributes.map(
      (attribute): VertexAttribute => ({ ...attribute, array: pick(attribute.array, attribute.itemSize, sources) }),
    ),
    morphTargets: mesh.morphTargets.map(
      (target): MorphTarget => ({
        name: target.name,
        positions: perhaps(target.positions),
        normals: perhaps(target.normals),
        tangents: perhaps(target.tangents),
      }),
    ),
    influences: influences && {
      perVertex: influences.perVertex,
      joints: all(influences.joints, influences.perVertex),
      weights: all(influences.weights, influences.perVertex),
    },
  }
}

type Numbers = VertexAttribute['array'] | Float64Array

/** The items `sources` of an array of items of `size` numbers. */
function pick<Kind extends Numbers>(array: Kind, size: number, sources: ArrayLike<number>): Kind {
  const picked = new (array.constructor as new (length: number) => Kind)(sources.length * size)
  for (let item = 0; item < sources.length; item++) {
    for (let i = 0; i < size; i++) picked[item * size + i] = array[sources[item] * size + i]
  }
  return picked
}

/** Texture coordinates as numbers, whatever integers they are kept in. */
function readUVs({ array, normalized, itemSize }: VertexAttribute): Float32Array {
  const largest = !normalized || array instanceof Float32Array ? 1 : 2 ** (array.BYTES_PER_ELEMENT * 8 - (isSigned(array) ? 1 : 0)) - 1
  const uvs = new Float32Array((array.length / itemSize) * 2)
  for (let i = 0; i < uvs.length; i += 2) {
    uvs[i] = array[(i / 2) * itemSize] / largest
    uvs[i + 1] = array[(i / 2) * itemSize + 1] / largest
  }
  return uvs
}

function isSigned(array: VertexAttribute['array']): boolean {
  return array instanceof Int8Array || array instanceof Int16Array
}
