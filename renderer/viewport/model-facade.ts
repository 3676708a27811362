import type { AnimatedModel, Pose } from '../../main/model/animated-model.ts'
import type { ModelPreview } from '../../main/worker/preview-contract.ts'

/**
 * The model as the evaluator knows it, made of what came through the port. It can only be at rest: poses of clips come from
 * the preview service.
 */
export function modelFacade(preview: ModelPreview): AnimatedModel {
  const { nodes, skins, morphSets, materials, clips, warnings, restPose } = preview
  return {
    meshes: preview.meshes.map((mesh) => ({ ...mesh, attributes: [] })),
    nodes,
    skins,
    morphSets,
    materials,
    clips,
    warnings,
    pose(clip, _time, out) {
      if (clip !== null) throw new RangeError('poses of clips come from the preview service')
      copyPose(restPose, out)
    },
  }
}

function copyPose(from: Pose, to: Pose): void {
  to.worldMatrices.set(from.worldMatrices)
  from.palettes.forEach((palette, skin) => to.palettes[skin].set(palette))
  from.morphWeights.forEach((weights, set) => to.morphWeights[set].set(weights))
}
