import type { Submesh } from '../meshes/rest-mesh.ts'
import type { AnimatedModel, Pose } from '../model/animated-model.ts'
import type { Evaluator, Frame } from '../model/evaluate.ts'

/**
 * The model at its nodes' rest transforms, in the evaluator's space.
 *
 * @param meshes  indices into `model.meshes` that the evaluator was made for
 * @param pose    from `createPose`; left at rest
 */
export function evaluateRest(model: AnimatedModel, meshes: number[], evaluator: Evaluator, pose: Pose): Frame {
  const rest = evaluator.createFrame({ normals: true, tangents: meshes.some((index) => model.meshes[index].tangents !== null) })
  model.pose(null, 0, pose)
  evaluator.evaluate(pose, rest)
  return rest
}

/**
 * The sub-meshes of a rest mesh, one a chosen mesh.
 *
 * @param rest     from {@link evaluateRest}
 * @param indexUV  `[vertex][uv]` of all chosen meshes
 */
export function restSubmeshes(model: AnimatedModel, meshes: number[], evaluator: Evaluator, rest: Frame, indexUV: Float32Array): Submesh[] {
  return meshes.map((index, i) => {
    const mesh = model.meshes[index]
    const first = evaluator.firstVertices[i]
    const end = first + mesh.vertexCount
    return {
      name: mesh.name,
      material: mesh.material,
      positions: rest.positions.slice(first * 3, end * 3),
      normals: rest.normals!.slice(first * 3, end * 3),
      tangents: mesh.tangents && rest.tangents ? rest.tangents.slice(first * 4, end * 4) : null,
      indexUV: indexUV.slice(first * 2, end * 2),
      attributes: mesh.attributes,
      indices: evaluator.indices[i],
    }
  })
}
