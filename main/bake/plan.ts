import { Problem } from '../model/problem.ts'
import type { BakeOptions, Encoding } from './options.ts'

/** The part of a clip that is baked, and how: everything that follows from the options alone. */
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
}

/** How the columns of a frame, and the frames, lie in a texture. */
export interface LayoutPlan {
  columnCount: number
  /** W: texels a row. */
  columnsPerRow: number
  /** R: rows a frame. */
  rowsPerFrame: number
  /** Frames of all clips. */
  frameCount: number
  width: number
  height: number
}

/** What is to be laid out. */
export interface WantedLayout {
  /** Begins the sentence where it does not fit. */
  what: string
  columnCount: number
  frameCount: number
  /** Largest width and height in pixels. */
  maxSize: number
  /** Seconds of all frames. */
  duration: number
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
  options: Pick<BakeOptions, 'start' | 'end' | 'frameRange' | 'fps'>,
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
  options: Pick<BakeOptions, 'fps' | 'frames'>,
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
 * frame stay unused.
 *
 * @throws Problem `limit` where it does not fit, with the numbers and with what would fit
 */
export function planLayout(wanted: WantedLayout): LayoutPlan {
  const { columnCount, frameCount, maxSize } = wanted
  const rowsPerFrame = Math.ceil(columnCount / maxSize)
  const columnsPerRow = Math.ceil(columnCount / rowsPerFrame)
  const height = rowsPerFrame * frameCount
  if (height > maxSize) {
    throw new Problem(
      'limit',
      `${wanted.what} does not fit: ${count(columnCount)} vertices in ${count(frameCount)} frames need ` +
        `${count(columnsPerRow)} × ${count(height)} pixels, and a side may have ${count(maxSize)}. ${whatWouldFit(wanted)}`,
    )
  }
  return { columnCount, columnsPerRow, rowsPerFrame, frameCount, width: columnsPerRow, height }
}

function whatWouldFit(wanted: WantedLayout): string {
  const { columnCount, frameCount, maxSize, duration } = wanted
  const ways: string[] = []
  const frames = Math.floor(maxSize / Math.ceil(columnCount / maxSize))
  if (frames >= 1) {
    // One frame less than fits, since a clip that does not loop gets one more than its length times the rate.
    const rate = duration > 0 ? Math.floor((Math.max(frames - 1, 0) / duration) * 100) / 100 : 0
    ways.push(`--frames ${frames}${rate > 0 ? ` or --fps ${rate}` : ''}`)
  }
  const size = smallestSize(columnCount, frameCount)
  if (size <= LARGEST_SIZE) ways.push(`--max-size ${size}`)
  return ways.length > 0
    ? `It fits with ${ways.join(', or with ')}.`
    : `It does not fit even as a single frame; bake fewer meshes (--mesh) or reduce the model below ${count(maxSize * maxSize)} vertices.`
}

/** The smallest side in which the frames fit; it may be more than any option allows. */
function smallestSize(columnCount: number, frameCount: number): number {
  let low = 16
  let high = Math.max(16, columnCount, frameCount)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (Math.ceil(columnCount / middle) * frameCount <= middle) high = middle
    else low = middle + 1
  }
  return low
}

/** Bytes of a texture on the GPU. Three channels count as four, since GPUs store them so. */
export function gpuBytes(encoding: Encoding, width: number, height: number): number {
  const bytesPerChannel = { rgba8: 1, rgba16: 2, exr16: 2, exr: 4 }[encoding]
  return width * height * 4 * bytesPerChannel
}

/**
 * The index UV of the columns: centre of the texel (x, r) in a block of W × R texels. It does not depend on the number of
 * frames, so that another clip does not change the mesh.
 *
 * @returns `[column][uv]`
 */
export function indexUVs(layout: Pick<LayoutPlan, 'columnCount' | 'columnsPerRow' | 'rowsPerFrame'>): Float32Array {
  const { columnCount, columnsPerRow, rowsPerFrame } = layout
  const uvs = new Float32Array(columnCount * 2)
  for (let column = 0; column < columnCount; column++) {
    uvs[column * 2] = ((column % columnsPerRow) + 0.5) / columnsPerRow
    uvs[column * 2 + 1] = (Math.floor(column / columnsPerRow) + 0.5) / rowsPerFrame
  }
  return uvs
}
