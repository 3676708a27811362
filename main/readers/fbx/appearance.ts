import { Document, TextureInfo, type Material } from '@gltf-transform/core'
import { KHRTextureTransform } from '@gltf-transform/extensions'
import { createImageFinder } from '../images.ts'
import type { Budget } from '../limited-file.ts'
import type { ExternalFile } from '../loaded-model.ts'
import type { WarningList } from '../warnings.ts'
import type { FbxMaterial, FbxScene, FbxTexture, Vector } from './library.ts'
import type { FbxRecords } from './records.ts'

/** Where a texture of the file goes, by the property that it is connected to: the physical shaders' names and the classic ones. */
const SLOTS: Record<string, 'base' | 'normal' | 'emissive' | 'occlusion' | undefined> = {
  DiffuseColor: 'base',
  Diffuse: 'base',
  'Maya|baseColor': 'base',
  'Maya|TEX_color_map': 'base',
  '3dsMax|Parameters|base_color_map': 'base',
  NormalMap: 'normal',
  Bump: 'normal',
  'Maya|normalCamera': 'normal',
  'Maya|TEX_normal_map': 'normal',
  EmissiveColor: 'emissive',
  'Maya|emissionColor': 'emissive',
  'Maya|TEX_emissive_map': 'emissive',
  'Maya|TEX_ao_map': 'occlusion',
}

/**
 * How the model looks, as a glTF document whose material i is the scene's. The classic materials of FBX have no
 * physical terms, so these are what comes nearest: the diffuse colour or texture, opacity, emission, and a roughness from the
 * sharpness of highlights (Blender's FBX importer goes the same way). Where the file has a physical shader its own numbers count.
 *
 * @param folder where the model lies, and its textures
 */
export async function readAppearance(
  scene: FbxScene,
  records: FbxRecords,
  folder: string,
  budget: Budget,
  warnings: WarningList,
): Promise<{ appearance: Document; external: ExternalFile[] }> {
  const appearance = new Document()
  const images = createImageFinder(appearance, folder, budget, warnings)
  for (const [i, source] of scene.materials.entries()) {
    const material = appearance.createMaterial(source.name || `material_${i}`)
    setNumbers(material, source)
    for (const texture of texturesOf(source)) {
      const slot = SLOTS[texture.propertyName]
      if (!slot) {
        warnings.add('texture-left-out', 'Left out # texture|textures that glTF has no place for', 1, texture.propertyName)
        continue
      }
      const image = await images.find([texture.relativeFileName, texture.fileName], embeddedImage(texture, records))
      if (!image) continue
      if (slot === 'base') place(appearance, material.setBaseColorTexture(image).getBaseColorTextureInfo()!, texture)
      if (slot === 'normal') place(appearance, material.setNormalTexture(image).getNormalTextureInfo()!, texture)
      if (slot === 'emissive') place(appearance, material.setEmissiveTexture(image).getEmissiveTextureInfo()!, texture)
      if (slot === 'occlusion') place(appearance, material.setOcclusionTexture(image).getOcclusionTextureInfo()!, texture)
      // A texture takes the place of the colour, which exporters then often leave black.
      if (slot === 'base') material.setBaseColorFactor([1, 1, 1, material.getAlpha()])
      if (slot === 'emissive') material.setEmissiveFactor([1, 1, 1])
    }
  }
  return { appearance, external: images.external() }
}

/** ASCII files spell images in base64, which the interpreter leaves aside. */
function embeddedImage({ id, embeddedData }: FbxTexture, records: FbxRecords): Uint8Array | null {
  if (embeddedData) return embeddedData
  for (const { record } of records.children(id, 'Video')) {
    const content = record.children.find(({ name }) => name === 'Content')?.properties.map(({ value }) => value)
    const text = content?.filter((value) => typeof value === 'string').join('')
    if (text) return Uint8Array.from(Buffer.from(text, 'base64'))
  }
  return null
}

/** Of several textures for one property the first counts. */
function texturesOf({ textures }: FbxMaterial): FbxTexture[] {
  return textures.filter((texture, i) => textures.findIndex(({ propertyName }) => propertyName === texture.propertyName) === i)
}

function setNumbers(material: Material, { properties, model }: FbxMaterial): void {
  const { diffuseColor = [0.8, 0.8, 0.8], diffuseFactor = 1, emissiveColor = [0, 0, 0], emissiveFactor = 1, shininess = 20 } = properties
  const physical = /^(unknown|fbxLambert|fbxPhong)$/.test(model.shaderType) ? {} : model.pbr
  const color = physical.baseColor?.value?.slice(0, 3) ?? diffuseColor.map((value) => value * diffuseFactor)
  const emission = physical.emissionColor?.value?.slice(0, 3).map((value) => value * (physical.emissionFactor?.value?.[0] ?? 1))
  const opacity = clamped(physical.opacity?.value?.[0] ?? properties.opacity ?? 1 - (properties.transparencyFactor ?? 0))
  material
    .setBaseColorFactor([...(color.map(clamped) as Vector), opacity])
    .setEmissiveFactor((emission ?? emissiveColor.map((value) => value * emissiveFactor)).map(clamped) as Vector)
    .setRoughnessFactor(clamped(physical.roughness?.value?.[0] ?? 1 - Math.sqrt(Math.max(0, shininess)) / 10))
    .setMetallicFactor(clamped(physical.metalness?.value?.[0] ?? 0))
  if (opacity < 1) material.setAlphaMode('BLEND')
}

function clamped(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0
}

const CLAMP = 1

/** Wrapping, and the texture's own transform about the lower left corner, which glTF counts from the upper left. */
function place(appearance: Document, info: TextureInfo, texture: FbxTexture): void {
  if (texture.wrapU === CLAMP) info.setWrapS(TextureInfo.WrapMode.CLAMP_TO_EDGE)
  if (texture.wrapV === CLAMP) info.setWrapT(TextureInfo.WrapMode.CLAMP_TO_EDGE)
  const { uvTranslation: [u, v] = [0, 0], uvScaling: [scaleU, scaleV] = [1, 1], uvRotation = 0 } = texture
  if (u === 0 && v === 0 && scaleU === 1 && scaleV === 1 && uvRotation === 0) return
  const angle = (uvRotation * Math.PI) / 180
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  // u' = t + R·S·u with v counted from the bottom; the same point counted from the top.
  const transform = appearance
    .createExtension(KHRTextureTransform)
    .createTransform()
    .setScale([scaleU, scaleV])
    .setRotation(angle)
    .setOffset([u - sine * scaleV, 1 - v - cosine * scaleV])
  info.setExtension('KHR_texture_transform', transform)
}
