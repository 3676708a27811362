import type { VertexAttribute } from '../../model/animated-model.ts'
import type { ReadSubmesh } from '../rest-mesh.ts'
import { parseRecords, type Inflate, type ParsedRecord } from './parse-records.ts'

/** A sub-mesh with all that the file says of its look. */
export interface ParsedSubmesh extends ReadSubmesh {
  /** Place in the file's list of materials. */
  material: number
  /** TEXCOORD_n but for the index UV, and COLOR_n. */
  attributes: VertexAttribute[]
}

/**
 * Reads back a rest mesh that `encodeRestMesh` wrote, in the file's space; texture coordinates are counted from the upper left
 * corner again. Anything else that FBX may hold is refused.
 *
 * @param indexUV texture coordinate set that holds the index UV, e.g. `TEXCOORD_1`
 * @throws Error that says what is wrong
 */
export function parseRestMesh(bytes: Uint8Array, indexUV: string, inflate: Inflate): ParsedSubmesh[] {
  const records = parseRecords(bytes, inflate)
  const objects = child({ name: 'file', values: [], children: records }, 'Objects')
  const geometries = objects.children.filter(({ name }) => name === 'Geometry')
  if (geometries.length !== 1) throw new Error(`it holds ${geometries.length} meshes where a rest mesh has one`)
  const [geometry] = geometries

  const positions = Float32Array.from(doubles(geometry, 'Vertices'))
  const polygons = integers(geometry, 'PolygonVertexIndex')
  const corners = Uint32Array.from(polygons, (corner, i) => (i % 3 === 2 ? ~corner : corner))
  const vertexCount = positions.length / 3
  if (!Number.isInteger(vertexCount) || polygons.length % 3 !== 0 || corners.some((corner) => corner >= vertexCount)) {
    throw new Error('its triangles have corners that are no vertices')
  }

  /** The values of a layer, one a vertex. */
  const layer = (kind: string, index: number, key: string, size: number, indexKey = `${key}Index`): Float64Array | null => {
    const found = geometry.children.find(({ name, values }) => name === kind && values[0] === index)
    if (!found) return null
    const values = doubles(found, key)
    const isByVertex = integers(found, indexKey).every((value, corner) => value === corners[corner])
    if (values.length !== vertexCount * size || !isByVertex) throw new Error(`its ${key} do not belong to its vertices`)
    return values
  }
  const layers = (kind: string, key: string, size: number, indexKey: string) => {
    const count = geometry.children.filter(({ name }) => name === kind).length
    return Array.from({ length: count }, (_, set) => layer(kind, set, key, size, indexKey) ?? [])
  }
  const uvSets = layers('LayerElementUV', 'UV', 2, 'UVIndex').map((set) => Float32Array.from(set, (value, i) => (i % 2 === 1 ? 1 - value : value)))
  const colours = layers('LayerElementColor', 'Colors', 4, 'ColorIndex').map((set) => Float32Array.from(set))
  const indexSet = Number(indexUV.replace('TEXCOORD_', ''))
  if (!uvSets[indexSet]) throw new Error(`it has no ${indexUV}`)
  const slots = integers(child(geometry, 'LayerElementMaterial'), 'Materials')
  const normals = layer('LayerElementNormal', 0, 'Normals', 3)
  const tangents = layer('LayerElementTangent', 0, 'Tangents', 3)
  const binormals = layer('LayerElementBinormal', 0, 'Binormals', 3)
  const withSigns = normals && tangents && binormals ? joinSigns(normals, tangents, binormals) : null

  let first = 0
  let corner = 0
  return listSubmeshes(child(objects, 'Model'), vertexCount).map(({ name, vertexCount }) => {
    const [from, end] = [first, (first += vertexCount)]
    const begin = corner
    while (corner < corners.length && corners[corner] < end) corner++
    const indices = corners.slice(begin, corner).map((vertex) => vertex - from)
    if (indices.length % 3 !== 0 || indices.some((vertex) => vertex >= vertexCount)) throw new Error(`its triangles do not keep to the sub-mesh "${name}"`)
    const attribute = (semantic: string, itemSize: 2 | 4, all: Float32Array): VertexAttribute => {
      return { semantic, itemSize, normalized: false, array: all.slice(from * itemSize, end * itemSize) }
    }
    return {
      name,
      material: slots[begin / 3] ?? 0,
      attributes: [
        ...uvSets.flatMap((all, set) => (set === indexSet ? [] : [attribute(`TEXCOORD_${set}`, 2, all)])),
        ...colours.map((all, set) => attribute(`COLOR_${set}`, 4, all)),
      ],
      positions: positions.slice(from * 3, end * 3),
      normals: normals && Float32Array.from(normals.subarray(from * 3, end * 3)),
      tangents: withSigns && withSigns.slice(from * 4, end * 4),
      indexUV: uvSets[indexSet].slice(from * 2, end * 2),
      indices,
    }
  })
}

/** `[vertex][xyzw]`: w is the sign by which the binormal is normal × tangent. */
function joinSigns(normals: Float64Array, tangents: Float64Array, binormals: Float64Array): Float32Array {
  const all = new Float32Array((tangents.length / 3) * 4)
  for (let i = 0, at = 0; i < tangents.length; i += 3, at += 4) {
    const [nx, ny, nz] = normals.subarray(i, i + 3)
    const [x, y, z] = tangents.subarray(i, i + 3)
    const [bx, by, bz] = binormals.subarray(i, i + 3)
    const along = (ny * z - nz * y) * bx + (nz * x - nx * z) * by + (nx * y - ny * x) * bz
    all.set([x, y, z, along < 0 ? -1 : 1], at)
  }
  return all
}

/** Names and vertex counts of the sub-meshes, as the model's property of that name tells them. */
function listSubmeshes(model: ParsedRecord, vertexCount: number): { name: string; vertexCount: number }[] {
  const property = child(model, 'Properties70').children.find(({ values }) => values[0] === 'submeshes')
  const listed = JSON.parse(String(property?.values[4] ?? '[]')) as { name: string; vertexCount: number }[]
  const sum = listed.reduce((total, part) => total + part.vertexCount, 0)
  if (sum !== vertexCount) throw new Error(`its sub-meshes have ${sum} vertices and it has ${vertexCount}`)
  return listed
}

function child(parent: ParsedRecord, name: string): ParsedRecord {
  const found = parent.children.find((record) => record.name === name)
  if (!found) throw new Error(`it has no ${name} in its ${parent.name}`)
  return found
}

function doubles(parent: ParsedRecord, name: string): Float64Array {
  const [values] = child(parent, name).values
  if (!(values instanceof Float64Array)) throw new Error(`its ${name} are no numbers`)
  return values
}

function integers(parent: ParsedRecord, name: string): Int32Array {
  const [values] = child(parent, name).values
  if (!(values instanceof Int32Array)) throw new Error(`its ${name} are no indices`)
  return values
}
