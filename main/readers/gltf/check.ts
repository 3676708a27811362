import { Problem } from '../../model/problem.ts'
import { counted } from '../warnings.ts'
import { broken, labelOf } from './broken.ts'
import { isReadable } from './extensions.ts'
import type { Gltf, GltfAccessor, GltfAnimation, GltfMesh, GltfPrimitive } from './schema.ts'

const COMPONENT_BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4, 5130: 8 }
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 }
/** Component type of 32-bit floats. */
export const FLOAT = 5126
const UNSIGNED_INTEGERS = [5121, 5123, 5125]

/** Numbers an element of an accessor has. */
export function componentsOf({ type }: Pick<GltfAccessor, 'type'>): number {
  return COMPONENTS[type]
}

/** Bytes an element of an accessor takes. */
export function elementBytesOf({ componentType, type }: Pick<GltfAccessor, 'componentType' | 'type'>): number {
  return COMPONENT_BYTES[componentType] * COMPONENTS[type]
}

/** Numbers a value has in each animated property of a node; morph weights have as many as there are targets. */
export const TRS_PATHS = { translation: 3, rotation: 4, scale: 3 } as const
export type TrsPath = keyof typeof TRS_PATHS

export function isTrsPath(path: string): path is TrsPath {
  return Object.hasOwn(TRS_PATHS, path)
}

/**
 * Checks that the parts of a file fit together, before anything is read or allocated: every index points at something,
 * every accessor lies inside its buffer, counts agree, nodes are a forest, and no extension is needed that is not known.
 * What this lets pass, the rest of the reader may rely on.
 *
 * @param file name of the file, for sentences
 * @throws Problem that names the first fault
 */
export function checkGltf(file: string, json: Gltf): void {
  const fail = (what: string): never => {
    throw broken(file, what)
  }
  checkExtensions(file, json)
  checkAccessors(json, fail)
  json.meshes.forEach((mesh, i) => checkMesh(json, mesh, labelOf('mesh', i, mesh.name), fail))
  checkNodes(json, fail)
  checkSkins(json, fail)
  json.animations.forEach((animation, i) => checkAnimation(json, animation, labelOf('animation', i, animation.name), fail))
  checkScenes(json, fail)
  json.images.forEach((image, i) => checkIndex(image.bufferView, json.bufferViews, `image ${i} uses buffer view`, fail))
  json.materials.forEach((material, i) => checkTextures(json, material, labelOf('material', i, material.name), fail))
  json.textures.forEach(({ source, sampler, extensions }, i) => {
    checkIndex(source, json.images, `texture ${i} uses image`, fail)
    checkIndex(sampler, json.samplers, `texture ${i} uses sampler`, fail)
    for (const extension of Object.values(extensions ?? {})) checkIndex(numberIn(extension, 'source'), json.images, `texture ${i} uses image`, fail)
  })
}

type Fail = (what: string) => never

/** Textures that a material, or any extension of it, names: `{ "…Texture": { "index": 0 } }`. */
function checkTextures(json: Gltf, holder: object, label: string, fail: Fail): void {
  for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null) continue
    if (/texture$/i.test(key)) checkIndex(numberIn(value, 'index'), json.textures, `${label} uses texture`, fail)
    checkTextures(json, value, label, fail)
  }
}

/** A number of an object whose shape is not known. */
function numberIn(holder: unknown, key: string): number | undefined {
  const value = (holder as Record<string, unknown> | null)?.[key]
  return typeof value === 'number' ? value : undefined
}

/** An index that is there must point at something. */
function checkIndex(index: number | undefined, list: unknown[], what: string, fail: Fail): void {
  if (index !== undefined && !(index in list)) fail(`${what} ${index}, but there are ${list.length}`)
}

function checkExtensions(file: string, json: Gltf): void {
  const required = json.extensionsRequired
  const unknown = required.filter((name) => !isReadable(name))
  if (unknown.length > 0) {
    throw new Problem('input', `${file} needs ${unknown.join(', ')}, which cannot be read. Export the model without it.`)
  }
}

