import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readFbx } from '../../../main/readers/fbx/read-fbx.ts'
import { buildFbx, type MaterialSource } from './build-fbx.ts'

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

describe('the materials of an FBX file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fbx-'))
    await mkdir(join(folder, 'textures'))
    await writeFile(join(folder, 'Haut ü 1.png'), PIXEL)
    await writeFile(join(folder, 'textures', 'nrm.png'), PIXEL)
    await writeFile(join(folder, 'paint.psd'), '8BPS')
    await mkdir(join(folder, 'inner'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const read = async (materials: MaterialSource[], below = '') => {
    const budget = { file: 'model.fbx', limits: DEFAULT_LIMITS, spent: 0 }
    const { model, appearance, external } = await readFbx(join(folder, below, 'model.fbx'), 'model.fbx', buildFbx({ models: [], materials }), budget)
    return { listed: appearance.getRoot().listMaterials(), warnings: model.warnings.map(({ message }) => message), external, appearance }
  }

  it('keep their names, colours, opacity and order', async () => {
    const { listed } = await read([
      { name: 'Skin', properties: { DiffuseColor: [1, 0.5, 0], DiffuseFactor: 0.5, ShininessExponent: 25 } },
      { name: 'Glass', properties: { Opacity: 0.25, EmissiveColor: [0, 1, 0] } },
    ])
    expect(listed.map((material) => material.getName())).toEqual(['Skin', 'Glass'])
    expect(listed[0].getBaseColorFactor()).toEqual([0.5, 0.25, 0, 1])
    expect(listed[0].getRoughnessFactor()).toBeCloseTo(0.5)
    expect(listed[0].getAlphaMode()).toBe('OPAQUE')
    expect(listed[1].getBaseColorFactor()[3]).toBe(0.25)
    expect(listed[1].getAlphaMode()).toBe('BLEND')
    expect(listed[1].getEmissiveFactor()).toEqual([0, 1, 0])
  })

  it('find their textures inside of the file, beside it and in the folders that exporters use', async () => {
    const { listed, warnings, external } = await read([
      {
        name: 'Skin',
        properties: { DiffuseColor: [0, 0, 0] },
        textures: {
          DiffuseColor: { file: 'Haut ü 1.png' },
          NormalMap: { file: '..\\..\\art\\nrm.png' },
          EmissiveColor: { file: 'glow.png', content: PIXEL },
        },
      },
    ])
    expect(warnings).toEqual([])
    expect([...listed[0].getBaseColorTexture()!.getImage()!]).toEqual([...PIXEL])
    expect(listed[0].getBaseColorFactor()).toEqual([1, 1, 1, 1])
    expect(listed[0].getNormalTexture()!.getMimeType()).toBe('image/png')
    expect([...listed[0].getEmissiveTexture()!.getImage()!]).toEqual([...PIXEL])
    expect(external?.map(({ file }) => file)).toEqual([join(folder, 'Haut ü 1.png'), join(folder, 'textures', 'nrm.png')])
    expect(external?.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256!))).toBe(true)
  })

  it('warn once of each image that is missing, or that glTF does not know', async () => {
    const textures = { DiffuseColor: { file: 'lost.png' }, NormalMap: { file: 'paint.psd' } }
    const { listed, warnings, external } = await read([{ name: 'A', textures }, { name: 'B', textures }])
    expect(warnings).toEqual([
      'Left out 1 image not found beside the model: lost.png.',
      'Left out 1 image that are neither PNG nor JPEG nor WebP: paint.psd.',
    ])
    expect(listed[1].getBaseColorTexture()).toBeNull()
    expect(external).toContainEqual({ file: join(folder, 'lost.png'), sha256: null })
  })

  it('read nothing from outside of the folder of the model', async () => {
    const { warnings } = await read([{ name: 'A', textures: { DiffuseColor: { file: '../textures/nrm.png' } } }], 'inner')
    expect(warnings).toEqual(['Left out 1 image not found beside the model: nrm.png.'])
  })

  it('move their textures, counted from the lower left corner, and clamp them', async () => {
    const properties = { UVTranslation: [0.25, 0.5], UVScaling: [2, 4], WrapModeU: 1 }
    const { listed } = await read([{ name: 'A', textures: { DiffuseColor: { file: 'Haut ü 1.png', properties } } }])
    const info = listed[0].getBaseColorTextureInfo()!
    expect(info.getWrapS()).toBe(33071)
    expect(info.getWrapT()).toBe(10497)
    const transform = info.getExtension('KHR_texture_transform') as unknown as { getOffset(): number[]; getScale(): number[] }
    expect([transform.getOffset(), transform.getScale()]).toEqual([[0.25, -3.5], [2, 4]])
  })

  it('name the textures that glTF has no place for', async () => {
    const { warnings } = await read([{ name: 'A', textures: { SpecularColor: { file: 'Haut ü 1.png' } } }])
    expect(warnings).toEqual(['Left out 1 texture that glTF has no place for: SpecularColor.'])
  })
})
