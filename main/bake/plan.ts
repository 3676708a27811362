import { texelBytes, type TexelType } from '../codecs/texel.ts'
import { Problem } from '../model/problem.ts'
import type { BakeOptions, Encoding } from './options.ts'
import type { SidecarTexture } from './sidecar.ts'

/** How each encoding stores a channel. */
export const TEXEL_TYPES: Record<Encoding, TexelType> = { rgba8: 'unorm8', rgba16: 'unorm16', exr16: 'float16', exr: 'float32' }

/** The part of a clip that is baked, and how: everything that a frame of it follows from. */
export interface ClipPlan {
  /** As in the model. */
  name: string
  /** Index into the model's clips. */
  index: number
  /** Seconds on the clip's time line. */
  start: number
  /** Seconds from `start` to the end of the range. */
  duration: number
  loop: boolean
  /** Largest distance between a vertex at the end and at the start, in units of the bake. */
  seam: number
  frameCount: number
  /** True rate: frame i is at `start + i / fps`. */
  fps: number
  /** Row at which the clip begins in every layer. */
  firstRow: number
  /** Row of each frame, counted like `firstRow`, where equal frames are stored once. */
  frameRows?: number[]
  /** The last part of the clip is bent to its start. */
  blend?: { seconds: number; seamBefore: number }
  /** The way of a node is taken out. */
  rootMotion?: RootMotion
  /** The rate was chosen so that `--max-error` holds between samples, too. */
  holdsBetween?: boolean
}

/** A clip whose range and loop are decided, and whose frames are not. */
export type DraftClip = Omit<ClipPlan, 'frameCount' | 'fps' | 'firstRow'>

/** The way of a node that is taken out of a clip. */
export interface RootMotion {
  /** Index into the model's nodes. */
  node: number
  /** Name of the node. */
  name: string
  /** Axes of glTF's space along which it is taken out, such as `xz`. */
  axes: string
}

/** How the columns of a frame, and the frames, lie in a texture. */
export interface LayoutPlan {
  columnCount: number
  /** W: texels a row. */
  columnsPerRow: number
  /** R: rows a frame. */
  rowsPerFrame: number
  /** Row blocks of a layer: the frames of all clips, with guards and without those that are shared. */
  frameCount: number
  width: number
  height: number
}

/** What is to be laid out. */
export interface WantedLayout {
  /** Begins the sentence where it does not fit. */
  what: string
  columnCount: number
  /** Row blocks of a layer. */
  frameCount: number
  /** Largest width and height in pixels. */
  maxSize: number
  /** Seconds of all frames. */
  duration: number
  orientation?: 'frames-y' | 'frames-x'
  /** Layers one below the other in a texture. */
  stacked?: number
  /** Sides are to be powers of two. */
  pot?: boolean
  /** Clips that share the row blocks. */
  clipCount?: number
  /** Row blocks before each clip and as many behind it that `--frames` does not count. */
  guard?: number
}

/** A frame of a clip, in the place that it takes in a layer. */
export interface RowBlock {
  clip: number
  frame: number
}

/** One role of a bake and where it lies. */
export interface LayerPlan {
  role: 'position' | 'normal' | 'tangent'
  content: SidecarTexture['content']
  channels: SidecarTexture['channels']
  /** Index into the textures. */
  texture: number
  baseRow: number
  baseColumn: number
}

/** A texture file that is to be written. */
export interface TexturePlan {
  /** What it holds, alone or first of several. */
  role: LayerPlan['role'] | 'all'
  /** Ends the name of the file. */
  suffix: 'pos' | 'nrm' | 'tan' | 'vat'
  channels: 3 | 4
}

/** Ends of a clip, in seconds on its own time line. */
export interface ClipRange {
  start: number
  end: number
}

/** A clip whose end is this close to its start, as a share of the diagonal, counts as a loop. */
export const LOOP_SEAM = 0.001

/** The most pixels that any option lets a side have. */
export const LARGEST_SIZE = 16_384

const seconds = (value: number) => `${Number(value.toFixed(4))} s`
const count = (value: number) => value.toLocaleString('en-US')

