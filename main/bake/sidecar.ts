import { z } from 'zod'
import { ENCODINGS, TARGETS } from './options.ts'

const vector3 = z.tuple([z.number(), z.number(), z.number()])
const bounds = z
  .object({ min: vector3, max: vector3 })
  .describe('Axis-aligned box in the space of the bake')
const axesFromGltf = z.array(z.enum(['+x', '-x', '+y', '-y', '+z', '-z'])).length(3)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/).describe('SHA-256 of the whole file, in lower-case hexadecimal')
const fileName = z.string().min(1).describe('File name, in the folder of the sidecar')

/** Errors of one kind, over the samples of all clips or of one. */
const positionError = z.object({
  maxMillimetres: z.number().min(0).describe('Largest distance between a decoded and a true vertex, in millimetres of the bake'),
  rmsMillimetres: z.number().min(0).describe('Root of the mean squared distance, in the same unit'),
  maxPercent: z.number().min(0).describe('Largest distance as a percentage of the diagonal of the bounds over all frames'),
  rmsPercent: z.number().min(0),
  worst: z
    .object({
      clip: z.int().min(0).describe('Index into clips'),
      frame: z.number().min(0).describe('Frame of the clip; 12.5 stands for midway between frames 12 and 13'),
      vertex: z.int().min(0).describe('Vertex of the rest mesh, counted through its sub-meshes'),
    })
    .describe('Where the largest distance was found'),
})
const normalError = z.object({
  maxDegrees: z.number().min(0),
  rmsDegrees: z.number().min(0),
  worst: z.object({ clip: z.int().min(0), frame: z.number().min(0), vertex: z.int().min(0) }),
})

const directions = z.object({
  ...normalError.shape,
  betweenSamples: normalError.describe('Midway between samples: both decoded directions averaged and renormalised'),
  clips: z.array(z.object({ ...normalError.shape, betweenSamples: normalError })),
})

export const report = z.object({
  position: z.object({
    ...positionError.shape,
    betweenSamples: positionError.describe('Midway between neighbouring samples, as a player that interpolates linearly shows it'),
    clips: z
      .array(z.object({ ...positionError.shape, betweenSamples: positionError }))
      .describe('The same figures for each clip'),
  }),
  normal: directions.optional(),
  tangent: directions.optional().describe('Handedness is no part of it: a wrong one is an error of 180 degrees'),
})

/**
 * The sidecar, version 1: the one definition of what is written, and of the JSON Schema that others validate with. Unknown
 * members are passed over, so that a later version 1 may have more of them.
 */
