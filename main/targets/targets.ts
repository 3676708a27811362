import { Problem } from '../model/problem.ts'
import { godot } from './godot.ts'
import { fileSpaceOf, GLTF_SPACE, handednessOf, type SignedAxis, type TargetDescription } from './target.ts'
import { unity } from './unity/unity.ts'
import { unreal } from './unreal.ts'

/**
 * Any engine: glTF's own space, untouched. 8192 pixels are within the limit of every desktop GPU that still runs a
 * current engine and of most phones; a project that knows better says `--max-size`.
 */
const agnostic: TargetDescription = {
  name: 'agnostic',
  ...GLTF_SPACE,
  maxSize: 8192,
  pngBits: 16,
}

const targets: Record<string, TargetDescription> = { agnostic, godot, unity, unreal }

/**
 * The target of that name.
 *
 * @throws Problem `usage` where there is none
 */
export function targetOf(name: string): TargetDescription {
  const target = targets[name]
  if (!target) throw new Problem('usage', `There is no target "${name}". Bake for one of ${Object.keys(targets).join(', ')}.`)
  return target
}

/** What of the options changes a target. */
export interface TargetChoice {
  target: string
  profile: 'desktop' | 'mobile'
  axes?: string
}

/** Sides of textures that all phones take that still run a current engine (OpenGL ES 3.1 promises 2048, Vulkan 4096). */
const MOBILE_SIZE = 4096

/**
 * The target of a bake: what the engine expects, changed by what the devices and the project's own space ask for.
 *
 * @throws Problem `usage` for a space that the engine cannot have
 */
export function targetFor({ target: name, profile, axes }: TargetChoice): TargetDescription {
  const target = targetOf(name)
  const adapted = axes === undefined ? target : withAxes(target, axes.split(',') as TargetDescription['axesFromGltf'])
  // Phones have no textures of 16-bit integers that a shader can count on.
  return profile === 'mobile' ? { ...adapted, maxSize: Math.min(target.maxSize, MOBILE_SIZE), pngBits: 8 } : adapted
}

function withAxes(target: TargetDescription, axes: TargetDescription['axesFromGltf']): TargetDescription {
  const { name, axesFromGltf, handedness, meshFormat = 'glb' } = target
  const wanted = axes.join(',')
  if (target.fixedAxes) throw new Problem('usage', `--axes ${wanted} cannot hold for ${name}, whose space is glTF's own. Leave --axes out.`)
  const isRight = handednessOf(axes) > 0
  if (meshFormat === 'fbx' && isRight !== (handedness === 'right')) {
    const mirrored = axes.map((axis, i) => (i > 0 ? axis : opposite(axis))).join(',')
    throw new Problem('usage', `--axes ${wanted} is ${isRight ? 'right' : 'left'}-handed, and ${name} is not. Mirror one of them, as in ${mirrored}.`)
  }
  const up = axes.findIndex((axis) => axis[1] === 'y')
  const space = { axesFromGltf: axes, handedness: isRight ? 'right' : 'left', up: `${axes[up][0]}${'XYZ'[up]}` as TargetDescription['up'] } as const
  // Its importer goes on mirroring the axis that it mirrors, and takes the file for what it always is.
  const file = fileSpaceOf(target, meshFormat)
  const flip = (axis: SignedAxis, i: number) => (file.axesFromGltf[i] === axesFromGltf[i] ? axis : opposite(axis))
  return { ...target, ...space, ...(meshFormat === 'fbx' ? { fbx: { ...file, axesFromGltf: axes.map(flip) as TargetDescription['axesFromGltf'] } } : {}) }
}

function opposite(axis: SignedAxis): SignedAxis {
  return `${axis[0] === '-' ? '+' : '-'}${axis[1]}` as SignedAxis
}
