import type { Accessor, TypedArray } from '@gltf-transform/core'
import type { Mesh, MorphSet, MorphTarget, VertexAttribute } from '../../model/animated-model.ts'
import type { GatheredInfluences } from '../influences.ts'
import { counted, type WarningList } from '../warnings.ts'
import { countNotFinite, floatsOf } from './accessors.ts'
import { broken, labelOf } from './broken.ts'
import { readInfluences } from './influences.ts'
import type { Gltf, GltfMesh, GltfPrimitive } from './schema.ts'
import { isTriangles, TRIANGLES, trianglesOf } from './triangles.ts'

/** What is being read, and where its warnings go. */
export interface Reading {
  /** Name of the file, for sentences. */
  file: string
  json: Gltf
  /** The JSON's accessors, unpacked. */
  accessors: Accessor[]
  warnings: WarningList
}

export interface ReadMeshes {
  meshes: Mesh[]
  morphSets: MorphSet[]
  /** Nodes whose own transform moves vertices. */
  rigidNodes: Set<number>
}

/** The part of a `Mesh` that is the same for every node that shows it. */
type Geometry = Pick<
  Mesh,
  'vertexCount' | 'positions' | 'normals' | 'tangents' | 'attributes' | 'indices' | 'indexed' | 'morphTargets'
>

/**
 * Reads what the given nodes show: a mesh for each node and primitive. Nodes that show the same mesh share its arrays.
 *
 * @param shown nodes in ascending order
 * @throws Problem that names the mesh whose numbers cannot be used
 */
export function readMeshes(reading: Reading, shown: number[]): ReadMeshes {
  const { json } = reading
  const read: ReadMeshes = { meshes: [], morphSets: [], rigidNodes: new Set() }
  const geometryOf = once((primitive: GltfPrimitive, label: string, names: string[]) => readGeometry(reading, primitive, label, names))
  const influencesOf = once((primitive: GltfPrimitive, label: string) => readInfluencesOf(reading, primitive, label))

  for (const node of shown) {
    const { mesh: meshIndex, skin: skinIndex, name: nodeName } = json.nodes[node]
    if (meshIndex === undefined) continue
    const gltfMesh = json.meshes[meshIndex]
    const meshLabel = labelOf('mesh', meshIndex, gltfMesh.name)
    const targets = namesOfTargets(gltfMesh)
    let morphSet = -1

    for (const [i, primitive] of gltfMesh.primitives.entries()) {
      const label = `primitive ${i} of ${meshLabel}`
      const geometry = geometryOf(primitive, label, targets)
      if (!geometry) continue
      if (targets.length > 0 && morphSet < 0) morphSet = read.morphSets.push({ node, targets }) - 1

      const skinned = skinIndex === undefined ? null : influencesOf(primitive, label)
      if (skinned) checkJoints(reading, skinned, skinIndex!, label)
      if (!skinned || skinned.weightless > 0) read.rigidNodes.add(node)
      read.meshes.push({
        ...geometry,
        name: gltfMesh.name || nodeName || `mesh_${meshIndex}`,
        node,
        primitive: i,
        material: primitive.material ?? -1,
        morphSet,
        skin: skinned ? skinIndex! : -1,
        influences: skinned?.influences ?? null,
      })
    }
  }
  return read
}

/** Computes a value once for each primitive, also where it is null. */
function once<Value, Rest extends unknown[]>(compute: (primitive: GltfPrimitive, ...rest: Rest) => Value) {
  const known = new Map<GltfPrimitive, Value>()
  return (primitive: GltfPrimitive, ...rest: Rest): Value => {
    if (!known.has(primitive)) known.set(primitive, compute(primitive, ...rest))
    return known.get(primitive)!
  }
}

/** Names as most exporters write them (glTF 2.0, section 3.7.2.2, implementation note), or made-up ones. */
function namesOfTargets(mesh: GltfMesh): string[] {
  const count = mesh.primitives[0]?.targets.length ?? 0
  const names: unknown = (mesh.extras as { targetNames?: unknown } | undefined)?.targetNames
  return Array.from({ length: count }, (_, i) => {
    const name: unknown = Array.isArray(names) ? names[i] : undefined
    return typeof name === 'string' ? name : `target_${i}`
  })
}

