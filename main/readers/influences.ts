import type { Influences } from '../model/animated-model.ts'

export interface GatheredInfluences {
  influences: Influences
  /** The highest joint that any vertex follows, or -1. */
  highestJoint: number
  /** Weights that were negative or no numbers, and count as 0. */
  brokenWeights: number
  /** Vertices whose weights sum to 0. */
  weightless: number
  /** Vertices whose weights sum to something else than 1 by more than their storage explains. */
  unbalanced: number
}

/** Eight weights of a byte each, all rounded the same way, sum up wrong by this much. */
const ROUNDING = 8 * (0.5 / 255)

/**
 * Joins sets of four influences a vertex, however many there are. Only what weighs something is kept, so a joint of weight 0
 * may have any number; the weights of a vertex are divided by their sum in double precision, whatever the file's sum is.
 *
 * @param sets each `[vertex][4]`, at least one; weights that are not at least 0 are set to 0 in place
 */
export function gatherInfluences(sets: { joints: ArrayLike<number>; weights: Float64Array }[]): GatheredInfluences {
  let brokenWeights = 0
  for (const { weights } of sets) {
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] >= 0 && weights[i] < Infinity) continue
      weights[i] = 0
      brokenWeights++
    }
  }

  const vertexCount = sets[0].weights.length / 4
  let perVertex = 1
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    let used = 0
    for (const { weights } of sets) for (let i = vertex * 4; i < vertex * 4 + 4; i++) if (weights[i] > 0) used++
    perVertex = Math.max(perVertex, used)
  }

  const influences = {
    perVertex,
    joints: new Uint32Array(vertexCount * perVertex),
    weights: new Float64Array(vertexCount * perVertex),
  }
  let highestJoint = -1
  let weightless = 0
  let unbalanced = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const first = vertex * perVertex
    let next = first
    let sum = 0
    for (const { joints, weights } of sets) {
      for (let i = vertex * 4; i < vertex * 4 + 4; i++) {
        if (weights[i] === 0) continue
        highestJoint = Math.max(highestJoint, joints[i])
        influences.joints[next] = joints[i]
        influences.weights[next] = weights[i]
        sum += weights[i]
        next++
      }
    }
    if (sum === 0) weightless++
    else if (Math.abs(sum - 1) > ROUNDING) unbalanced++
    for (let i = first; i < next; i++) influences.weights[i] /= sum
  }
  return { influences, highestJoint, brokenWeights, weightless, unbalanced }
}
