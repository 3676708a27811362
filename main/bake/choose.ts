import { chooseCoding, createTexelArray, decodeTexels, encodeTexels, type TexelType } from '../codecs/texel.ts'
import { boxDiagonal, createBox, growBox, uniteBox, type Box } from '../model/box.ts'
import type { Frame } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import { MILLIMETRES } from '../targets/target.ts'
import { targetFor } from '../targets/targets.ts'
import { clipTitle } from './clips.ts'
import { PACKING } from './combination.ts'
import type { Work } from './contract.ts'
import { largestDistance } from './frame-errors.ts'
import { ENCODINGS, parseErrorLimit, type BakeOptions, type Encoding } from './options.ts'
import { sampleTimes, TEXEL_TYPES, type ClipPlan, type DraftClip } from './plan.ts'
import type { Subject } from './subject.ts'

/** Something that was left to the program. */
export interface Choice {
  option: 'fps' | 'encoding' | 'dedupe-frames'
  /** Empty where there was nothing to choose from. */
  value: string
  /** A sentence that says why. */
  why: string
}

/** The highest rate that is tried. Above it, a clip is better baked whole or with another limit. */
const HIGHEST_RATE = 240

/** From smallest to largest; of two of a size the more exact one first. */
const BY_SIZE: Encoding[] = [...ENCODINGS]

/** A clip whose rate is given, or is to be found. */
export interface WantedRate {
  clip: DraftClip
  fps: number | 'auto'
  /** The frames of the clip at a rate. */
  plan(fps: number): ClipPlan
}

/** What is known of a clip while the rates of a bake are looked for. */
interface Search {
  planned: ClipPlan
  boxes: Boxes
  /** The rate that was tried last. */
  fps: number
  /** Seconds at which it was too far off. */
  lookAt: number
}

/**
 * The frames of all clips, with the lowest whole rate where it is to be found: the one at which the clip, played back, stays within
 * `--max-error` at its samples and between them.
 *
 * Every rate is tried from the lowest on, since the error does not fall steadily: at the rate of the clip's own keys it can be far
 * smaller than at many a higher one. A rate is given up at its first frame that is clearly too far off, and the next one is looked
 * at there first, so that nearly all of them cost three evaluations. What is left is judged as the bake will be: by the boxes around
 * the samples of all clips, which a share of the size and the steps of an encoding depend on.
 *
 * @throws Problem `limit` where even the highest rate does not hold it
 */
export async function* chooseRates(
  subject: Subject,
  wanted: WantedRate[],
  rest: Frame,
  options: BakeOptions,
  choices: Choice[],
): Work<ClipPlan[]> {
  const open = [...wanted.keys()].filter((index) => wanted[index].fps === 'auto' && wanted[index].clip.duration > 0)
  const planAt = ({ fps, plan }: WantedRate) => plan(fps === 'auto' ? 1 : fps)
  if (open.length === 0) return wanted.map(planAt)

  const limit = options.maxError!
  const millimetres = MILLIMETRES[targetFor(options).unit]
  const encoding = options.encoding === 'auto' ? (options.profile === 'mobile' ? 'rgba16' : 'exr') : options.encoding
  const searches: Search[] = []
  for (const one of wanted) {
    const isOpen = open.includes(searches.length)
    const planned = planAt(one)
    const boxes = yield* measureBoxes(subject, planned, isOpen ? looksAt(one.clip) : sampleTimes(planned), options.content, rest)
    searches.push({ planned, boxes, fps: 0, lookAt: one.clip.start })
  }
  const isClearlyTooFar = clearlyTooFar(limit, encoding, unite(searches), millimetres)

  const refuse = (index: number): never => {
    throw new Problem(
      'limit',
      `"${clipTitle(wanted[index].clip)}" does not stay within ${limit} between samples at any rate up to ${HIGHEST_RATE} fps in ${encoding}. ` +
        'Allow more with --max-error, or use a more exact --encoding.',
    )
  }
  // Where the encoding alone is off by far too much, no rate mends it, and none need be tried.
  const roughly = createRoundTrip(subject, encoding, options.content, rest, unite(searches).values)
  const isTooFar = tooFar(limit, unite(searches), millimetres)
  for (const index of open) {
    const isHopeless = yield* isOff(subject, wanted[index].clip, looksAt(wanted[index].clip), roughly, (distance) => isTooFar(distance / 2))
    if (isHopeless) refuse(index)
  }

  /** Goes on to the next rate that is not clearly too low. */
  const raise = async function* (index: number): Work<void> {
    const search = searches[index]
    while (search.fps < HIGHEST_RATE) {
      search.planned = { ...wanted[index].plan(++search.fps), holdsBetween: true }
      const bad = yield* findTooFar(subject, search.planned, keep, isClearlyTooFar, search.lookAt)
      if (bad === null) {
        search.boxes = yield* measureBoxes(subject, search.planned, sampleTimes(search.planned), options.content, rest)
        return
      }
      search.lookAt = bad
    }
    refuse(index)
  }
  for (const index of open) yield* raise(index)

  // A rate that is raised changes the boxes of all: from the first clip again, until nothing changes any more.
  for (let at = 0; at < open.length; ) {
    const boxes = unite(searches)
    const { planned, lookAt } = searches[open[at]]
    const decode = createRoundTrip(subject, encoding, options.content, rest, boxes.values)
    if ((yield* findTooFar(subject, planned, decode, tooFar(limit, boxes, millimetres), lookAt)) === null) at++
    else {
      yield* raise(open[at])
      at = 0
    }
  }
  for (const index of open) {
    const { fps } = searches[index]
    const below = fps === 1 ? 'No rate is lower' : `At ${fps - 1} fps it does not`
    choices.push({ option: 'fps', value: String(fps), why: `"${clipTitle(wanted[index].clip)}" stays within ${limit}, between samples too. ${below}.` })
  }
  return searches.map(({ planned }) => planned)
}

