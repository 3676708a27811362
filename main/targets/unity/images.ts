import type { MaterialMap, SurfaceMaterial } from '../../model/surface-material.ts'
import { type MapName, mapsOf as shownMaps } from '../material-maps.ts'
import { LAYER_ROLES, type PackagedSet, type PackagedTexture } from '../target.ts'

/** An image of a package, and how it is imported. */
export interface UnityImage {
  file: string
  use: 'Numbers' | 'Color' | 'Linear' | 'NormalMap'
  format: 'RGBA32' | 'RGBAHalf' | 'RGBAFloat' | 'RGBA64' | 'Automatic'
  /** A power of two: Unity makes larger images smaller without a word. */
  maxSize: number
  repeats: boolean
  nearest: boolean
  mipmaps: boolean
}

const PROPERTIES: Record<MapName, string> = {
  baseColorMap: '_BaseMap',
  metallicRoughnessMap: '_OrmMap',
  normalMap: '_BumpMap',
  occlusionMap: '_OcclusionMap',
  emissiveMap: '_EmissionMap',
}

/** The maps of a material by the names of the shader's properties. */
export function mapsOf(material: SurfaceMaterial): [property: string, map: MaterialMap][] {
  return shownMaps(material).map(([name, map]) => [PROPERTIES[name], map])
}

/** Every image of a bake: its textures, and what its materials show or its mesh refers to. */
export function listImages({ textures, materials, meshes }: PackagedSet): UnityImage[] {
  const maps = materials.flatMap(mapsOf)
  const images = [
    ...textures.filter(({ role }) => LAYER_ROLES.includes(role)).map(imageOfNumbers),
    // The first use of an image counts: one that is a colour is a colour.
    ...['_BaseMap', '_EmissionMap', '_BumpMap', '_OrmMap', '_OcclusionMap'].flatMap((property) =>
      maps.filter(([name]) => name === property).map(([, map]) => imageOfMap(property, map)),
    ),
    ...meshes[0].resources.map(({ file }): UnityImage => ({ ...LINEAR, file })),
  ]
  return [...new Map(images.toReversed().map((image) => [image.file, image])).values()].toReversed()
}

/** The formats that hold what is stored, whatever the platform: with an automatic one 16-bit PNG files lose half of their bits. */
const FORMATS: Record<string, UnityImage['format']> = { unorm8: 'RGBA32', unorm8x2: 'RGBA32', unorm16: 'RGBA64', float16: 'RGBAHalf', float32: 'RGBAFloat' }

function imageOfNumbers({ file, type, width, height }: PackagedTexture): UnityImage {
  const maxSize = Math.max(32, 2 ** Math.ceil(Math.log2(Math.max(width, height))))
  return { file, use: 'Numbers', format: FORMATS[type], maxSize, repeats: false, nearest: true, mipmaps: false }
}

const LINEAR: Omit<UnityImage, 'file'> = { use: 'Linear', format: 'Automatic', maxSize: 8192, repeats: true, nearest: false, mipmaps: true }

function imageOfMap(property: string, { file, repeats, nearest, mipmaps }: MaterialMap): UnityImage {
  const isColor = property === '_BaseMap' || property === '_EmissionMap'
  return { ...LINEAR, file, use: isColor ? 'Color' : property === '_BumpMap' ? 'NormalMap' : 'Linear', repeats, nearest, mipmaps }
}
