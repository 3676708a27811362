import { Document, TextureInfo } from '@gltf-transform/core'
import { KHRTextureTransform } from '@gltf-transform/extensions'
import { createImageFinder } from '../images.ts'
import type { Budget } from '../limited-file.ts'
import type { ExternalFile } from '../loaded-model.ts'
import type { WarningList } from '../warnings.ts'
import type { BabylonMaterial, BabylonTexture } from './source.ts'

/** Values of wrapU and wrapV: 0 clamps, 1 repeats, 2 mirrors. */
const WRAPS = [TextureInfo.WrapMode.CLAMP_TO_EDGE, TextureInfo.WrapMode.REPEAT, TextureInfo.WrapMode.MIRRORED_REPEAT]

/**
 * How the model looks, as a glTF document whose material i is the file's: standard and physical materials alike, as far as
 * glTF has the same thing.
 *
 * @param folder where the model lies, and its textures
 */
export async function readAppearance(
  materials: BabylonMaterial[],
  folder: string,
  budget: Budget,
  warnings: WarningList,
): Promise<{ appearance: Document; external: ExternalFile[] }> {
  const appearance = new Document()
  const images = createImageFinder(appearance, folder, budget, warnings)
  const find = (texture: BabylonTexture | null | undefined) => {
    if (!texture?.name && !texture?.base64String) return null
    const data = /^data:[^,]*;base64,(.*)$/s.exec(texture.base64String ?? texture.name ?? '')
    return images.find([texture.name ?? ''], data ? Uint8Array.from(Buffer.from(data[1], 'base64')) : null)
  }
  for (const [i, source] of materials.entries()) {
    const base = source.albedoTexture ?? source.baseTexture ?? source.diffuseTexture
    const normal = source.bumpTexture ?? source.normalTexture
    const occlusion = source.ambientTexture ?? source.occlusionTexture
    const [red, green, blue] = source.albedo ?? source.albedoColor ?? source.baseColor ?? source.diffuse ?? [1, 1, 1]
    const [r, g, b] = source.emissive ?? [0, 0, 0]
    const alpha = source.alpha ?? 1
    const rough = source.roughness ?? 1 - Math.sqrt(Math.max(0, source.specularPower ?? 0)) / 10
    const material = appearance
      .createMaterial(source.name || `material_${i}`)
      .setBaseColorFactor([clamped(red), clamped(green), clamped(blue), clamped(alpha)])
      .setEmissiveFactor([clamped(r), clamped(g), clamped(b)])
      .setMetallicFactor(clamped(source.metallic ?? 0))
      .setRoughnessFactor(clamped(rough))
      .setDoubleSided(source.backFaceCulling === false)
      .setBaseColorTexture(await find(base))
      .setNormalTexture(await find(normal))
      .setOcclusionTexture(await find(occlusion))
      .setEmissiveTexture(await find(source.emissiveTexture))
    if (alpha < 1 || base?.hasAlpha) material.setAlphaMode('BLEND')
    // The texture is added to the colour, which is black as a rule.
    if (material.getEmissiveTexture()) material.setEmissiveFactor([1, 1, 1])
    place(appearance, material.getBaseColorTextureInfo(), base)
    place(appearance, material.getNormalTextureInfo(), normal)
    place(appearance, material.getOcclusionTextureInfo(), occlusion)
    place(appearance, material.getEmissiveTextureInfo(), source.emissiveTexture)
  }
  return { appearance, external: images.external() }
}

function clamped(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0
}

/** Wrapping, texture coordinates, and the texture's own offset and scale, which count V from the bottom. */
function place(appearance: Document, info: TextureInfo | null, texture: BabylonTexture | null | undefined): void {
  if (!info || !texture) return
  info.setTexCoord(texture.coordinatesIndex ?? 0)
  info.setWrapS(WRAPS[texture.wrapU ?? 1] ?? WRAPS[1]).setWrapT(WRAPS[texture.wrapV ?? 1] ?? WRAPS[1])
  const [u, v, scaleU, scaleV] = [texture.uOffset ?? 0, texture.vOffset ?? 0, texture.uScale ?? 1, texture.vScale ?? 1]
  if (u === 0 && v === 0 && scaleU === 1 && scaleV === 1) return
  const transform = appearance.createExtension(KHRTextureTransform).createTransform()
  info.setExtension('KHR_texture_transform', transform.setScale([scaleU, scaleV]).setOffset([u, 1 - v - scaleV]))
}
