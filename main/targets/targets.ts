import { Problem } from '../model/problem.ts'
import { godot } from './godot.ts'
import { GLTF_SPACE, type TargetDescription } from './target.ts'
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
