import { createPose, type AnimatedModel, type Clip } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { identity } from '../../main/model/matrix.ts'

/** `[vertex][xyz]` of all meshes at a time of a clip, or at rest; rounded to micrometres. */
export function positionsAt(model: AnimatedModel, clip: Clip | null, time = 0): number[][] {
  const evaluator = createEvaluator(model, [...model.meshes.keys()], identity())
  const pose = createPose(model)
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  model.pose(clip, time, pose)
  evaluator.evaluate(pose, frame)
  return Array.from({ length: frame.positions.length / 3 }, (_, v) => [...frame.positions.subarray(v * 3, v * 3 + 3)].map(rounded))
}

/** To millionths, without a -0. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6 + 0
