import { Problem } from '../../model/problem.ts'
import type { SurfaceMaterial } from '../../model/surface-material.ts'
import { decodeLayer, HLSL, type Dialect } from '../decode-layer.ts'
import { glslFloat, hlslVector } from '../glsl.ts'
import { LAYER_ROLES, type PackagedSet, type PackagedTexture, type PackageFile, type TargetDescription, type Templates } from '../target.ts'
import { fillTemplate } from '../template.ts'
import { color, decimal, quoted, vector } from './csharp.ts'
import { guidOf } from './guid.ts'
import { listImages, mapsOf, type UnityImage } from './images.ts'
import { fileMeta, modelMeta, textureMeta } from './meta.ts'

/** Sets of texture coordinates that a mesh of Unity has, and those that the shader hands on for maps. */
const [MOST_UV_SETS, MOST_MAP_SETS] = [8, 4]

const OWN = ['Vat.hlsl', 'VatBuiltIn.hlsl', 'Vat.shader', 'VatPlayer.cs', 'VatImporter.cs', 'Vat.asmdef', 'README.md']
const METAS = ['texture.meta', 'platform.meta', 'model.meta', 'file.meta']

/**
 * Unity 2022.3 and 6: left-handed, Y up, metres. Its importer of FBX negates X of a right-handed file (ModelImporter, "Axis
 * Conversion"), so that a file in glTF's space becomes what the textures hold: (x, y, z) to (-x, y, z).
 */
export const unity: TargetDescription = {
  name: 'unity',
  handedness: 'left',
  up: '+Y',
  unit: 'metre',
  uvOrigin: 'bottom-left',
  axesFromGltf: ['-x', '+y', '+z'],
  unitsPerMetre: 1,
  meshFormat: 'fbx',
  ownFolder: true,
  maxSize: 8192,
  pngBits: 16,
  refuse({ dedupeFrames, meshFormat }) {
    if (dedupeFrames) {
      return "--dedupe-frames needs a table of rows, for which Unity's materials have no place. Leave it out: each frame is then stored by itself."
    }
    if (!['auto', 'fbx'].includes(meshFormat)) {
      return `Unity imports no ${meshFormat} files by itself. Leave --mesh-format out: the rest mesh is then FBX.`
    }
    return null
  },
  createPackage: {
    templates: ['agnostic/decode.hlsl', ...[...OWN, ...METAS].map((file) => `unity/${file}`)],
    images: true,
    create: createPackage,
  },
}

/** What the files of a package call each other, and the things in them. */
interface Names {
  /** A word that every language takes. */
  word: string
  player: string
  importer: string
  assembly: string
  include: string
  builtIn: string
  shader: string
  prefab: string
  /** `[surface]` */
  materials: string[]
}

/** The files of a package: shader, scripts, and how each file of the bake is to be imported. */
function createPackage(set: PackagedSet, templates: Templates): PackageFile[] {
  const guid = (file: string) => guidOf(`${set.source.file}/${set.name}/${file}`)
  const names = nameFiles(set, guid(''))
  const uvSets = listUVSets(set)
  const images = listImages(set)
  const [{ file: mesh, indexUV }] = set.meshes
  const indexSet = uvSetOf(indexUV)
  const template = (file: string) => templates[`unity/${file}`]
  const texts: PackageFile[] = [
    { file: names.include, text: fillInclude(set, templates, names, uvSets) },
    { file: names.builtIn, text: fillTemplate(template('VatBuiltIn.hlsl'), { guard: `VAT_${names.word.toUpperCase()}_BUILT_IN` }) },
    {
      file: names.shader,
      text: fillTemplate(template('Vat.shader'), {
        name: names.word,
        include: names.include,
        builtin: names.builtIn,
        layer_properties: layersOf(set).map((layer) => `\t\t[NoScaleOffset] ${propertyOf(layer)}("${layer.role}", 2D) = "black" {}\n`).join(''),
      }),
    },
    { file: `${names.player}.cs`, text: fillPlayer(template('VatPlayer.cs'), set, names) },
    { file: `${names.importer}.cs`, text: fillImporter(template('VatImporter.cs'), set, names, uvSets, images) },
    { file: `${set.name}.asmdef`, text: fillTemplate(template('Vat.asmdef'), { assembly: names.assembly }) },
    {
      file: `${set.name}_README.md`,
      text: fillTemplate(template('README.md'), {
        name: set.name,
        prefab: names.prefab,
        importer: names.importer,
        player: names.player,
        clip: set.clips[0].name,
        include: names.include,
        index_set: String(indexSet),
        uv_name: indexSet === 0 ? '' : String(indexSet + 1),
      }),
    },
  ]
  const meta = (file: string, text: string): PackageFile => ({ file: `${file}.meta`, text, rewritten: true })
  const tables = new Set(set.clips.flatMap(({ rootMotion }) => rootMotion?.file ?? []))
  const others = [...texts.map(({ file }) => file), ...tables, `${set.name}.json`]
  return [
    ...texts,
    ...images.map((image) => meta(image.file, textureMeta(templates, guid(image.file), image))),
    meta(mesh, modelMeta(templates, guid(mesh), hasTangents(set))),
    ...others.map((file) => meta(file, fileMeta(templates, guid(file), file))),
  ]
}