/**
 * The range of a clip that `--start`, `--end` and `--frame-range` choose; the whole clip where they are not given.
 * A range that reaches past an end by less than a frame is cut there, since people type rounded times.
 *
 * @throws Problem `usage` for a range that is empty or lies outside of the clip
 */
export function planRange(
  clip: { name: string; start: number; end: number },
  options: Pick<BakeOptions, 'start' | 'end' | 'frameRange'> & { fps: number },
): ClipRange {
  let { start, end } = clip
  if (options.frameRange !== undefined) {
    if (options.start !== undefined || options.end !== undefined) {
      throw new Problem('usage', '--frame-range cannot stand together with --start or --end. Give the range one way.')
    }
    const [first, last] = options.frameRange.split(':').map(Number)
    start = first / options.fps
    end = last / options.fps
  } else {
    start = options.start ?? start
    end = options.end ?? end
  }
  const frame = 1 / options.fps
  const outside = start < clip.start - frame || end > clip.end + frame || start > clip.end || end < clip.start
  if (outside || end < start) {
    throw new Problem(
      'usage',
      `The range ${seconds(start)} to ${seconds(end)} ${outside ? 'is not within' : 'ends before it begins in'} the clip ` +
        `"${clip.name}", which runs from ${seconds(clip.start)} to ${seconds(clip.end)} ` +
        `(frames ${Math.ceil(clip.start * options.fps - 1e-9)} to ${Math.floor(clip.end * options.fps + 1e-9)} at ${options.fps} fps). ` +
        'Choose a range inside it.',
    )
  }
  return { start: Math.max(start, clip.start), end: Math.min(end, clip.end) }
}

/**
 * Number of frames and true rate of a range. A loop's last frame comes one step before its end, since the end is its
 * start again; otherwise both ends are frames. The rate is the one at which the frames last exactly as long as the range.
 */
export function planFrames(
  duration: number,
  loop: boolean,
  options: Pick<BakeOptions, 'frames'> & { fps: number },
): { frameCount: number; fps: number } {
  const asked = options.fps
  if (duration === 0 || options.frames === 1) return { frameCount: 1, fps: asked }
  const frameCount =
    options.frames ?? (loop ? Math.max(1, Math.round(duration * asked)) : Math.max(2, Math.round(duration * asked) + 1))
  if (frameCount === 1) return { frameCount, fps: asked }
  return { frameCount, fps: (loop ? frameCount : frameCount - 1) / duration }
}

/** Times of the frames of a clip in seconds on its time line, `[frame]`. */
export function sampleTimes(clip: Pick<ClipPlan, 'start' | 'duration' | 'loop' | 'frameCount'>): number[] {
  const steps = clip.loop ? clip.frameCount : Math.max(1, clip.frameCount - 1)
  return Array.from({ length: clip.frameCount }, (_, i) => clip.start + (i * clip.duration) / steps)
}

/**
 * Lays the frames out with the rule of the format: row = firstRow + frame · R + (column div W), x = column mod W.
 * R is the fewest rows that the limit allows, and W then the narrowest row that holds them, so that fewer than R texels of a
 * frame stay unused. Where sides are to be powers of two, the W of least area is taken, and of several those of fewest rows.
 *
 * @throws Problem `limit` where it does not fit, with the numbers and with what would fit
 */
export function planLayout(wanted: WantedLayout): LayoutPlan {
  const { columnCount, frameCount, maxSize } = wanted
  const layout = layOut(wanted)
  const { width, height } = layout
  if (Math.max(width, height) > maxSize) {
    throw new Problem(
      'limit',
      `${wanted.what} does not fit: ${count(columnCount)} vertices in ${count(frameCount)} frames need ` +
        `${count(width)} × ${count(height)} pixels, and a side may have ${count(maxSize)}. ${whatWouldFit(wanted)}`,
    )
  }
  return layout
}