function checkAccessors(json: Gltf, fail: Fail): void {
  const { buffers, bufferViews, accessors } = json
  bufferViews.forEach((view, i) => {
    checkIndex(view.buffer, buffers, `buffer view ${i} uses buffer`, fail)
    const end = (view.byteOffset ?? 0) + view.byteLength
    const { byteLength } = buffers[view.buffer]
    if (end > byteLength) fail(`buffer view ${i} ends at byte ${end}, but buffer ${view.buffer} has ${byteLength}`)
  })

  accessors.forEach((accessor, i) => {
    const label = labelOf('accessor', i, accessor.name)
    if (!COMPONENT_BYTES[accessor.componentType]) return fail(`${label} has the unknown component type ${accessor.componentType}`)
    const elementBytes = elementBytesOf(accessor)
    checkExtent(json, accessor, elementBytes, accessor.count, label, fail)
    const { sparse } = accessor
    if (!sparse) return
    if (sparse.count > accessor.count) fail(`${label} replaces ${sparse.count} values, but has only ${accessor.count}`)
    if (!UNSIGNED_INTEGERS.includes(sparse.indices.componentType)) fail(`${label} has sparse indices that are not unsigned integers`)
    checkExtent(json, sparse.indices, COMPONENT_BYTES[sparse.indices.componentType], sparse.count, `${label} (sparse indices)`, fail)
    checkExtent(json, sparse.values, elementBytes, sparse.count, `${label} (sparse values)`, fail)
  })
}

/** Whether `count` elements fit into the buffer view (glTF 2.0, section 3.6.2.4). */
function checkExtent(
  json: Gltf,
  part: { bufferView?: number; byteOffset?: number },
  elementBytes: number,
  count: number,
  label: string,
  fail: Fail,
): void {
  if (part.bufferView === undefined) return
  checkIndex(part.bufferView, json.bufferViews, `${label} uses buffer view`, fail)
  const { byteStride, byteLength } = json.bufferViews[part.bufferView]
  const end = (part.byteOffset ?? 0) + (byteStride || elementBytes) * (count - 1) + elementBytes
  if (end > byteLength) fail(`${label} needs ${end} bytes for ${count} elements, but buffer view ${part.bufferView} has ${byteLength}`)
}

const ATTRIBUTE_TYPES = new Map([['POSITION', 'VEC3'], ['NORMAL', 'VEC3'], ['TANGENT', 'VEC4'], ['JOINTS', 'VEC4'], ['WEIGHTS', 'VEC4']])

function checkMesh(json: Gltf, mesh: GltfMesh, label: string, fail: Fail): void {
  mesh.primitives.forEach((primitive, i) => checkPrimitive(json, primitive, `primitive ${i} of ${label}`, fail))
  const targets = new Set(mesh.primitives.map((primitive) => primitive.targets.length))
  if (targets.size > 1) fail(`the primitives of ${label} have different numbers of morph targets (${[...targets].join(', ')})`)
}

function checkPrimitive(json: Gltf, primitive: GltfPrimitive, label: string, fail: Fail): void {
  checkIndex(primitive.material, json.materials, `${label} uses material`, fail)

  const attributes = accessorsOf(json, primitive.attributes, label, fail)
  const vertexCount = attributes.get('POSITION')?.count
  for (const [semantic, accessor] of attributes) {
    const type = ATTRIBUTE_TYPES.get(semantic.replace(/_\d+$/, ''))
    if (type && accessor.type !== type) fail(`${semantic} of ${label} is ${accessor.type} instead of ${type}`)
    if (vertexCount !== undefined && accessor.count !== vertexCount) {
      fail(`${semantic} of ${label} has ${accessor.count} values for ${vertexCount} vertices`)
    }
    const joints = /^JOINTS(_\d+)$/.exec(semantic)
    if (joints && !attributes.has(`WEIGHTS${joints[1]}`)) fail(`${label} has ${semantic} but no WEIGHTS${joints[1]}`)
    if (joints && !UNSIGNED_INTEGERS.includes(accessor.componentType)) fail(`${semantic} of ${label} are not unsigned integers`)
  }

  if (primitive.indices !== undefined) {
    checkIndex(primitive.indices, json.accessors, `${label} uses accessor`, fail)
    const { type, componentType } = json.accessors[primitive.indices]
    if (type !== 'SCALAR' || !UNSIGNED_INTEGERS.includes(componentType)) fail(`the indices of ${label} are not unsigned integers`)
  }

  primitive.targets.forEach((target, i) => {
    const where = `morph target ${i} of ${label}`
    for (const [semantic, accessor] of accessorsOf(json, target, where, fail)) {
      if (ATTRIBUTE_TYPES.has(semantic) && accessor.type !== 'VEC3') fail(`${semantic} of ${where} is ${accessor.type} instead of VEC3`)
      if (accessor.count !== vertexCount) fail(`${semantic} of ${where} has ${accessor.count} values for ${vertexCount ?? 0} vertices`)
    }
  })
}

