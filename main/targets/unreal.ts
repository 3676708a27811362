import type { MaterialMap, SurfaceMaterial } from '../model/surface-material.ts'
import { decodeLayer, HLSL } from './decode-layer.ts'
import { glslFloat, hlslVector } from './glsl.ts'
import { mapsOf } from './material-maps.ts'
import { LAYER_ROLES, type PackagedSet, type PackagedTexture, type PackageFile, type TargetDescription, type Templates } from './target.ts'
import { fillTemplate } from './template.ts'

/**
 * Unreal Engine 5: left-handed, Z up, centimetres; what its importers of glTF and of FBX (Convert Scene on, Force Front X off) make
 * of a model, (x, y, z) m to (100x, 100z, 100y) cm. Sources: Epic's GLTFCore conversion, the properties of FbxAssetImportData.
 *
 * PNG files of 16 bits a channel become halves or bytes there, whatever the compression setting (TextureDefines.h), so that such
 * numbers are stored as two bytes. EXR files keep what they have with TC_HDR and TC_HDR_F32.
 */
export const unreal: TargetDescription = {
  name: 'unreal',
  handedness: 'left',
  up: '+Z',
  unit: 'centimetre',
  uvOrigin: 'top-left',
  axesFromGltf: ['+x', '+z', '+y'],
  unitsPerMetre: 100,
  // Nothing is left to its importer but the Y that it mirrors.
  fbx: { axesFromGltf: ['+x', '-z', '+y'], up: '+Z', front: '-Y', unitsPerMetre: 100 },
  meshFormat: 'fbx',
  maxSize: 8192,
  pngBits: 8,
  refuse({ dedupeFrames, meshFormat }) {
    if (dedupeFrames) {
      return "--dedupe-frames needs a table of rows, for which Unreal's materials have no place. Leave it out: each frame then has a row."
    }
    if (!['auto', 'fbx'].includes(meshFormat)) {
      return "Unreal's importer of glTF takes a mesh apart. Leave --mesh-format out: its importer of FBX keeps it whole."
    }
    return null
  },
  createPackage: {
    templates: ['agnostic/decode.hlsl', 'unreal/VatCommon.ush', 'unreal/import_vat.py', 'unreal/README.md'],
    images: true,
    create: createPackage,
  },
}