function nameFiles({ name, materials }: PackagedSet, guid: string): Names {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')
  // Names that differ only in what a word cannot have stay different.
  const word = plain === name ? name : `${plain}_${guid.slice(0, 4)}`
  return {
    word,
    player: `${word}VatPlayer`,
    importer: `${word}VatImporter`,
    assembly: `VatStudio.${word}.${guid.slice(0, 8)}`,
    include: `${name}_vat.hlsl`,
    builtIn: `${name}_built_in.hlsl`,
    shader: `${name}.shader`,
    prefab: `${name}.prefab`,
    materials: materials.map((_, index) => (materials.length === 1 ? `${name}.mat` : `${name}_${index}.mat`)),
  }
}

/**
 * The sets of texture coordinates that maps refer to.
 *
 * @throws Problem `input` where a mesh of Unity or the shader has no room for them
 */
function listUVSets({ name, materials, meshes: [{ indexUV }] }: PackagedSet): number[] {
  const sets = [...new Set(materials.flatMap((material) => mapsOf(material).map(([, { uvSet }]) => uvSet)))].sort((a, b) => a - b)
  if (uvSetOf(indexUV) >= MOST_UV_SETS || sets.length > MOST_MAP_SETS) {
    const needed = `${uvSetOf(indexUV) + 1} sets of texture coordinates, ${sets.length} of them for maps`
    throw new Problem('input', `"${name}" needs ${needed}, and Unity has room for ${MOST_UV_SETS} and ${MOST_MAP_SETS}. Remove those that are not used from the model.`)
  }
  return sets
}

/** The number in TEXCOORD_1. */
function uvSetOf(semantic: string): number {
  return Number(semantic.slice('TEXCOORD_'.length))
}

function layersOf({ textures }: PackagedSet): PackagedTexture[] {
  return textures.filter(({ role }) => LAYER_ROLES.includes(role))
}

function propertyOf({ role }: PackagedTexture): string {
  return `_Vat${role[0].toUpperCase()}${role.slice(1)}`
}

/** Whether the mesh has tangents of its own: those of the bake, or the model's where a map needs them. */
function hasTangents(set: PackagedSet): boolean {
  return layersOf(set).some(({ role }) => role === 'tangent')
}

/** Unity counts rows of an image from the bottom. */
function dialectOf({ height }: PackagedTexture): Dialect {
  return { ...HLSL, fetch: (map, pixel) => `${map}.Load(int3((${pixel}).x, ${height - 1} - (${pixel}).y, 0))` }
}

function fillInclude(set: PackagedSet, templates: Templates, names: Names, uvSets: number[]): string {
  const layers = layersOf(set)
  const { clips, layout } = set
  const indexSet = uvSetOf(set.meshes[0].indexUV)
  const defines = [
    ...layers.flatMap(({ role }) => (role === 'position' ? [] : [`VAT_${role.toUpperCase()}`])),
    ...(layers.some(({ content }) => content === 'offset') ? ['VAT_OFFSET'] : []),
  ]
  const maps = (from: number) => [from, from + 1].map((place) => (uvSets[place] === undefined ? '0.0, 0.0' : `input.uv${uvSets[place]}`)).join(', ')
  return fillTemplate(templates['unity/Vat.hlsl'], {
    name: oneLine(set.name),
    guard: `VAT_${names.word.toUpperCase()}`,
    layer_textures: layers.map((layer) => `Texture2D<float4> ${propertyOf(layer)};\n`).join(''),
    clip_count: String(clips.length),
    clips: clips.map(({ firstRow, frameCount, fps, loop }) => hlslVector([firstRow, loop ? frameCount : -frameCount, fps])).join(', '),
    layout: [layout.columnsPerRow, layout.rowsPerFrame].map(glslFloat).join(', '),
    defines: defines.map((name) => `#define ${name}\n`).join(''),
    decode: templates['agnostic/decode.hlsl'],
    layer_functions: layers.map((layer) => layerFunction(layer, layout.orientation)).join('\n'),
    index_set: String(indexSet),
    attributes: [...new Set([...uvSets, indexSet])].map((uvSet) => `\tfloat2 uv${uvSet} : TEXCOORD${uvSet};\n`).join(''),
    maps_a: maps(0),
    maps_b: maps(2),
  })
}

