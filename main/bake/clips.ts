import { z } from 'zod'
import type { AnimatedModel, Clip } from '../model/animated-model.ts'
import { Problem } from '../model/problem.ts'
import { refuseRate } from './combination.ts'
import { bakeOptions, type BakeOptions } from './options.ts'

/** The options that a clip may have for itself. */
export type ClipOptions = Pick<BakeOptions, 'fps' | 'frames' | 'loop' | 'start' | 'end' | 'frameRange'>

/** A clip that is to be baked, with the options that hold for it. */
export interface ChosenClip {
  clip: Clip
  options: ClipOptions
}

/** Settings of one clip, as they stand behind its name in `--anim "Run:loop,fps=60"`. */
const settings = z.strictObject({
  fps: bakeOptions.shape.fps.unwrap().optional(),
  frames: bakeOptions.shape.frames,
  loop: bakeOptions.shape.loop.unwrap().optional(),
  start: bakeOptions.shape.start,
  end: bakeOptions.shape.end,
})

/** What a person may write for a setting, beside `name=value`. */
const SHORT: Record<string, string | undefined> = { loop: 'loop=on', once: 'loop=off' }

/**
 * The clips that `--anim` and `--all` name, in their order: each by its name, or as #index, and perhaps with settings of its own.
 * Without either, the only clip.
 *
 * @param file name of the model, for the sentences of a Problem
 * @throws Problem that lists the clips where the choice is not clear
 */
export function chooseClips(model: AnimatedModel, options: BakeOptions, file: string): ChosenClip[] {
  const { clips } = model
  if (clips.length === 0) {
    throw new Problem('input', `${file} has no animation, so there is nothing to bake. Export it with its animation.`)
  }
  if (options.all && options.anim.length > 0) {
    throw new Problem('usage', '--all bakes every clip of the model, so --anim cannot choose among them. Leave out one of the two.')
  }
  if (options.anim.length > 0) return options.anim.map((text) => chooseClip(clips, text, options, file))
  if (options.all) return clips.map((clip) => ({ clip, options }))
  if (clips.length === 1) return [{ clip: clips[0], options }]
  const known = list(clips.map((clip) => `"${clipTitle(clip)}"`))
  throw new Problem('usage', `${file} has ${clips.length} clips. Choose with --anim, or bake them all with --all: ${known}.`)
}

/** The name of a clip, or its number where the file gives it none. */
export function clipTitle(clip: Pick<Clip, 'name' | 'index'>): string {
  return clip.name === '' ? `#${clip.index}` : clip.name
}

function chooseClip(clips: Clip[], text: string, options: BakeOptions, file: string): ChosenClip {
  // Names may have colons in them, and so may settings: the longest name counts.
  const colons = [...text.matchAll(/:/g)].map(({ index }) => index)
  const ends = [text.length, ...colons.reverse()]
  for (const end of ends) {
    const name = text.slice(0, end)
    const named = find(clips, name)
    if (!named) continue
    const clip = only(named, name, file)
    if (end === text.length) return { clip, options }
    return { clip, options: withSettings(options, parseSettings(text.slice(end + 1), text), options.maxError) }
  }
  const names = ends.map((end) => text.slice(0, end))
  const meant = names.flatMap((name) => clips.filter((clip) => clip.name.toLowerCase() === name.toLowerCase())).at(0)
  const answer = meant ? `Did you mean "${meant.name}"?` : `It has ${list(clips.map((clip) => `"${clipTitle(clip)}"`))}.`
  throw new Problem('usage', `${file} has no clip "${text}". ${answer}`)
}

/** What a clip has for itself counts instead of what holds for all: its rate also instead of their number of frames, and the reverse. */
function withSettings(options: ClipOptions, own: Partial<ClipOptions>, maxError: string | undefined): ClipOptions {
  const merged = { ...options, ...own }
  if (own.fps !== undefined && own.frames === undefined) delete merged.frames
  if (own.frames !== undefined && own.fps === undefined && options.fps === 'auto') merged.fps = bakeOptions.shape.fps.parse(undefined)
  refuseRate(merged, maxError)
  return merged
}

/** Clips of that name, or the one of that #index. */
function find(clips: Clip[], name: string): Clip[] | undefined {
  const byName = clips.filter((clip) => clip.name === name)
  if (byName.length > 0) return byName
  const byIndex = /^#(\d+)$/.exec(name)
  const clip = byIndex ? clips[Number(byIndex[1])] : undefined
  return clip && [clip]
}

function only(found: Clip[], name: string, file: string): Clip {
  if (found.length === 1) return found[0]
  const numbers = found.map((clip) => `#${clip.index}`)
  throw new Problem('usage', `${file} has ${found.length} clips named "${name}". Choose one with --anim ${list(numbers, 'or')}.`)
}

/** `loop,fps=60` as options. */
function parseSettings(text: string, whole: string): Partial<ClipOptions> {
  const pieces = text.split(',').map((piece) => {
    const [name, ...values] = (SHORT[piece.trim()] ?? piece.trim()).split('=')
    const value = values.length === 0 ? null : values.join('=')
    return [name, value !== null && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value]
  })
  const parsed = settings.safeParse(Object.fromEntries(pieces))
  if (parsed.success) return parsed.data
  throw new Problem('usage', `--anim "${whole}" has settings that are none. A clip may have loop, once, loop=blend:0.2s, fps=60, frames=24, start=0.5 and end=1.`)
}

/** "a, b and c"; long lists are cut. */
export function list(words: string[], last = 'and'): string {
  const shown = words.length > 20 ? [...words.slice(0, 20), `${words.length - 20} more`] : words
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown[shown.length - 1]}`
}
