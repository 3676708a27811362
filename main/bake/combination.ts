import { Problem } from '../model/problem.ts'
import { meshFormatOf } from '../targets/target.ts'
import { targetFor } from '../targets/targets.ts'
import { parseLoop, type BakeOptions, type Encoding } from './options.ts'

/** Encodings whose alpha channel has room for a normal. */
export const PACKING: Encoding[] = ['rgba16', 'exr']

/**
 * Refuses options that make no sense together, before anything is read.
 *
 * @throws Problem `usage` that names the two and what to do
 */
export function refuseCombination(options: BakeOptions): void {
  const { encoding, normals, tangents, stack, dedupeFrames, guardRows, maxError, rootMotion, rootNode, meshFormat, players } = options
  if (normals === 'packed' && encoding !== 'auto' && !PACKING.includes(encoding)) {
    refuse(`--normals packed puts normals into the alpha channel, and that of ${encoding} is too small for them. Use --encoding rgba16 or exr, or --normals octahedral.`)
  }
  if (stack && !tangents && (normals === 'none' || normals === 'packed')) {
    refuse('--stack has nothing to put below the positions. Add --normals or --tangents, or leave it out.')
  }
  if (dedupeFrames && guardRows > 0) {
    refuse('--dedupe-frames stores frames of several clips in one place, which cannot have guard rows for each. Leave out one of the two.')
  }
  const target = targetFor(options)
  const refused = target.refuse?.(options)
  if (refused) refuse(refused)
  const player = players.find((name) => name === 'three' || name === 'babylon')
  if (player && meshFormatOf(target, meshFormat) === 'fbx') {
    refuse(`--players ${player} loads the rest mesh as glTF, and here it is FBX. Leave the player out, or bake for it with --target agnostic.`)
  }
  if (options.profile === 'mobile' && encoding === 'exr') {
    refuse('--profile mobile leaves out textures of 32-bit floats, which many phones cannot read. Use --encoding exr16 or rgba16.')
  }
  refuseRate(options, maxError)
  if (encoding === 'auto' && maxError === undefined) {
    refuse('--encoding auto needs to know how far off vertices may be: add --max-error, such as --max-error 0.1%.')
  }
  if (rootNode !== undefined && rootMotion === 'keep') refuse('--root-node only means something with --root-motion strip or extract.')
}

/** @throws Problem `usage` where a rate is to be found and cannot */
export function refuseRate({ fps, frames, frameRange }: Pick<BakeOptions, 'fps' | 'frames' | 'frameRange'>, maxError: string | undefined): void {
  if (fps !== 'auto') return
  if (maxError === undefined) refuse('--fps auto needs to know how far off frames may be: add --max-error, such as --max-error 0.1%.')
  if (frames !== undefined) refuse('--fps auto cannot stand together with --frames. Leave out one of the two.')
  if (frameRange !== undefined) refuse('--frame-range counts frames of --fps, which auto leaves open. Give the range in seconds with --start and --end.')
}

function refuse(sentence: string): never {
  throw new Problem('usage', sentence)
}

/** What of the options holds for one clip alone, and cannot hold for several. */
export function refuseRange(options: BakeOptions, clipCount: number): void {
  const { start, end, frameRange } = options
  if (clipCount < 2 || (start === undefined && end === undefined && frameRange === undefined)) return
  refuse(`A range cannot hold for ${clipCount} clips. Give each its own, as in --anim "Run:start=0,end=1.5".`)
}

/** @throws Problem `usage` where the part to be blended is longer than the clip */
export function refuseBlend(title: string, loop: string, duration: number): void {
  const parsed = parseLoop(loop)
  if (parsed.mode !== 'blend') return
  if (!(parsed.seconds > 0 && parsed.seconds <= duration)) {
    refuse(`--loop ${loop} cannot blend "${title}", which lasts ${Number(duration.toFixed(4))} s. Blend a part of that.`)
  }
}
