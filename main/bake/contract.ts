import { z } from 'zod'
import { bakeOptions } from './options.ts'
import { sidecar } from './sidecar.ts'

/** Where a bake, a verification or an inspection is. */
export const progress = z.strictObject({
  stage: z.enum(['reading', 'choosing', 'measuring', 'encoding', 'writing', 'verifying', 'publishing']),
  /** Work done and work in all, in vertex-frames over all stages; `total` is 0 while it is not known yet. */
  done: z.number().min(0),
  total: z.number().min(0),
})

/** What a model was read from besides its own file; `sha256` is null where a file could not be had. */
const external = z.array(z.strictObject({ file: z.string(), sha256: z.string().nullable() }))

const writtenFile = z.strictObject({ role: z.string(), file: z.string(), bytes: z.int().min(0) })

/** The textures of a bake before it is made. */
export const plannedTexture = z.strictObject({
  role: z.string(),
  file: z.string(),
  width: z.int(),
  height: z.int(),
  /** Bytes of the texture in memory (uncompressed). */
  bytes: z.int(),
})

/** Something that was left to the program, what it chose, and a sentence that says why. */
const choices = z.array(z.strictObject({ option: z.string(), value: z.string(), why: z.string() }))

/** What `--dry-run` answers. */
export const planResult = z.strictObject({
  name: z.string(),
  folder: z.string(),
  vertexCount: z.int(),
  columnCount: z.int(),
  clips: z.array(
    z.strictObject({
      name: z.string(),
      start: z.number(),
      duration: z.number(),
      frameCount: z.int(),
      fps: z.number(),
      loop: z.boolean(),
      seam: z.number(),
      blend: sidecar.shape.clips.element.shape.blend,
    }),
  ),
  layout: sidecar.shape.layout,
  encoding: bakeOptions.shape.encoding.unwrap(),
  textures: z.array(plannedTexture),
  /** Share of their texels that hold nothing, 0 to 1. */
  waste: z.number(),
  choices,
  meshes: z.array(z.string()),
  external,
  warnings: sidecar.shape.warnings,
})

/** What a finished bake answers. */
export const bakeResult = z.strictObject({
  folder: z.string(),
  /** Path of the sidecar. */
  sidecarFile: z.string(),
  sidecar,
  files: z.array(writtenFile),
  external,
  /** Seconds a stage took. */
  seconds: z.strictObject({
    reading: z.number(),
    measuring: z.number(),
    encoding: z.number(),
    writing: z.number(),
    verifying: z.number(),
    total: z.number(),
  }),
  /** Share of the textures' texels that hold nothing, 0 to 1. */
  waste: z.number(),
  choices,
  /** False when `--max-error` was given and is exceeded. */
  withinLimit: z.boolean(),
})

export const verifyResult = z.strictObject({
  sidecarFile: z.string(),
  /** Files that are not what the sidecar says, or whose guard rows are wrong, each with a sentence. Empty when the set is whole. */
  damaged: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  /** Path of the model that was compared with; null where it was not found. */
  model: z.string().nullable(),
  /** The model is no longer byte for byte the one that was baked. */
  modelChanged: z.boolean(),
  /** The files are as good as the report in the sidecar says; true where nothing was measured. */
  asReported: z.boolean(),
  /** Null where there was no model to compare with. */
  report: sidecar.shape.report.nullable(),
  sidecar,
  withinLimit: z.boolean(),
})

/** What an encoding would take for all clips of the model, each on its own with the default options. */
const inspectedEncoding = z.strictObject({
  encoding: bakeOptions.shape.encoding.unwrap(),
  /** Bytes of the position texture in memory; a normal texture takes as much again. */
  bytes: z.int().nullable(),
  /** Why this clip does not fit, where it does not. */
  problem: z.string().nullable(),
})

export const inspectResult = z.strictObject({
  file: z.string(),
  sha256: z.string(),
  external,
  vertexCount: z.int(),
  triangleCount: z.int(),
  /** Size of the model at rest, in metres; null where it has no vertices. */
  size: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  meshes: z.array(
    z.strictObject({
      index: z.int(),
      name: z.string(),
      node: z.string(),
      material: z.string().nullable(),
      vertexCount: z.int(),
      triangleCount: z.int(),
      movedBy: z.enum(['skin', 'node']),
      influences: z.int(),
      morphTargets: z.int(),
      hasNormals: z.boolean(),
    }),
  ),
  skins: z.array(z.strictObject({ name: z.string(), joints: z.int() })),
  clips: z.array(
    z.strictObject({
      index: z.int(),
      name: z.string(),
      start: z.number(),
      end: z.number(),
      duration: z.number(),
      frameCount: z.int(),
      encodings: z.array(inspectedEncoding),
    }),
  ),
  materials: z.array(z.string()),
  warnings: sidecar.shape.warnings,
})

/** Small pictures of the textures of a bake, one for each file. */
export const pictureResult = z.strictObject({
  sidecarFile: z.string(),
  pictures: z.array(
    z.strictObject({
      file: z.string(),
      /** Roles of the layers in the file. */
      roles: z.array(z.string()),
      /** Size of the texture. */
      width: z.int(),
      height: z.int(),
      /** PNG in base64. */
      png: z.string(),
    }),
  ),
})

export type Progress = z.output<typeof progress>
export type PlanResult = z.output<typeof planResult>
export type BakeResult = z.output<typeof bakeResult>
export type VerifyResult = z.output<typeof verifyResult>
export type InspectResult = z.output<typeof inspectResult>
export type PictureResult = z.output<typeof pictureResult>

/**
 * A long piece of work: yields how far it is, returns what came of it. Stopping the iteration early (`return()`) cleans up
 * after itself, so that whoever iterates can cancel between two steps.
 */
export type Work<Result> = AsyncGenerator<Progress, Result, void>

/**
 * What the rooms above (worker, jobs) call. `bake.ts`, `plan-bake.ts`, `verify.ts`, `inspect.ts` and `picture.ts` implement it:
 *
 *     bake(model: string, options: BakeOptions, events?: BakeEvents): Work<BakeResult>
 *     planBake(model: string, options: BakeOptions): Work<PlanResult>
 *     verify(sidecarFile: string, options: { model?: string; maxError?: string }): Work<VerifyResult>
 *     inspect(model: string): Work<InspectResult>
 *     picture(sidecarFile: string, options: { size: number }): Work<PictureResult>
 */
export interface BakeEvents {
  /** A staging folder was made; whoever kills the worker has to hand it to `recoverStaging`. */
  staged?(folder: string): void
  /** A file of the bake is in its place. */
  exported?(file: { role: string; file: string; bytes: number }): void
}
