import { basename } from 'node:path'
import { ImageUtils, type Document, type Texture } from '@gltf-transform/core'
import { createFileFinder } from './file-finder.ts'
import type { Budget } from './limited-file.ts'
import type { ExternalFile } from './loaded-model.ts'
import type { WarningList } from './warnings.ts'

/** Where exporters put the textures of a model, beside it. */
const TEXTURE_FOLDERS = ['textures', 'Textures', 'images', 'tex', 'maps', 'sourceimages']

/** Makes textures of image files that a model names, each once. */
export interface ImageFinder {
  /**
   * @param names as the model has them, the likelier first: relative or absolute, from any system
   * @param embedded the image itself, where the model carries it
   * @returns null where it is nowhere, or no image that glTF knows; a warning says so
   */
  find(names: string[], embedded: Uint8Array | null): Promise<Texture | null>
  /** Every file that was read or looked for, once. */
  external(): ExternalFile[]
}

/** Looks for images in the model's own folder, and in those beside it that exporters use. */
export function createImageFinder(document: Document, folder: string, budget: Budget, warnings: WarningList): ImageFinder {
  const known = new Map<string, Texture | null>()
  const files = createFileFinder(folder, budget)

  async function make(names: string[], embedded: Uint8Array | null): Promise<Texture | null> {
    const name = basename(names.find(Boolean)?.replaceAll('\\', '/') ?? '')
    const bytes = embedded ?? (await files.read(names, TEXTURE_FOLDERS))?.bytes
    if (!bytes) {
      warnings.add('image-missing', 'Left out # image|images not found beside the model', 1, name)
      return null
    }
    const mimeType = ImageUtils.getMimeType(bytes)
    if (!mimeType) {
      warnings.add('image-format', 'Left out # image|images that are neither PNG nor JPEG nor WebP', 1, name)
      return null
    }
    return document.createTexture(name.replace(/\.[^.]*$/, '')).setImage(bytes.slice()).setMimeType(mimeType).setURI(name)
  }

  return {
    async find(names, embedded) {
      const key = names.join('\n')
      if (!known.has(key)) known.set(key, await make(names, embedded))
      return known.get(key)!
    },
    external: () => files.external(),
  }
}
