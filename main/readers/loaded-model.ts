import type { Document } from '@gltf-transform/core'
import type { AnimatedModel } from '../model/animated-model.ts'

/** A file that a model refers to. */
export interface ExternalFile {
  file: string
  /** SHA-256 of what was read, lower-case hexadecimal; null where the file could not be had, and the model goes without it. */
  sha256: string | null
}

/** A model as a reader hands it on. */
export interface LoadedModel {
  /** The path that was read. */
  file: string
  /** SHA-256 of that file, lower-case hexadecimal. */
  sha256: string
  /** Frames a second that numbered files were read at; left out for models that have times of their own. */
  sequenceRate?: number
  /** Files beside it that it refers to: with them, `sha256` tells whether anything has changed. None where it is left out. */
  external?: ExternalFile[]
  model: AnimatedModel
  /**
   * How the model looks: a glTF document whose material i is `model.materials[i]`, with all its textures and extensions.
   * Only its materials, and what hangs on them, may be relied on.
   */
  appearance: Document
}

/** Reads a model; `readers/read-model.ts` implements it and chooses the reader by the file's content and name. */
export type ReadModel = (file: string) => Promise<LoadedModel>
