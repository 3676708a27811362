import type { Accessor } from '@gltf-transform/core'
import type { Clip, MorphSet } from '../../model/animated-model.ts'
import { createCurve, type Curve } from '../../model/curve.ts'
import { TRS_SIZE } from '../../model/matrix.ts'
import { counted, type WarningList } from '../warnings.ts'
import { countNotFinite, doublesOf } from './accessors.ts'
import { broken, labelOf } from './broken.ts'
import { isTrsPath, morphTargetCount, TRS_PATHS } from './check.ts'
import type { Reading } from './meshes.ts'
import { noteZeroRotations } from './rotations.ts'
import type { GltfAnimation } from './schema.ts'

/** What a clip moves. */
export interface ClipMotion {
  clip: Clip
  /** Nodes whose translation, rotation or scale the clip animates, each once. */
  nodes: Int32Array
  nodeTracks: {
    curve: Curve
    /** Where the curve's value goes in `[node][tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]`. */
    at: number
  }[]
  weightTracks: { curve: Curve; morphSet: number }[]
}

const TRS_OFFSETS = { translation: 0, rotation: 3, scale: 7 } as const

type Channel = { node: number; path: keyof typeof TRS_PATHS | 'weights'; sampler: GltfAnimation['samplers'][number] }

/**
 * Reads all animations (glTF 2.0, section 3.11), one clip each. A clip lasts from the first key to the last of the
 * channels that move a mesh: a camera that goes on after the character has stopped makes it no longer. Where none moves a
 * mesh all channels count, and where there are none the clip begins and ends at 0.
 *
 * @param moving    `[node]`: 1 for nodes that move a mesh
 * @param morphSets those of the meshes that are shown
 * @throws Problem that names the animation whose keys cannot be used
 */
export function readClips(reading: Reading, moving: Uint8Array, morphSets: MorphSet[]): ClipMotion[] {
  const times = new Map<Accessor, Float64Array>()
  const morphSetOf = new Map(morphSets.map((set, i) => [set.node, i]))

  return reading.json.animations.map((animation, index) => {
    const label = labelOf('animation', index, animation.name)
    const channels = usableChannels(reading, animation)
    const motion: ClipMotion = {
      clip: { name: animation.name ?? '', index, start: 0, end: 0 },
      nodes: Int32Array.from(new Set(channels.filter(({ path }) => path !== 'weights').map(({ node }) => node))),
      nodeTracks: [],
      weightTracks: [],
    }
    const all = { start: Infinity, end: -Infinity }
    const visible = { start: Infinity, end: -Infinity }
    for (const { node, path, sampler } of channels) {
      const size = path === 'weights' ? morphTargetCount(reading.json, node) : TRS_PATHS[path]
      const curve = readCurve(reading, sampler, size, path === 'rotation', times, label)
      const morphSet = path === 'weights' ? morphSetOf.get(node) : undefined
      if (path !== 'weights') motion.nodeTracks.push({ curve, at: node * TRS_SIZE + TRS_OFFSETS[path] })
      else if (morphSet !== undefined) motion.weightTracks.push({ curve, morphSet })
      stretch(all, curve)
      if (path === 'weights' ? morphSet !== undefined : moving[node]) stretch(visible, curve)
    }
    const range = visible.start <= visible.end ? visible : all
    if (range.start <= range.end) Object.assign(motion.clip, range)
    return motion
  })
}

function stretch(range: { start: number; end: number }, { times }: Curve): void {
  range.start = Math.min(range.start, times[0])
  range.end = Math.max(range.end, times[times.length - 1])
}

/** The channels that can move something; what is left out is counted. Of several for one property the last one counts. */
function usableChannels({ json, warnings }: Reading, animation: GltfAnimation): Channel[] {
  const ignore = (code: string, why: string) => warnings.add(code, `Ignored # animation channel|channels ${why}`, 1, animation.name)
  const channels = new Map<string, Channel>()
  for (const { sampler: samplerIndex, target } of animation.channels) {
    const { node, path } = target
    const sampler = animation.samplers[samplerIndex]
    if (path === 'pointer') ignore('channel-pointer', 'for properties named by pointers (KHR_animation_pointer)')
    else if (node === undefined) ignore('channel-without-node', 'without a node')
    else if (path !== 'weights' && !isTrsPath(path)) ignore('channel-unknown', `for unknown properties (${path})`)
    else if (path === 'weights' && morphTargetCount(json, node) === 0) ignore('channel-without-morph', 'for weights of nodes without morph targets')
    else if (json.accessors[sampler.input].count === 0) ignore('channel-empty', 'without keys')
    else {
      const key = `${node} ${path}`
      if (channels.has(key)) ignore('channel-duplicate', 'for a property that a later channel moves as well')
      channels.set(key, { node, path, sampler })
    }
  }
  return [...channels.values()]
}

function readCurve(
  { file, accessors, warnings }: Reading,
  { input, output, interpolation = 'LINEAR' }: Channel['sampler'],
  size: number,
  rotation: boolean,
  times: Map<Accessor, Float64Array>,
  label: string,
): Curve {
  if (!times.has(accessors[input])) {
    const keys = doublesOf(accessors[input])
    checkTimes(file, keys, label, warnings)
    times.set(accessors[input], keys)
  }
  const values = doublesOf(accessors[output])
  const faults = countNotFinite(values)
  if (faults > 0) throw broken(file, `the keys of ${label} have ${counted(faults, 'not finite number')}`)
  if (rotation && interpolation !== 'CUBICSPLINE') noteZeroRotations(warnings, values, label)
  return createCurve({ interpolation, rotation, size, times: times.get(accessors[input])!, values })
}

function checkTimes(file: string, times: Float64Array, label: string, warnings: WarningList): void {
  let equal = 0
  let negative = 0
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i])) throw broken(file, `key ${i} of ${label} has a time that is not finite`)
    if (times[i] < 0) negative++
    if (i === 0) continue
    if (times[i] < times[i - 1]) throw broken(file, `key ${i} of ${label} is at ${times[i]} s, before key ${i - 1} at ${times[i - 1]} s`)
    if (times[i] === times[i - 1]) equal++
  }
  warnings.add('key-times-negative', 'Kept # key|keys before 0 s, which glTF forbids', negative, label)
  warnings.add('key-times-equal', 'Made # jump|jumps of keys with equal times', equal, label)
}