/** The value of a layer for a vertex in a frame. */
function layerFunction(layer: PackagedTexture, orientation: PackagedSet['layout']['orientation']): string {
  const { role } = layer
  return [
    `${role === 'tangent' ? 'float4' : 'float3'} vat_${role}(float2 address, float row) {`,
    ...decodeLayer(layer, orientation, propertyOf(layer), dialectOf(layer)).map((line) => `\t${line}`),
    '}',
    '',
  ].join('\n')
}

function fillPlayer(template: string, set: PackagedSet, { player }: Names): string {
  const { min, max } = set.bounds
  return fillTemplate(template, {
    name: oneLine(set.name),
    class: player,
    clips: set.clips
      .map(({ name, duration, loop }) => `            new Clip(${quoted(name)}, ${decimal(duration)}, ${loop}),`)
      .join('\n'),
    center: min.map((value, axis) => decimal((value + max[axis]) / 2)).join(', '),
    size: min.map((value, axis) => decimal(max[axis] - value)).join(', '),
  })
}

function fillImporter(template: string, set: PackagedSet, names: Names, uvSets: number[], images: UnityImage[]): string {
  const items = (lines: string[]) => lines.map((line) => `            new ${line},`).join('\n')
  return fillTemplate(template, {
    name: oneLine(set.name),
    class: names.importer,
    player: names.player,
    sidecar: inString(`${set.name}.json`),
    mesh: inString(set.meshes[0].file),
    shader: inString(names.shader),
    prefab: inString(names.prefab),
    index_set: String(uvSetOf(set.meshes[0].indexUV)),
    has_tangents: String(hasTangents(set)),
    images: items(
      images.map(({ file, use, format, maxSize }) =>
        `Image { File = ${quoted(file)}, Use = Use.${use}, Format = TextureImporterFormat.${format}, MaxSize = ${maxSize} }`,
      ),
    ),
    layers: items(layersOf(set).map((layer) => `Map { Property = "${propertyOf(layer)}", File = ${quoted(layer.file)} }`)),
    surfaces: set.materials.map((material, index) => surfaceOf(material, names.materials[index], uvSets)).join('\n'),
  })
}

/** A material in the words of the importer. */
function surfaceOf(material: SurfaceMaterial, file: string, uvSets: number[]): string {
  const { baseColor, emissive, metallic, roughness, normalScale, occlusionStrength, alphaCutoff, alpha } = material
  const maps = mapsOf(material)
  const placeOf = (property: string) => {
    const map = maps.find(([name]) => name === property)?.[1]
    return map ? uvSets.indexOf(map.uvSet) : 0
  }
  const members = [
    `File = ${quoted(file)}`,
    `BaseColor = ${color(baseColor, 'display')}`,
    `Emission = ${color([...emissive, 1], 'linear')}`,
    `Metallic = ${decimal(metallic)}`,
    `Roughness = ${decimal(roughness)}`,
    `BumpScale = ${decimal(normalScale)}`,
    `OcclusionStrength = ${decimal(occlusionStrength)}`,
    `Cutoff = ${decimal(alphaCutoff)}`,
    `VertexColors = ${material.vertexColors}`,
    `Unlit = ${material.unlit}`,
    `DoubleSided = ${material.doubleSided}`,
    `CutsOut = ${alpha === 'mask'}`,
    `Blends = ${alpha === 'blend'}`,
    `MapSets = ${vector(['_BaseMap', '_OrmMap', '_BumpMap', '_OcclusionMap'].map(placeOf))}`,
    `EmissionSet = ${decimal(placeOf('_EmissionMap'))}`,
  ]
  const listed = maps.map(([property, map]) => {
    // The same point of an image, counted from the bottom.
    const offset = [map.uvOffset[0], 1 - map.uvOffset[1] - map.uvScale[1]]
    return `                    new Map { Property = "${property}", File = ${quoted(map.file)}, Scale = ${vector(map.uvScale)}, Offset = ${vector(offset)} },`
  })
  return [
    '            new Surface',
    '            {',
    ...members.map((member) => `                ${member},`),
    '                Maps = new Map[]',
    '                {',
    ...listed,
    '                },',
    '            },',
  ].join('\n')
}

/** A text in a comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}

/** A text where the template has the quotes already. */
function inString(text: string): string {
  return quoted(text).slice(1, -1)
}