function accessorsOf(json: Gltf, indices: Record<string, number>, label: string, fail: Fail): Map<string, GltfAccessor> {
  const found = new Map<string, GltfAccessor>()
  for (const [semantic, index] of Object.entries(indices)) {
    checkIndex(index, json.accessors, `${semantic} of ${label} uses accessor`, fail)
    found.set(semantic, json.accessors[index])
  }
  return found
}

function checkNodes(json: Gltf, fail: Fail): void {
  const { nodes } = json
  const parents = new Int32Array(nodes.length).fill(-1)
  nodes.forEach((node, i) => {
    const label = labelOf('node', i, node.name)
    checkIndex(node.mesh, json.meshes, `${label} shows mesh`, fail)
    checkIndex(node.skin, json.skins, `${label} uses skin`, fail)
    checkIndex(node.camera, json.cameras, `${label} uses camera`, fail)
    for (const child of node.children) {
      checkIndex(child, nodes, `${label} has child`, fail)
      if (parents[child] !== -1) fail(`${labelOf('node', child, nodes[child].name)} has two parents, nodes ${parents[child]} and ${i}`)
      parents[child] = i
    }
  })
  // With one parent each, nodes that cannot be reached from a node without parent go round in circles.
  const reached: number[] = []
  parents.forEach((parent, i) => {
    if (parent === -1) reached.push(i)
  })
  for (const node of reached) for (const child of nodes[node].children) reached.push(child)
  if (reached.length < nodes.length) fail(`the hierarchy goes round in a circle (${counted(nodes.length - reached.length, 'node')})`)
}

function checkSkins(json: Gltf, fail: Fail): void {
  json.skins.forEach((skin, i) => {
    const label = labelOf('skin', i, skin.name)
    for (const joint of skin.joints) checkIndex(joint, json.nodes, `${label} has joint`, fail)
    checkIndex(skin.skeleton, json.nodes, `${label} hangs on node`, fail)
    if (skin.inverseBindMatrices === undefined) return
    checkIndex(skin.inverseBindMatrices, json.accessors, `${label} uses accessor`, fail)
    const { type, componentType, count } = json.accessors[skin.inverseBindMatrices]
    if (type !== 'MAT4' || componentType !== FLOAT) fail(`the inverse bind matrices of ${label} are not 4×4 floats`)
    if (count < skin.joints.length) fail(`${label} has ${count} inverse bind matrices for ${skin.joints.length} joints`)
  })
}

function checkAnimation(json: Gltf, animation: GltfAnimation, label: string, fail: Fail): void {
  animation.samplers.forEach((sampler, i) => {
    checkIndex(sampler.input, json.accessors, `sampler ${i} of ${label} uses accessor`, fail)
    checkIndex(sampler.output, json.accessors, `sampler ${i} of ${label} uses accessor`, fail)
    const { type, componentType } = json.accessors[sampler.input]
    if (type !== 'SCALAR' || componentType !== FLOAT) fail(`the key times of sampler ${i} of ${label} are not floats`)
  })
  animation.channels.forEach((channel, i) => {
    const where = `channel ${i} of ${label}`
    checkIndex(channel.sampler, animation.samplers, `${where} uses sampler`, fail)
    checkIndex(channel.target.node, json.nodes, `${where} moves node`, fail)
    const { path, node } = channel.target
    if (node === undefined) return

    const sampler = animation.samplers[channel.sampler]
    const keys = json.accessors[sampler.input].count
    const output = json.accessors[sampler.output]
    const components = output.count * componentsOf(output)
    const perKey = sampler.interpolation === 'CUBICSPLINE' ? 3 : 1
    const size = isTrsPath(path) ? TRS_PATHS[path] : path === 'weights' ? morphTargetCount(json, node) : 0
    if (size > 0 && components !== keys * perKey * size) {
      fail(`${where} has ${components} numbers for ${counted(keys, 'key')} of ${path}, which take ${keys * perKey * size}`)
    }
  })
}

/** How many morph targets the mesh of a node has; 0 where it has no mesh. */
export function morphTargetCount(json: Gltf, node: number): number {
  const mesh = json.nodes[node].mesh
  return mesh === undefined ? 0 : (json.meshes[mesh].primitives[0]?.targets.length ?? 0)
}

function checkScenes(json: Gltf, fail: Fail): void {
  checkIndex(json.scene, json.scenes, 'the default scene is', fail)
  json.scenes.forEach((scene, i) => {
    for (const node of scene.nodes) checkIndex(node, json.nodes, `${labelOf('scene', i, scene.name)} shows node`, fail)
  })
}