/** Encodes and decodes a frame as the textures will. */
type RoundTrip = (frame: Frame, out: Float64Array) => void

const keep: RoundTrip = ({ positions }, out) => out.set(positions)

function createRoundTrip({ evaluator }: Subject, encoding: Encoding, content: BakeOptions['content'], rest: Frame, { min, max }: Box): RoundTrip {
  if (encoding === 'exr' && content === 'position') return keep
  const count = evaluator.vertexCount
  const coding = chooseCoding(TEXEL_TYPES[encoding], min, max)
  const values = new Float32Array(count * 3)
  const texels = createTexelArray(TEXEL_TYPES[encoding], count * 3)
  const places = { texels: Uint32Array.from({ length: count }, (_, i) => i), shift: 0, stride: 3, channels: [0, 1, 2] }
  return ({ positions }, out) => {
    values.set(positions)
    if (content === 'offset') for (let i = 0; i < values.length; i++) values[i] -= rest.positions[i]
    encodeTexels(coding, values, count, texels, 0)
    decodeTexels(coding, texels, places, out)
    if (content === 'offset') for (let i = 0; i < out.length; i++) out[i] += rest.positions[i]
  }
}

/** Whether an encoding takes a vertex too far away at one of several times. */
async function* isOff(
  { sampler, evaluator }: Subject,
  clip: DraftClip,
  times: number[],
  decode: RoundTrip,
  isTooFar: (distance: number) => boolean,
): Work<boolean> {
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  const decoded = new Float64Array(frame.positions.length)
  for (const time of times) {
    sampler.sample(clip, time, frame)
    decode(frame, decoded)
    if (isTooFar(largestDistance(decoded, decoded, frame.positions))) return true
    yield { stage: 'choosing', done: 0, total: 0 }
  }
  return false
}

/**
 * Seconds of the first interval found where a player would be too far off; null where there is none.
 *
 * @param lookAt seconds of the interval that is looked at first
 */
async function* findTooFar(
  { sampler, evaluator }: Subject,
  clip: ClipPlan,
  decode: RoundTrip,
  isTooFar: (distance: number) => boolean,
  lookAt: number,
): Work<number | null> {
  const times = sampleTimes(clip)
  const step = times.length > 1 ? times[1] - times[0] : clip.duration
  const intervals = clip.loop || times.length === 1 ? times.length : times.length - 1
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  let current = new Float64Array(frame.positions.length)
  let next = new Float64Array(frame.positions.length)
  const sample = (index: number, out: Float64Array) => {
    sampler.sample(clip, times[index % times.length], frame)
    decode(frame, out)
    return largestDistance(out, out, frame.positions)
  }
  const begin = step > 0 ? Math.min(Math.floor((lookAt - clip.start) / step), intervals - 1) : 0
  let known = -1
  for (let i = 0; i < intervals; i++) {
    const index = (begin + i) % intervals
    if (known !== index && isTooFar(sample(index, current))) return times[index]
    if (isTooFar(sample(index + 1, next))) return times[index]
    if (clip.holdsBetween) {
      sampler.sample(clip, times[index] + step / 2, frame)
      if (isTooFar(largestDistance(current, next, frame.positions))) return times[index]
    }
    ;[current, next] = [next, current]
    known = index + 1
    yield { stage: 'choosing', done: 0, total: 0 }
  }
  return null
}

