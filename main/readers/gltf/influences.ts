import type { Accessor } from '@gltf-transform/core'
import { gatherInfluences, type GatheredInfluences } from '../influences.ts'
import { doublesOf } from './accessors.ts'

/**
 * Gathers all sets of JOINTS_n and WEIGHTS_n of a primitive (glTF 2.0, section 3.7.3.3), however many there are.
 *
 * @returns null where the primitive has no joints
 */
export function readInfluences(attributes: Map<string, Accessor>): GatheredInfluences | null {
  const sets = [...attributes.keys()]
    .filter((semantic) => /^JOINTS_\d+$/.test(semantic))
    .map((semantic) => ({
      joints: attributes.get(semantic)!.getArray()!,
      weights: doublesOf(attributes.get(semantic.replace('JOINTS', 'WEIGHTS'))!),
    }))
  return sets.length === 0 ? null : gatherInfluences(sets)
}
