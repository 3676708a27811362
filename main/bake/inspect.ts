import { basename } from 'node:path'
import type { AnimatedModel } from '../model/animated-model.ts'
import { createBox, growBox } from '../model/box.ts'
import { limitsOf } from '../model/limits.ts'
import { Problem } from '../model/problem.ts'
import { readModel } from '../readers/read-model.ts'
import { spaceMatrix } from '../targets/target.ts'
import { targetOf } from '../targets/targets.ts'
import type { InspectResult, Work } from './contract.ts'
import { bakeOptions, ENCODINGS } from './options.ts'
import { gpuBytes, LARGEST_SIZE, planLayout } from './plan.ts'
import { draftClip, frameClip, refuseTooManyVertices } from './prepare.ts'
import { createSubject, type Subject } from './subject.ts'

/** The rate that is asked for where nobody says one. */
const FPS = bakeOptions.shape.fps.parse(undefined) as number

/**
 * Tells what a model holds, and what a bake of each clip with the default options would take.
 *
 * @param file path of the model
 * @throws Problem for a model that cannot be read
 */
export async function* inspect(file: string, options: { limit?: string[] } = {}): Work<InspectResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  const { model, sha256, external = [] } = await readModel(file, limitsOf(options.limit))
  const target = targetOf('agnostic')
  refuseTooManyVertices(model, model.meshes.map((_, index) => index), LARGEST_SIZE, basename(file))
  const subject = createSubject(
    model,
    model.meshes.map((_, index) => index),
    spaceMatrix(target.axesFromGltf, target.unitsPerMetre),
  )
  const { evaluator } = subject
  const defaults = bakeOptions.parse({})
  const warnings = [...model.warnings]

  // A clip is evaluated at both of its ends.
  const framesOfClip = 2 * evaluator.vertexCount
  const clips: InspectResult['clips'] = []
  for (const clip of model.clips) {
    yield { stage: 'measuring', done: clips.length * framesOfClip, total: model.clips.length * framesOfClip }
    const draft = draftClip(subject, { clip, options: defaults }, defaults, basename(file), warnings)
    const { frameCount, duration } = frameClip(draft, { fps: FPS })
    clips.push({
      index: clip.index,
      name: clip.name,
      start: clip.start,
      end: clip.end,
      duration,
      frameCount,
      encodings: inspectEncodings({ columnCount: evaluator.vertexCount, frameCount, duration, maxSize: target.maxSize, what: `"${clip.name}"` }),
    })
  }

  return {
    file,
    sha256,
    external,
    vertexCount: evaluator.vertexCount,
    triangleCount: model.meshes.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0),
    size: measureRest(subject),
    meshes: inspectMeshes(model),
    skins: model.skins.map(({ name, joints }) => ({ name, joints: joints.length })),
    clips,
    materials: model.materials,
    warnings,
  }
}

function inspectMeshes(model: AnimatedModel): InspectResult['meshes'] {
  return model.meshes.map((mesh, index) => ({
    index,
    name: mesh.name,
    node: model.nodes[mesh.node].name,
    material: model.materials[mesh.material] ?? null,
    vertexCount: mesh.vertexCount,
    triangleCount: mesh.indices.length / 3,
    movedBy: mesh.skin < 0 ? 'node' : 'skin',
    influences: mesh.influences?.perVertex ?? 0,
    morphTargets: mesh.morphTargets.length,
    hasNormals: mesh.normals !== null,
  }))
}

/** Size of the model at its nodes' rest transforms, in metres; null where it has no vertices. */
function measureRest({ model, evaluator, pose }: Subject): InspectResult['size'] {
  if (evaluator.vertexCount === 0) return null
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  model.pose(null, 0, pose)
  evaluator.evaluate(pose, frame)
  const box = createBox()
  growBox(box, frame.positions)
  return [box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]]
}

/** What the positions of a clip take in each encoding, or why they do not fit. */
function inspectEncodings(wanted: Parameters<typeof planLayout>[0]): InspectResult['clips'][number]['encodings'] {
  const problem = (message: string) => ENCODINGS.map((encoding) => ({ encoding, bytes: null, problem: message }))
  if (wanted.columnCount === 0) return problem('There are no triangles to bake.')
  try {
    const { width, height } = planLayout(wanted)
    return ENCODINGS.map((encoding) => ({ encoding, bytes: gpuBytes(encoding, width, height), problem: null }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return problem(error.message)
  }
}
