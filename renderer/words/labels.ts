import { describeOption, type OptionKey } from '../bake-options/describe-option.ts'
import { formatCount } from './format.ts'

/*
 * What options and their values are called in the window. What has no name here is called as on the command line
 * (`--guard-rows` is "Guard rows"), so that an option that is added to the schema needs none.
 */

const labels: Partial<Record<OptionKey, string>> = {
  anim: 'Clips',
  fps: 'Frame rate',
  frames: 'Frame count',
  rootAxes: 'Along',
  rootNode: 'Root node',
  profile: 'Devices',
  meshFormat: 'Rest mesh',
  rest: 'Rest pose',
  maxSize: 'Largest side',
  maxError: 'Error limit',
  output: 'Folder',
  orientation: 'Frames run',
  dedupeFrames: 'Equal frames',
  pot: 'Power of two',
  overwrite: 'Replace',
  limit: 'Size limits',
}

/** What holds where an option has no value, where the words of the command line say little in the window. */
const absences: Partial<Record<OptionKey, string>> = {
  limit: 'far above what engines play',
}

const words: Record<string, string> = {
  'target.agnostic': 'Any engine',
  'target.unreal': 'Unreal 5',
  'target.godot': 'Godot 4',
  'encoding.rgba8': 'PNG 8-bit',
  'encoding.rgba16': 'PNG 16-bit',
  'encoding.exr16': 'EXR half',
  'encoding.exr': 'EXR float',
  'normals.xyz': 'Vector',
  'normals.packed': 'In alpha',
  'orientation.frames-y': 'Down',
  'orientation.frames-x': 'Across',
  'columns.vertex': 'One a vertex',
  'rest.rest': 'Nodes at rest',
  'profile.desktop': 'Desktop',
  'profile.mobile': 'Phones',
  'meshFormat.glb': 'GLB',
  'meshFormat.gltf': 'glTF',
  'meshFormat.fbx': 'FBX',
}

/** Beside a tick; the schema's own sentence where there is none. */
const ticks: Partial<Record<OptionKey, string>> = {
  overwrite: 'Also files of another model',
  stack: 'Normals below the positions',
  dedupeFrames: 'Store them once',
  pot: 'Sides are powers of two',
  tangents: 'Store tangents too',
}

/**
 * A sentence more than the schema's, for terms of the field that stand as a label or as a choice.
 * Shown under the name of the choice in a tooltip.
 */
const help: Record<string, string> = {
  'encoding.rgba8': 'Three bytes a vertex. Every engine reads it, and steps are seen on large models.',
  'encoding.rgba16': 'Sixteen bits a number: fine steps, evenly spaced over the bounds.',
  'encoding.exr16': 'Half floats: finest around the middle of the bounds, coarser at its edges.',
  'encoding.exr': 'Whole floats: exactly what was computed, at twice the size of half floats.',
  'content.position': 'Positions in the space of the model.',
  'content.offset': 'Distances from the rest mesh, which are shorter than positions and so more exact.',
  'normals.none': 'No normals: fine where the surface is not lit.',
  'normals.xyz': 'A direction as three numbers.',
  'normals.octahedral': 'A direction packed into two numbers instead of three, within 1°.',
  'loop.auto': 'The clip loops when its end meets its start within 0.1 % of the size.',
  'loop.on': 'After the last frame comes the first one again.',
  'loop.off': 'The clip plays once; both of its ends are frames.',
  'meshFormat.glb': 'One file with everything in it.',
  'meshFormat.gltf': 'A text file with its buffer and images beside it.',
  'meshFormat.fbx': 'Binary FBX 7.4 with images beside it, in the axes and units of the engine.',
}

/** Units by the name of the value on the command line. */
const units: Record<string, string> = { seconds: 's', rate: 'fps', pixels: 'px', factor: '×', count: 'frames' }

const sentenceCase = (text: string) => text[0].toUpperCase() + text.slice(1).replaceAll('-', ' ')

/** What an option is called beside its control: `Frame rate`. */
export function optionLabel(key: OptionKey): string {
  return labels[key] ?? sentenceCase(describeOption(key).flag.long)
}

/** What counts where an option has no value; undefined where it has a default. */
export function absenceLabel(key: OptionKey): string | undefined {
  return absences[key] ?? describeOption(key).flag.absent
}

/** What a word that an option may be is called: `EXR half`. */
export function wordLabel(key: OptionKey, word: string): string {
  return words[`${key}.${word}`] ?? sentenceCase(word)
}

/** What a word means, where that needs a sentence. */
export function wordHelp(key: OptionKey, word: string): string | undefined {
  return help[`${key}.${word}`]
}

/** What stands beside the tick of an option that is on or off. */
export function tickLabel(key: OptionKey): string {
  return ticks[key] ?? describeOption(key).sentence.replace(/\.$/, '')
}

/** The unit of an option's number. */
export function optionUnit(key: OptionKey): string | undefined {
  const { number, flag } = describeOption(key)
  return number ? units[flag.value ?? ''] : undefined
}

/** A value as the window shows it, with its unit: `30 fps`, `EXR half`. Null where there is no value. */
export function valueLabel(key: OptionKey, value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string') return describeOption(key).words.includes(value) ? wordLabel(key, value) : value
  if (typeof value !== 'number') return String(value)
  const text = Number.isInteger(value) ? formatCount(value) : value.toLocaleString()
  const unit = optionUnit(key)
  return unit === undefined ? text : `${text}\u00a0${unit}`
}
