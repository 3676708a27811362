import { checkLimit, type Limits, MEGABYTE } from '../../model/limits.ts'
import { componentsOf, elementBytesOf, FLOAT, morphTargetCount } from './check.ts'
import { isPlaceholder } from './extensions.ts'
import { listShownNodes } from './nodes.ts'
import type { Gltf, GltfPrimitive } from './schema.ts'
import { isTriangles, triangleCountOf } from './triangles.ts'

/**
 * Accessors may share bytes, or need none (sparse ones that start as zeros), so a small file can ask for any amount of memory.
 * Numbers that are unpacked take at most this many times their bytes.
 */
const GRANTED_PER_BYTE = 8

/** Even a morph target of few vertices takes memory and time of its own. */
const LEAST_TARGET = 100

/**
 * Checks what a file will become against the limits, while it is nothing but JSON. The file must have passed `checkGltf`.
 *
 * @throws Problem `limit` with the number that is too high
 */
export function checkSize(file: string, json: Gltf, limits: Limits): void {
  const check = (name: Parameters<typeof checkLimit>[2], count: number) => checkLimit(file, limits, name, count)
  check('nodes', json.nodes.length)
  check('joints', json.skins.reduce((sum, skin) => sum + skin.joints.length, 0))
  check('clips', json.animations.length)

  let keys = 0
  for (const { channels, samplers } of json.animations) {
    for (const { sampler, target } of channels) {
      const weights = target.path === 'weights' && target.node !== undefined ? morphTargetCount(json, target.node) : 1
      keys += json.accessors[samplers[sampler].input].count * weights
    }
  }
  check('keys', keys)

  // Multiplied, not walked through: a small file can show many primitives on many nodes.
  check('meshes', listShownNodes(json).reduce((sum, node) => sum + (json.meshes[json.nodes[node].mesh ?? -1]?.primitives.length ?? 0), 0))
  const shown = { vertices: 0, triangles: 0, morphs: 0 }
  for (const primitive of listShownPrimitives(json)) {
    const { mode, attributes, indices, targets } = primitive
    if (!isTriangles(mode) || attributes.POSITION === undefined) continue
    const vertices = json.accessors[attributes.POSITION].count
    shown.vertices += vertices
    shown.morphs += Math.max(vertices, LEAST_TARGET) * targets.length
    shown.triangles += triangleCountOf(mode, indices === undefined ? vertices : json.accessors[indices].count)
  }
  check('vertices', shown.vertices)
  check('triangles', shown.triangles)
  check('morphs', shown.morphs)

  let unpacked = 0
  for (const index of listUsedAccessors(json)) {
    const accessor = json.accessors[index]
    // Integers are kept beside the floats that they are turned into.
    const bytes = elementBytesOf(accessor) + (accessor.componentType === FLOAT ? 0 : 4 * componentsOf(accessor))
    unpacked += bytes * accessor.count
  }
  for (const { bufferView } of json.images) if (bufferView !== undefined) unpacked += json.bufferViews[bufferView].byteLength
  // A placeholder has no bytes, whatever it says.
  const granted = GRANTED_PER_BYTE * json.buffers.reduce((sum, buffer) => sum + (isPlaceholder(buffer) ? 0 : buffer.byteLength), 0)
  check('memory', (unpacked - granted) / MEGABYTE)
}

/** The accessors that the meshes of the scene, the skins and the animations need. */
export function listUsedAccessors(json: Gltf): Set<number> {
  const used = new Set<number>()
  for (const { attributes, indices, targets } of new Set(listShownPrimitives(json))) {
    for (const accessors of [attributes, ...targets]) for (const index of Object.values(accessors)) used.add(index)
    if (indices !== undefined) used.add(indices)
  }
  for (const { inverseBindMatrices } of json.skins) if (inverseBindMatrices !== undefined) used.add(inverseBindMatrices)
  for (const { channels, samplers } of json.animations) {
    for (const { sampler } of channels) used.add(samplers[sampler].input).add(samplers[sampler].output)
  }
  return used
}

/** The primitives that the scene shows, once for every node that does. */
function* listShownPrimitives(json: Gltf): Generator<GltfPrimitive, void, void> {
  for (const node of listShownNodes(json)) {
    const { mesh } = json.nodes[node]
    if (mesh !== undefined) yield* json.meshes[mesh].primitives
  }
}
