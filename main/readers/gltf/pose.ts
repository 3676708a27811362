import type { AnimatedModel, MorphSet } from '../../model/animated-model.ts'
import { sampleCurve } from '../../model/curve.ts'
import { composeTRS, MATRIX_SIZE, multiply, TRS_SIZE } from '../../model/matrix.ts'
import type { ClipMotion } from './clips.ts'
import type { NodeTree } from './nodes.ts'

/** What a skin needs for its palette. */
export interface SkinBinding {
  /** Node of each joint. */
  joints: number[]
  /** `[joint][16]`. */
  inverseBindMatrices: Float64Array
}

/**
 * Makes the `pose` of a model out of its curves. All nodes are evaluated, also those outside of the scene, since joints
 * may lie there. The function allocates nothing.
 *
 * @param restWeights `[morph set][target]`: the weights that count where a clip does not animate them
 * @param motions     what each of the model's clips moves, by the clip's index
 */
export function createPoser(
  tree: NodeTree,
  skins: SkinBinding[],
  restWeights: Float64Array[],
  motions: ClipMotion[],
): AnimatedModel['pose'] {
  const trs = new Float64Array(tree.trs.length)
  const matrices = new Float64Array(tree.matrices.length)

  return (clip, time, out) => {
    matrices.set(tree.matrices)
    for (let i = 0; i < restWeights.length; i++) out.morphWeights[i].set(restWeights[i])

    if (clip) {
      const { nodes, nodeTracks, weightTracks, clip: { start, end } } = motions[clip.index]
      const within = Math.min(Math.max(time, start), end)
      trs.set(tree.trs)
      for (const { curve, at } of nodeTracks) sampleCurve(curve, within, trs, at)
      for (const node of nodes) composeTRS(matrices, node * MATRIX_SIZE, trs, node * TRS_SIZE)
      for (const { curve, morphSet } of weightTracks) sampleCurve(curve, within, out.morphWeights[morphSet], 0)
    }

    const world = out.worldMatrices
    for (const node of tree.order) {
      const at = node * MATRIX_SIZE
      const parent = tree.parents[node]
      if (parent < 0) for (let i = at; i < at + MATRIX_SIZE; i++) world[i] = matrices[i]
      else multiply(world, at, world, parent * MATRIX_SIZE, matrices, at)
    }
    for (let i = 0; i < skins.length; i++) {
      const { joints, inverseBindMatrices } = skins[i]
      const palette = out.palettes[i]
      for (let joint = 0; joint < joints.length; joint++) {
        multiply(palette, joint * MATRIX_SIZE, world, joints[joint] * MATRIX_SIZE, inverseBindMatrices, joint * MATRIX_SIZE)
      }
    }
  }
}

/** A morph set's weights at rest: the node's, else the mesh's, else 0 (glTF 2.0, section 3.7.2.2). */
export function restWeightsOf({ targets }: MorphSet, nodeWeights: number[] | undefined, meshWeights: number[] | undefined): Float64Array {
  const weights = nodeWeights ?? meshWeights ?? []
  return Float64Array.from(targets, (_, i) => weights[i] ?? 0)
}
