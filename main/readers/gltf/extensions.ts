import { ALL_EXTENSIONS } from '@gltf-transform/extensions'

/** Mesh compressions, with the names people know them by. */
export const COMPRESSIONS = new Map([
  ['KHR_draco_mesh_compression', 'Draco'],
  ['EXT_meshopt_compression', 'meshopt'],
  ['KHR_meshopt_compression', 'meshopt'],
])

/** Extensions that nothing is lost by ignoring (there is an uncompressed copy), or whose uses are counted one by one. */
export const COUNTED_ELSEWHERE = new Set([...COMPRESSIONS.keys(), 'EXT_mesh_gpu_instancing', 'KHR_animation_pointer'])

/** Extensions that the glTF library knows but that would have to change the geometry here, which nothing does yet. */
const UNREAD = new Set([...COMPRESSIONS.keys(), 'EXT_mesh_gpu_instancing', 'KHR_accessor_float16', 'KHR_mesh_primitive_restart'])

/** The extensions that documents are read with. */
export const READ_EXTENSIONS = ALL_EXTENSIONS.filter(({ EXTENSION_NAME }) => !UNREAD.has(EXTENSION_NAME))

const READABLE = new Set<string>([
  ...READ_EXTENSIONS.map(({ EXTENSION_NAME }) => EXTENSION_NAME),
  // It moves properties that are no node's; what the nodes do is right without it.
  'KHR_animation_pointer',
])

/** Whether a model that requires the extension is read right. */
export function isReadable(extension: string): boolean {
  return READABLE.has(extension)
}

/** Whether an extension says how surfaces look, and so belongs to the appearance of a model. */
export function isAppearance(extension: string): boolean {
  return isReadable(extension) && /^(KHR_materials_(?!variants$)|KHR_texture_|EXT_texture_)/.test(extension)
}
