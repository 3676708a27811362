import type { Document } from '@gltf-transform/core'
import type { AnimatedModel } from '../model/animated-model.ts'

/** A model as a reader hands it on. */
export interface LoadedModel {
  /** The path that was read. */
  file: string
  /** SHA-256 of that file, lower-case hexadecimal. */
  sha256: string
  model: AnimatedModel
  /**
   * How the model looks: a glTF document whose material i is `model.materials[i]`, with all its textures and extensions.
   * Only its materials, and what hangs on them, may be relied on.
   */
  appearance: Document
}

/** Reads a model; `readers/read-model.ts` implements it and chooses the reader by the file's content and name. */
export type ReadModel = (file: string) => Promise<LoadedModel>
