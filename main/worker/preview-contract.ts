import { z } from 'zod'
import type { Sidecar } from '../bake/sidecar.ts'
import type { TexelArray, TexelType } from '../codecs/texel.ts'
import type { AnimatedModel, Mesh, Pose } from '../model/animated-model.ts'
import type { Box } from '../model/box.ts'

/*
 * The preview service: what the editor's viewport is told of models and bakes. It runs in a worker of its own, so that it
 * answers while a bake runs in another one, and is reached directly from the window through a message port.
 *
 * The window never names a path. The main process posts a `PreviewGrant` (a token for a path that a person chose) to the
 * worker, and the window asks for the token. A request whose token has not come yet waits for it a moment, since the two come
 * by different ways.
 *
 * Every request is answered by exactly one reply with its id, in any order. Typed arrays are copied on their way.
 */

/** What the main process posts to the worker itself, with no port, before it hands the token to the window. */
export const previewGrant = z.strictObject({
  type: z.literal('grant'),
  token: z.string().min(1),
  /** Absolute path of a model or of a sidecar. */
  file: z.string().min(1),
})

/** What the main process posts to the worker together with the ports that previews are asked for through. */
export const previewServing = z.strictObject({ type: z.literal('preview') })

const token = z.string().min(1)
const handle = z.string().min(1)

/** What the window can ask. */
export const previewRequest = z.discriminatedUnion('kind', [
  /** Reads a model. Answer: `ModelPreview`. */
  z.strictObject({ kind: z.literal('open'), token }),
  /** The pose at a time of a clip (an index into `clips`), or at rest where the clip is null. Answer: `Pose`. */
  z.strictObject({ kind: z.literal('pose'), model: handle, clip: z.int().min(0).nullable(), time: z.number() }),
  /** Reads a written bake: sidecar, textures and rest mesh. Answer: `OpenedBake`. */
  z.strictObject({ kind: z.literal('openBake'), token }),
  /**
   * Rows of a texture of an opened bake (an index into its `textures`). They come in pieces, because the window stands still
   * while a message is unpacked. Every row can be had once, in order: the service keeps none that was given. Answer: `TexelArray`.
   */
  z.strictObject({ kind: z.literal('texels'), bake: handle, texture: z.int().min(0), firstRow: z.int().min(0), rowCount: z.int().min(1) }),
  /** Compares a clip (an index into the sidecar's `clips`) of a bake with the model. Answer: `ErrorCurve`. */
  z.strictObject({ kind: z.literal('errors'), bake: handle, model: handle, clip: z.int().min(0) }),
  /** Forgets a model or a bake. Answer: null. */
  z.strictObject({ kind: z.literal('close'), handle }),
])

export const previewMessage = z.strictObject({ id: z.int(), request: previewRequest })

/** The envelope of a reply. `result` is one of the answers below, by the kind of the request. */
export const previewReply = z.discriminatedUnion('ok', [
  z.strictObject({ id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.strictObject({
    id: z.int(),
    ok: z.literal(false),
    /** A `ProblemKind`, or `internal` for a defect of ours. */
    kind: z.string(),
    /** Whole sentences for a person. */
    message: z.string(),
  }),
])

/** A mesh without what only its look needs; that is in `restMesh`. */
export type PreviewMesh = Omit<Mesh, 'attributes'>

/** A model as the viewport needs it: everything of an `AnimatedModel` that is data. */
export interface ModelPreview extends Pick<AnimatedModel, 'nodes' | 'skins' | 'morphSets' | 'materials' | 'clips' | 'warnings'> {
  handle: string
  /** Base name of the file. */
  file: string
  /** Of the file, lower-case hexadecimal. */
  sha256: string
  /** Size of the file. */
  bytes: number
  meshes: PreviewMesh[]
  /** The pose with all nodes at rest. */
  restPose: Pose
  /** Box around the model at rest; null where it has no meshes. */
  bounds: Box | null
  /**
   * A GLB of the model at rest, with its materials and textures: primitive i is mesh i, with its vertices in order. Empty
   * where the model has no meshes.
   */
  restMesh: Uint8Array<ArrayBuffer>
}

/** One layer's texture of a bake, decoded from the file that was written. */
export interface BakeTexture {
  /** Index into `BakePreview.textures` of the first layer with the same file; its own index in most bakes. */
  sameAs: number
  width: number
  height: number
  channels: 3 | 4
  type: TexelType
  /** `[row][x][channel]` as stored, row 0 at the top; empty where `sameAs` is another one. */
  texels: TexelArray
}

/** A sub-mesh of a written rest mesh. */
export interface BakeSubmesh {
  name: string
  /** `[vertex][xyz]` in the bake's space. */
  positions: Float32Array
  /** `[vertex][uv]` */
  indexUV: Float32Array
}

/** A bake as the service answers it: without the texels, which are asked for piece by piece. */
export interface OpenedBake extends Omit<BakePreview, 'textures'> {
  textures: Omit<BakeTexture, 'texels'>[]
}

/** A bake with everything that is in it, as the window's client puts it together. */
export interface BakePreview {
  handle: string
  sidecar: Sidecar
  /** One entry per entry of `sidecar.textures`. */
  textures: BakeTexture[]
  /** In the order of the primitives; their vertices, one behind the other, are those of the bake. */
  submeshes: BakeSubmesh[]
  /** The written rest mesh as GLB, also where it was written as .gltf with files beside it. */
  restMesh: Uint8Array<ArrayBuffer>
}

/** Errors of a clip over time, `[point]`: at each sample, and midway between neighbouring ones. */
export interface ErrorCurve {
  /** Frame of the clip; 12.5 stands for midway between 12 and 13. */
  frames: Float64Array
  /** Seconds from the beginning of the clip. */
  times: Float64Array
  /** Largest distance, in millimetres of the bake. */
  maxMillimetres: Float64Array
  rmsMillimetres: Float64Array
  /** Vertex of the rest mesh where the largest distance is. */
  worstVertices: Uint32Array
}

export interface PreviewResults {
  open: ModelPreview
  pose: Pose
  openBake: OpenedBake
  texels: TexelArray
  errors: ErrorCurve
  close: null
}

export type PreviewKind = keyof PreviewResults
export type PreviewRequest = z.output<typeof previewRequest>
export type PreviewMessage = z.output<typeof previewMessage>
export type PreviewReply = z.output<typeof previewReply>
export type PreviewGrant = z.output<typeof previewGrant>
