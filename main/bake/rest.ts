import type { Submesh } from '../meshes/rest-mesh.ts'
import type { Frame } from '../model/evaluate.ts'
import type { SampledClip } from './sample.ts'
import type { Subject } from './subject.ts'

/** What a rest mesh follows from. */
interface RestSource {
  rest: 'rest' | 'first-frame'
  clips: SampledClip[]
}

/**
 * Evaluates the rest mesh, in the evaluator's space: the model at its nodes' rest transforms, or in the first frame of the first clip.
 *
 * @param out is overwritten
 */
export function evaluateRest(
  { model, evaluator, pose, sampler }: Subject,
  { rest, clips }: RestSource,
  out: Frame,
): void {
  if (rest === 'first-frame') {
    sampler.sample(clips[0], clips[0].start, out)
    return
  }
  model.pose(null, 0, pose)
  evaluator.evaluate(pose, out)
}

/** Room for the rest mesh: with normals, and with tangents where a mesh has some. */
export function createRestFrame({ model, meshes, evaluator }: Subject): Frame {
  return evaluator.createFrame({ normals: true, tangents: meshes.some((index) => model.meshes[index].tangents !== null) })
}

/**
 * The sub-meshes of a rest mesh, one a chosen mesh.
 *
 * @param rest     from {@link evaluateRest}
 * @param indexUV  `[vertex][uv]` of all chosen meshes
 */
export function restSubmeshes({ model, meshes, evaluator }: Subject, rest: Frame, indexUV: Float32Array): Submesh[] {
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