/**
 * The encoding that takes least and holds `--max-error` at the samples, and between them where the rate was chosen for that.
 */
export async function* chooseEncoding(
  subject: Subject,
  clips: ClipPlan[],
  rest: Frame,
  options: BakeOptions,
  choices: Choice[],
): Work<Encoding> {
  const limit = options.maxError!
  const millimetres = MILLIMETRES[targetFor(options).unit]
  const ofClips: { boxes: Boxes }[] = []
  for (const clip of clips) ofClips.push({ boxes: yield* measureBoxes(subject, clip, sampleTimes(clip), options.content, rest) })
  const boxes = unite(ofClips)
  const possible = BY_SIZE.filter(
    (encoding) => (options.normals !== 'packed' || PACKING.includes(encoding)) && !(options.profile === 'mobile' && encoding === 'exr'),
  )
  const refused: Encoding[] = []
  for (const encoding of possible) {
    const decode = createRoundTrip(subject, encoding, options.content, rest, boxes.values)
    let holds = true
    for (const clip of clips) holds &&= (yield* findTooFar(subject, clip, decode, tooFar(limit, boxes, millimetres), clip.start)) === null
    // Nothing is more exact than the last one, which is taken even where it does not hold the limit: the report says so.
    if (!holds && encoding !== possible.at(-1)) {
      refused.push(encoding)
      continue
    }
    const others = refused.length > 0 ? `${refused.join(' and ')} would not` : 'nothing takes less'
    const why = holds ? `${encoding} stays within ${limit}, and ${others}.` : `Even ${encoding} is further off than ${limit}.`
    choices.push({ option: 'encoding', value: encoding, why })
    return encoding
  }
  throw new TypeError('no encoding is possible')
}

/** Whether a distance is above a limit, for a bake with these boxes; by the same arithmetic as the report. */
function tooFar(limit: string, { positions }: Boxes, millimetres: number): (distance: number) => boolean {
  const { unit, value } = parseErrorLimit(limit)
  const diagonal = boxDiagonal(positions)
  return (distance) => distance > 0 && (unit === 'mm' ? distance * millimetres : (distance / diagonal) * 100) > value
}

/** Half a step of each type, as a share of the values' extent. */
const HALF_STEPS: Record<TexelType, number> = { unorm8: 1 / 510, unorm16: 1 / 131070, float16: 1 / 8192, float32: 0 }

/** Whether a distance between true positions is so large that no encoding and no box a little larger makes it right. */
function clearlyTooFar(limit: string, encoding: Encoding, boxes: Boxes, millimetres: number): (distance: number) => boolean {
  const isTooFar = tooFar(limit, boxes, millimetres)
  const step = HALF_STEPS[TEXEL_TYPES[encoding]] * boxDiagonal(boxes.values)
  return (distance) => isTooFar((distance - step) * 0.98)
}

/** The boxes around the positions of frames, and around what is stored of them. */
interface Boxes {
  positions: Box
  values: Box
}

async function* measureBoxes(
  { sampler, evaluator }: Subject,
  clip: DraftClip,
  times: number[],
  content: BakeOptions['content'],
  rest: Frame,
): Work<Boxes> {
  const boxes = { positions: createBox(), values: createBox() }
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  for (const time of times) {
    sampler.sample(clip, time, frame)
    growBox(boxes.positions, frame.positions)
    if (content === 'offset') for (let i = 0; i < frame.positions.length; i++) frame.positions[i] -= rest.positions[i]
    growBox(boxes.values, frame.positions)
    yield { stage: 'choosing', done: 0, total: 0 }
  }
  return boxes
}

function unite(all: { boxes: Boxes }[]): Boxes {
  const united = { positions: createBox(), values: createBox() }
  for (const { boxes } of all) {
    uniteBox(united.positions, boxes.positions)
    uniteBox(united.values, boxes.values)
  }
  return united
}

/** Moments a second at which a clip is looked at for its boxes while it has no rate. */
const LOOKS = 60

function looksAt({ start, duration }: DraftClip): number[] {
  const looks = Math.max(1, Math.ceil(duration * LOOKS))
  return Array.from({ length: looks + 1 }, (_, look) => start + (duration * look) / looks)
}
