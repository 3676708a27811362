import { createPose, type AnimatedModel, type Pose } from '../model/animated-model.ts'
import { createEvaluator, type Evaluator } from '../model/evaluate.ts'
import { createSampler, type Sampler } from './sample.ts'

/** The chosen meshes of a model, ready to be evaluated in the space of a bake. */
export interface Subject {
  model: AnimatedModel
  /** Indices into the model's meshes, in the order of their vertices. */
  meshes: number[]
  evaluator: Evaluator
  /** Room for one pose, which evaluator and sampler use. */
  pose: Pose
  sampler: Sampler
}

/** @param space matrix from the model's space to the bake's */
export function createSubject(model: AnimatedModel, meshes: number[], space: Float64Array): Subject {
  const evaluator = createEvaluator(model, meshes, space)
  const pose = createPose(model)
  return { model, meshes, evaluator, pose, sampler: createSampler(model, evaluator, pose) }
}
