import type { AbstractMesh, Mesh as BabylonMesh } from 'babylonjs'
import type { Mesh, MorphSet, MorphTarget, VertexAttribute } from '../../model/animated-model.ts'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import { gatherInfluences, type GatheredInfluences } from '../influences.ts'
import { coordinatesFromTop, pickVertices } from '../vertices.ts'
import { counted, type WarningList } from '../warnings.ts'
import { sourceOf, type BabylonNodes } from './nodes.ts'
import type { BabylonSource } from './source.ts'

/** What a scene shows. */
export interface BabylonMeshes {
  meshes: Mesh[]
  morphSets: MorphSet[]
  /** `[skin]`: the mesh and the index of its skeleton in the list of nodes. */
  skins: { mesh: AbstractMesh; skeleton: number }[]
  /** `[morph set]`. */
  morphed: BabylonMesh[]
}

/**
 * Reads what is visible: a mesh for each node and material, in the order of nodes. Babylon's space is left-handed; here X is
 * mirrored, as Babylon itself does with glTF models. That also makes the triangles, whose fronts are clockwise in the file,
 * counter-clockwise without touching them.
 *
 * @param materials index of a material by its id
 * @throws Problem that names the mesh whose numbers cannot be used
 */
export function readMeshes(
  file: string,
  source: BabylonSource,
  nodes: BabylonNodes,
  materials: Map<string, number>,
  warnings: WarningList,
): BabylonMeshes {
  const read: BabylonMeshes = { meshes: [], morphSets: [], skins: [], morphed: [] }
  const lower = new Set(source.meshes.flatMap(({ lodMeshIds }) => lodMeshIds ?? []).map(String))

  nodes.placed.forEach((node, index) => {
    const shown = sourceOf(node)
    if (!shown || shown.getTotalVertices() === 0) return
    const name = node.name || `mesh_${index}`
    if (lower.has(node.id)) return warnings.add('lod-left-out', 'Left out # lower level|levels of detail', 1, name)
    if (!(node as AbstractMesh).isVisible || !node.isEnabled()) {
      return warnings.add('invisible-left-out', 'Left out # mesh|meshes that the file hides', 1, name)
    }
    const corners = Uint32Array.from(shown.getIndices() ?? [])
    if (corners.length < 3) return warnings.add('primitive-empty', 'Left out # mesh|meshes without triangles', 1, name)
    const tooHigh = corners.find((corner) => corner >= shown.getTotalVertices())
    if (tooHigh !== undefined) throw broken(file, `"${shortened(name)}" has index ${tooHigh}, but only ${shown.getTotalVertices()} vertices`)

    const targets = targetsOf(shown)
    if (targets.length > 0) {
      read.morphed.push(shown)
      read.morphSets.push({ node: index, targets: targets.map((target) => target.name) })
    }
    const skeleton = nodes.skeletons.findIndex((entry) => entry.skeleton === (node as AbstractMesh).skeleton)
    const influences = skeleton < 0 ? null : influencesOf(file, shown, nodes.skeletons[skeleton].bones.length, name, warnings)
    if (influences) read.skins.push({ mesh: node as AbstractMesh, skeleton })

    const parts = splitByMaterial(source, shown, corners, materials)
    for (const [primitive, { material, vertices, indices }] of parts.entries()) {
      read.meshes.push({
        name,
        node: index,
        primitive,
        material,
        vertexCount: vertices.length,
        ...readVertices(file, shown, vertices, name),
        indices,
        indexed: true,
        morphTargets: targets.map((target) => pickTarget(target, vertices)),
        morphSet: targets.length > 0 ? read.morphSets.length - 1 : -1,
        skin: influences ? read.skins.length - 1 : -1,
        influences: influences && {
          perVertex: influences.perVertex,
          joints: Uint32Array.from(pickVertices(influences.joints, influences.perVertex, vertices)),
          weights: pickVertices(influences.weights, influences.perVertex, vertices),
        },
      })
    }
  })
  return read
}

function broken(file: string, what: string): Problem {
  return new Problem('input', `${file} is broken: ${what}. Export the model again.`)
}

interface Part {
  material: number
  /** Numbers in the file's mesh. */
  vertices: Uint32Array
  /** Numbers in `vertices`. */
  indices: Uint32Array
}

/** A mesh whose material is a list of materials has a run of triangles for each. */
function splitByMaterial(source: BabylonSource, mesh: BabylonMesh, corners: Uint32Array, materials: Map<string, number>): Part[] {
  const { materialId, subMeshes } = source.meshes.find(({ id, name }) => String(id ?? name) === mesh.id) ?? {}
  const list = source.multiMaterials?.find(({ id }) => id !== undefined && id === materialId)?.materials
  const indexOf = (id: string | number | null | undefined) => materials.get(String(id)) ?? -1
  if (!list || !subMeshes?.length) {
    const vertices = Uint32Array.from({ length: mesh.getTotalVertices() }, (_, i) => i)
    return [{ material: indexOf(materialId), vertices, indices: corners }]
  }
  return subMeshes
    .filter(({ indexCount }) => indexCount >= 3)
    .map(({ materialIndex, indexStart, indexCount }) => {
      const numbers = new Map<number, number>()
      const indices = corners.subarray(indexStart, indexStart + indexCount).map((vertex) => {
        if (!numbers.has(vertex)) numbers.set(vertex, numbers.size)
        return numbers.get(vertex)!
      })
      return { material: indexOf(list[materialIndex]), vertices: Uint32Array.from(numbers.keys()), indices }
    })
}

