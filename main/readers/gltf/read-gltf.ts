import { dirname } from 'node:path'
import type { AnimatedModel } from '../../model/animated-model.ts'
import { DEFAULT_LIMITS } from '../../model/limits.ts'
import { MATRIX_SIZE, writeIdentity } from '../../model/matrix.ts'
import type { Budget } from '../limited-file.ts'
import type { LoadedModel } from '../loaded-model.ts'
import { counted, WarningList } from '../warnings.ts'
import { countNotFinite, doublesOf } from './accessors.ts'
import { broken, labelOf } from './broken.ts'
import { checkGltf } from './check.ts'
import { readClips } from './clips.ts'
import { unpack } from './compressed.ts'
import { openContainer } from './container.ts'
import { readAccessors, readAppearance } from './document.ts'
import { expandInstances } from './instances.ts'
import { repairMatrices } from './matrices.ts'
import { readMeshes, type ReadMeshes, type Reading } from './meshes.ts'
import { listShownNodes, readNodeTree, type NodeTree } from './nodes.ts'
import { createPoser, restWeightsOf, type SkinBinding } from './pose.ts'
import { readResources } from './resources.ts'
import { checkSize, listUsedAccessors } from './size.ts'

/**
 * Reads a .glb or .gltf file to the letter of glTF 2.0.
 *
 * The order of `model.meshes` is by node of the file, then by primitive of its mesh; nodes, skins, materials and clips have
 * the file's own numbers. Where the file breaks the specification, it is repaired only if that can do no harm, with a
 * warning; otherwise it is refused.
 *
 * @param path  of the file, for what lies beside it
 * @param file  its name, for sentences
 * @param bytes its content
 * @param budget what it may take, and what reading `bytes` has taken of it
 * @throws Problem that names the file and what is wrong with it
 */
export async function readGltf(
  path: string,
  file: string,
  bytes: Uint8Array,
  budget: Budget = { file, limits: DEFAULT_LIMITS, spent: bytes.length },
): Promise<Omit<LoadedModel, 'file' | 'sha256'>> {
  const warnings = new WarningList()
  const container = openContainer(file, bytes, budget.limits, warnings)
  checkGltf(file, container.json)
  checkSize(file, container.json, budget.limits)
  const packed = await readResources(dirname(path), container, budget, warnings)
  const unpacked = await unpack(file, container.json, packed.buffers, budget.limits, warnings)
  const resources = { ...packed, buffers: unpacked.buffers }
  const json = await expandInstances(file, unpacked.json, resources, budget.limits, warnings)
  checkSize(file, json, budget.limits)
  const accessors = await readAccessors(file, json, resources, listUsedAccessors(json))
  const reading: Reading = { file, json, accessors, warnings }
  const appearance = await readAppearance(file, json, resources, warnings)

  const tree = readNodeTree(json, warnings)
  const skins = readSkins(reading)
  const read = readMeshes(reading, listShownNodes(json))
  const { meshes, morphSets } = read
  const motions = readClips(reading, findMovingNodes(tree, skins, read), morphSets)
  const restWeights = morphSets.map((set) => {
    const node = json.nodes[set.node]
    return restWeightsOf(set, node.weights, json.meshes[node.mesh!].weights)
  })

  const model: AnimatedModel = {
    meshes,
    nodes: json.nodes.map((node, i) => ({ name: node.name ?? '', parent: tree.parents[i] })),
    skins: json.skins.map((skin) => ({ name: skin.name ?? '', joints: skin.joints })),
    morphSets,
    materials: json.materials.map((material, i) => material.name || `material_${i}`),
    clips: motions.map(({ clip }) => clip),
    pose: createPoser(tree, skins, restWeights, motions),
    warnings: warnings.list(),
  }
  return { model, appearance, external: resources.external }
}

/** Missing inverse bind matrices are identities (glTF 2.0, section 3.7.3.1). */
function readSkins({ file, json, accessors, warnings }: Reading): SkinBinding[] {
  return json.skins.map(({ joints, inverseBindMatrices: accessor, name }, i) => {
    if (accessor === undefined) {
      const inverseBindMatrices = new Float64Array(joints.length * MATRIX_SIZE)
      joints.forEach((_, joint) => writeIdentity(inverseBindMatrices, joint * MATRIX_SIZE))
      return { joints, inverseBindMatrices }
    }
    // There may be more of them than joints.
    const inverseBindMatrices = doublesOf(accessors[accessor]).subarray(0, joints.length * MATRIX_SIZE)
    const label = `the inverse bind matrices of ${labelOf('skin', i, name)}`
    const faults = countNotFinite(inverseBindMatrices)
    if (faults > 0) throw broken(file, `${label} have ${counted(faults, 'not finite number')}`)
    repairMatrices(warnings, inverseBindMatrices, label)
    return { joints, inverseBindMatrices }
  })
}

/** `[node]`: 1 where a node's transform moves a vertex: joints, nodes of meshes without skin, and what these hang on. */
function findMovingNodes({ parents }: NodeTree, skins: SkinBinding[], { meshes, rigidNodes }: ReadMeshes): Uint8Array {
  const moving = new Uint8Array(parents.length)
  const usedSkins = new Set(meshes.map(({ skin }) => skin).filter((skin) => skin >= 0))
  const movers = [...rigidNodes, ...[...usedSkins].flatMap((skin) => skins[skin].joints)]
  for (const mover of movers) {
    for (let node = mover; node >= 0 && !moving[node]; node = parents[node]) moving[node] = 1
  }
  return moving
}
