import { type BakeOptions, type Encoding, ENCODINGS, type NormalKind, parseErrorLimit, parseLoop } from '../../main/bake/options.ts'
import { gpuBytes, LOOP_SEAM, planFrames, planLayout, planRange, type LayoutPlan, type WantedLayout } from '../../main/bake/plan.ts'
import { boxDiagonal, createBox, uniteBox, type Box } from '../../main/model/box.ts'
import { splitsBytes } from '../../main/targets/target.ts'
import { targetFor } from '../../main/targets/targets.ts'

/** What the window knows of a clip before it is baked. */
export interface KnownClip {
  name: string
  index: number
  /** Seconds, first and last key. */
  start: number
  end: number
  /** Null until the clip was looked at. */
  measured: MeasuredClip | null
  /** Whether the piece that the options choose loops, where a plan has told. */
  pieceLoops?: boolean
}

/** Options of which nothing is left to be found by the bake: what the estimates go by. */
export type AssumedOptions = BakeOptions & { fps: number; encoding: Encoding }

/** What a look at some moments of a clip found, in the units of the model. */
export interface MeasuredClip {
  /** Largest distance between a vertex at the end and at the start. */
  seam: number
  /** Diagonal of the box around both ends. */
  endsDiagonal: number
  /** Around every moment that was looked at. */
  box: Box
  /** The same of the distances from the rest mesh. */
  offsets: Box
}

/** What a bake of some clips would weigh and how exact it would be. Sizes are exact, errors and bytes on disk are estimates. */
export interface Consequences {
  clips: KnownClip[]
  /** Of all clips. */
  frameCount: number
  layout: LayoutPlan
  textures: number
  diskBytes: number
  gpuBytes: number
  /** Largest error at the samples in millimetres; null until every clip was looked at. */
  errorMillimetres: number | null
}

/** What all clips of a bake share. */
export interface BakedModel {
  vertexCount: number
  /** Bytes of the rest mesh as it is written. */
  meshBytes: number
}

/**
 * Bytes on disk that a column takes in one frame, after compression. From bakes of the sample models, whose own figures lie
 * between half and twice as much: how well a texture compresses depends on the movement.
 */
const PACKED: Record<Encoding, Record<'position' | NormalKind, number>> = {
  rgba8: { position: 0.6, none: 0, octahedral: 0.33, packed: 0.33, xyz: 0.5 },
  rgba16: { position: 2.5, none: 0, octahedral: 1, packed: 1, xyz: 1.9 },
  exr16: { position: 2.5, none: 0, octahedral: 1, packed: 1, xyz: 2 },
  exr: { position: 10.9, none: 0, octahedral: 3.6, packed: 3.6, xyz: 6.4 },
}

/**
 * The worst error at the samples as a share of the diagonal of what the texture holds. Each axis is off by at most half a
 * step of its own extent (chooseCoding in main/codecs/texel.ts), and the steps of all three axes together are the diagonal's.
 * Whole floats lose nothing of what was computed in floats.
 */
const WORST_SHARE: Record<Encoding, number> = { rgba8: 1 / 510, rgba16: 1 / 131_070, exr16: 1 / 8192, exr: 0 }

/** Whether a clip loops with these options; null while that depends on a look at the clip. */
export function loops(options: Pick<BakeOptions, 'loop' | 'start' | 'end'>, clip: KnownClip): boolean | null {
  const { mode } = parseLoop(options.loop)
  if (mode !== 'auto') return mode !== 'off'
  if (clip.end <= clip.start) return false
  if (isPiece(options)) return clip.pieceLoops ?? null
  return clip.measured ? clip.measured.seam <= LOOP_SEAM * clip.measured.endsDiagonal : null
}

/** A part of the clip is chosen, whose ends were not looked at. */
function isPiece({ start, end }: Pick<BakeOptions, 'start' | 'end'>): boolean {
  return start !== undefined || end !== undefined
}

/** Most clips loop, and most pieces of one do not: what counts until it is known. */
export function likelyLoops(options: Pick<BakeOptions, 'loop' | 'start' | 'end'>, clip: KnownClip): boolean {
  return loops(options, clip) ?? !isPiece(options)
}

/** Number of frames of a whole clip at the rate of the options, or of its range. */
export function framesOf(options: AssumedOptions, clip: KnownClip): number {
  const { start, end } = planRange(clip, options)
  return planFrames(end - start, likelyLoops(options, clip), options).frameCount
}

/**
 * What the bake of some clips into the same textures would come to. Equal frames that are to be stored once are counted as if none
 * were: which are equal, the bake has to find.
 *
 * @throws Problem as `planRange` and `planLayout` do, where the options do not fit a clip or the textures get too large
 */
