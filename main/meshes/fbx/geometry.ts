import type { VertexAttribute } from '../../model/animated-model.ts'
import { concatenate } from '../../model/concatenate.ts'
import type { Submesh } from '../rest-mesh.ts'
import { toFloats } from '../vertex-attributes.ts'
import { int, long, record, type FbxArray, type FbxRecord } from './records.ts'

/** A sub-mesh, its texture coordinates and colours as floats, and its place in the list of the mesh's materials. */
export interface FbxPart {
  submesh: Submesh
  /** TEXCOORD_n without a gap, the same number in all parts, and COLOR_n. */
  attributes: VertexAttribute[]
  slot: number
}

/** The name of a set of texture coordinates. Unreal puts sets of such names in their order, and other programs keep that of the file. */
export function uvSetName(set: number): string {
  return `UVChannel_${set + 1}`
}

/**
 * The geometry of a rest mesh as one record. Its control points are the vertices of all parts, one part behind the other, and its
 * polygons their triangles. Each layer (normals, a set of texture coordinates …) has a value a vertex, and for each corner of a
 * triangle the index of its value, which is that of the vertex: that is what all importers know.
 *
 * Texture coordinates are counted from the lower left corner here.
 *
 * @param uvSets sets of texture coordinates of every part
 */
export function geometryRecord(id: number, name: string, parts: FbxPart[], uvSets: number): FbxRecord {
  const submeshes = parts.map(({ submesh }) => submesh)
  const firsts = firstVertices(submeshes)
  const corners = (): Int32Array => joinCorners(submeshes, firsts)
  const layer = (kind: string, index: number, name: string, values: [key: string, FbxArray][]) =>
    record(kind, [int(index)], [
      record('Version', [int(101)]),
      record('Name', [name]),
      record('MappingInformationType', ['ByPolygonVertex']),
      record('ReferenceInformationType', ['IndexToDirect']),
      ...values.map(([key, array]) => record(key, [array])),
    ])
  const directions = (kind: string, key: string, values: () => Float64Array) =>
    layer(kind, 0, '', [[key, { type: 'd', values }], [`${key}Index`, { type: 'i', values: corners }]])

  const all = (set: string) => parts.map(({ attributes }) => attributes.find(({ semantic }) => semantic === set))
  const colourSets = Math.max(...parts.map(({ attributes }) => attributes.filter(({ semantic }) => semantic.startsWith('COLOR_')).length))
  const hasNormals = submeshes.every(({ normals }) => normals)
  const hasTangents = hasNormals && submeshes.some(({ tangents }) => tangents)
  const layers = [
    ...(hasNormals ? [directions('LayerElementNormal', 'Normals', () => joinNormals(submeshes))] : []),
    ...(hasTangents
      ? [
        directions('LayerElementBinormal', 'Binormals', () => joinTangents(submeshes).binormals),
        directions('LayerElementTangent', 'Tangents', () => joinTangents(submeshes).tangents),
      ]
      : []),
    ...Array.from({ length: colourSets }, (_, set) =>
      layer('LayerElementColor', set, `Color_${set + 1}`, [
        ['Colors', { type: 'd', values: () => joinColours(submeshes, all(`COLOR_${set}`)) }],
        ['ColorIndex', { type: 'i', values: corners }],
      ]),
    ),
    ...Array.from({ length: uvSets }, (_, set) =>
      layer('LayerElementUV', set, uvSetName(set), [
        ['UV', { type: 'd', values: () => joinUVs(submeshes, all(`TEXCOORD_${set}`)) }],
        ['UVIndex', { type: 'i', values: corners }],
      ]),
    ),
    record('LayerElementMaterial', [int(0)], [
      record('Version', [int(101)]),
      record('Name', ['']),
      record('MappingInformationType', ['ByPolygon']),
      record('ReferenceInformationType', ['IndexToDirect']),
      record('Materials', [{ type: 'i', values: () => joinSlots(parts) }]),
    ]),
  ]
  return record('Geometry', [long(id), `${name}\0\x01Geometry`, 'Mesh'], [
    record('GeometryVersion', [int(124)]),
    record('Vertices', [{ type: 'd', values: () => joined(submeshes.map(({ positions }) => positions)) }]),
    record('PolygonVertexIndex', [{ type: 'i', values: () => polygonsOf(corners()) }]),
    ...layers,
    ...layerRecords(layers),
  ])
}