/** The layout of least area, whether it fits or not. */
function layOut(wanted: WantedLayout): LayoutPlan {
  const { columnCount, frameCount, maxSize, orientation = 'frames-y', stacked = 1, pot = false } = wanted
  const isAcross = orientation === 'frames-x'
  // Layers always lie one below the other: along the frames where those go down, else beside the columns.
  const layersAlong = isAcross ? 1 : stacked
  const layersBeside = isAcross ? stacked : 1
  const side = (length: number) => (pot ? powerOfTwo(length) : length)
  const lay = (columnsPerRow: number) => {
    const rowsPerFrame = Math.ceil(columnCount / columnsPerRow)
    const along = side(rowsPerFrame * frameCount * layersAlong)
    const beside = side(columnsPerRow * layersBeside)
    const [width, height] = isAcross ? [along, beside] : [beside, along]
    return { columnCount, columnsPerRow, rowsPerFrame, frameCount, width, height }
  }
  const longest = pot ? 2 ** Math.floor(Math.log2(maxSize)) : maxSize
  const widest = Math.max(1, Math.floor(longest / layersBeside))
  const narrowest = (rows: number) => Math.ceil(columnCount / rows)
  if (!pot) return lay(narrowest(Math.ceil(columnCount / widest)))

  const layouts: LayoutPlan[] = []
  for (let size = longest; size >= layersBeside; size /= 2) {
    const room = Math.floor(size / layersBeside)
    // A whole row is a whole side, so that the index UV is a texture coordinate; layers side by side share it as they can.
    layouts.push(lay(layersBeside === 1 ? room : Math.min(room, narrowest(Math.ceil(columnCount / room)))))
  }
  const fitting = layouts.filter(({ width, height }) => Math.max(width, height) <= maxSize)
  return (fitting.length > 0 ? fitting : layouts.slice(0, 1)).reduce((best, layout) =>
    layout.width * layout.height < best.width * best.height ? layout : best,
  )
}

function powerOfTwo(length: number): number {
  return 2 ** Math.ceil(Math.log2(length))
}

function whatWouldFit(wanted: WantedLayout): string {
  const { maxSize, duration, clipCount = 1, guard = 0 } = wanted
  const ways: string[] = []
  const blocks = mostFrames(wanted)
  const frames = Math.floor(blocks / clipCount) - 2 * guard
  if (frames >= 1) {
    // One frame a clip less than fits, since a clip that does not loop gets one more than its length times the rate. Of several
    // clips, all may be rounded up.
    const others = clipCount * (1 + 2 * guard) + (clipCount > 1 ? clipCount / 2 : 0)
    const rate = duration > 0 ? Math.floor((Math.max(blocks - others, 0) / duration) * 100) / 100 : 0
    ways.push(`--frames ${frames}${rate > 0 ? ` or --fps ${rate}` : ''}`)
  }
  const size = smallestSize(wanted)
  if (size <= LARGEST_SIZE) ways.push(`--max-size ${size}`)
  if (ways.length > 0) return `It fits with ${ways.join(', or with ')}.`
  return blocks >= 1
    ? 'It does not fit even with a frame of each clip; bake fewer clips at a time (--anim) or fewer meshes (--mesh).'
    : `It does not fit even as a single frame; bake fewer meshes (--mesh) or reduce the model below ${count(maxSize * maxSize)} vertices.`
}

const fits = (wanted: WantedLayout): boolean => {
  const { width, height } = layOut(wanted)
  return Math.max(width, height) <= wanted.maxSize
}

/** The most frames that fit, or 0. */
function mostFrames(wanted: WantedLayout): number {
  return lastThat((frameCount) => fits({ ...wanted, frameCount }), wanted.frameCount)
}

/** The smallest side in which the frames fit; it may be more than any option allows. */
function smallestSize(wanted: WantedLayout): number {
  // Not further: numbers of frames may be so large that the halves between them are no whole numbers.
  const most = LARGEST_SIZE + 1
  return lastThat((maxSize) => !fits({ ...wanted, maxSize: Math.max(maxSize, 1) }), most) + 1
}