export function consequencesOf(model: BakedModel, clips: KnownClip[], options: AssumedOptions): Consequences {
  const wanted = wantedLayout(model, clips, options)
  const layout = planLayout(wanted)
  const frameCount = wanted.frameCount - clips.length * guardsOf(options)
  const packed = PACKED[options.encoding]
  const perColumn = packed.position + packed[options.normals] + (options.tangents ? packed.xyz : 0)
  const textures = options.stack ? 1 : layersOf(options)
  return {
    clips,
    frameCount,
    layout,
    textures,
    diskBytes: Math.round(model.vertexCount * frameCount * perColumn + model.meshBytes),
    gpuBytes: textures * gpuBytes(options.encoding, layout.width, layout.height, splitsBytes(targetFor(options), options.encoding)),
    errorMillimetres: expectedError(clips, options),
  }
}

/** Layers of texels: positions, and normals and tangents where they have texels of their own. */
function layersOf({ normals, tangents }: Pick<BakeOptions, 'normals' | 'tangents'>): number {
  return 1 + Number(normals !== 'none' && normals !== 'packed') + Number(tangents)
}

/** Frames that guard one clip. */
const guardsOf = ({ guardRows }: Pick<BakeOptions, 'guardRows'>) => 2 * guardRows

/**
 * What is to be laid out of some clips in the same textures.
 *
 * @throws Problem where the range of a clip is wrong
 */
export function wantedLayout({ vertexCount }: Pick<BakedModel, 'vertexCount'>, clips: KnownClip[], options: AssumedOptions): WantedLayout {
  const ranges = clips.map((clip) => planRange(clip, options))
  return {
    what: titleOf(clips),
    columnCount: vertexCount,
    frameCount: clips.reduce((sum, clip) => sum + framesOf(options, clip) + guardsOf(options), 0),
    maxSize: largestSide(options),
    duration: ranges.reduce((sum, { start, end }) => sum + end - start, 0),
    orientation: options.orientation,
    stacked: (options.stack ? layersOf(options) : 1) * (splitsBytes(targetFor(options), options.encoding) ? 2 : 1),
    pot: options.pot,
    clipCount: clips.length,
    guard: options.guardRows,
  }
}

/** What begins a sentence about some clips. */
export function titleOf(clips: KnownClip[]): string {
  return clips.length === 1 ? clips[0].name : `The bake of ${clips.length} clips`
}

/** The worst error at the samples that a bake of these clips can bring, in millimetres; null until all of them were looked at. */
export function expectedError(clips: KnownClip[], options: Pick<AssumedOptions, 'encoding' | 'content' | 'scale'>): number | null {
  const share = WORST_SHARE[options.encoding]
  if (share === 0) return 0
  const diagonal = diagonalOf(clips, options.content === 'offset' ? 'offsets' : 'box')
  return diagonal === null ? null : diagonal * options.scale * 1000 * share
}

/** Diagonal of the box around all clips, in the units of the model; null until all of them were looked at. */
function diagonalOf(clips: KnownClip[], kind: 'box' | 'offsets'): number | null {
  const around = createBox()
  for (const { measured } of clips) {
    if (!measured) return null
    uniteBox(around, measured[kind])
  }
  return clips.length === 0 ? null : boxDiagonal(around)
}

/** Samples a second that an automatic rate is estimated with, until the bake has found it. */
const ASSUMED_RATE = 30

/**
 * Puts what is likely in the place of what the bake has to find: an automatic rate, an automatic encoding.
 *
 * @param sets the clips of each bake
 */
export function assume(options: BakeOptions, sets: KnownClip[][]): AssumedOptions {
  const { fps, encoding } = options
  const holds = (tried: Encoding) =>
    sets.every((clips) => (expectedError(clips, { ...options, encoding: tried }) ?? 0) <= (limitMillimetres(clips, options) ?? Infinity))
  return {
    ...options,
    fps: fps === 'auto' ? ASSUMED_RATE : fps,
    encoding: encoding === 'auto' ? (ENCODINGS.find(holds) ?? 'exr') : encoding,
  }
}

/** The error limit of a bake in millimetres, or null where there is none or it is a share of a size that is not known yet. */
export function limitMillimetres(clips: KnownClip[], options: Pick<BakeOptions, 'maxError' | 'scale'>): number | null {
  if (options.maxError === undefined) return null
  const { unit, value } = parseErrorLimit(options.maxError)
  if (unit === 'mm') return value
  const diagonal = diagonalOf(clips, 'box')
  return diagonal === null ? null : (value / 100) * diagonal * options.scale * 1000
}

/** The most pixels a side may have: the option's, or the target's. */
export function largestSide(options: Pick<BakeOptions, 'maxSize' | 'target' | 'profile' | 'axes'>): number {
  return options.maxSize ?? targetFor(options).maxSize
}
