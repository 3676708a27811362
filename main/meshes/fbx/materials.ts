import type { MaterialMap, SurfaceMaterial } from '../../model/surface-material.ts'
import { uvSetName } from './geometry.ts'
import { choice, colour, factor, flag, properties, text, vector } from './properties.ts'
import { double, int, long, record, type FbxRecord } from './records.ts'

/** What FBX can show of a material by a texture, by the property that the texture is connected to. */
const MAPS = [
  ['DiffuseColor', 'baseColorMap'],
  ['NormalMap', 'normalMap'],
  ['EmissiveColor', 'emissiveMap'],
] as const

/** Maps that the classic materials have no place for. */
const LEFT_OUT = ['metallicRoughnessMap', 'occlusionMap'] as const

/** An object of the file, and what it hangs on. */
export interface FbxObject {
  id: number
  record: FbxRecord
  /** Its parent, or what it drives of it. */
  of: { id: number; property?: string }
}

/** Textures of these materials that the file cannot refer to. */
export function countLeftOut(materials: SurfaceMaterial[]): number {
  const files = materials.flatMap((material) => LEFT_OUT.flatMap((map) => material[map]?.file ?? []))
  return new Set(files).size
}

/**
 * Materials as Phong's, which every importer knows, and their textures as files beside the mesh. Roughness and metalness are
 * there as shininess and reflection, by the same rule as in Blender.
 *
 * @param names  of the materials, each another
 * @param model  the object that wears them, in this order
 * @param nextId gives each object its number
 */
export function materialObjects(materials: SurfaceMaterial[], names: string[], model: number, nextId: () => number): FbxObject[] {
  const objects: FbxObject[] = []
  materials.forEach((material, index) => {
    const id = nextId()
    objects.push({ id, record: materialRecord(id, names[index], material), of: { id: model } })
    for (const [property, key] of MAPS) {
      const map = material[key]
      if (!map) continue
      const [texture, video] = [nextId(), nextId()]
      objects.push({ id: texture, record: textureRecord(texture, map), of: { id, property } })
      objects.push({ id: video, record: videoRecord(video, map.file), of: { id: texture } })
    }
  })
  return objects
}

function materialRecord(id: number, name: string, material: SurfaceMaterial): FbxRecord {
  const { baseColor, emissive, roughness, metallic, normalScale, alpha } = material
  const opacity = alpha === 'blend' ? baseColor[3] : 1
  return record('Material', [long(id), `${name}\0\x01Material`, ''], [
    record('Version', [int(102)]),
    record('ShadingModel', ['phong']),
    record('MultiLayer', [int(0)]),
    properties(
      colour('DiffuseColor', baseColor),
      factor('DiffuseFactor', 1),
      colour('EmissiveColor', emissive),
      factor('EmissiveFactor', 1),
      colour('TransparentColor', [1, 1, 1]),
      factor('TransparencyFactor', 1 - opacity),
      factor('Opacity', opacity),
      colour('SpecularColor', [1, 1, 1]),
      factor('SpecularFactor', 0.25),
      factor('Shininess', (1 - roughness) ** 2 * 100),
      factor('ShininessExponent', (1 - roughness) ** 2 * 100),
      factor('ReflectionFactor', metallic),
      factor('BumpFactor', normalScale),
    ),
  ])
}

/** FBX counts v from the bottom: glTF's v' = v · scale + offset from the top becomes the same point from there. */
function textureRecord(id: number, { file, uvSet, uvScale, uvOffset, repeats }: MaterialMap): FbxRecord {
  const offset = [uvOffset[0], 1 - uvOffset[1] - uvScale[1]]
  const wrap = repeats ? 0 : 1
  return record('Texture', [long(id), `${file}\0\x01Texture`, ''], [
    record('Type', ['TextureVideoClip']),
    record('Version', [int(202)]),
    record('TextureName', [`${file}\0\x01Texture`]),
    properties(
      text('UVSet', uvSetName(uvSet)),
      flag('UseMaterial', true),
      choice('WrapModeU', wrap),
      choice('WrapModeV', wrap),
      vector('Translation', [...offset, 0]),
      vector('Scaling', [...uvScale, 1]),
    ),
    record('Media', [`${file}\0\x01Video`]),
    record('FileName', [file]),
    record('RelativeFilename', [file]),
    record('ModelUVTranslation', offset.map(double)),
    record('ModelUVScaling', uvScale.map(double)),
    record('Texture_Alpha_Source', ['None']),
    record('Cropping', [0, 0, 0, 0].map(int)),
  ])
}

function videoRecord(id: number, file: string): FbxRecord {
  return record('Video', [long(id), `${file}\0\x01Video`, 'Clip'], [
    record('Type', ['Clip']),
    properties(record('P', ['Path', 'KString', 'XRefUrl', '', file])),
    record('UseMipMap', [int(0)]),
    record('Filename', [file]),
    record('RelativeFilename', [file]),
  ])
}
