import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { ImageUtils, type Document, type Texture } from '@gltf-transform/core'
import { Problem } from '../model/problem.ts'
import { isInside, readLimitedFile, type Budget } from './limited-file.ts'
import type { ExternalFile } from './loaded-model.ts'
import type { WarningList } from './warnings.ts'

/** Where exporters put the textures of a model, beside it. */
const TEXTURE_FOLDERS = ['', 'textures', 'Textures', 'images', 'tex', 'maps', 'sourceimages']

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

/**
 * Looks for images as a model's own folder has them: under the relative name, then under the last part of any name in the
 * folder itself and in those beside it that exporters use. Nothing is read from outside of the model's folder.
 */
export function createImageFinder(document: Document, folder: string, budget: Budget, warnings: WarningList): ImageFinder {
  const known = new Map<string, Texture | null>()
  const external = new Map<string, ExternalFile>()

  async function read(names: string[]): Promise<Uint8Array | null> {
    const plain = names.filter(Boolean).map((name) => name.replaceAll('\\', '/'))
    const candidates = new Set(plain.filter((name) => !isAbsolute(name) && !/^[a-z]+:/i.test(name)))
    for (const name of plain) for (const beside of TEXTURE_FOLDERS) candidates.add(join(beside, basename(name)))
    for (const name of candidates) {
      const path = resolve(folder, name)
      try {
        if (!isInside(await realpath(folder), await realpath(path))) continue
        const bytes = await readLimitedFile(path, budget)
        external.set(path, { file: path, sha256: createHash('sha256').update(bytes).digest('hex') })
        return bytes
      } catch (error) {
        if (error instanceof Problem) throw error
      }
    }
    const missing = resolve(folder, basename(plain[0] ?? ''))
    external.set(missing, { file: missing, sha256: null })
    return null
  }

  async function make(names: string[], embedded: Uint8Array | null): Promise<Texture | null> {
    const name = basename(names.find(Boolean)?.replaceAll('\\', '/') ?? '')
    const bytes = embedded ?? (await read(names))
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
    external: () => [...external.values()],
  }
}
