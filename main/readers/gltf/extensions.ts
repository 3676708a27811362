import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import type { Gltf } from './schema.ts'

/** The compression of buffer views, and the name that it is about to get. */
export const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression']

/** Whether a buffer only says how much room there would be without compression. */
export function isPlaceholder({ extensions }: Gltf['buffers'][number]): boolean {
  return MESHOPT.some((name) => (extensions?.[name] as { fallback?: boolean } | undefined)?.fallback === true)
}

/** Extensions that change the geometry, and are resolved before the glTF library sees the file. */
const RESOLVED = ['KHR_draco_mesh_compression', ...MESHOPT, 'EXT_mesh_gpu_instancing']

/** Extensions that the glTF library knows but that would have to change the geometry here, which nothing does yet. */
const UNREAD = new Set(['KHR_accessor_float16', 'KHR_mesh_primitive_restart'])

/** The extensions that documents are read with. */
export const READ_EXTENSIONS = ALL_EXTENSIONS.filter(({ EXTENSION_NAME: name }) => !UNREAD.has(name) && !RESOLVED.includes(name))

const READABLE = new Set<string>([
  ...READ_EXTENSIONS.map(({ EXTENSION_NAME }) => EXTENSION_NAME),
  ...RESOLVED,
  // What it moves is counted one by one; what plain channels move is right without it.
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
