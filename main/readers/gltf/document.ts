import { Logger, WebIO, type Accessor, type Document, type JSONDocument } from '@gltf-transform/core'
import { shortened } from '../../model/shortened.ts'
import type { WarningList } from '../warnings.ts'
import { broken } from './broken.ts'
import { isAppearance, isReadable, READ_EXTENSIONS } from './extensions.ts'
import type { Bytes, Resources } from './resources.ts'
import type { Gltf } from './schema.ts'
import { checkSparse } from './sparse.ts'

/**
 * Lets the glTF library unpack the accessors of a checked file: strided and sparse numbers become plain arrays, copies of
 * the buffers' bytes.
 *
 * @param used the JSON's indices of those that are wanted
 * @returns the accessors by the JSON's index, with holes
 * @throws Problem where a sparse one replaces values that it does not have
 */
export async function readAccessors(file: string, json: Gltf, { buffers }: Resources, used: Set<number>): Promise<Accessor[]> {
  const wanted = [...used]
  for (const index of wanted) checkSparse(file, json, index, buffers)
  const resources: Record<string, Bytes> = {}
  const document = await readJson(file, resources, {
    buffers: json.buffers.map((buffer, i) => {
      const uri = `buffer${i}.bin`
      resources[uri] = buffers[i]
      return { ...buffer, uri }
    }),
    // Old exporters write a stride of 0 where they mean none.
    bufferViews: json.bufferViews.map((view) => ({ ...view, byteStride: view.byteStride || undefined })),
    // The library lets a sparse part without an offset inherit the accessor's.
    accessors: wanted.map((index) => json.accessors[index]).map(({ sparse, ...accessor }) => ({
      ...accessor,
      ...(sparse && {
        sparse: {
          ...sparse,
          indices: { ...sparse.indices, byteOffset: sparse.indices.byteOffset ?? 0 },
          values: { ...sparse.values, byteOffset: sparse.values.byteOffset ?? 0 },
        },
      }),
    })),
  })
  const accessors: Accessor[] = []
  document.getRoot().listAccessors().forEach((accessor, i) => (accessors[wanted[i]] = accessor))
  return accessors
}

/**
 * Reads how the model looks into a document of its own: materials, textures and their extensions, nothing else.
 *
 * @returns a document whose material i is the JSON's
 * @throws Problem where the library finds a fault in the materials
 */
export async function readAppearance(file: string, json: Gltf, { buffers, images }: Resources, warnings: WarningList): Promise<Document> {
  for (const name of json.extensionsUsed) {
    if (!isReadable(name)) {
      warnings.add('extension-ignored', 'Ignored # unknown extension|extensions of glTF', 1, name)
    }
  }
  const resources: Record<string, Bytes> = {}
  const document = await readJson(file, resources, {
    asset: json.asset,
    extensionsUsed: json.extensionsUsed.filter(isAppearance),
    extensionsRequired: json.extensionsRequired.filter(isAppearance),
    materials: json.materials,
    textures: json.textures,
    samplers: json.samplers,
    images: json.images.map(({ bufferView, uri, ...image }, i) => {
      const isFile = uri !== undefined && !/^data:/i.test(uri)
      // The library takes names that begin like this for its own, and does not write them.
      const name = isFile ? uri : `__image${i}.png`
      if (bufferView !== undefined) {
        const { buffer, byteOffset = 0, byteLength } = json.bufferViews[bufferView]
        resources[name] = buffers[buffer].slice(byteOffset, byteOffset + byteLength)
      } else {
        resources[name] = images[i]?.bytes ?? NO_IMAGE
      }
      return { ...image, uri: name, mimeType: image.mimeType ?? images[i]?.mimeType }
    }),
  })
  for (const texture of document.getRoot().listTextures()) if (texture.getImage() === NO_IMAGE) texture.dispose()
  return document
}

const NO_IMAGE: Bytes = new Uint8Array(0)

async function readJson(file: string, resources: Record<string, Bytes>, json: Partial<Gltf>): Promise<Document> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(READ_EXTENSIONS)
  try {
    // The library refuses a later 2.x, which the specification asks readers of 2.0 to accept.
    return await io.readJSON({ json: { ...json, asset: { ...json.asset, version: '2.0' } }, resources } as JSONDocument)
  } catch (error) {
    // What the library trips over, its error does not say in words for people.
    const why = error instanceof TypeError ? 'its materials or textures are described wrong' : (error as Error).message
    throw broken(file, `the glTF library cannot read it (${shortened(why, 200)})`)
  }
}
