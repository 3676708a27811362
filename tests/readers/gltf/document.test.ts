import { WebIO } from '@gltf-transform/core'
import { KHRMaterialsUnlit, KHRTextureTransform } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { GltfBuilder, triangle } from '../build-gltf.ts'

describe('the appearance', () => {
  test('has the materials of the file under their own numbers, and no geometry', async () => {
    const builder = triangle()
    builder.json.materials = [{ name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }, {}, { doubleSided: true }]
    builder.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 1 } }]
    builder.json.scenes = [{ nodes: [0] }]
    const { model, appearance } = await builder.read()
    expect(model.materials).toEqual(['red', 'material_1', 'material_2'])

    const root = appearance.getRoot()
    expect(root.listMaterials().map((material) => [material.getBaseColorFactor()[1], material.getDoubleSided()])).toEqual([
      [0, false],
      [1, false],
      [1, true],
    ])
    const rest = [root.listMeshes(), root.listNodes(), root.listScenes(), root.listCameras(), root.listAccessors(), root.listBuffers()]
    expect(rest.flat()).toEqual([])
  })

  test('keeps the copyright', async () => {
    const builder = triangle()
    builder.json.asset.copyright = '2020 Somebody'
    expect((await builder.read()).appearance.getRoot().getAsset().copyright).toBe('2020 Somebody')
  })

  test('has the images, wherever they were, and can be written', async () => {
    const builder = triangle()
    builder.json.images = [
      { bufferView: builder.view(Uint8Array.of(1, 2, 3)), mimeType: 'image/png', name: 'inside' },
      { uri: 'data:image/jpeg;base64,BAUG' },
    ]
    builder.json.textures = [{ source: 1 }, { source: 0 }]
    builder.json.materials = [{ emissiveTexture: { index: 1 }, normalTexture: { index: 0, scale: 0.5 } }]
    const { appearance } = await builder.read()
    const [material] = appearance.getRoot().listMaterials()
    expect(material.getEmissiveTexture()?.getImage()).toEqual(Uint8Array.of(1, 2, 3))
    expect(material.getEmissiveTexture()?.getName()).toBe('inside')
    expect(material.getNormalTexture()?.getImage()).toEqual(new Uint8Array([4, 5, 6]))
    expect(material.getNormalTexture()?.getMimeType()).toBe('image/jpeg')
    expect(material.getNormalTexture()?.getURI()).toBe('')

    appearance.createBuffer()
    const again = await new WebIO().readBinary(await new WebIO().writeBinary(appearance))
    expect(again.getRoot().listTextures()).toHaveLength(2)
  })

  test('loses a texture whose image is missing, and nothing else', async () => {
    const builder = triangle()
    builder.json.images = [{ uri: 'gone.png' }]
    builder.json.textures = [{ source: 0 }]
    builder.json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0.25 } }]
    const { model, appearance } = await builder.read()
    const [material] = appearance.getRoot().listMaterials()
    expect([material.getBaseColorTexture(), material.getMetallicFactor()]).toEqual([null, 0.25])
    expect(appearance.getRoot().listTextures()).toEqual([])
    expect(model.warnings.map(({ code }) => code)).toEqual(['image-missing'])
  })

  test('keeps extensions of materials and textures, and drops those of geometry', async () => {
    const builder = triangle()
    builder.json.extensionsUsed = ['KHR_materials_unlit', 'KHR_texture_transform', 'KHR_mesh_quantization', 'KHR_lights_punctual', 'KHR_materials_variants']
    builder.json.extensionsRequired = ['KHR_materials_unlit', 'KHR_mesh_quantization']
    builder.json.extensions = { KHR_lights_punctual: { lights: [] }, KHR_materials_variants: { variants: [] } }
    builder.json.images = [{ uri: 'data:image/png;base64,AQID' }]
    builder.json.textures = [{ source: 0 }]
    const transform = { KHR_texture_transform: { offset: [0.5, 0] } }
    builder.json.materials = [
      { extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: transform } } },
    ]
    const { model, appearance } = await builder.read()
    const root = appearance.getRoot()
    expect(root.listExtensionsUsed().map(({ extensionName }) => extensionName).sort()).toEqual(['KHR_materials_unlit', 'KHR_texture_transform'])
    expect(root.listExtensionsRequired().map(({ extensionName }) => extensionName)).toEqual(['KHR_materials_unlit'])
    const [material] = root.listMaterials()
    expect(material.getExtension(KHRMaterialsUnlit.EXTENSION_NAME)).not.toBeNull()
    expect(material.getBaseColorTextureInfo()?.getExtension(KHRTextureTransform.EXTENSION_NAME)).not.toBeNull()
    expect(model.warnings).toEqual([])
  })

  test('extensions that nobody knows are counted', async () => {
    const builder = triangle()
    builder.json.extensionsUsed = ['EXT_a', 'KHR_materials_unlit', 'VENDOR_b']
    expect((await builder.model()).warnings).toEqual([
      { code: 'extension-ignored', count: 2, message: 'Ignored 2 unknown extensions of glTF: EXT_a, VENDOR_b.' },
    ])
  })

  test('materials that are broken give a sentence', async () => {
    const builder = triangle()
    builder.json.materials = [{ normalTexture: {} }]
    await expect(builder.read()).rejects.toMatchObject({ name: 'Problem', message: expect.stringContaining('model.glb is broken: the glTF library') })
    await expect(builder.read()).rejects.toThrow('(its materials or textures are described wrong)')
  })

  test('a file of a later 2.x is read', async () => {
    expect((await new GltfBuilder({ asset: { version: '2.3', minVersion: '2.0' } }).model()).meshes).toEqual([])
  })
})
