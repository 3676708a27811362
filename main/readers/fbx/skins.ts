import type { Influences } from '../../model/animated-model.ts'
import { identity, invertAffine, MATRIX_SIZE, multiply } from '../../model/matrix.ts'
import type { WarningList } from '../warnings.ts'
import type { FbxScene, FbxSkin } from './library.ts'
import type { FbxNodes } from './nodes.ts'
import { fieldOf, numbersOf, type FbxRecords } from './records.ts'

/** A geometry's skin: which node moves which control points. */
export interface FbxBinding {
  name: string
  /** Node of each cluster. */
  joints: number[]
  /** `[cluster][16]`: from the space of the mesh's node to the joint's, at binding. */
  matrices: Float64Array
  /** `[cluster]`: the control points that a cluster moves, and how much. */
  clusters: { points: ArrayLike<number>; weights: ArrayLike<number> }[]
}

/**
 * Reads the skin of each geometry. A vertex goes from the mesh's space to the joint's as the file's own `Transform` says,
 * and from there to the world with the joint; where that is missing, by the joint's and the mesh's places at binding, and
 * where these are missing too, by their places at rest.
 *
 * @param world   `[node][16]` at rest
 * @param program that wrote the file
 */
export function readBindings(
  scene: FbxScene,
  records: FbxRecords,
  nodes: FbxNodes,
  world: Float64Array,
  program: string,
  warnings: WarningList,
): Map<number, FbxBinding> {
  const meshNodes = new Map(nodes.models.map((model, node) => [model.geometry?.id, node]))
  const bindings = new Map<number, FbxBinding>()
  for (const skin of scene.skins) {
    const meshNode = meshNodes.get(skin.geometryId)
    if (meshNode === undefined) continue
    const name = nodes.models[meshNode].name
    if (bindings.has(skin.geometryId)) {
      warnings.add('skin-left-out', 'Left out # skin|skins of meshes that have one already', 1, name)
      continue
    }
    const clusters = listClusters(skin, records, name, warnings).filter(({ modelId }) => nodes.indexOf.has(modelId))
    const matrices = new Float64Array(clusters.length * MATRIX_SIZE)
    const meshBind = skin.meshBindPoseMatrix ?? world.slice(meshNode * MATRIX_SIZE, (meshNode + 1) * MATRIX_SIZE)
    const joints = clusters.map(({ modelId }) => nodes.indexOf.get(modelId)!)
    clusters.forEach(({ transform, transformLink }, i) => {
      if (transform) {
        matrices.set(transform, i * MATRIX_SIZE)
        return
      }
      warnings.add('bind-matrix-missing', 'Bound # joint|joints at their place at rest for want of a bind matrix', 1, name)
      const link = transformLink ?? world.slice(joints[i] * MATRIX_SIZE, (joints[i] + 1) * MATRIX_SIZE)
      const inverse = identity()
      invertAffine(inverse, 0, link, 0)
      multiply(matrices, i * MATRIX_SIZE, inverse, 0, meshBind, 0)
    })
    warnOfModes(skin, records, name, warnings)
    if (program === 'Maya') warnOfLostWeights(clusters, name, warnings)
    bindings.set(skin.geometryId, { name, joints, matrices, clusters })
  }
  return bindings
}

interface Cluster {
  modelId: number
  transform: Float64Array | null
  transformLink: Float64Array | null
  points: ArrayLike<number>
  weights: ArrayLike<number>
}

/**
 * The clusters as the file has them. The interpreter keeps the eight heaviest of a point, and one cluster a bone, so it is
 * only asked about files before version 7.
 */
