import type { AnimatedModel, Clip } from '../../model/animated-model.ts'
import { MATRIX_SIZE, multiply } from '../../model/matrix.ts'
import { writeFrameWeights } from '../frames.ts'
import { frameAt, type VertexCache } from '../vertex-cache/vertex-cache.ts'
import type { WarningList } from '../warnings.ts'
import { spreadPercent, type FbxBlend } from './blend-shapes.ts'
import type { FbxCurveNode, FbxFile, FbxStack, RestTransform } from './library.ts'
import { NodeWorld, type FbxNodes } from './nodes.ts'
import type { FbxBinding } from './skins.ts'
import { localTransform } from './transforms.ts'

/** What a take moves. */
export interface FbxMotion {
  clip: Clip
  stack: FbxStack
  /** Curves by the node that they move. */
  nodes: Map<number, FbxCurveNode[]>
  /** Curves by the blend channel that they move, made up as the X of a translation. */
  channels: Map<number, FbxCurveNode[]>
}

/** Reads all takes, one clip each, with the start and end that the file declares, else with those of their keys. */
export function readMotions(stacks: FbxStack[], { models, indexOf }: FbxNodes, warnings: WarningList): FbxMotion[] {
  return stacks.map((stack, index) => {
    const clip = { name: stack.name, index, start: stack.startTime, end: stack.stopTime }
    const motion: FbxMotion = { clip, stack, nodes: new Map(), channels: new Map() }
    for (const curveNode of stack.curveNodes) {
      const node = indexOf.get(curveNode.targetModelId)
      const layered = curveNode.layerIndex > 0 && curveNode.type === 'R'
      if (layered && node !== undefined && models[node].rotationOrder > 0) {
        const what = 'Blended # layer|layers of rotations whose order is not XYZ, which can be slightly off'
        warnings.add('layers-of-rotations', what, 1, models[node].name)
      }
      if (curveNode.type === 'DeformPercent') append(motion.channels, curveNode.targetModelId, asTranslation(curveNode))
      else if (node !== undefined) append(motion.nodes, node, curveNode)
    }
    for (const { targetId, propertyName, curveCount } of stack.unsupportedCurveNodes) {
      const node = targetId === null ? undefined : indexOf.get(targetId)
      if (node === undefined || !models[node].geometry || propertyName !== 'Visibility') continue
      warnings.add('visibility-ignored', 'Ignored the animated visibility of # mesh|meshes', Math.min(curveCount, 1), models[node].name)
    }
    return motion
  })
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  if (!lists.has(key)) lists.set(key, [])
  lists.get(key)!.push(value)
}

/** The library blends layers of transforms in public only; a weight blends like one number of a translation. */
function asTranslation(curveNode: FbxCurveNode): FbxCurveNode {
  return { ...curveNode, type: 'T', curves: curveNode.curves.map((curve) => ({ ...curve, channel: 'd|X' })) }
}

/**
 * Makes the `pose` of a model out of the file's own curves, between their keys as well.
 *
 * @param root     `[16]`: from the file's space and unit to the model's
 * @param bindings `[skin]`
 * @param morphs   `[morph set]`
 */
export function createPoser(
  { library }: FbxFile,
  nodes: FbxNodes,
  root: Float64Array,
  bindings: FbxBinding[],
  morphs: (FbxBlend | VertexCache)[],
  motions: FbxMotion[],
): AnimatedModel['pose'] {
  const world = new NodeWorld(nodes)
  const atRest = [...world.locals]
  // Maya blends layers of rotations as if their order were XYZ, whichever it is.
  const unordered = nodes.models.map((model): RestTransform => ({ ...model, rotationOrder: 0 }))

  return (clip, time, out) => {
    const motion = clip && motions[clip.index]
    const within = motion ? Math.min(Math.max(time, motion.clip.start), motion.clip.end) : 0
    atRest.forEach((local, node) => (world.locals[node] = local))
    if (motion) library._activeLayers = motion.stack.layers
    for (const [node, curves] of motion?.nodes ?? []) {
      const { translation, rotation, scale } = library._sampleModelTRS(unordered[node], curves, within)
      world.locals[node] = localTransform(nodes.models[node], translation, rotation, scale)
    }
    world.update()

    const matrices = out.worldMatrices
    for (let at = 0; at < matrices.length; at += MATRIX_SIZE) multiply(matrices, at, root, 0, world.matrices, at)
    bindings.forEach(({ joints, matrices: bind }, skin) => {
      joints.forEach((node, joint) => {
        multiply(out.palettes[skin], joint * MATRIX_SIZE, matrices, node * MATRIX_SIZE, bind, joint * MATRIX_SIZE)
      })
    })
    morphs.forEach((morph, set) => {
      // All targets are frames, and the mesh itself is none of them.
      if ('frames' in morph) {
        if (motion) writeFrameWeights(1 + frameAt(morph.times, within), out.morphWeights[set])
        else out.morphWeights[set].fill(0)
        return
      }
      for (const { id, percent, target, whole } of morph.channels) {
        const curves = motion?.channels.get(id)
        const rest: RestTransform = { translation: [percent, 0, 0], rotation: [0, 0, 0], scale: [1, 1, 1], rotationOrder: 0 }
        const sampled = curves ? library._sampleModelTRS(rest, curves, within).translation[0] : percent
        spreadPercent(sampled, whole, out.morphWeights[set], target)
      }
    })
  }
}
