import type { Templates } from '../target.ts'
import { fillTemplate } from '../template.ts'
import type { UnityImage } from './images.ts'

/** Platforms whose settings stand by themselves: what the default says need not hold for them. */
const PLATFORMS = ['Standalone', 'Android', 'iPhone', 'WebGL', 'Server']

/** Numbers of Unity's `TextureImporterFormat`. */
const FORMATS = { RGBA32: 4, RGBAHalf: 17, RGBAFloat: 20, RGBA64: 74, Automatic: -1 } as const

/**
 * The .meta of an image. Numbers are kept as they are: no sRGB, no mipmaps, no scaling, no compression, no filter, and a format that
 * holds their bits on every platform. Written as Unity 2022.3 does; a later one brings it up to its own version.
 */
export function textureMeta(templates: Templates, guid: string, { use, format, maxSize, repeats, nearest, mipmaps }: UnityImage): string {
  const isNumbers = use === 'Numbers'
  const platform = (target: string, overridden: boolean) =>
    fillTemplate(templates['unity/platform.meta'], {
      target,
      max_size: String(maxSize),
      format: String(FORMATS[format]),
      compression: isNumbers ? '0' : '1',
      overridden: overridden ? '1' : '0',
    })
  return fillTemplate(templates['unity/texture.meta'], {
    guid,
    mipmaps: mipmaps ? '1' : '0',
    srgb: use === 'Color' ? '1' : '0',
    // Else the quality settings of a project may leave out the largest level.
    no_limit: isNumbers ? '1' : '0',
    max_size: String(maxSize),
    filter: nearest ? '0' : '1',
    wrap: repeats ? '0' : '1',
    npot: isNumbers ? '0' : '1',
    type: use === 'NormalMap' ? '1' : '0',
    platforms: [platform('DefaultTexturePlatform', false), ...(isNumbers ? PLATFORMS.map((name) => platform(name, true)) : [])].join(''),
  })
}

/** Numbers of Unity's `ModelImporterTangents`. */
const TANGENTS = { imported: '0', mikk: '3' } as const

/** The .meta of the mesh: nothing is welded, reordered, compressed or added. */
export function modelMeta(templates: Templates, guid: string, hasTangents: boolean): string {
  return fillTemplate(templates['unity/model.meta'], { guid, tangents: TANGENTS[hasTangents ? 'imported' : 'mikk'] })
}

/** What Unity imports a file with, and what else stands in its .meta, by the end of its name. */
const IMPORTERS: [end: RegExp, importer: string, more: string][] = [
  [/\.cs$/, 'MonoImporter', '  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n'],
  [/\.shader$/, 'ShaderImporter', '  defaultTextures: []\n  nonModifiableTextures: []\n  preprocessorOverride: 0\n'],
  [/\.hlsl$/, 'ShaderIncludeImporter', ''],
  [/\.asmdef$/, 'AssemblyDefinitionImporter', ''],
  [/\.(json|md|csv)$/, 'TextScriptImporter', ''],
  [/./, 'DefaultImporter', ''],
]

/** The .meta of any other file. */
export function fileMeta(templates: Templates, guid: string, file: string): string {
  const [, importer, more] = IMPORTERS.find(([end]) => end.test(file))!
  return fillTemplate(templates['unity/file.meta'], { guid, importer, more })
}
