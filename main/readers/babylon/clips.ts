import type { Animation, IAnimatable } from 'babylonjs'
import type { AnimatedModel, Clip } from '../../model/animated-model.ts'
import { MATRIX_SIZE } from '../../model/matrix.ts'
import type { WarningList } from '../warnings.ts'
import type { BabylonScene } from './library.ts'
import type { BabylonMeshes } from './meshes.ts'
import type { BabylonNodes } from './nodes.ts'

/** A track of a clip: a property and its keys. */
interface Track {
  animation: Animation
  target: Record<string, unknown> & { markAsDirty?(property: string): unknown }
  property: string
  /** Values of the keys by their frame. */
  keys: Map<number, unknown>
}

export interface BabylonMotion {
  clip: Clip
  tracks: Track[]
}

/** Properties that move vertices. */
const MOVING = /^(position|rotation|rotationQuaternion|scaling)(\.[xyzw])?$|^_matrix$|^influence$/

/**
 * Reads the animation groups of a scene, one clip each. Older files have none: there, animations hang on nodes, bones and
 * morph targets, with or without named ranges. Each range becomes a clip; without ranges all keys are one.
 */
export function readMotions({ scene, groups }: BabylonScene, nodes: BabylonNodes, warnings: WarningList): BabylonMotion[] {
  const motion = (name: string, tracks: Track[], from: number, to: number) => {
    const fps = tracks[0]?.animation.framePerSecond || 60
    return { clip: { name, start: from / fps, end: Math.max(from, to) / fps }, tracks }
  }
  const grouped = groups.map((group) => {
    const tracks = group.targetedAnimations.flatMap(({ animation, target }) =>
      trackOf(animation, target as IAnimatable, group.name, warnings),
    )
    return motion(group.name, tracks, group.from, group.to)
  })
  const motions = grouped.length > 0 ? grouped : ungrouped()
  return motions.map(({ clip, tracks }, index) => ({ clip: { ...clip, index }, tracks }))

  function ungrouped() {
    const bones = nodes.skeletons.flatMap((entry) => entry.bones)
    const targets = scene.meshes.flatMap(({ morphTargetManager: manager }) =>
      manager ? Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)) : [],
    )
    const animated = [...new Set<IAnimatable>([...nodes.placed, ...bones, ...targets])]
    const tracks = animated.flatMap((target) =>
      (target.animations ?? []).flatMap((animation) => trackOf(animation, target, String(scene.skeletons[0]?.name ?? ''), warnings)),
    )
    const frames = tracks.flatMap(({ animation }) => animation.getKeys().map(({ frame }) => frame))
    if (frames.length === 0) return []
    const owners = [...scene.skeletons, ...nodes.placed]
    const ranges = owners.flatMap((owner) => owner.getAnimationRanges()).filter((range) => range !== null)
    const named = [...new Map(ranges.map((range) => [range.name, range])).values()]
    if (named.length > 0) return named.map(({ name, from, to }) => motion(name, tracks, from, to))
    return [motion('', tracks, frames.reduce((a, b) => Math.min(a, b)), frames.reduce((a, b) => Math.max(a, b)))]
  }
}

function trackOf(animation: Animation, target: IAnimatable, where: string, warnings: WarningList): Track[] {
  const property = animation.targetProperty
  if (!MOVING.test(property)) {
    warnings.add('channel-ignored', 'Ignored # animation|animations of properties that move nothing', 1, property)
    return []
  }
  const keys = animation.getKeys()
  if (keys.length === 0) return []
  if (keys.some(({ frame }, i) => !Number.isFinite(frame) || (i > 0 && frame < keys[i - 1].frame))) {
    warnings.add('channel-broken', 'Ignored # animation|animations whose keys are not in order', 1, where)
    return []
  }
  return [{ animation, target: target as unknown as Track['target'], property, keys: new Map(keys.map(({ frame, value }) => [frame, value])) }]
}

/**
 * Makes the `pose` of a model: sets what a clip animates, and lets Babylon compute its matrices.
 */