function listClusters(skin: FbxSkin, records: FbxRecords, name: string, warnings: WarningList): Cluster[] {
  const listed = records.children(skin.id, 'Deformer').flatMap(({ id, record }): Cluster[] => {
    const modelId = records.children(id, 'Model')[0]?.id
    if (modelId === undefined) {
      warnings.add('cluster-without-bone', 'Left out # cluster|clusters of skins that no bone moves', 1, name)
      return []
    }
    return [
      {
        modelId,
        transform: matrixOf(numbersOf(record, 'Transform')),
        transformLink: matrixOf(numbersOf(record, 'TransformLink')),
        points: numbersOf(record, 'Indexes'),
        weights: numbersOf(record, 'Weights'),
      },
    ]
  })
  if (listed.length > 0) return listed

  const full = skin.boneIndices.filter((bones) => bones.length === INTERPRETED_INFLUENCES).length
  warnings.add('influences-cut', 'Kept the 8 heaviest influences of # vertex|vertices, which may have more', full, name)
  return skin.bones.flatMap((bone, index): Cluster[] => {
    if (!bone.isCluster) return []
    const points: number[] = []
    const weights: number[] = []
    skin.boneIndices.forEach((bones, point) => {
      const at = bones.indexOf(index)
      if (at < 0) return
      points.push(point)
      weights.push(skin.boneWeights[point][at])
    })
    return [{ modelId: bone.modelId, transform: bone.bindPoseMatrix, transformLink: bone.transformLinkMatrix, points, weights }]
  })
}

const INTERPRETED_INFLUENCES = 8

/** Null for what is no matrix, or one with numbers that are not finite. */
function matrixOf(numbers: ArrayLike<number>): Float64Array | null {
  const matrix = Float64Array.from(numbers)
  return matrix.length === MATRIX_SIZE && matrix.every(Number.isFinite) ? matrix : null
}

function warnOfModes(skin: FbxSkin, records: FbxRecords, name: string, warnings: WarningList): void {
  const record = records.object(skin.id)
  const type = record && fieldOf(record, 'SkinningType')
  const isPartly = type === 'Blend' && Array.from(numbersOf(record!, 'BlendWeights')).some((weight) => weight > 0)
  if (type === 'DualQuaternion' || isPartly) {
    warnings.add('dual-quaternions', 'Skinned # mesh|meshes linearly that the file skins with dual quaternions', 1, name)
  }
  const odd = skin.bones.filter(({ clusterMode }) => clusterMode === 'Additive')
  warnings.add('clusters-additive', 'Took # additive cluster|clusters for normalised ones', odd.length, name)
}

/** What a point may lack before it can move by more than the hundred-thousandth of a model that readers are held to. */
const LEAST_LOST = 1e-5

/** Maya leaves weights below a thousandth out of its files, and nothing tells which joints they belong to. */
function warnOfLostWeights(clusters: Cluster[], name: string, warnings: WarningList): void {
  const sums = new Map<number, number>()
  for (const { points, weights } of clusters) {
    for (let i = 0; i < points.length; i++) sums.set(points[i], (sums.get(points[i]) ?? 0) + weights[i])
  }
  const lacking = [...sums.values()].filter((sum) => sum > 0 && sum < 1 - LEAST_LOST).length
  warnings.add('weights-lost', 'Scaled the weights of # point|points to sum up to 1, of which Maya left the smallest out of the file', lacking, name)
}

/**
 * The influences of each vertex, by the control point that it lies at, divided by their sum in double precision.
 *
 * @param points `[vertex]`: control points
 */
export function readInfluences({ clusters, name }: FbxBinding, points: Uint32Array, warnings: WarningList): Influences {
  const pointCount = points.reduce((most, point) => Math.max(most, point + 1), 0)
  const ofPoint: { joint: number; weight: number }[][] = Array.from({ length: pointCount }, () => [])
  let broken = 0
  clusters.forEach(({ points: moved, weights }, joint) => {
    for (let i = 0; i < moved.length; i++) {
      const weight = weights[i]
      const point = ofPoint[moved[i]]
      if (!point || weight === 0) continue
      if (weight > 0 && weight < Infinity) point.push({ joint, weight })
      else broken++
    }
  })
  warnings.add('weights-repaired', 'Set # skin weight|weights to 0 for being negative or not finite', broken, name)

  const perVertex = ofPoint.reduce((most, point) => Math.max(most, point.length), 1)
  const influences = {
    perVertex,
    joints: new Uint32Array(points.length * perVertex),
    weights: new Float64Array(points.length * perVertex),
  }
  let weightless = 0
  points.forEach((point, vertex) => {
    const sum = ofPoint[point].reduce((total, { weight }) => total + weight, 0)
    if (sum === 0) weightless++
    ofPoint[point].forEach(({ joint, weight }, i) => {
      influences.joints[vertex * perVertex + i] = joint
      influences.weights[vertex * perVertex + i] = weight / sum
    })
  })
  warnings.add('weights-zero', 'Let # vertex|vertices without skin weights follow the node of the mesh', weightless, name)
  return influences
}