/** Null where the primitive shows no triangles, which is counted. */
function readGeometry(reading: Reading, primitive: GltfPrimitive, label: string, targetNames: string[]): Geometry | null {
  const { file, accessors, warnings } = reading
  const { mode = TRIANGLES } = primitive
  if (!isTriangles(mode)) {
    warnings.add('primitive-skipped', 'Left out # primitive|primitives of points or lines', 1, label)
    return null
  }
  const attributes = accessorsOf(accessors, primitive.attributes)
  const positionAccessor = attributes.get('POSITION')
  const vertexCount = positionAccessor?.getCount() ?? 0
  const corners = primitive.indices === undefined ? undefined : accessors[primitive.indices].getArray()!
  const indices = trianglesOf(mode, corners ?? vertexCount)
  if (!positionAccessor || indices.length === 0) {
    warnings.add('primitive-empty', 'Left out # primitive|primitives without triangles', 1, label)
    return null
  }
  const tooHigh = indices.find((index) => index >= vertexCount)
  if (tooHigh !== undefined) throw broken(file, `${label} has index ${tooHigh}, but only ${vertexCount} vertices`)

  const finiteFloats = (accessor: Accessor | undefined, what: string): Float32Array | null => {
    if (!accessor) return null
    const floats = floatsOf(accessor)
    const faults = countNotFinite(floats)
    if (faults > 0) throw broken(file, `${what} of ${label} have ${counted(faults, 'not finite number')}`)
    return floats
  }
  const normals = directions(warnings, attributes.get('NORMAL'))
  return {
    vertexCount,
    positions: finiteFloats(positionAccessor, 'the positions')!,
    normals,
    // Tangents without normals are to be ignored (glTF 2.0, section 3.7.2.1).
    tangents: normals && directions(warnings, attributes.get('TANGENT')),
    attributes: readAttributes(warnings, attributes),
    indices,
    indexed: corners !== undefined,
    morphTargets: primitive.targets.map((target, i): MorphTarget => {
      const moved = accessorsOf(accessors, target)
      const deltas = (semantic: string) => finiteFloats(moved.get(semantic), `the ${semantic} deltas of morph target ${i}`)
      const others = [...moved.keys()].filter((semantic) => !['POSITION', 'NORMAL', 'TANGENT'].includes(semantic))
      const ignored = 'Ignored # morph attribute|attributes other than positions, normals and tangents'
      warnings.add('morph-attribute-ignored', ignored, others.length, label)
      return {
        name: targetNames[i],
        positions: deltas('POSITION'),
        normals: normals && deltas('NORMAL'),
        tangents: normals && deltas('TANGENT'),
      }
    }),
  }
}

function accessorsOf(accessors: Accessor[], indices: Record<string, number>): Map<string, Accessor> {
  return new Map(Object.entries(indices).map(([semantic, index]) => [semantic, accessors[index]]))
}

/** Normals or tangents. Numbers that are not finite become 0: a direction that is missing does not spoil the shape. */
function directions(warnings: WarningList, accessor: Accessor | undefined): Float32Array | null {
  if (!accessor) return null
  return finite(floatsOf(accessor), (faults) =>
    warnings.add('direction-repaired', 'Set # number|numbers of normals or tangents to 0 for not being finite', faults))
}

/** The same numbers, those that are not finite as 0; how many these are is told where there are any. */
function finite<Numbers extends TypedArray>(array: Numbers, tell: (faults: number) => void): Numbers {
  const faults = countNotFinite(array)
  if (faults === 0) return array
  tell(faults)
  // A copy, since other meshes may share the accessor.
  const repaired = array.slice() as Numbers
  for (let i = 0; i < repaired.length; i++) if (!Number.isFinite(repaired[i])) repaired[i] = 0
  return repaired
}

const VERTEX_ARRAYS = [Float32Array, Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array]

/** Texture coordinates, colours and application-specific attributes, as they are. */
function readAttributes(warnings: WarningList, accessors: Map<string, Accessor>): VertexAttribute[] {
  const attributes: VertexAttribute[] = []
  for (const [semantic, accessor] of accessors) {
    if (/^(POSITION|NORMAL|TANGENT|JOINTS_\d+|WEIGHTS_\d+)$/.test(semantic)) continue
    const array = finite(accessor.getArray(), (faults) =>
      warnings.add('attribute-repaired', 'Set # number|numbers of vertex attributes to 0 for not being finite', faults, semantic))
    const itemSize = accessor.getElementSize()
    const known = /^(TEXCOORD_\d+|COLOR_\d+|_.*)$/.test(semantic)
    if (known && itemSize <= 4 && VERTEX_ARRAYS.some((type) => array instanceof type)) {
      attributes.push({
        semantic,
        itemSize: itemSize as VertexAttribute['itemSize'],
        normalized: accessor.getNormalized(),
        array: array as VertexAttribute['array'],
      })
    } else {
      warnings.add('attribute-skipped', 'Left out # vertex attribute|attributes of unknown kind', 1, semantic)
    }
  }
  return attributes
}

function readInfluencesOf({ accessors, warnings }: Reading, primitive: GltfPrimitive, label: string): GatheredInfluences | null {
  const read = readInfluences(accessorsOf(accessors, primitive.attributes))
  if (!read) return null
  warnings.add('weights-repaired', 'Set # skin weight|weights to 0 for being negative or not finite', read.brokenWeights, label)
  warnings.add('weights-scaled', 'Scaled the skin weights of # vertex|vertices to sum up to 1', read.unbalanced, label)
  warnings.add('weights-zero', 'Let # vertex|vertices without skin weights follow the node of the mesh', read.weightless, label)
  return read
}

function checkJoints({ file, json }: Reading, { highestJoint }: GatheredInfluences, skin: number, label: string): void {
  const { joints, name } = json.skins[skin]
  if (highestJoint >= joints.length) {
    throw broken(file, `${label} follows joint ${highestJoint}, but ${labelOf('skin', skin, name)} has ${counted(joints.length, 'joint')}`)
  }
}
