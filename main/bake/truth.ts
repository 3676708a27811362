import type { LoadedModel } from '../readers/loaded-model.ts'
import { spaceMatrix } from '../targets/target.ts'
import type { Unreported } from './sidecar.ts'
import { createSubject, type Subject } from './subject.ts'
import { withTangents } from './tangent-space.ts'

/** What a bake is compared with: the model it was made of, evaluated afresh. */
export interface Truth extends Subject {
  /** The model is byte for byte the one that was baked, so that the rest mesh must be its own. */
  isSameModel: boolean
}

/** The truth of a bake, or null where the model has other meshes, vertices or clips than the one that was baked. */
export function truthOf({ model: read, sha256 }: LoadedModel, { source, space, clips, textures, vertexCount }: Unreported): Truth | null {
  const has = (items: unknown[], index: number) => index < items.length
  const isComplete =
    source.meshes.every((index) => has(read.meshes, index)) &&
    clips.every(({ index, rootMotion }) => has(read.clips, index) && (!rootMotion || has(read.nodes, rootMotion.node)))
  if (!isComplete) return null
  const hasTangents = textures.some(({ role }) => role === 'tangent')
  const model = hasTangents ? withTangents(read, source.meshes, []) : read
  const subject = createSubject(model, source.meshes, spaceMatrix(space.axesFromGltf, space.scale))
  if (subject.evaluator.vertexCount !== vertexCount) return null
  return { ...subject, isSameModel: sha256 === source.sha256 }
}