/** The largest whole number below `end` for which something holds that holds up to some number; 0 where it never does. */
function lastThat(holds: (value: number) => boolean, end: number): number {
  let low = 0
  let high = end
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * The order of the frames in a layer: those of each clip, with `guard` frames before and after it that continue it, round where
 * it loops and held where it does not.
 *
 * @returns the blocks, and the block at which each clip's own frames begin
 */
export function planBlocks(clips: Pick<ClipPlan, 'frameCount' | 'loop'>[], guard: number): { blocks: RowBlock[]; first: number[] } {
  const blocks: RowBlock[] = []
  const first: number[] = []
  for (const [clip, { frameCount, loop }] of clips.entries()) {
    const round = (frame: number) => ((frame % frameCount) + frameCount) % frameCount
    const held = (frame: number) => Math.min(Math.max(frame, 0), frameCount - 1)
    const frameAt = loop ? round : held
    first.push(blocks.length + guard)
    for (let frame = -guard; frame < frameCount + guard; frame++) blocks.push({ clip, frame: frameAt(frame) })
  }
  return { blocks, first }
}

/** What a bake holds of each vertex and in which textures, whatever the size of the layers. */
export function planLayers(options: Pick<BakeOptions, 'content' | 'normals' | 'tangents' | 'stack'> & { encoding: Encoding }): {
  layers: Omit<LayerPlan, 'baseRow' | 'baseColumn'>[]
  textures: TexturePlan[]
} {
  const { content, normals, tangents, stack } = options
  const layers: Omit<LayerPlan, 'baseRow' | 'baseColumn'>[] = [{ role: 'position', content, channels: 'rgb', texture: 0 }]
  const packed = normals === 'packed'
  if (packed) layers.push({ role: 'normal', content: packedContent(options.encoding), channels: 'a', texture: 0 })
  else if (normals !== 'none') {
    layers.push({ role: 'normal', content: normals, channels: normals === 'octahedral' ? 'rg' : 'rgb', texture: stack ? 0 : 1 })
  }
  if (tangents) layers.push({ role: 'tangent', content: 'xyz', channels: 'rgba', texture: stack ? 0 : layers[layers.length - 1].texture + 1 })

  const textures: TexturePlan[] = []
  for (const { role, channels, texture } of layers) {
    const four = channels === 'a' || channels === 'rgba'
    const suffix = ({ position: 'pos', normal: 'nrm', tangent: 'tan' } as const)[role]
    textures[texture] ??= { role, suffix, channels: 3 }
    if (four) textures[texture].channels = 4
  }
  if (stack && layers.length > (packed ? 2 : 1)) textures[0] = { ...textures[0], role: 'all', suffix: 'vat' }
  return { layers, textures }
}

/** How a normal is packed in one channel: as many bits as it holds exactly. */
function packedContent(encoding: Encoding): 'octahedral8' | 'octahedral12' {
  return encoding === 'exr' ? 'octahedral12' : 'octahedral8'
}

/**
 * Bytes of a texture on the GPU. Three channels count as four, since GPUs store them so.
 *
 * @param bytesApart 16-bit numbers lie in it as bytes, in twice as many pixels
 */
export function gpuBytes(encoding: Encoding, width: number, height: number, bytesApart = false): number {
  const bytesPerChannel = bytesApart ? 1 : texelBytes(TEXEL_TYPES[encoding])
  return width * height * 4 * bytesPerChannel
}

/**
 * The index UV of vertices: centre of the texel (x, r) in a block of W × R texels. It does not depend on the number of frames, so
 * that another clip does not change the mesh.
 *
 * @param columns `[vertex]`: the column of each
 * @returns `[vertex][uv]`
 */
export function indexUVs({ columnsPerRow, rowsPerFrame }: Pick<LayoutPlan, 'columnsPerRow' | 'rowsPerFrame'>, columns: Uint32Array): Float32Array {
  const uvs = new Float32Array(columns.length * 2)
  for (let vertex = 0; vertex < columns.length; vertex++) {
    const column = columns[vertex]
    uvs[vertex * 2] = ((column % columnsPerRow) + 0.5) / columnsPerRow
    uvs[vertex * 2 + 1] = (Math.floor(column / columnsPerRow) + 0.5) / rowsPerFrame
  }
  return uvs
}

/** Share of the texels of a layout's textures that belong to no vertex of a frame, 0 to 1. */
export function wasteOf({ columnCount, frameCount, width, height }: LayoutPlan, stacked: number): number {
  return 1 - (columnCount * frameCount * stacked) / (width * height)
}
