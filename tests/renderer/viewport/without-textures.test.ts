import { NodeIO, type Document } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { withoutTextures } from '../../../renderer/viewport/without-textures.ts'

const io = new NodeIO().registerExtensions(ALL_EXTENSIONS)
const write = async (document: Document) => new Uint8Array(await io.writeBinary(document))

test('textures go from materials and from their extensions, and everything else stays', async () => {
  const document = await io.read('resources/samples/Fox.glb')
  const root = document.getRoot()
  const { KHRMaterialsSheen, KHRTextureBasisu } = await import('@gltf-transform/extensions')
  const sheen = document.createExtension(KHRMaterialsSheen).createSheen()
  root.listMaterials()[0].setExtension('KHR_materials_sheen', sheen.setSheenColorTexture(root.listTextures()[0])).setRoughnessFactor(0.25)
  document.createExtension(KHRTextureBasisu).setRequired(true)

  const bare = await io.readBinary(withoutTextures(await write(document)))
  const [material] = bare.getRoot().listMaterials()
  expect(bare.getRoot().listTextures()).toEqual([])
  expect(material.getBaseColorTexture()).toBeNull()
  expect(material.getRoughnessFactor()).toBe(0.25)
  expect(material.getExtension('KHR_materials_sheen')).toMatchObject({ extensionName: 'KHR_materials_sheen' })
  expect(bare.getRoot().listExtensionsUsed().map(({ extensionName }) => extensionName)).toEqual(['KHR_materials_sheen'])
  const positions = (one: Document) => one.getRoot().listMeshes()[0].listPrimitives()[0].getAttribute('POSITION')!.getArray()
  expect(positions(bare)).toEqual(positions(document))
})

test('a GLB without textures comes out whole', async () => {
  const document = await io.read('resources/samples/AnimatedMorphCube.glb')
  const glb = await write(document)
  const bare = await io.readBinary(withoutTextures(glb))
  expect(bare.getRoot().listMeshes()).toHaveLength(1)
  expect(new DataView(withoutTextures(glb).buffer).getUint32(8, true)).toBe(withoutTextures(glb).length)
})
