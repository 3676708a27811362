import { z } from 'zod'

/** How an option is written on the command line; everything else about it (type, default, sentence) is in the schema. */
export interface Flag {
  /** Long flag without the dashes, e.g. `max-size`. */
  long: string
  short?: string
  /** Name of the value in the help; none for a switch. */
  value?: string
  /** What the flag means when it stands without a value (`--normals` alone). */
  alone?: string
  /** May be given several times; every value is kept. */
  repeat?: boolean
  /** What counts where the flag is not given, for options without a default value. */
  absent?: string
}

/** Command-line spelling of the fields of {@link BakeOptions}. */
export const flags = z.registry<Flag>()

export const ENCODINGS = ['rgba8', 'rgba16', 'exr16', 'exr'] as const
export const TARGETS = ['agnostic', 'unity', 'unreal', 'godot'] as const

/** A length in millimetres (`0.5mm`) or a share of the model's diagonal (`0.1%`). */
const ERROR_LIMIT = /^(\d+(?:\.\d*)?|\.\d+)\s*(mm|%)$/

/**
 * Every option of a bake: the one definition that command-line flags, job requests, project files and panels come from.
 * A field's description is its line of help.
 */
export const bakeOptions = z.strictObject({
  anim: z
    .array(z.string().min(1))
    .default([])
    .describe('clip to bake, by name or as #index')
    .register(flags, { long: 'anim', value: 'clip', repeat: true, absent: 'the only clip' }),
  fps: z
    .number()
    .positive()
    .max(10_000)
    .default(30)
    .describe('samples a second, adjusted to last exactly as long as the clip')
    .register(flags, { long: 'fps', value: 'rate' }),
  start: z
    .number()
    .optional()
    .describe("second to begin at, on the clip's own time line")
    .register(flags, { long: 'start', value: 'seconds', absent: 'start of the clip' }),
  end: z
    .number()
    .optional()
    .describe("second to end at, on the clip's own time line")
    .register(flags, { long: 'end', value: 'seconds', absent: 'end of the clip' }),
  frameRange: z
    .string()
    .regex(/^-?\d+:-?\d+$/, 'must be two frame numbers such as 0:24')
    .optional()
    .describe("first and last frame of --fps on the clip's time line")
    .register(flags, { long: 'frame-range', value: 'first:last', absent: 'the whole clip' }),
  frames: z
    .int()
    .min(1)
    .optional()
    .describe('number of frames, whatever --fps says')
    .register(flags, { long: 'frames', value: 'count', absent: 'as many as --fps gives' }),
  loop: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe('whether the clip repeats; auto: where its end meets its start')
    .register(flags, { long: 'loop', value: 'mode' }),
  encoding: z
    .enum(ENCODINGS)
    .default('exr16')
    .describe('PNG of 8 or 16 bits, EXR of halves or floats (lossless)')
    .register(flags, { long: 'encoding', value: 'encoding' }),
  content: z
    .enum(['position', 'offset'])
    .default('position')
    .describe('what positions are stored as; offsets are from the rest mesh')
    .register(flags, { long: 'content', value: 'content' }),
  normals: z
    .enum(['none', 'xyz', 'octahedral'])
    .default('none')
    .describe('normals in a texture of their own; alone it means xyz')
    .register(flags, { long: 'normals', value: 'kind', alone: 'xyz' }),
  mesh: z
    .array(z.string().min(1))
    .default([])
    .describe('bake only the mesh or node of this name; repeatable')
    .register(flags, { long: 'mesh', value: 'name', repeat: true, absent: 'every mesh of the scene' }),
  target: z
    .enum(TARGETS)
    .default('agnostic')
    .describe('engine the bake is for')
    .register(flags, { long: 'target', value: 'engine' }),
  meshFormat: z
    .enum(['glb', 'gltf'])
    .default('glb')
    .describe('file format of the rest mesh')
    .register(flags, { long: 'mesh-format', value: 'format' }),
  name: z
    .string()
    .min(1)
    .optional()
    .describe('base name of the files')
    .register(flags, { long: 'name', value: 'name', absent: 'name of the clip' }),
  scale: z
    .number()
    .positive()
    .default(1)
    .describe('factor on all lengths')
    .register(flags, { long: 'scale', value: 'factor' }),
  maxSize: z
    .int()
    .min(16)
    .max(16_384)
    .optional()
    .describe('largest width and height of a texture')
    .register(flags, { long: 'max-size', value: 'pixels', absent: '8192 for any engine' }),
  maxError: z
    .string()
    .regex(ERROR_LIMIT, 'must be a length or a share such as 0.5mm or 0.1%')
    .optional()
    .describe('largest error at the samples, as 0.5mm or 0.1%; above it the exit status is 1')
    .register(flags, { long: 'max-error', value: 'limit', absent: 'no limit' }),
  output: z
    .string()
    .min(1)
    .default('out')
    .describe('folder for the files, made where it is missing')
    .register(flags, { long: 'output', short: 'o', value: 'folder' }),
  overwrite: z
    .boolean()
    .default(false)
    .describe('replace files that are no earlier bake of this model')
    .register(flags, { long: 'overwrite', absent: 'refuse to' }),
})

/** Options with every default filled in. */
export type BakeOptions = z.output<typeof bakeOptions>
/** Options as a caller writes them. */
export type BakeOptionsInput = z.input<typeof bakeOptions>

export type Encoding = BakeOptions['encoding']
export type Target = BakeOptions['target']
export type NormalKind = BakeOptions['normals']

export type ErrorLimit = { unit: 'mm' | '%'; value: number }

/** Takes `0.5mm` or `0.1%` apart. The text must have passed the schema. */
export function parseErrorLimit(text: string): ErrorLimit {
  const match = ERROR_LIMIT.exec(text)
  if (!match) throw new TypeError(`not an error limit: ${text}`)
  return { unit: match[2] as 'mm' | '%', value: Number(match[1]) }
}
