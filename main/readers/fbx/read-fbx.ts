import { dirname } from 'node:path'
import type { AnimatedModel } from '../../model/animated-model.ts'
import { checkLimit } from '../../model/limits.ts'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import type { Budget } from '../limited-file.ts'
import type { LoadedModel } from '../loaded-model.ts'
import { WarningList } from '../warnings.ts'
import { readAppearance } from './appearance.ts'
import { readBlends } from './blend-shapes.ts'
import { createPoser, readMotions } from './clips.ts'
import { openFbx, type FbxScene } from './library.ts'
import { readMeshes } from './meshes.ts'
import { listNodes, NodeWorld, type FbxNodes } from './nodes.ts'
import { indexRecords, type FbxRecords } from './records.ts'
import { readBindings } from './skins.ts'
import { rootMatrix } from './transforms.ts'

/**
 * Reads an .fbx file of version 5 to 7, binary or ASCII.
 *
 * The order of `model.meshes` is by node, parents first, then by the place of the material in the node's list.
 *
 * @param path   of the file, for the textures that lie beside it
 * @param file   its name, for sentences
 * @param bytes  its content
 * @param budget what reading may take
 * @throws Problem that names the file and what is wrong with it, `limit` where it takes more than allowed
 */
export async function readFbx(path: string, file: string, bytes: Uint8Array, budget: Budget): Promise<Omit<LoadedModel, 'file' | 'sha256'>> {
  const warnings = new WarningList()
  const fbx = await openFbx(file, bytes)
  const { scene } = fbx
  const nodes = listNodes(scene, warnings)
  checkSizes(scene, nodes, budget)
  const records = indexRecords(fbx.document)
  refuseCaches(file, scene, nodes, records, warnings)
  const bindings = readBindings(scene, records, nodes, new NodeWorld(nodes).matrices, warnings)
  const blends = readBlends(scene, records, warnings)
  const materials = new Map(scene.materials.map(({ id }, i) => [id, i]))
  const read = readMeshes(file, nodes, materials, bindings, blends, warnings)
  const motions = readMotions(scene.animations, nodes, warnings)
  warnings.add('constraints-ignored', 'Ignored # constraint|constraints, which have no effect unless they are baked to keys', scene.constraints.length)
  const { appearance, external } = await readAppearance(scene, records, dirname(path), budget, warnings)

  const model: AnimatedModel = {
    meshes: read.meshes,
    nodes: nodes.models.map(({ name }, i) => ({ name, parent: nodes.parents[i] })),
    skins: read.skins.map(({ name, joints }) => ({ name, joints })),
    morphSets: read.morphSets,
    materials: scene.materials.map(({ name }, i) => name || `material_${i}`),
    clips: motions.map(({ clip }) => clip),
    pose: createPoser(fbx, nodes, rootMatrix(scene), read.skins, read.blends, motions),
    warnings: warnings.list(),
  }
  return { model, appearance, external }
}

/**
 * Vertex caches hold a mesh frame by frame in files of their own, which are not read. Where nothing else moves there would be
 * nothing to bake; elsewhere the mesh lacks only what its cache does to it.
 *
 * @throws Problem where the file has no other animation
 */
function refuseCaches(file: string, scene: FbxScene, { models }: FbxNodes, records: FbxRecords, warnings: WarningList): void {
  const cached = models.filter(({ geometry }) => {
    return geometry && records.children(geometry.id, 'Deformer').some(({ record }) => record.properties[2]?.value === 'VertexCacheDeformer')
  })
  if (cached.length > 0 && scene.animations.length === 0) {
    const names = cached.map(({ name }) => `"${shortened(name)}"`).join(', ')
    throw new Problem('input', `${file} keeps the animation of ${names} in vertex caches, which cannot be read. Export it as numbered .obj files.`)
  }
  for (const { name } of cached) warnings.add('cache-ignored', 'Ignored the vertex cache of # mesh|meshes', 1, name)
}

/** The library has read everything by now, but each blend shape is about to become as many numbers as its mesh has vertices. */
function checkSizes(scene: FbxScene, { models }: FbxNodes, { file, limits }: Budget): void {
  const verticesOf = new Map(models.map(({ geometry }) => [geometry?.id, (geometry?.positions.length ?? 0) / 3]))
  const shapes = scene.blendShapes.map(({ geometryId, channels }) => {
    return sum(channels.map((channel) => channel.shapes.length)) * (verticesOf.get(geometryId) ?? 0)
  })
  const keys = scene.animations.flatMap(({ curveNodes }) => curveNodes.flatMap(({ curves }) => curves.map((curve) => curve.keys.length)))
  checkLimit(file, limits, 'vertices', sum(models.map(({ geometry }) => (geometry?.positions.length ?? 0) / 3)))
  checkLimit(file, limits, 'morphs', sum(shapes))
  checkLimit(file, limits, 'keys', sum(keys))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
