import type { AnimatedModel, Clip, Pose } from '../model/animated-model.ts'
import { Problem } from '../model/problem.ts'
import { sampleTimes, type ClipPlan, type ClipRange, type RootMotion } from './plan.ts'
import { translationOf, wayBetween } from './sample.ts'
import { spaceMatrix, type SignedAxis } from '../targets/target.ts'
import type { Subject } from './subject.ts'

/** Moments of a clip at which nodes are looked at. */
const LOOKS = 32
/** A node that goes less far than this share of the whole way travels with something else, or only sways. */
const STILL = 1e-6

/**
 * The node whose way is to be taken out of a clip: the one of that name, or the topmost one that moves what is baked along the
 * axes. Of several, the one on which most hangs.
 *
 * @param meshes indices of the baked meshes
 * @returns null where nothing travels, or not the named one
 * @throws Problem where there is no node of that name
 */
export function findRoot(
  model: AnimatedModel,
  meshes: number[],
  clip: Clip,
  range: ClipRange,
  pose: Pose,
  { axes, name, file }: { axes: string; name: string | undefined; file: string },
): RootMotion | null {
  const named = name === undefined ? -1 : model.nodes.findIndex((node) => node.name === name)
  if (name !== undefined && named < 0) {
    throw new Problem('usage', `${file} has no node "${name}". Name the node whose way is to be taken out with --root-node.`)
  }
  const load = named < 0 ? countLoad(model, meshes) : model.nodes.map((_, node) => (node === named ? 1 : 0))
  const farthest = new Float64Array(model.nodes.length)
  model.pose(clip, range.start, pose)
  const from = model.nodes.map((_, node) => translationOf(pose, node))
  for (let look = 1; look <= LOOKS; look++) {
    model.pose(clip, range.start + ((range.end - range.start) * look) / LOOKS, pose)
    for (let node = 0; node < farthest.length; node++) {
      if (load[node] > 0) farthest[node] = Math.max(farthest[node], Math.hypot(...wayBetween(from[node], translationOf(pose, node), axes)))
    }
  }
  const least = STILL * Math.max(...farthest)
  const travels = (node: number) => node >= 0 && farthest[node] > least
  const roots = model.nodes.flatMap(({ parent }, node) => (travels(node) && !travels(parent) ? [node] : []))
  if (roots.length === 0) return null
  const node = roots.reduce((best, root) => (load[root] > load[best] ? root : best))
  return { node, name: model.nodes[node].name, axes }
}

/** How many baked meshes and joints hang on each node, `[node]`. */
function countLoad(model: AnimatedModel, meshes: number[]): number[] {
  const load = model.nodes.map(() => 0)
  const add = (node: number) => {
    for (let at = node; at >= 0; at = model.nodes[at].parent) load[at]++
  }
  for (const { skin, node } of meshes.map((index) => model.meshes[index])) {
    if (skin < 0) add(node)
    else model.skins[skin].joints.forEach(add)
  }
  return load
}

/** The way that is taken out of a clip, in the space of the bake. */
export interface Way {
  /** From the start of the clip to its end. */
  travel: [number, number, number]
  /** At each frame, from the start. */
  path: [number, number, number][]
  /** Seconds of each frame from the start. */
  seconds: number[]
}

/** What a way is measured in. */
type WaySpace = Pick<Subject, 'model' | 'pose'> & { target: { axesFromGltf: readonly SignedAxis[] }; scale: number }

/** @param clip one with root motion, of a plan or of a sidecar */
export function measureWay({ model, pose, target, scale }: WaySpace, clip: Omit<ClipPlan, 'seam' | 'fps'>): Way {
  const { node, axes } = clip.rootMotion!
  const space = spaceMatrix(target.axesFromGltf, scale)
  const placeAt = (time: number) => {
    model.pose(model.clips[clip.index], time, pose)
    return translationOf(pose, node)
  }
  const from = placeAt(clip.start)
  const wayTo = (time: number) => {
    const [x, y, z] = wayBetween(from, placeAt(time), axes)
    // Adding 0 turns the -0 of a mirrored axis into 0.
    return [0, 1, 2].map((axis) => space[axis] * x + space[4 + axis] * y + space[8 + axis] * z + 0) as Way['travel']
  }
  const times = sampleTimes(clip)
  return { travel: wayTo(clip.start + clip.duration), path: times.map(wayTo), seconds: times.map((time) => time - clip.start) }
}

/** How many vertices are not moved by a node: what a player does with its way moves them all the same. */
export function countLeftBehind(model: AnimatedModel, meshes: number[], node: number): number {
  const hangs = model.nodes.map((_, at) => at === node)
  const isBelow = (at: number): boolean => at >= 0 && (hangs[at] ||= isBelow(model.nodes[at].parent))
  let count = 0
  for (const { node: at, skin, influences, vertexCount } of meshes.map((index) => model.meshes[index])) {
    if (!influences) {
      if (!isBelow(at)) count += vertexCount
      continue
    }
    const { joints, weights, perVertex } = influences
    const isFree = model.skins[skin].joints.map((joint) => !isBelow(joint))
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      let share = 0
      for (let i = vertex * perVertex; i < (vertex + 1) * perVertex; i++) if (isFree[joints[i]]) share += weights[i]
      if (share > 1e-3) count++
    }
  }
  return count
}