/** Layers list what is on them; there can be one element of a kind on each. */
function layerRecords(elements: FbxRecord[]): FbxRecord[] {
  const numberOf = ({ values: [value] }: FbxRecord) => (value.type === 'I' ? value.value : 0)
  return Array.from({ length: Math.max(...elements.map(numberOf)) + 1 }, (_, layer) =>
    record('Layer', [int(layer)], [
      record('Version', [int(100)]),
      ...elements
        .filter((element) => numberOf(element) === layer)
        .map(({ name }) => record('LayerElement', [], [record('Type', [name]), record('TypedIndex', [int(layer)])])),
    ]),
  )
}

function firstVertices(submeshes: Submesh[]): number[] {
  let sum = 0
  return submeshes.map(({ positions }) => (sum += positions.length / 3) - positions.length / 3)
}

function joinCorners(submeshes: Submesh[], firsts: number[]): Int32Array {
  const all = new Int32Array(submeshes.reduce((sum, { indices }) => sum + indices.length, 0))
  let at = 0
  submeshes.forEach(({ indices }, part) => {
    for (let i = 0; i < indices.length; i++) all[at++] = indices[i] + firsts[part]
  })
  return all
}

/** The last corner of a polygon is told apart from the others by being the complement of its index. */
function polygonsOf(corners: Int32Array): Int32Array {
  for (let i = 2; i < corners.length; i += 3) corners[i] = ~corners[i]
  return corners
}

/** `[triangle]` */
function joinSlots(parts: FbxPart[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { submesh }) => sum + submesh.indices.length / 3, 0))
  let at = 0
  for (const { submesh, slot } of parts) all.fill(slot, at, (at += submesh.indices.length / 3))
  return all
}

function joinNormals(submeshes: Submesh[]): Float64Array {
  return joined(submeshes.map(({ normals }) => normals!))
}

/** `[vertex][uv]`; v is counted from the bottom, which a double holds so exactly that the float comes back. */
function joinUVs(submeshes: Submesh[], sets: (VertexAttribute | undefined)[]): Float64Array {
  const all = joined(submeshes.map(({ indexUV }, part) => (sets[part] ? toFloats(sets[part]) : new Float32Array(indexUV.length))))
  for (let i = 1; i < all.length; i += 2) all[i] = 1 - all[i]
  return all
}

/** `[vertex][rgba]`; white where a sub-mesh has none. */
function joinColours(submeshes: Submesh[], sets: (VertexAttribute | undefined)[]): Float64Array {
  const vertexCounts = submeshes.map(({ positions }) => positions.length / 3)
  const all = new Float64Array(vertexCounts.reduce((sum, count) => sum + count, 0) * 4).fill(1)
  let at = 0
  sets.forEach((set, part) => {
    if (set) {
      const values = toFloats(set)
      for (let i = 0; i < values.length; i++) all[at + Math.floor(i / set.itemSize) * 4 + (i % set.itemSize)] = values[i]
    }
    at += vertexCounts[part] * 4
  })
  return all
}

/**
 * Tangents and binormals `[vertex][xyz]`, where the binormal is normal × tangent · w and says with its direction what glTF says
 * with w. A sub-mesh without tangents gets any that are perpendicular to its normals: the layer is there for the whole mesh.
 */
function joinTangents(submeshes: Submesh[]): { tangents: Float64Array; binormals: Float64Array } {
  const tangents = new Float64Array(submeshes.reduce((sum, { positions }) => sum + positions.length, 0))
  const binormals = new Float64Array(tangents.length)
  let at = 0
  for (const { positions, normals, tangents: given } of submeshes) {
    for (let vertex = 0; vertex < positions.length / 3; vertex++, at += 3) {
      const [nx, ny, nz] = normals!.subarray(vertex * 3, vertex * 3 + 3)
      const [x, y, z, w] = given ? given.subarray(vertex * 4, vertex * 4 + 4) : perpendicular(nx, ny, nz)
      tangents.set([x, y, z], at)
      binormals.set([(ny * z - nz * y) * w, (nz * x - nx * z) * w, (nx * y - ny * x) * w], at)
    }
  }
  return { tangents, binormals }
}

/** A tangent that is perpendicular to a normal, by the axis that is farthest from it. */
function perpendicular(x: number, y: number, z: number): [number, number, number, number] {
  const [a, b, c] = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x]
  const length = Math.hypot(a, b, c) || 1
  return [a / length, b / length, c / length, 1]
}

function joined(arrays: Float32Array[]): Float64Array {
  return new Float64Array(concatenate(arrays))
}