/** The files of a package: what the import script is to do, the script, and the code of the shader. */
function createPackage(set: PackagedSet, templates: Templates): PackageFile[] {
  const { name, clips, layout } = set
  const files = { code: `${name}_VatCommon.ush`, description: `${name}_unreal.json`, script: `${name}_import_vat.py`, readme: `${name}_README.md` }
  const description = describe(set, files.code)
  const inQuotes = (text: string) => text.replace(/["\\\r\n]/g, ' ')
  return [
    { file: files.code, text: fillCode(set, templates) },
    { file: files.description, text: `${JSON.stringify(description, null, 2)}\n` },
    {
      file: files.script,
      // Between three quotes, or two.
      text: fillTemplate(templates['unreal/import_vat.py'], {
        name: inQuotes(name),
        description: inQuotes(files.description),
        code: inQuotes(files.code),
      }),
    },
    {
      file: files.readme,
      text: fillTemplate(templates['unreal/README.md'], {
        name,
        script: files.script,
        mesh: description.mesh.asset,
        folder: description.folder,
        clips: clips.map((clip) => clip.name).join(', '),
        last_clip: String(clips.length - 1),
        layout: layout.orientation === 'frames-x' ? ' (here exchanged: --orientation frames-x)' : '',
        index_uv: String(description.mesh.indexUV),
      }),
    },
  ]
}

/** What the script of the package reads. */
function describe(set: PackagedSet, code: string) {
  const asset = assetName(set.name)
  const [mesh] = set.meshes
  const indexUV = uvSetOf(mesh.indexUV)
  const layers = set.textures.filter(({ role }) => LAYER_ROLES.includes(role))
  // Several layers may lie in one file.
  const textures = [...new Map(layers.map((layer) => [layer.file, layer])).values()].map(({ file, type }) => ({
    file,
    asset: `T_${assetName(file.replace(/\.\w+$/, ''))}`,
    input: inputOf(layers, file),
    compression: type === 'float32' ? 'TC_HDR_F32' : type === 'float16' ? 'TC_HDR' : 'TC_VECTOR_DISPLACEMENTMAP',
  }))
  const images = new Map<string, ReturnType<typeof describeImage>>()
  const hasNormals = layers.some(({ role }) => role === 'normal')
  const materials = set.materials.map((material, index) => {
    const number = set.materials.length === 1 ? '' : `_${index}`
    const maps = mapsOf(material).map(([member, map]) => {
      const parameter = capital(member)
      const image = describeImage(parameter, map, hasNormals)
      images.set(image.asset, image)
      const { uvSet, uvScale, uvOffset } = map
      return [parameter, { asset: image.asset, uvSet, uvScale, uvOffset }] as const
    })
    return {
      asset: `M_${asset}${number}`,
      instance: `MI_${asset}${number}`,
      ...numbersOf(material),
      blendMode: { opaque: 'BLEND_OPAQUE', mask: 'BLEND_MASKED', blend: 'BLEND_TRANSLUCENT' }[material.alpha],
      maps: Object.fromEntries(maps),
    }
  })
  return {
    name: set.name,
    folder: `/Game/VAT/${asset}`,
    code,
    outputs: layers.flatMap(({ role }) => ({ normal: ['Normal'], tangent: ['Tangent', 'Bitangent'] })[role] ?? []),
    mesh: {
      file: mesh.file,
      asset: `SM_${asset}`,
      indexUV,
      // Any other than the one that addresses the textures: Unreal may write into it.
      lightMapUV: indexUV === 0 ? 1 : 0,
      bounds: set.bounds,
    },
    textures,
    images: [...images.values()],
    clips: uniqueNames(set.clips.map(({ name }) => assetName(name))).map((asset, index) => ({ name: set.clips[index].name, asset })),
    materials,
  }
}

/** All of a material that is no image. */
function numbersOf(material: SurfaceMaterial) {
  const { name, vertexColors, baseColor, metallic, roughness, normalScale, occlusionStrength } = material
  const { emissive, alphaCutoff, doubleSided, unlit } = material
  return { name, vertexColors, baseColor, metallic, roughness, normalScale, occlusionStrength, emissive, alphaCutoff, doubleSided, unlit }
}

/** The input of the material's node that is fed with a file, named for the first layer in it. */
function inputOf(layers: PackagedTexture[], file: string): string {
  const { role } = layers.find((layer) => layer.file === file)!
  return `Vat${capital(role)}`
}

/** As Unreal writes the names of parameters. */
function capital(name: string): string {
  return `${name[0].toUpperCase()}${name.slice(1)}`
}

function describeImage(parameter: string, { file, repeats }: MaterialMap, hasNormals: boolean) {
  const isColor = parameter === 'BaseColorMap' || parameter === 'EmissiveMap'
  const isNormal = parameter === 'NormalMap'
  return {
    file,
    asset: `T_${assetName(file.replace(/\.\w+$/, ''))}`,
    isColor,
    compression: isColor ? 'TC_DEFAULT' : isNormal ? 'TC_NORMALMAP' : 'TC_MASKS',
    // glTF's green points up. Our own tangent space takes it so; Unreal's has it the other way.
    flipGreen: isNormal && !hasNormals,
    repeats,
  }
}

function fillCode(set: PackagedSet, templates: Templates): string {
  const { layout, clips } = set
  const layers = set.textures.filter(({ role }) => LAYER_ROLES.includes(role))
  const indented = (text: string) => text.trimEnd().replace(/^(?=.)/gm, '\t')
  return fillTemplate(templates['unreal/VatCommon.ush'], {
    name: set.name.replace(/[\r\n\\]+/g, ' '),
    decode: indented(templates['agnostic/decode.hlsl']),
    layer_functions: layers.map((layer) => layerMethod(layer, layout.orientation)).join('\n'),
    clip_count: String(clips.length),
    clips: clips.map(({ firstRow, frameCount, fps, loop }) => hlslVector([firstRow, loop ? frameCount : -frameCount, fps])).join(', '),
    rows_per_frame: glslFloat(layout.rowsPerFrame),
    layout: [layout.columnsPerRow, layout.rowsPerFrame].map(glslFloat).join(', '),
    play: layers.flatMap((layer) => play(layers, layer)).join('\n'),
    from_rest: layers.some(({ content }) => content === 'offset') ? '' : ' - Rest',
  })
}

/** A method of the structure: the value of a layer for a vertex in a frame. */
function layerMethod(layer: PackagedTexture, orientation: PackagedSet['layout']['orientation']): string {
  const { role } = layer
  return [
    `\t${role === 'tangent' ? 'float4' : 'float3'} vat_${role}(Texture2D map, float2 address, float row) {`,
    ...decodeLayer(layer, orientation, 'map', HLSL).map((line) => `\t\t${line}`),
    '\t}',
    '',
  ].join('\n')
}

/** What is shown of a layer: two frames blended, and those of the clip that is faded to. */
function play(layers: PackagedTexture[], { role, file }: PackagedTexture): string[] {
  const map = inputOf(layers, file)
  const part = role === 'tangent' ? '.xyz' : ''
  const at = (rows: string) =>
    `lerp(vat.vat_${role}(${map}, address, ${rows}.x)${part}, vat.vat_${role}(${map}, address, ${rows}.y)${part}, ${rows}.z)`
  if (role === 'position') return [`float3 position = ${at('rows')};`, `if (Fade > 0.0) position = lerp(position, ${at('next')}, Fade);`]
  const Output = role === 'normal' ? 'Normal' : 'Tangent'
  return [
    `${Output} = normalize(${at('rows')});`,
    `if (Fade > 0.0) ${Output} = normalize(lerp(${Output}, normalize(${at('next')}), Fade));`,
    ...(role === 'tangent' ? [`Bitangent = cross(Normal, Tangent) * (vat.vat_tangent(${map}, address, rows.x).w < 0.0 ? -1.0 : 1.0);`] : []),
  ]
}

/** A name that Unreal takes for an asset. */
function assetName(name: string): string {
  return name.normalize('NFKD').replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 60) || 'VAT'
}

/** Those that come out the same are counted. */
function uniqueNames(names: string[]): string[] {
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((other) => other.toLowerCase() === name.toLowerCase()).length
    return earlier === 0 ? name : `${name}_${earlier + 1}`
  })
}

function uvSetOf(attribute: string): number {
  return Number(attribute.slice('TEXCOORD_'.length))
}