function readVertices(
  file: string,
  mesh: BabylonMesh,
  vertices: Uint32Array,
  name: string,
): Pick<Mesh, 'positions' | 'normals' | 'tangents' | 'attributes'> {
  const positions = mirrored(pickVertices(mesh.getVerticesData('position')!, 3, vertices), 3)
  const faults = positions.reduce((count, number) => (Number.isFinite(number) ? count : count + 1), 0)
  if (faults > 0) throw broken(file, `the positions of "${shortened(name)}" have ${counted(faults, 'not finite number')}`)
  const listed = mesh.getVerticesData('normal')
  const normals = listed?.some((number) => number !== 0) ? listed : null
  const tangents = normals && mesh.getVerticesData('tangent')
  return {
    positions: Float32Array.from(positions),
    normals: normals && Float32Array.from(mirrored(pickVertices(normals, 3, vertices), 3), finite),
    // Mirroring turns the handedness over, and counting V from the top turns it back.
    tangents: tangents && Float32Array.from(mirrored(pickVertices(tangents, 4, vertices), 4), finite),
    attributes: readAttributes(mesh, vertices),
  }
}

function finite(number: number): number {
  return Number.isFinite(number) ? number : 0
}

const UV_KINDS = ['uv', 'uv2', 'uv3', 'uv4', 'uv5', 'uv6']

function readAttributes(mesh: BabylonMesh, vertices: Uint32Array): VertexAttribute[] {
  const attributes: VertexAttribute[] = []
  for (const kind of UV_KINDS) {
    const data = mesh.getVerticesData(kind)
    if (!data) continue
    const array = coordinatesFromTop(pickVertices(data, 2, vertices))
    attributes.push({ semantic: `TEXCOORD_${attributes.length}`, itemSize: 2, normalized: false, array })
  }
  const colors = mesh.getVerticesData('color')
  if (colors) {
    const array = Float32Array.from(pickVertices(colors, 4, vertices))
    attributes.push({ semantic: 'COLOR_0', itemSize: 4, normalized: false, array })
  }
  return attributes
}

function targetsOf(mesh: BabylonMesh): MorphTarget[] {
  const manager = mesh.morphTargetManager
  if (!manager) return []
  const base = { positions: mesh.getVerticesData('position')!, normals: mesh.getVerticesData('normal') }
  return Array.from({ length: manager.numTargets }, (_, i): MorphTarget => {
    const target = manager.getTarget(i)
    const difference = (whole: ArrayLike<number> | null, from: ArrayLike<number> | null) =>
      whole && from && whole.length === from.length ? mirrored(Float64Array.from(whole, (value, at) => value - from[at]), 3) : null
    const positions = difference(target.getPositions(), base.positions)
    const normals = difference(target.getNormals(), base.normals)
    return {
      name: target.name || `target_${i}`,
      positions: positions && Float32Array.from(positions, finite),
      normals: normals && Float32Array.from(normals, finite),
      tangents: null,
    }
  })
}

function pickTarget({ name, positions, normals, tangents }: MorphTarget, vertices: Uint32Array): MorphTarget {
  const picked = (deltas: Float32Array | null) => deltas && Float32Array.from(pickVertices(deltas, 3, vertices))
  return { name, positions: picked(positions), normals: picked(normals), tangents }
}

function influencesOf(
  file: string,
  mesh: BabylonMesh,
  bones: number,
  name: string,
  warnings: WarningList,
): GatheredInfluences['influences'] | null {
  const sets = ['', 'Extra'].flatMap((suffix) => {
    const joints = mesh.getVerticesData(`matricesIndices${suffix}`)
    const weights = mesh.getVerticesData(`matricesWeights${suffix}`)
    return joints && weights ? [{ joints, weights: Float64Array.from(weights) }] : []
  })
  if (sets.length === 0) return null
  const { influences, highestJoint, brokenWeights, weightless, unbalanced } = gatherInfluences(sets)
  if (highestJoint >= bones) throw broken(file, `"${shortened(name)}" follows bone ${highestJoint}, but its skeleton has ${counted(bones, 'bone')}`)
  warnings.add('weights-repaired', 'Set # skin weight|weights to 0 for being negative or not finite', brokenWeights, name)
  warnings.add('weights-scaled', 'Scaled the skin weights of # vertex|vertices to sum up to 1', unbalanced, name)
  warnings.add('weights-zero', 'Let # vertex|vertices without skin weights follow the node of the mesh', weightless, name)
  return influences
}

/** Turns the sign of X, in place. */
function mirrored(vectors: Float64Array, size: number): Float64Array {
  for (let i = 0; i < vectors.length; i += size) vectors[i] = -vectors[i]
  return vectors
}
