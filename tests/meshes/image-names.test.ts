import { expect, test } from 'vitest'
import { nameImages } from '../../main/meshes/image-names.ts'
import { emptyAppearance } from './fixtures.ts'

const named = (...images: { name?: string; uri?: string; type?: string }[]) => {
  const document = emptyAppearance()
  const textures = images.map(({ name = '', uri = '', type = 'image/png' }) => document.createTexture(name).setURI(uri).setMimeType(type))
  return nameImages(textures, 'Run_mesh')
}

test('images are called after the mesh, their own name and their format', () => {
  expect(named({ name: 'Fur' }, { name: 'Eyes', type: 'image/jpeg' }, { name: 'Sky', type: 'image/ktx2' })).toEqual([
    'Run_mesh_Fur.png',
    'Run_mesh_Eyes.jpg',
    'Run_mesh_Sky.ktx2',
  ])
})

test('an image without a name is called after its file, and after nothing where it has none', () => {
  expect(named({ uri: 'textures/Blue%20fur.PNG' }, {}, { uri: '100%.png' })).toEqual([
    'Run_mesh_Blue_fur.png',
    'Run_mesh_image.png',
    'Run_mesh_100.png',
  ])
})

test('names that differ in capitals only get numbers', () => {
  expect(named({ name: 'Fur' }, { name: 'fur', type: 'image/jpeg' }, { name: 'FUR_2' }, { name: 'fur' })).toEqual([
    'Run_mesh_Fur.png',
    'Run_mesh_fur_2.jpg',
    'Run_mesh_FUR_2_2.png',
    'Run_mesh_fur_3.png',
  ])
})

test('nothing of a name leaves the folder or upsets a file system', () => {
  expect(named({ name: '../../etc/passwd' }, { name: 'C:\\con.png' }, { name: 'a\u0000b<>:"|?* . ' }, { name: '\ud800' })).toEqual([
    'Run_mesh_etc_passwd.png',
    'Run_mesh_C_con.png',
    'Run_mesh_a_b.png',
    'Run_mesh_image.png',
  ])
})

test('letters of any script stay, in one spelling; a long name is cut between characters', () => {
  expect(named({ name: '木の葉' }, { name: 'cafe\u0301' }, { name: '𝒳'.repeat(100) })).toEqual([
    'Run_mesh_木の葉.png',
    'Run_mesh_caf\u00e9.png',
    `Run_mesh_${'𝒳'.repeat(32)}.png`,
  ])
})