export const sidecar = z
  .object({
    format: z.literal('vat-studio'),
    version: z.literal(1),
    generator: z.string().describe('Program and version that wrote the files'),
    name: z.string().min(1).describe('Base name of the files'),
    target: z.enum(TARGETS),
    encoding: z.enum(ENCODINGS),
    frameCount: z.int().min(1).describe('Frames of all clips'),
    vertexCount: z.int().min(1).describe('Vertices of the rest mesh, all sub-meshes'),
    columnCount: z.int().min(1).describe('Texture addresses; vertices may share one'),
    fps: z.number().positive().describe('True rate of the first clip'),
    bounds: bounds.describe('Box around every vertex in every frame'),
    source: z.object({
      file: z.string().min(1).describe('File name of the model'),
      sha256,
      sequenceRate: z.number().positive().optional().describe('Frames a second that numbered files were taken as, where the model is one of them'),
      meshes: z.array(z.int().min(0)).describe("The model's meshes that were baked, in the reader's numbering, in the order of their vertices"),
    }),
    space: z.object({
      handedness: z.enum(['right', 'left']),
      up: z.enum(['+X', '-X', '+Y', '-Y', '+Z', '-Z']),
      unit: z.enum(['metre', 'centimetre']),
      uvOrigin: z.enum(['top-left', 'bottom-left']),
      axesFromGltf: axesFromGltf.describe("Where each axis of the bake's space comes from: component i is this component of the model in glTF's space"),
      scale: z.number().positive().describe('Factor from the units of the model to those of the bake'),
    }),
    layout: z.object({
      columnsPerRow: z.int().min(1).describe('W: texels of a row that carry columns'),
      rowsPerFrame: z.int().min(1).describe('R: rows that one frame takes, ceil(columnCount / W)'),
      orientation: z.enum(['frames-y', 'frames-x']).describe('frames-x: x and y trade places'),
      guardRows: z.int().min(0).describe('Rows before and after the frames of each clip that repeat frames next to them'),
    }),
    textures: z
      .array(
        z.object({
          role: z.string().describe('`position`, `normal` or `tangent`; layers of other roles are to be skipped'),
          file: fileName,
          sha256,
          width: z.int().min(1),
          height: z.int().min(1),
          baseRow: z.int().min(0).describe('Row of the texture where this layer begins'),
          baseColumn: z.int().min(0).default(0).describe('Pixel of its rows where this layer begins'),
          channels: z.string().regex(/^[rgba]+$/).describe('Channels that carry the values, in order'),
          type: z.enum(['unorm8', 'unorm16', 'float16', 'float32', 'unorm8x2']).describe('unorm8x2: 16 bits, the low bytes in the lower half of the image'),
          content: z.string().describe('`position`, `offset`, `xyz`, `octahedral`, `octahedral8` or `octahedral12`'),
          scale: z.array(z.number()).min(1).max(4).describe('Per channel: value = texel * scale + offset'),
          offset: z.array(z.number()).min(1).max(4),
        }),
      )
      .min(1),
    clips: z
      .array(
        z.object({
          name: z.string().describe('As in the model; need not be unique, may be empty'),
          index: z.int().min(0).describe("Position in the model's list of clips"),
          start: z.number().describe('Seconds on the time line of the clip; sample i is at start + i / fps'),
          firstRow: z.int().min(0),
          frameCount: z.int().min(1),
          fps: z.number().positive().describe('True rate'),
          duration: z.number().min(0).describe('Seconds'),
          loop: z.boolean().describe('After the last frame comes the first one again'),
          seam: z.number().min(0).describe("Largest distance between a vertex at the clip's end and at its start, in units of the bake"),
          bounds,
          frameRows: z
            .array(z.int().min(0))
            .optional()
            .describe('Row of each frame, counted like firstRow and instead of it, where equal frames are stored once'),
          blend: z
            .object({
              seconds: z.number().positive().describe('Length of the last part of the clip that is bent to its start'),
              seamBefore: z.number().min(0).describe('What the seam was before'),
            })
            .optional(),
          rootMotion: z
            .object({
              node: z.int().min(0).describe("Index into the reader's nodes"),
              name: z.string(),
              axes: z.string().regex(/^(?=.)x?y?z?$/).describe("Axes of glTF's space along which the way of the node is taken out"),
              travel: vector3.describe('From the start of the clip to its end, in the space of the bake'),
              path: z.array(vector3).optional().describe('At each frame, from where it is at the start, in the space of the bake'),
              file: fileName.optional().describe('The same path as a table of comma-separated values'),
              sha256: sha256.optional(),
            })
            .optional()
            .describe('A way that is taken out of the vertices, for the engine to move the whole model along'),
        }),
      )
      .min(1),
    rest: z.enum(['rest', 'first-frame']).default('rest').describe('Pose of the rest mesh: the nodes at rest, or the first frame of the first clip'),
    parts: z.array(z.object({ mode: z.literal('vertex'), meshes: z.array(z.int().min(0)).describe('Indices into meshes') })).min(1),
    meshes: z
      .array(
        z.object({
          file: fileName,
          sha256,
          resources: z
            .array(z.object({ file: fileName, sha256 }))
            .describe('Buffers and images that the mesh file refers to'),
          space: z
            .object({ axesFromGltf, scale: z.number().positive() })
            .optional()
            .describe("Space of the file, told like the bake's; none where it is the bake's. Importers of the target turn it into that"),
          lod: z.int().min(0),
          indexUV: z.string().regex(/^TEXCOORD_\d+$/).describe('UV channel that addresses the textures'),
          submeshes: z.array(
            z.object({
              name: z.string(),
              material: z.string().nullable(),
              vertexCount: z.int().min(1),
            }),
          ),
        }),
      )
      .min(1),
    package: z
      .array(
        z.object({
          file: fileName,
          sha256: sha256.optional().describe('None where the engine rewrites the file'),
        }),
      )
      .optional()
      .describe('Further files, for one engine or player, that no other needs'),
    report,
    warnings: z.array(z.object({ code: z.string(), message: z.string(), count: z.int().min(0) })),
  })
  .meta({ title: 'VAT Studio sidecar, version 1' })

export type Sidecar = z.output<typeof sidecar>
/** A sidecar before its report is known. */
export type Unreported = Omit<Sidecar, 'report'>
export type Report = z.output<typeof report>
export type SidecarTexture = Sidecar['textures'][number]
export type SidecarClip = Sidecar['clips'][number]
