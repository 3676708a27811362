import { dirname } from 'node:path'
import type { AnimatedModel } from '../../model/animated-model.ts'
import type { Budget } from '../limited-file.ts'
import type { LoadedModel } from '../loaded-model.ts'
import { WarningList } from '../warnings.ts'
import { readAppearance } from './appearance.ts'
import { createPoser, readMotions } from './clips.ts'
import { loadBabylon } from './library.ts'
import { readMeshes } from './meshes.ts'
import { listNodes } from './nodes.ts'
import { parseBabylon } from './source.ts'

/**
 * Reads a .babylon file. A unit of it counts as a metre, since the format has none.
 *
 * @param path   of the file, for the textures that lie beside it
 * @param file   its name, for sentences
 * @param bytes  its content
 * @param budget what reading may take
 * @throws Problem that names the file and what is wrong with it, `limit` where it takes more than allowed
 */
export async function readBabylon(
  path: string,
  file: string,
  bytes: Uint8Array,
  budget: Budget,
): Promise<Omit<LoadedModel, 'file' | 'sha256'>> {
  const warnings = new WarningList()
  const source = parseBabylon(file, bytes)
  const scene = await loadBabylon(file, source)
  const nodes = listNodes(scene)
  const listed = source.materials ?? []
  const materials = new Map(listed.map(({ id, name }, i) => [String(id ?? name), i]))
  const read = readMeshes(file, source, nodes, materials, warnings)
  const motions = readMotions(scene, nodes, warnings)
  const { appearance, external } = await readAppearance(listed, dirname(path), budget, warnings)

  const model: AnimatedModel = {
    meshes: read.meshes,
    nodes: nodes.names.map((name, i) => ({ name, parent: nodes.parents[i] })),
    skins: read.skins.map(({ skeleton }) => {
      const { skeleton: { name }, bones, first } = nodes.skeletons[skeleton]
      return { name, joints: bones.map((_, i) => first + i) }
    }),
    morphSets: read.morphSets,
    materials: listed.map(({ name }, i) => name || `material_${i}`),
    clips: motions.map(({ clip }) => clip),
    pose: createPoser(nodes, read, motions),
    warnings: warnings.list(),
  }
  return { model, appearance, external }
}
