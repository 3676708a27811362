import type { AnimatedModel, Pose } from '../model/animated-model.ts'
import type { Evaluator, Frame } from '../model/evaluate.ts'
import { MATRIX_SIZE } from '../model/matrix.ts'
import { writeUnit } from '../model/normals.ts'
import type { ClipPlan, RootMotion } from './plan.ts'

/** What of a clip its frames follow from; a sidecar's clips have it, too. */
export type SampledClip = Pick<ClipPlan, 'index' | 'start' | 'duration' | 'blend' | 'rootMotion'>

/**
 * Evaluates vertices at any time of a clip: the one truth that is baked and that a bake is compared with. Takes out the way of a
 * root, and bends the end of a clip to its start, where the clip says so.
 */
export interface Sampler {
  /** @param time seconds on the clip's time line */
  sample(clip: SampledClip, time: number, out: Frame): void
}

/** @param pose from `createPose`, used by every call */
export function createSampler(model: AnimatedModel, evaluator: Evaluator, pose: Pose): Sampler {
  const subtrees = new Map<number, Subtree>()
  /** Where the root of a clip is at its start. */
  const origins = new WeakMap<SampledClip, Vector>()
  /** Ends of the clip that was sampled last. */
  let ends: { clip: SampledClip; first: Frame; last: Frame } | null = null

  function evaluate(clip: SampledClip, time: number, out: Frame): void {
    const { index, start, rootMotion } = clip
    const source = model.clips[index]
    if (rootMotion) {
      const { node } = rootMotion
      if (!subtrees.has(node)) subtrees.set(node, subtreeOf(model, node))
      if (!origins.has(clip)) {
        model.pose(source, start, pose)
        origins.set(clip, translationOf(pose, node))
      }
      model.pose(source, time, pose)
      takeOut(pose, subtrees.get(node)!, wayBetween(origins.get(clip)!, translationOf(pose, node), rootMotion.axes))
    } else {
      model.pose(source, time, pose)
    }
    evaluator.evaluate(pose, out)
  }

  function endsOf(clip: SampledClip, like: Frame): { first: Frame; last: Frame } {
    const has = (values: Float32Array | null | undefined, wanted: Float32Array | null) => values !== null || wanted === null
    const isKnown = ends?.clip === clip && has(ends.first.normals, like.normals) && has(ends.first.tangents, like.tangents)
    if (!isKnown) {
      const wanted = { normals: like.normals !== null, tangents: like.tangents !== null }
      ends = { clip, first: evaluator.createFrame(wanted), last: evaluator.createFrame(wanted) }
      evaluate(clip, clip.start, ends.first)
      evaluate(clip, clip.start + clip.duration, ends.last)
    }
    return ends!
  }

  return {
    sample(clip, time, out) {
      evaluate(clip, time, out)
      const weight = blendWeight(clip, time)
      if (weight > 0) bend(out, endsOf(clip, out), weight)
    },
  }
}

/** How much of the seam is taken away at a time: nothing before the blended part, all of it at the end, smoothly in between. */
export function blendWeight({ start, duration, blend }: Pick<SampledClip, 'start' | 'duration' | 'blend'>, time: number): number {
  if (!blend) return 0
  const into = Math.min((time - (start + duration - blend.seconds)) / blend.seconds, 1)
  return into <= 0 ? 0 : into * into * (3 - 2 * into)
}

/** Adds a share of the difference between the clip's two ends. */
function bend(out: Frame, { first, last }: { first: Frame; last: Frame }, weight: number): void {
  for (let i = 0; i < out.positions.length; i++) out.positions[i] += weight * (first.positions[i] - last.positions[i])
  if (out.normals) bendDirections(out.normals, first.normals!, last.normals!, weight, 3)
  if (out.tangents) bendDirections(out.tangents, first.tangents!, last.tangents!, weight, 4)
}

function bendDirections(out: Float32Array, first: Float32Array, last: Float32Array, weight: number, stride: number): void {
  for (let i = 0; i < out.length; i += stride) {
    writeUnit(
      out[i] + weight * (first[i] - last[i]),
      out[i + 1] + weight * (first[i + 1] - last[i + 1]),
      out[i + 2] + weight * (first[i + 2] - last[i + 2]),
      out,
      i,
    )
  }
}

/** A node with all that hangs on it. */
interface Subtree {
  /** `[node]` */
  nodes: number[]
  /** `[skin]` of the joints that are among them. */
  joints: number[][]
}

function subtreeOf(model: AnimatedModel, root: number): Subtree {
  const isInside = (node: number): boolean => {
    for (let at = node; at >= 0; at = model.nodes[at].parent) if (at === root) return true
    return false
  }
  const inside = model.nodes.map((_, node) => isInside(node))
  return {
    nodes: inside.flatMap((is, node) => (is ? [node] : [])),
    joints: model.skins.map((skin) => skin.joints.flatMap((node, joint) => (inside[node] ? [joint] : []))),
  }
}

type Vector = [number, number, number]

/** Where a node is, in the model's space. */
export function translationOf(pose: Pose, node: number): Vector {
  const at = node * MATRIX_SIZE + 12
  return [pose.worldMatrices[at], pose.worldMatrices[at + 1], pose.worldMatrices[at + 2]]
}

/** From one place to another, along the axes alone. */
export function wayBetween(from: Vector, to: Vector, axes: RootMotion['axes']): Vector {
  return ['x', 'y', 'z'].map((axis, i) => (axes.includes(axis) ? to[i] - from[i] : 0)) as Vector
}

/** Moves a subtree back. Skinning matrices lead to the model's space, so that they are moved as nodes are. */
function takeOut(pose: Pose, { nodes, joints }: Subtree, way: Vector): void {
  const move = (matrices: Float64Array, index: number) => {
    for (let axis = 0; axis < 3; axis++) matrices[index * MATRIX_SIZE + 12 + axis] -= way[axis]
  }
  for (const node of nodes) move(pose.worldMatrices, node)
  joints.forEach((indices, skin) => indices.forEach((joint) => move(pose.palettes[skin], joint)))
}
