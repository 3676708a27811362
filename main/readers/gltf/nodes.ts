import { MathUtils, type mat4, type vec3, type vec4 } from '@gltf-transform/core'
import { normalizeQuaternion } from '../../model/curve.ts'
import { composeTRS, MATRIX_SIZE, TRS_SIZE } from '../../model/matrix.ts'
import type { WarningList } from '../warnings.ts'
import { labelOf } from './broken.ts'
import { repairMatrices } from './matrices.ts'
import { noteZeroRotations } from './rotations.ts'
import type { Gltf, GltfNode } from './schema.ts'

/** The nodes of a file at rest. */
export interface NodeTree {
  /** `[node]`: index of the parent, or -1. */
  parents: Int32Array
  /** All nodes, each behind its parent. */
  order: Int32Array
  /** `[node][tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]`; of a node with a matrix, what the matrix comes apart into. */
  trs: Float64Array
  /** `[node][16]`: transforms in the parent's space, matrices as they stand in the file, shear included. */
  matrices: Float64Array
}

export function readNodeTree({ nodes }: Gltf, warnings: WarningList): NodeTree {
  const parents = new Int32Array(nodes.length).fill(-1)
  nodes.forEach((node, i) => node.children.forEach((child) => (parents[child] = i)))

  const order: number[] = []
  parents.forEach((parent, i) => {
    if (parent === -1) order.push(i)
  })
  for (const node of order) for (const child of nodes[node].children) order.push(child)

  const trs = new Float64Array(nodes.length * TRS_SIZE)
  const matrices = new Float64Array(nodes.length * MATRIX_SIZE)
  nodes.forEach((node, i) => {
    const at = i * TRS_SIZE
    trs.set(trsOf(node), at)
    if (node.rotation) noteZeroRotations(warnings, node.rotation, labelOf('node', i, node.name))
    normalizeQuaternion(trs, at + 3)
    // The parts of a matrix cannot hold shear, so they only count where a clip animates one of them.
    if (node.matrix) {
      matrices.set(node.matrix, i * MATRIX_SIZE)
      repairMatrices(warnings, matrices.subarray(i * MATRIX_SIZE, (i + 1) * MATRIX_SIZE), labelOf('node', i, node.name))
    } else composeTRS(matrices, i * MATRIX_SIZE, trs, at)
  })
  return { parents, order: Int32Array.from(order), trs, matrices }
}

function trsOf({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: GltfNode): number[] {
  if (matrix) MathUtils.decompose(matrix as mat4, translation as vec3, rotation as vec4, scale as vec3)
  return [...translation, ...rotation, ...scale]
}

/**
 * The nodes of the default scene with all their descendants, in ascending order: of the scene that the file names, else of
 * the first; all nodes where there are no scenes (glTF 2.0, section 3.5.1).
 */
export function listShownNodes(json: Gltf): number[] {
  const { nodes, scenes } = json
  if (scenes.length === 0) return nodes.map((_, i) => i)
  const shown = new Set(scenes[json.scene ?? 0].nodes)
  for (const node of shown) for (const child of nodes[node].children) shown.add(child)
  return [...shown].sort((a, b) => a - b)
}