export function createPoser(nodes: BabylonNodes, { skins, morphed }: BabylonMeshes, motions: BabylonMotion[]): AnimatedModel['pose'] {
  const atRest = new Map<string, { track: Track; value: unknown }>()
  const targets = new Map<unknown, number>()
  for (const track of motions.flatMap(({ tracks }) => tracks)) {
    if (!targets.has(track.target)) targets.set(track.target, targets.size)
    const key = `${targets.get(track.target)} ${track.property}`
    if (!atRest.has(key)) atRest.set(key, { track, value: copied(valueOf(track)) })
  }

  return (clip, time, out) => {
    for (const { track, value } of atRest.values()) setValue(track, copied(value))
    if (clip) {
      const within = Math.min(Math.max(time, clip.start), clip.end)
      for (const track of motions[clip.index].tracks) setValue(track, valueAt(track, within))
    }
    for (const node of nodes.placed) node.computeWorldMatrix(true)
    nodes.placed.forEach((node, i) => writeMirrored(out.worldMatrices, i * MATRIX_SIZE, node.getWorldMatrix().asArray(), 0))
    for (const { skeleton, bones, first, carrier } of nodes.skeletons) {
      skeleton.prepare(true)
      bones.forEach((bone, i) => {
        const absolute = bone.getAbsoluteMatrix()
        const world = carrier ? absolute.multiply(carrier.getWorldMatrix()) : absolute
        writeMirrored(out.worldMatrices, (first + i) * MATRIX_SIZE, world.asArray(), 0)
      })
    }
    skins.forEach(({ mesh, skeleton }, skin) => writePalette(out.palettes[skin], mesh, nodes.skeletons[skeleton]))
    morphed.forEach(({ morphTargetManager: manager }, set) => {
      for (let i = 0; i < manager!.numTargets; i++) out.morphWeights[set][i] = manager!.getTarget(i).influence
    })
  }
}

/**
 * Seconds times frames a second misses a whole frame by its rounding; the frame itself is meant then. Babylon takes matrices
 * apart to go from key to key and loses their shear on the way, also where it stands on a key, so keys are looked up.
 */
function valueAt({ animation, keys }: Track, time: number): unknown {
  const frame = time * animation.framePerSecond
  const whole = Math.round(frame)
  const meant = Math.abs(frame - whole) < 1e-6 ? whole : frame
  return copied(keys.get(meant)) ?? animation.evaluate(meant)
}

/** Babylon skins in the mesh's own space, and moves the result with the mesh. */
function writePalette(
  out: Float64Array,
  mesh: BabylonMeshes['skins'][number]['mesh'],
  { skeleton, bones }: BabylonNodes['skeletons'][number],
): void {
  const matrices = skeleton.getTransformMatrices(mesh)
  const world = mesh.getWorldMatrix().asArray()
  bones.forEach((bone, i) => {
    const from = bone.getIndex() * MATRIX_SIZE
    const whole = new Float64Array(MATRIX_SIZE)
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) {
        for (let k = 0; k < 4; k++) whole[row * 4 + column] += matrices[from + row * 4 + k] * world[k * 4 + column]
      }
    }
    writeMirrored(out, i * MATRIX_SIZE, whole, 0)
  })
}

/** Writes mirror × matrix × mirror. Babylon's row vectors and glTF's columns lay their matrices out alike. */
function writeMirrored(out: Float64Array, at: number, matrix: ArrayLike<number>, from: number): void {
  for (let i = 0; i < MATRIX_SIZE; i++) out[at + i] = (i < 4) === (i % 4 === 0) ? matrix[from + i] : -matrix[from + i]
}

/** The object that holds a track's property, and the property's own name there. */
function placeOf({ target, property }: Track): { holder: Record<string, unknown>; name: string } {
  const [first, second] = property.split('.')
  return second === undefined ? { holder: target, name: first } : { holder: target[first] as Record<string, unknown>, name: second }
}

function valueOf(track: Track): unknown {
  const { holder, name } = placeOf(track)
  return holder[name]
}

function setValue(track: Track, value: unknown): void {
  const { holder, name } = placeOf(track)
  holder[name] = value
  track.target.markAsDirty?.(track.property)
}

function copied(value: unknown): unknown {
  const { clone } = (value ?? {}) as { clone?: () => unknown }
  return clone ? clone.call(value) : value
}
