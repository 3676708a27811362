import { createRequire } from 'node:module'
import type { AnimatedModel } from '../../main/model/animated-model.ts'
import { createPose } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { identity, MATRIX_SIZE } from '../../main/model/matrix.ts'
import { median } from './median.ts'
import { BONES, createTube } from './tube.ts'

const VERTICES = 50_000
const FRAMES = 5

/**
 * The same tube as a mesh of Babylon's, in the arrays that its glTF loader would fill (not interleaved, bones as bytes), with
 * a skeleton whose bones have no bind transform, so that their poses are the skinning matrices.
 */
function createBabylonTube(model: AnimatedModel) {
  const BABYLON = createRequire(import.meta.url)('babylonjs') as typeof import('babylonjs')
  BABYLON.Logger.LogLevels = BABYLON.Logger.ErrorLogLevel
  const engine = new BABYLON.NullEngine()
  const scene = new BABYLON.Scene(engine)
  const { positions, normals, indices, influences } = model.meshes[0]
  const mesh = new BABYLON.Mesh('tube', scene)
  mesh.setVerticesData('position', positions)
  mesh.setVerticesData('normal', normals!)
  mesh.setIndices(indices)
  const bones = Uint8Array.from(influences!.joints)
  mesh.setVerticesBuffer(new BABYLON.VertexBuffer(engine, bones, 'matricesIndices', { size: 4, type: BABYLON.VertexBuffer.UNSIGNED_BYTE }))
  mesh.setVerticesData('matricesWeights', Float32Array.from(influences!.weights))
  const skeleton = new BABYLON.Skeleton('bones', 'bones', scene)
  for (let bone = 0; bone < BONES; bone++) new BABYLON.Bone(`${bone}`, skeleton, null, BABYLON.Matrix.Identity())
  mesh.skeleton = skeleton
  return {
    pose(palette: Float64Array): void {
      skeleton.bones.forEach((bone, index) => {
        bone.getLocalMatrix().copyFrom(BABYLON.Matrix.FromArray(palette, index * MATRIX_SIZE))
        bone.markAsDirty()
      })
      skeleton.prepare(true)
    },
    positions: () => mesh.getPositionData(true, true) as Float32Array,
    normals: () => mesh.getNormalsData(true, true) as Float32Array,
    dispose: () => engine.dispose(),
  }
}

/**
 * Positions and normals of 50 000 vertices × 60 bones × 4 influences, ours against Babylon's on a NullEngine; posing is not
 * counted on either side. Rounds of both take turns, so that a processor that changes its pace slows both.
 *
 * @returns median milliseconds of processor time a frame, and how many times as long Babylon takes
 * @throws Error where the two do not agree on the positions, so that like is compared with like
 */
export async function measureSampling(rounds = 15): Promise<{ label: string; ours: number; babylon: number; ratio: number }> {
  const model = createTube(VERTICES)
  const evaluator = createEvaluator(model, [0], identity())
  const frame = evaluator.createFrame({ normals: true, tangents: false })
  const poses = Array.from({ length: FRAMES }, (_, index) => {
    const pose = createPose(model)
    model.pose(null, index / 30, pose)
    return pose
  })
  const tube = createBabylonTube(model)
  const ours: number[] = []
  const babylon: number[] = []
  let difference = 0
  for (let round = 0; round < rounds; round++) {
    ours.push(millisecondsOf(() => poses.forEach((pose) => evaluator.evaluate(pose, frame))))
    let spent = 0
    for (const pose of poses) {
      tube.pose(pose.palettes[0])
      spent += millisecondsOf(() => [tube.positions(), tube.normals()])
      evaluator.evaluate(pose, frame)
      difference = Math.max(difference, largestDifference(tube.positions(), frame.positions))
    }
    babylon.push(spent)
  }
  tube.dispose()
  if (!(difference < 1e-5)) throw new Error(`Babylon's positions differ from ours by ${difference} m on a tube of 1 m.`)
  const label = `positions + normals, ${VERTICES} vertices × ${BONES} bones, ms a frame`
  return { label, ours: median(ours) / FRAMES, babylon: median(babylon) / FRAMES, ratio: median(babylon) / median(ours) }
}

/**
 * What a vertex of a frame costs when a frame has 1, 4 and 16 times the vertices, in nanoseconds: level when nothing grows
 * faster than the work. Each is timed over as many frames as make up the same work.
 */
export function measureGrowth(rounds = 15): { label: string; vertices: number; nanoseconds: number }[] {
  const sizes = [1, 4, 16].map((work) => {
    const model = createTube((VERTICES / 4) * work)
    const evaluator = createEvaluator(model, [0], identity())
    const pose = createPose(model)
    model.pose(null, 1, pose)
    return { work, evaluator, pose, frame: evaluator.createFrame({ normals: true, tangents: false }), times: [] as number[] }
  })
  for (let round = 0; round < rounds; round++) {
    for (const { work, evaluator, pose, frame, times } of sizes) {
      times.push(millisecondsOf(() => Array.from({ length: 16 / work }, () => evaluator.evaluate(pose, frame))))
    }
  }
  return sizes.map(({ work, evaluator: { vertexCount }, times }) => ({
    label: `${work}× the work (${vertexCount} vertices), ns a vertex and frame`,
    vertices: vertexCount,
    nanoseconds: (median(times) * 1e6) / vertexCount / (16 / work),
  }))
}

/** Processor time, which leaves out what a busy machine does meanwhile. */
function millisecondsOf(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, number, index) => Math.max(largest, Math.abs(number - b[index])), 0)
}
