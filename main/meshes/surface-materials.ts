import { TextureInfo } from '@gltf-transform/core'
import type { Document, Material, Texture } from '@gltf-transform/core'
import type { EmissiveStrength, Transform } from '@gltf-transform/extensions'
import type { MaterialMap, SurfaceMaterial } from '../model/surface-material.ts'
import { nameImages } from './image-names.ts'

/** How a mesh looks, and the images for that. */
export interface Surfaces {
  /** Material of each surface of the file: of each sub-mesh, or, in FBX, of all those of one material. */
  materials: SurfaceMaterial[]
  /** Images of the materials under the names that those call them by. */
  images: { file: string; data: Uint8Array; mimeType: string }[]
}

/**
 * Describes the materials of the only mesh of a document in plain data, for engines that get materials of their own.
 *
 * @param stem begins the names of the images
 */
export function describeSurfaces(document: Document, stem: string): Surfaces {
  const root = document.getRoot()
  const textures = root.listTextures()
  const names = nameImages(textures, stem)
  const fileOf = (texture: Texture) => names[textures.indexOf(texture)]
  const [mesh] = root.listMeshes()
  return {
    materials: mesh.listPrimitives().map((primitive) => ({
      ...describe(primitive.getMaterial(), fileOf),
      vertexColors: primitive.getAttribute('COLOR_0') !== null,
    })),
    images: textures.map((texture) => ({ file: fileOf(texture), data: texture.getImage()!, mimeType: texture.getMimeType() })),
  }
}

/** What glTF says of a surface without a material (glTF 2.0, section 3.9.6). */
const DEFAULT: Omit<SurfaceMaterial, 'vertexColors'> = {
  name: '',
  baseColor: [1, 1, 1, 1],
  baseColorMap: null,
  metallic: 1,
  roughness: 1,
  metallicRoughnessMap: null,
  normalScale: 1,
  normalMap: null,
  occlusionStrength: 1,
  occlusionMap: null,
  emissive: [0, 0, 0],
  emissiveMap: null,
  alpha: 'opaque',
  alphaCutoff: 0.5,
  doubleSided: false,
  unlit: false,
}

function describe(material: Material | null, fileOf: (texture: Texture) => string): Omit<SurfaceMaterial, 'vertexColors'> {
  if (!material) return DEFAULT
  const map = (texture: Texture | null, info: TextureInfo | null) => (texture && info ? describeMap(fileOf(texture), info) : null)
  const strength = material.getExtension<EmissiveStrength>('KHR_materials_emissive_strength')?.getEmissiveStrength() ?? 1
  const [red, green, blue] = material.getEmissiveFactor()
  return {
    name: material.getName(),
    baseColor: [...material.getBaseColorFactor()],
    baseColorMap: map(material.getBaseColorTexture(), material.getBaseColorTextureInfo()),
    metallic: material.getMetallicFactor(),
    roughness: material.getRoughnessFactor(),
    metallicRoughnessMap: map(material.getMetallicRoughnessTexture(), material.getMetallicRoughnessTextureInfo()),
    normalScale: material.getNormalScale(),
    normalMap: map(material.getNormalTexture(), material.getNormalTextureInfo()),
    occlusionStrength: material.getOcclusionStrength(),
    occlusionMap: map(material.getOcclusionTexture(), material.getOcclusionTextureInfo()),
    emissive: [red * strength, green * strength, blue * strength],
    emissiveMap: map(material.getEmissiveTexture(), material.getEmissiveTextureInfo()),
    alpha: ({ OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const)[material.getAlphaMode()],
    alphaCutoff: material.getAlphaCutoff(),
    doubleSided: material.getDoubleSided(),
    unlit: material.getExtension('KHR_materials_unlit') !== null,
  }
}

/** Of a texture's transform (KHR_texture_transform) scale and offset are kept; a rotation is not. */
function describeMap(file: string, info: TextureInfo): MaterialMap {
  const transform = info.getExtension<Transform>('KHR_texture_transform')
  const { REPEAT, MIRRORED_REPEAT } = TextureInfo.WrapMode
  const { NEAREST, LINEAR, NEAREST_MIPMAP_NEAREST, NEAREST_MIPMAP_LINEAR } = TextureInfo.MinFilter
  const filter = info.getMinFilter()
  return {
    file,
    uvSet: transform?.getTexCoord() ?? info.getTexCoord(),
    uvScale: [...(transform?.getScale() ?? [1, 1])] as [number, number],
    uvOffset: [...(transform?.getOffset() ?? [0, 0])] as [number, number],
    repeats: info.getWrapS() === REPEAT || info.getWrapS() === MIRRORED_REPEAT,
    nearest: filter === NEAREST || filter === NEAREST_MIPMAP_NEAREST || filter === NEAREST_MIPMAP_LINEAR,
    mipmaps: filter !== NEAREST && filter !== LINEAR,
  }
}
