import { z } from 'zod'
import { LIMIT_NAMES, LIMIT_PATTERN } from '../model/limits.ts'

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
  /** Several values may stand in one, with commas between them. */
  list?: boolean
  /** What counts where the flag is not given, for options without a default value. */
  absent?: string
}

/** Command-line spelling of the fields of {@link BakeOptions}. */
export const flags = z.registry<Flag>()

export const ENCODINGS = ['rgba8', 'rgba16', 'exr16', 'exr'] as const
/** Players and code that may go with a bake. */
export const PLAYERS = ['three', 'babylon', 'glsl', 'hlsl', 'wgsl'] as const
export const TARGETS = ['agnostic', 'unity', 'unreal', 'godot'] as const

/** How a clip is to repeat: `blend:0.2s` bends its last part towards its start. */
const LOOP_MODES = ['auto', 'on', 'off'] as const
/** Each axis once. */
const AXES = /^(?=.*x)(?=.*y)(?=.*z)[+-][xyz],[+-][xyz],[+-][xyz]$/
const BLEND = /^blend:(\d+(?:\.\d*)?|\.\d+)s$/

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
    .describe('clip to bake, by name or as #index, perhaps with settings of its own: "Run:loop,fps=60"; repeatable')
    .register(flags, { long: 'anim', value: 'clip', repeat: true, absent: 'the only clip' }),
  all: z
    .boolean()
    .default(false)
    .describe('bake every clip of the model into the same textures')
    .register(flags, { long: 'all', absent: 'only the clips of --anim' }),
  fps: z
    .union([z.number().positive().max(10_000), z.literal('auto')])
    .default(30)
    .describe('samples a second, adjusted to last exactly as long as the clip; auto: the fewest that hold --max-error, also between samples')
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
    .union([z.enum(LOOP_MODES), z.string().regex(BLEND, 'must be auto, on, off or a time such as blend:0.2s')])
    .default('auto')
    .describe('whether the clip repeats: auto (where its end meets its start), on, off, or blend:0.2s (its end is bent to its start)')
    .register(flags, { long: 'loop', value: 'mode' }),
  rootMotion: z
    .enum(['keep', 'strip', 'extract'])
    .default('keep')
    .describe('what becomes of the way that the model goes; extract: taken out, into the sidecar and a CSV file')
    .register(flags, { long: 'root-motion', value: 'mode' }),
  rootAxes: z
    .string()
    .regex(/^(?=.)x?y?z?$/, 'must be some of the axes xyz, in that order, such as xz')
    .default('xz')
    .describe("axes of glTF's space along which it is taken out")
    .register(flags, { long: 'root-axes', value: 'axes' }),
  rootNode: z
    .string()
    .min(1)
    .optional()
    .describe('node whose way it is')
    .register(flags, { long: 'root-node', value: 'name', absent: 'the topmost node that travels' }),
  encoding: z
    .enum([...ENCODINGS, 'auto'])
    .default('exr16')
    .describe('PNG of 8 or 16 bits, EXR of halves or floats (lossless); auto: the smallest that holds --max-error')
    .register(flags, { long: 'encoding', value: 'encoding' }),
  content: z
    .enum(['position', 'offset'])
    .default('position')
    .describe('what positions are stored as; offsets are from the rest mesh')
    .register(flags, { long: 'content', value: 'content' }),
  normals: z
    .enum(['none', 'xyz', 'octahedral', 'packed'])
    .default('none')
    .describe("normals; packed: in the positions' alpha channel (rgba16 and exr only); alone it means xyz")
    .register(flags, { long: 'normals', value: 'kind', alone: 'xyz' }),
  tangents: z
    .boolean()
    .default(false)
    .describe('tangents too, handedness in alpha; made by MikkTSpace where the model has none')
    .register(flags, { long: 'tangents', absent: 'no tangents' }),
  orientation: z
    .enum(['frames-y', 'frames-x'])
    .default('frames-y')
    .describe('way in which the frames follow each other: down, or across the texture')
    .register(flags, { long: 'orientation', value: 'way' }),
  stack: z
    .boolean()
    .default(false)
    .describe('put normals and tangents below the positions in the same texture')
    .register(flags, { long: 'stack', absent: 'a texture each' }),
  columns: z
    .enum(['vertex', 'shared'])
    .default('vertex')
    .describe('a column for each vertex, or one for all vertices that always move alike')
    .register(flags, { long: 'columns', value: 'kind' }),
  rest: z
    .enum(['rest', 'first-frame'])
    .default('rest')
    .describe('pose of the rest mesh: the nodes at rest, or the first frame of the first clip')
    .register(flags, { long: 'rest', value: 'pose' }),
  guardRows: z
    .int()
    .min(0)
    .max(16)
    .default(0)
    .describe('frames that are repeated before and after each clip, so that filtering does not mix clips')
    .register(flags, { long: 'guard-rows', value: 'count' }),
  dedupeFrames: z
    .boolean()
    .default(false)
    .describe('store equal frames once')
    .register(flags, { long: 'dedupe-frames', absent: 'each frame by itself' }),
  pot: z
    .boolean()
    .default(false)
    .describe('make the sides of the textures powers of two')
    .register(flags, { long: 'pot', absent: 'as small as possible' }),
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
  profile: z
    .enum(['desktop', 'mobile'])
    .default('desktop')
    .describe('devices it runs on; mobile: textures of at most 4096 pixels, 16 bits as two bytes, no 32-bit floats')
    .register(flags, { long: 'profile', value: 'devices' }),
  axes: z
    .string()
    .regex(AXES, 'must be three axes of glTF with their signs, such as -x,-z,+y')
    .optional()
    .describe("axes of the bake's space by those of glTF's, for projects with another one than their engine's importer makes")
    .register(flags, { long: 'axes', value: 'x,y,z', absent: 'those of the target' }),
  players: z
    .array(z.enum(PLAYERS))
    .default([])
    .describe('players for the web, and code that decodes the bake, to put beside it, with commas between them')
    .register(flags, { long: 'players', value: 'names', repeat: true, list: true, absent: 'none' }),
  meshFormat: z
    .enum(['auto', 'glb', 'gltf', 'fbx'])
    .default('auto')
    .describe('file format of the rest mesh; auto: what the engine imports best')
    .register(flags, { long: 'mesh-format', value: 'format' }),
  name: z
    .string()
    .min(1)
    .optional()
    .describe('base name of the files')
    .register(flags, { long: 'name', value: 'name', absent: 'name of the clip, or of the model for several' }),
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
    .describe('largest error at the samples (with --fps auto also between them), as 0.5mm or 0.1%; above it the exit status is 1')
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
  limit: z
    .array(z.string().regex(LIMIT_PATTERN, `must be a number for one of ${LIMIT_NAMES.join(', ')}, such as vertices=8000000`))
    .default([])
    .describe('allow more or less of something, such as vertices=8000000; repeatable')
    .register(flags, { long: 'limit', value: 'name=number', repeat: true, absent: 'see resources/docs/limits.md' }),
})

/** Options with every default filled in. */
export type BakeOptions = z.output<typeof bakeOptions>
/** Options as a caller writes them. */
export type BakeOptionsInput = z.input<typeof bakeOptions>

export type Encoding = (typeof ENCODINGS)[number]
export type Target = BakeOptions['target']
export type NormalKind = BakeOptions['normals']

export type ErrorLimit = { unit: 'mm' | '%'; value: number }

/** Takes `0.5mm` or `0.1%` apart. The text must have passed the schema. */
export function parseErrorLimit(text: string): ErrorLimit {
  const match = ERROR_LIMIT.exec(text)
  if (!match) throw new TypeError(`not an error limit: ${text}`)
  return { unit: match[2] as 'mm' | '%', value: Number(match[1]) }
}

/** How a clip is to repeat. */
export type LoopMode = { mode: (typeof LOOP_MODES)[number] } | { mode: 'blend'; seconds: number }

/** Takes an option `loop` apart. The text must have passed the schema. */
export function parseLoop(text: string): LoopMode {
  const match = BLEND.exec(text)
  return match ? { mode: 'blend', seconds: Number(match[1]) } : { mode: text as (typeof LOOP_MODES)[number] }
}
