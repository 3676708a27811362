import type { BakeOptions } from '../../main/bake/options.ts'
import { LARGEST_SIZE, planLayout, planRange } from '../../main/bake/plan.ts'
import { Problem } from '../../main/model/problem.ts'
import { type TargetChoice, targetFor } from '../../main/targets/targets.ts'
import { formatCount, formatCounted, formatMillimetres, formatNumber, formatSeconds } from '../words/format.ts'
import { wordLabel } from '../words/labels.ts'
import { type AssumedOptions, expectedError, type KnownClip, largestSide, limitMillimetres, titleOf, wantedLayout } from './consequences.ts'

/** A way out of a problem: the change of the options that mends it. */
export interface Fix {
  label: string
  change: Partial<BakeOptions>
  /** Each clip is to be a bake of its own. */
  separately?: boolean
  /** What it costs or brings, beside the button. */
  note?: string
}

/** Something that is wrong with the options, beside the field that causes it. */
export interface BakeProblem {
  field: keyof BakeOptions
  /** A bad one keeps the bake from being made; of a warning one is only told. */
  severity: 'bad' | 'warn'
  headline: string
  text: string
  fixes: Fix[]
}

/**
 * What is wrong with the options for the clips that are to be baked, each problem once.
 *
 * @param sets the clips of each bake
 */
export function findProblems(model: { vertexCount: number }, sets: KnownClip[][], options: AssumedOptions): BakeProblem[] {
  // That is told with the options that cannot stand together.
  if (!fitsTarget(options)) return []
  const problems: BakeProblem[] = []
  for (const clips of sets) {
    const ranges = clips.flatMap((clip) => rangeProblem(clip, options) ?? [])
    problems.push(...ranges)
    if (ranges.length > 0) continue
    const size = sizeProblem(model, clips, options)
    if (size && !problems.some(({ headline }) => headline === size.headline)) problems.push(size)
  }
  const limit = limitProblem(sets, options)
  if (limit) problems.push(limit)
  return problems
}

/** Whether the target can have the space that is asked for. */
export function fitsTarget(options: TargetChoice): boolean {
  try {
    targetFor(options)
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return false
  }
}

function rangeProblem(clip: KnownClip, options: AssumedOptions): BakeProblem | null {
  try {
    planRange(clip, options)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { start = clip.start, end = clip.end } = options
    const backwards = end < start
    return {
      field: 'start',
      severity: 'bad',
      headline: backwards ? 'The range ends before it begins' : `The range lies outside of ${clip.name}`,
      text: `${clip.name} runs from ${formatSeconds(clip.start, 3)} to ${formatSeconds(clip.end, 3)}.`,
      fixes: [{ label: 'Use the whole clip', change: { start: undefined, end: undefined, frameRange: undefined } }],
    }
  }
}

function sizeProblem(model: { vertexCount: number }, clips: KnownClip[], options: AssumedOptions): BakeProblem | null {
  const maxSize = largestSide(options)
  const fits = (changed: AssumedOptions, some = clips) => {
    try {
      planLayout(wantedLayout(model, some, changed))
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }
  if (model.vertexCount === 0 || fits(options)) return null
  const { frameCount } = wantedLayout(model, clips, options)
  const rowsPerFrame = Math.ceil(model.vertexCount / maxSize)
  const fixes: Fix[] = []
  const rate = options.frames === undefined ? largestRate(options, fits) : null
  if (rate !== null) fixes.push({ label: `Use ${formatNumber(rate)} fps`, change: { fps: rate } })
  const larger = [4096, 8192, LARGEST_SIZE].find((size) => size > maxSize && fits({ ...options, maxSize: size }))
  if (clips.length > 1 && clips.every((clip) => fits(options, [clip]))) fixes.push({ label: 'Bake each clip by itself', change: {}, separately: true })
  if (larger) fixes.push({ label: `Allow ${formatCount(larger)} px`, change: { maxSize: larger } })
  return {
    field: 'maxSize',
    severity: 'bad',
    headline: `${titleOf(clips)} is too tall for ${options.maxSize === undefined ? wordLabel('target', options.target) : formatCount(maxSize)}`,
    text:
      `${formatCount(rowsPerFrame * frameCount)} px are needed and ${formatCount(maxSize)} px allowed: ` +
      `${formatCounted(frameCount, 'frame')} of ${formatCounted(rowsPerFrame, 'row')} each.` +
      (fixes.length === 0 ? ' Leave out meshes or clips, or bake a shorter range.' : ''),
    fixes,
  }
}

/** The highest whole rate below the chosen one that fits, or null where none from 1 on does. */
function largestRate(options: AssumedOptions, fits: (changed: AssumedOptions) => boolean): number | null {
  let low = 0
  let high = Math.ceil(options.fps)
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (fits({ ...options, fps: middle })) low = middle
    else high = middle
  }
  return low >= 1 ? low : null
}

/** The expected error is above the limit, so the bake would fail. It may still come out better, so it is only a warning. */
function limitProblem(sets: KnownClip[][], options: AssumedOptions): BakeProblem | null {
  const over = sets.find((clips) => {
    const limit = limitMillimetres(clips, options)
    const expected = expectedError(clips, options)
    return limit !== null && expected !== null && expected > limit
  })
  if (!over) return null
  const limit = limitMillimetres(over, options)!
  const better = (['exr16', 'rgba16', 'exr'] as const).find((encoding) => (expectedError(over, { ...options, encoding }) ?? Infinity) <= limit)
  const where = over.length === 1 ? ` in ${over[0].name}` : ''
  return {
    field: 'encoding',
    severity: 'warn',
    headline: `${wordLabel('encoding', options.encoding)} will hardly hold the error limit`,
    text: `About ${formatMillimetres(expectedError(over, options)!)} are to be expected${where}, and ${formatMillimetres(limit)} allowed.`,
    fixes: better ? [{ label: `Use ${wordLabel('encoding', better)}`, change: { encoding: better } }] : [],
  }
}
