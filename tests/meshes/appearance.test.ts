import type { Document } from '@gltf-transform/core'
import {
  EXTMeshoptCompression,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRLightsPunctual,
  KHRMaterialsClearcoat,
  KHRMaterialsUnlit,
  KHRMaterialsVariants,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { copyMaterials } from '../../main/meshes/appearance.ts'
import { emptyAppearance, onePixel } from './fixtures.ts'

const FUR = onePixel(200, 80, 20)
const EYES = onePixel(0, 0, 255)

/** Three materials: a clear-coated one with a moved texture, an unlit one, and one that nothing needs. */
function wardrobe(): Document {
  const document = emptyAppearance()
  const eyes = document.createTexture('Eyes').setImage(EYES).setMimeType('image/png')
  const fur = document.createTexture('Fur').setImage(FUR).setMimeType('image/png')
  const coat = document.createExtension(KHRMaterialsClearcoat).createClearcoat().setClearcoatFactor(0.5).setClearcoatTexture(eyes)
  const moved = document.createExtension(KHRTextureTransform).setRequired(true).createTransform().setScale([2, 3])
  const coated = document.createMaterial('Coated').setBaseColorTexture(fur).setExtension('KHR_materials_clearcoat', coat)
  coated.getBaseColorTextureInfo()!.setTexCoord(1).setWrapS(33071).setExtension('KHR_texture_transform', moved)
  document.createMaterial('Unused').setEmissiveTexture(document.createTexture('Unused').setImage(EYES).setMimeType('image/png'))
  document.createMaterial('Flat').setAlphaMode('MASK').setExtras({ owner: 'me' })
    .setExtension('KHR_materials_unlit', document.createExtension(KHRMaterialsUnlit).createUnlit())
  return document
}

const extensionsOf = (document: Document) =>
  document.getRoot().listExtensionsUsed().map((extension) => (extension.isRequired() ? `${extension.extensionName}!` : extension.extensionName)).sort()

const copied = (source: Document, used: number[]) => {
  const target = emptyAppearance()
  return { target, ...copyMaterials(target, source, used) }
}

describe('materials', () => {
  test('are copied with everything that hangs on them, and only those that are used', () => {
    const source = wardrobe()
    const { target, materials } = copied(source, [2, 0, 0, -1])
    const [coated, , flat] = source.getRoot().listMaterials()
    expect([...materials.keys()]).toEqual([0, 2])
    expect(target.getRoot().listMaterials()).toEqual([materials.get(0), materials.get(2)])
    expect(materials.get(0)!.equals(coated)).toBe(true)
    expect(materials.get(2)!.equals(flat)).toBe(true)
    expect(target.getRoot().listTextures().map((texture) => texture.getName())).toEqual(['Eyes', 'Fur'])
  })

  test('keep their images byte for byte', () => {
    const { target } = copied(wardrobe(), [0])
    expect(target.getRoot().listTextures().map((texture) => texture.getImage())).toEqual([EYES, FUR])
  })

  test('leave the source as it was', () => {
    const source = wardrobe()
    const { target } = copied(source, [0])
    target.getRoot().listMaterials()[0].setName('changed')
    expect(source.getRoot().listMaterials().map((material) => material.getName())).toEqual(['Coated', 'Unused', 'Flat'])
    expect(source.getRoot().listTextures()).toHaveLength(3)
  })

  test('none at all is fine', () => {
    const { target, materials, warnings } = copied(wardrobe(), [-1])
    expect([materials.size, target.getRoot().listMaterials(), extensionsOf(target), warnings]).toEqual([0, [], [], []])
  })

  test('that are not there are a defect of the caller', () => {
    expect(() => copied(wardrobe(), [0, 3])).toThrow(new RangeError('material 3 of 3'))
  })
})

describe('extensions', () => {
  test('are those of the copied materials, required where the source required them', () => {
    expect(extensionsOf(copied(wardrobe(), [0, 2]).target)).toEqual(['KHR_materials_clearcoat', 'KHR_materials_unlit', 'KHR_texture_transform!'])
    expect(extensionsOf(copied(wardrobe(), [2]).target)).toEqual(['KHR_materials_unlit'])
    expect(extensionsOf(copied(wardrobe(), [1]).target)).toEqual([])
  })

  test('of compression and lights do not come along', () => {
    const source = wardrobe()
    source.createExtension(KHRDracoMeshCompression).setRequired(true)
    source.createExtension(EXTMeshoptCompression).setRequired(true)
    source.createExtension(KHRLightsPunctual).setRequired(true)
    expect(extensionsOf(copied(source, [1]).target)).toEqual([])
  })

  test('of image formats are required, as there is no second image', () => {
    const source = emptyAppearance()
    source.createExtension(EXTTextureWebP)
    source.createMaterial().setBaseColorTexture(source.createTexture().setImage(FUR).setMimeType('image/webp'))
    expect(extensionsOf(copied(source, [0]).target)).toEqual(['EXT_texture_webp!'])
  })

  test('of material variants are left out with a warning', () => {
    const source = wardrobe()
    const variants = source.createExtension(KHRMaterialsVariants)
    const mapping = variants.createMapping().setMaterial(source.getRoot().listMaterials()[1]).addVariant(variants.createVariant('Winter'))
    const mappings = variants.createMappingList().addMapping(mapping)
    source.createMesh().addPrimitive(source.createPrimitive().setExtension('KHR_materials_variants', mappings))
    const { target, warnings } = copied(source, [2])
    expect(extensionsOf(target)).toEqual(['KHR_materials_unlit'])
    expect(warnings).toEqual([
      { code: 'material-variants-left-out', message: '1 material variant(s) are left out; the default materials stay.', count: 1 },
    ])
  })
})

describe('texture coordinate sets that materials refer to', () => {
  test('are counted over the textures', () => {
    expect(copied(wardrobe(), [0]).uvSets).toBe(2)
  })

  test('may be named by a texture transform', () => {
    const source = wardrobe()
    const info = source.getRoot().listMaterials()[0].getBaseColorTextureInfo()!
    const transform = info.getExtension<ReturnType<KHRTextureTransform['createTransform']>>('KHR_texture_transform')!
    transform.setTexCoord(4)
    expect(copied(source, [0]).uvSets).toBe(5)
  })
})

describe('images', () => {
  test('that are missing take their textures with them, with a warning', () => {
    const source = wardrobe()
    source.getRoot().listTextures()[1].setImage(null)
    const { target, materials, warnings } = copied(source, [0])
    expect(target.getRoot().listTextures().map((texture) => texture.getName())).toEqual(['Eyes'])
    expect(materials.get(0)!.getBaseColorTexture()).toBeNull()
    expect(warnings).toEqual([
      { code: 'texture-without-image', message: '1 texture(s) without an image are left out of the rest mesh.', count: 1 },
    ])
  })

  test('of a format that is spelt wrongly are declared by what they are', () => {
    const source = emptyAppearance()
    source.createMaterial().setBaseColorTexture(source.createTexture().setImage(FUR).setMimeType('image/PNG'))
    expect(copied(source, [0]).target.getRoot().listTextures()[0].getMimeType()).toBe('image/png')
  })
})
