import { ImageUtils } from '@gltf-transform/core'
import type { Texture } from '@gltf-transform/core'

/** Characters of an image's own name that are kept; with the mesh's name before it a file name stays below 255 bytes. */
const LONGEST_NAME = 32

/**
 * File names for the images of a mesh, in the order of the textures: the mesh's name, what the image is called in the source
 * (letters and digits of any script, the rest becomes `_`), a number where two names differ in capitals only or not at all,
 * and the extension of the image's format.
 *
 * @param stem begins every name, so that no image can take the name of another file of the bake
 */
export function nameImages(textures: Texture[], stem: string): string[] {
  const taken = new Set<string>()
  return textures.map((texture) => {
    const base = `${stem}_${ownName(texture)}`
    let name = base
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}_${number}`
    taken.add(name.toLowerCase())
    return `${name}.${ImageUtils.mimeTypeToExtension(texture.getMimeType())}`
  })
}

function ownName(texture: Texture): string {
  const name = texture.getName() || lastSegment(texture.getURI())
  const words = name
    .normalize('NFC')
    .replace(/\.(png|jpe?g|webp|avif|ktx2)$/i, '')
    .match(/[\p{L}\p{M}\p{N}-]+/gu)
  return words ? [...words.join('_')].slice(0, LONGEST_NAME).join('') : 'image'
}

function lastSegment(uri: string): string {
  const segment = uri.split(/[\\/]/).at(-1)!
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
