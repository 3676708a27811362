import { dirname } from 'node:path'
import type { AnimatedModel } from '../../model/animated-model.ts'
import { checkLimit } from '../../model/limits.ts'
import type { Budget } from '../limited-file.ts'
import type { LoadedModel } from '../loaded-model.ts'
import type { VertexCache } from '../vertex-cache/vertex-cache.ts'
import { WarningList } from '../warnings.ts'
import { readAppearance } from './appearance.ts'
import { readBlends } from './blend-shapes.ts'
import { readCaches } from './caches.ts'
import { createPoser, readMotions } from './clips.ts'
import { restoreHandles } from './curves.ts'
import { openFbx, type FbxFile, type FbxModel, type FbxScene, type FbxStack } from './library.ts'
import { readMeshes } from './meshes.ts'
import { listNodes, NodeWorld, type FbxNodes } from './nodes.ts'
import { indexRecords, nameOf, objectsOf, programOf } from './records.ts'
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
  restoreHandles(scene)
  const nodes = listNodes(scene, warnings)
  checkSizes(scene, nodes, budget)
  const records = indexRecords(fbx.document)
  const caches = await readCaches(path, fbx, nodes, records, budget, warnings)
  checkFrames(caches.of, nodes, budget)
  const skinned = { ...scene, skins: scene.skins.filter(({ geometryId }) => !caches.of.has(geometryId)) }
  const bindings = readBindings(skinned, records, nodes, new NodeWorld(nodes).matrices, programOf(fbx.document), warnings)
  const blends = readBlends(scene, records, warnings)
  const materials = new Map(scene.materials.map(({ id }, i) => [id, i]))
  const read = readMeshes(file, nodes, materials, bindings, blends, caches.of, warnings)
  const isCachedAlone = scene.animations.length === 0 && caches.of.size > 0
  const takes = isCachedAlone ? [cachedTake(fbx, [...caches.of.values()], nodes.models)] : scene.animations
  const motions = readMotions(takes, nodes, warnings)
  warnings.add('constraints-ignored', 'Ignored # constraint|constraints, which have no effect unless they are baked to keys', scene.constraints.length)
  const { appearance, external } = await readAppearance(scene, records, dirname(path), budget, warnings)

  const model: AnimatedModel = {
    meshes: read.meshes,
    nodes: nodes.models.map(({ name }, i) => ({ name, parent: nodes.parents[i] })),
    skins: read.skins.map(({ name, joints }) => ({ name, joints })),
    morphSets: read.morphSets,
    materials: scene.materials.map(({ name }, i) => name || `material_${i}`),
    clips: motions.map(({ clip }) => clip),
    pose: createPoser(fbx, nodes, rootMatrix(scene), read.skins, read.morphs, motions),
    warnings: warnings.list(),
  }
  return { model, appearance, external: [...caches.external, ...external] }
}

/** What the caches move, in a file that has no other animation: the take that lies empty in it. */
function cachedTake({ document }: FbxFile, caches: VertexCache[], models: FbxModel[]): FbxStack {
  const stack = objectsOf(document).find(({ name }) => name === 'AnimationStack')
  const name = nameOf(stack) || models.find(({ geometry }) => geometry)?.name || 'cache'
  const ends = caches.map(({ times }) => times[times.length - 1])
  const startTime = Math.min(...caches.map(({ times }) => times[0]))
  return { name, startTime, stopTime: Math.max(...ends), layers: [], curveNodes: [], unsupportedCurveNodes: [] }
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

/** A cache is about to become a morph target a frame. */
function checkFrames(caches: Map<number, VertexCache>, { models }: FbxNodes, { file, limits }: Budget): void {
  const counts = models.map(({ geometry }) => {
    return geometry ? (geometry.positions.length / 3) * (caches.get(geometry.id)?.frames.length ?? 0) : 0
  })
  checkLimit(file, limits, 'morphs', sum(counts))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
