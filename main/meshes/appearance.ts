import { ExtensionProperty, ImageUtils, TextureInfo } from '@gltf-transform/core'
import type { Document, Extension, Material, Property, Texture } from '@gltf-transform/core'
import { EXTTextureAVIF, EXTTextureWebP, KHRMaterialsVariants, KHRTextureBasisu, Transform } from '@gltf-transform/extensions'
import { copyToDocument } from '@gltf-transform/functions'
import type { Warning } from '../model/animated-model.ts'

type ExtensionClass = new (document: Document) => Extension

/** Image formats of glTF, and the extension that a file with such an image has to require. */
const IMAGE_FORMATS: Record<string, ExtensionClass | null> = {
  'image/png': null,
  'image/jpeg': null,
  'image/webp': EXTTextureWebP,
  'image/avif': EXTTextureAVIF,
  'image/ktx2': KHRTextureBasisu,
}

/** Materials that were copied into another document. */
export interface CopiedAppearance {
  /** The copy of each material, by its index in the source. */
  materials: Map<number, Material>
  /** Texture coordinate sets that the textures refer to: 2 where TEXCOORD_1 is the last one. */
  uvSets: number
  warnings: Warning[]
}

/**
 * Copies materials with all that hangs on them (textures, images byte for byte, extensions) into another document, in the
 * order of the source, and nothing else. The target uses and requires exactly the extensions that those materials need.
 *
 * @param used indices into the source's materials; negative ones stand for no material
 * @throws RangeError when an index is not one of the source's materials
 */
export function copyMaterials(target: Document, source: Document, used: Iterable<number>): CopiedAppearance {
  const root = source.getRoot()
  const listed = root.listMaterials()
  const indices = [...new Set(used)].filter((index) => index >= 0).sort((a, b) => a - b)
  const unknown = indices.find((index) => index >= listed.length)
  if (unknown !== undefined) throw new RangeError(`material ${unknown} of ${listed.length}`)

  const materials = indices.map((index) => listed[index])
  const reached = listReached(source, materials)
  const textures = root.listTextures().filter((texture) => reached.has(texture))
  copyExtensions(target, source, reached)
  // Textures first, so that they too keep the source's order.
  const copies = copyToDocument(target, source, [...textures, ...materials])

  const warnings = [...dropMissingImages(target), ...warnOfVariants(source)]
  for (const texture of target.getRoot().listTextures()) declareFormat(target, texture)
  return {
    materials: new Map(indices.map((index) => [index, copies.get(listed[index]) as Material])),
    uvSets: countReferredUVSets(reached),
    warnings,
  }
}

/** The properties and everything that they refer to, directly or not. */
function listReached(document: Document, properties: Property[]): Set<Property> {
  const reached = new Set<Property>(properties)
  // A set's iteration goes on to what is added meanwhile.
  for (const property of reached) {
    for (const child of document.getGraph().listChildren(property)) reached.add(child)
  }
  return reached
}

function copyExtensions(target: Document, source: Document, reached: Set<Property>): void {
  const names = new Set([...reached].filter((property) => property instanceof ExtensionProperty).map((property) => property.extensionName))
  for (const extension of source.getRoot().listExtensionsUsed()) {
    if (!names.has(extension.extensionName)) continue
    target.createExtension(extension.constructor as ExtensionClass).setRequired(extension.isRequired())
  }
}

function countReferredUVSets(reached: Set<Property>): number {
  let sets = 0
  for (const property of reached) {
    if (property instanceof TextureInfo || property instanceof Transform) sets = Math.max(sets, (property.getTexCoord() ?? 0) + 1)
  }
  return sets
}

/** Takes textures without an image (its file was not found) off their materials: glTF has no way to write them. */
function dropMissingImages(document: Document): Warning[] {
  const missing = document.getRoot().listTextures().filter((texture) => !texture.getImage()?.byteLength)
  for (const texture of missing) texture.dispose()
  if (missing.length === 0) return []
  const message = `${missing.length} texture(s) without an image are left out of the rest mesh.`
  return [{ code: 'texture-without-image', message, count: missing.length }]
}

function declareFormat(document: Document, texture: Texture): void {
  if (!(texture.getMimeType() in IMAGE_FORMATS)) {
    // Words such as image/jpg, which readers of glTF would refuse, for a format that is fine.
    texture.setMimeType(ImageUtils.getMimeType(texture.getImage()!) ?? texture.getMimeType())
  }
  const Format = IMAGE_FORMATS[texture.getMimeType()]
  // Required, because the library keeps no second image for readers without the extension.
  if (Format) document.createExtension(Format).setRequired(true)
}

/** Variants belong to the primitives of the source; the rest mesh shows the materials that those have by default. */
function warnOfVariants(source: Document): Warning[] {
  const extension = source.getRoot().listExtensionsUsed().find((extension) => extension instanceof KHRMaterialsVariants)
  const count = extension?.listVariants().length ?? 0
  if (count === 0) return []
  return [{ code: 'material-variants-left-out', message: `${count} material variant(s) are left out; the default materials stay.`, count }]
}
