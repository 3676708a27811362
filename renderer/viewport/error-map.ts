import type { AnimatedModel, Pose } from '../../main/model/animated-model.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { MILLIMETRES, spaceMatrix } from '../../main/targets/target.ts'
import type { BakePreview } from '../../main/worker/preview-contract.ts'
import { createPositionDecoder } from './decode-frame.ts'
import { playheadAt } from './playhead.ts'

/** How far each vertex of a bake is from the truth at one moment. */
export interface ErrorMap {
  /** `[vertex]` of the rest mesh, in millimetres of the bake, after the last `measure`. */
  millimetres: Float32Array
  /**
   * Measures the distances at a time.
   *
   * @param clip    index into the sidecar's clips
   * @param seconds since the beginning of that clip
   * @param pose    the model's pose at that time
   * @returns the largest distance and its vertex
   */
  measure(clip: number, seconds: number, pose: Pose): { maxMillimetres: number; vertex: number }
  /** Decoded position of a vertex at any moment, `[xyz]` in the bake's space. */
  positionAt(clip: number, seconds: number, vertex: number): [number, number, number]
}

/**
 * Whether a bake has the vertices where the model has them: not where root motion was taken out, or the end bent to the start.
 * What those should be only the core can tell, as the report does.
 */
export function isComparable({ clips }: Pick<Sidecar, 'clips'>): boolean {
  return clips.every(({ rootMotion, blend }) => !rootMotion && !blend)
}

/** An error map of a bake, compared with a fresh evaluation of the model, as the report does it. */
export function createErrorMap(model: AnimatedModel, bake: BakePreview): ErrorMap {
  const { sidecar } = bake
  const decoder = createPositionDecoder(bake)
  const evaluator = createEvaluator(model, sidecar.source.meshes, spaceMatrix(sidecar.space.axesFromGltf, sidecar.space.scale))
  const truth = evaluator.createFrame({ normals: false, tangents: false })
  const decoded = new Float64Array(decoder.vertexCount * 3)
  const millimetres = new Float32Array(decoder.vertexCount)
  const unit = MILLIMETRES[sidecar.space.unit]
  return {
    millimetres,
    measure(clip, seconds, pose) {
      evaluator.evaluate(pose, truth)
      decoder.decode(clip, playheadAt(sidecar.clips[clip], seconds), decoded)
      let maxMillimetres = 0
      let worst = 0
      for (let vertex = 0; vertex < millimetres.length; vertex++) {
        const i = vertex * 3
        const x = decoded[i] - truth.positions[i]
        const y = decoded[i + 1] - truth.positions[i + 1]
        const z = decoded[i + 2] - truth.positions[i + 2]
        const distance = Math.sqrt(x * x + y * y + z * z) * unit
        millimetres[vertex] = distance
        if (distance <= maxMillimetres) continue
        maxMillimetres = distance
        worst = vertex
      }
      return { maxMillimetres, vertex: worst }
    },
    positionAt: (clip, seconds, vertex) => decoder.decodeVertex(clip, playheadAt(sidecar.clips[clip], seconds), vertex),
  }
}
