import type { MaterialMap, SurfaceMaterial } from '../model/surface-material.ts'
import { decodeLayer, GLSL } from './decode-layer.ts'
import { glslFloat, glslVector } from './glsl.ts'
import { toSrgb } from './srgb.ts'
import { GLTF_SPACE, LAYER_ROLES, type PackagedSet, type PackagedTexture, type PackageFile, type TargetDescription, type Templates } from './target.ts'
import { fillTemplate } from './template.ts'

/**
 * Godot 4: glTF's own space. Its importer cuts every PNG down to 8 bits a channel (measured in 4.6.3; by design, says the project),
 * and keeps EXR files, half and float, as they are.
 */
export const godot: TargetDescription = {
  name: 'godot',
  ...GLTF_SPACE,
  maxSize: 8192,
  pngBits: 8,
  // Its importer takes endings of a name for orders: "Jump-col" would become a body for collisions.
  meshName: 'Mesh',
  fixedAxes: true,
  refuse({ dedupeFrames }) {
    if (!dedupeFrames) return null
    return "--dedupe-frames needs a table of rows, for which Godot's shaders have no place. Leave it out: each frame is then stored by itself."
  },
  createPackage: {
    templates: [
      'agnostic/decode.glsl',
      'godot/vat.gdshader',
      'godot/vat.tres',
      'godot/vat.tscn',
      'godot/vat_player.gd',
      'godot/vat_crowd.gd',
      'godot/vat_crowd.tscn',
      'godot/texture.import',
      'godot/mesh.import',
      'godot/keep.import',
      'godot/README.md',
    ],
    images: true,
    create: createPackage,
  },
}

/** The files of a package: scenes, a material a sub-mesh, shaders, scripts, and how each file is to be imported. */
function createPackage(set: PackagedSet, templates: Templates): PackageFile[] {
  const { name, materials } = set
  const template = (file: string) => templates[`godot/${file}`]
  const names = {
    mesh: set.meshes[0].file,
    scene: `${name}.tscn`,
    player: `${name}_player.gd`,
    crowd: `${name}_crowd.gd`,
    materials: materials.map((_, index) => (materials.length === 1 ? `${name}.tres` : `${name}_${index}.tres`)),
  }
  const shaders = createShaders(set, templates)
  const materialFiles = materials.map((material, index) => ({
    file: names.materials[index],
    text: fillMaterial(template('vat.tres'), set, material, shaders.ofMaterial[index]),
  }))

  const { min, max } = set.bounds
  const size = max.map((value, axis) => value - min[axis])
  return [
    ...shaders.files,
    ...materialFiles,
    {
      file: names.scene,
      text: fillTemplate(template('vat.tscn'), {
        mesh: quoted(names.mesh),
        player: quoted(names.player),
        name: nodeName(name),
        box: [...min, ...size].map(String).join(', '),
        materials: names.materials.map((file, index) => `[ext_resource type="Material" path="${quoted(file)}" id="material_${index}"]\n`).join(''),
        overrides: names.materials.map((_, index) => `surface_material_override/${index} = ExtResource("material_${index}")\n`).join(''),
      }),
    },
    {
      file: names.player,
      text: fillTemplate(template('vat_player.gd'), {
        name: oneLine(name),
        clips: set.clips
          .map(({ name, duration, loop }) => `\t{"name": "${quoted(name)}", "duration": ${glslFloat(duration)}, "loops": ${loop}},`)
          .join('\n'),
        last_clip: String(set.clips.length - 1),
      }),
    },
    ...createCrowd(set, template, names),
    ...createImports(set, template),
    { file: `${name}_README.md`, text: templates['godot/README.md'].replaceAll('{{name}}', name) },
  ]
}

function createCrowd(
  { name, bounds: { min, max }, clips, materials }: PackagedSet,
  template: (file: string) => string,
  { crowd, scene }: { crowd: string; scene: string },
): PackageFile[] {
  const size = max.map((value, axis) => value - min[axis])
  const reach = Math.max(...size)
  const distance = Math.max(size[0], size[2]) * 1.2 || 1
  // From a corner, over the first rows of a square of two hundred.
  const eye = [distance * 7, min[1] + reach * 2, -distance * 3 - reach]
  return [
    {
      file: crowd,
      text: fillTemplate(template('vat_crowd.gd'), {
        name: oneLine(name),
        clip_count: String(clips.length),
        has_colors: String(materials.some(({ vertexColors }) => vertexColors)),
        distance: glslFloat(Number(distance.toPrecision(3))),
        scene: quoted(scene),
      }),
    },
    {
      file: `${name}_crowd.tscn`,
      text: fillTemplate(template('vat_crowd.tscn'), {
        crowd: quoted(crowd),
        name: nodeName(name),
        // Turned round, since a camera looks along -z, and down by 20 degrees.
        camera: ['-1, 0, 0, 0, 0.94, -0.342, 0, -0.342, -0.94', ...eye.map((value) => Number(value.toPrecision(4)))].join(', '),
        far: glslFloat(Math.max(1000, Math.ceil(distance * 100))),
      }),
    },
  ]
}

/** What the importer has to know of each file, beside the file. */
function createImports(set: PackagedSet, template: (file: string) => string): PackageFile[] {
  const imported = (file: string, text: string): PackageFile => ({ file: `${file}.import`, text, rewritten: true })
  const textures = new Set(set.textures.map(({ file }) => file))
  const images = new Set(set.materials.flatMap((material) => mapsOf(material).map(({ file }) => file)))
  const tables = new Set(set.clips.flatMap(({ rootMotion }) => rootMotion?.file ?? []))
  return [
    ...[...textures].map((file) => imported(file, fillTemplate(template('texture.import'), { mipmaps: 'false', fix_alpha_border: 'false' }))),
    ...[...images].map((file) => imported(file, fillTemplate(template('texture.import'), { mipmaps: 'true', fix_alpha_border: 'true' }))),
    // Where nothing uses them they are not asked for: meshes without texture coordinates cannot have any.
    imported(
      set.meshes[0].file,
      fillTemplate(template('mesh.import'), {
        tangents: String(set.materials.some(({ normalMap }) => normalMap)),
        format: importOfFormat(set.meshes[0].file),
      }),
    ),
    // Else it would be taken for a table of translations.
    ...[...tables].map((file) => imported(file, template('keep.import'))),
  ]
}

/** What the importer has to know of a format. FBX it would else hand to another program, as its first versions did. */
function importOfFormat(file: string): string {
  const format = file.endsWith('.fbx') ? 'fbx' : 'gltf'
  const options = [...(format === 'fbx' ? ['importer=0'] : []), 'naming_version=1', 'embedded_image_handling=0']
  return options.map((option) => `${format}/${option}\n`).join('')
}

/** The shaders of a package, one for each way of drawing and set of maps that its materials need, and that of each material. */
function createShaders(set: PackagedSet, templates: Templates): { files: PackageFile[]; ofMaterial: string[] } {
  const files: PackageFile[] = []
  const ofMaterial = set.materials.map((material) => {
    const text = fillShader(templates, set, material)
    const known = files.find((file) => file.text === text)
    if (known) return known.file
    const number = files.length === 0 ? '' : `_${files.length + 1}`
    return files[files.push({ file: `${set.name}${number}.gdshader`, text }) - 1].file
  })
  return { files, ofMaterial }
}

/** A map of a material in a shader. */
interface MapUse {
  uniform: string
  map: MaterialMap
  hint: string
  /** What is done with the TEXEL in `fragment()`, line by line. */
  use: string[]
}

function mapUses(material: SurfaceMaterial): MapUse[] {
  const uses: (Omit<MapUse, 'map'> & { map: MaterialMap | null })[] = [
    { uniform: 'base_color_map', map: material.baseColorMap, hint: 'source_color', use: ['color *= TEXEL;'] },
    { uniform: 'orm_map', map: material.metallicRoughnessMap, hint: 'hint_default_white', use: ['METALLIC *= TEXEL.b;', 'ROUGHNESS *= TEXEL.g;'] },
    { uniform: 'normal_map', map: material.normalMap, hint: 'hint_normal', use: ['NORMAL_MAP = TEXEL.rgb;', 'NORMAL_MAP_DEPTH = normal_scale;'] },
    { uniform: 'occlusion_map', map: material.occlusionMap, hint: 'hint_default_white', use: ['AO = mix(1.0, TEXEL.r, occlusion_strength);'] },
    { uniform: 'emission_map', map: material.emissiveMap, hint: 'source_color, hint_default_black', use: ['EMISSION *= TEXEL.rgb;'] },
  ]
  return uses.flatMap(({ map, ...use }) => (map && (!material.unlit || use.uniform === 'base_color_map') ? [{ ...use, map }] : []))
}

function mapsOf(material: SurfaceMaterial): MaterialMap[] {
  return mapUses(material).map(({ map }) => map)
}

function fillShader(templates: Templates, set: PackagedSet, material: SurfaceMaterial): string {
  const layers = set.textures.filter(({ role }) => LAYER_ROLES.includes(role))
  const uses = mapUses(material)
  const [{ indexUV }] = set.meshes
  const uvSets = [...new Set(uses.map(({ map }) => map.uvSet))].filter((uvSet) => uvSet > 1)
  const defines = [
    ...layers.flatMap(({ role }) => (role === 'position' ? [] : [`VAT_${role.toUpperCase()}`])),
    ...(layers.some(({ content }) => content === 'offset') ? ['VAT_OFFSET'] : []),
    ...(material.vertexColors ? ['VAT_COLOR'] : []),
    ...(material.unlit ? ['VAT_UNLIT'] : []),
    ...(material.alpha === 'mask' ? ['VAT_ALPHA_SCISSOR'] : []),
    ...(material.alpha === 'blend' ? ['VAT_ALPHA'] : []),
  ]
  const sample = ({ uniform, map, use }: MapUse) => {
    const texel = uniform.replace('_map', '_texel')
    const coordinates = `${uvSetExpression(map.uvSet, 'fragment')}${placement(map)}`
    return [`vec4 ${texel} = texture(${uniform}, ${coordinates});`, ...use.map((line) => line.replace('TEXEL', texel))]
      .map((line) => `\t${line}\n`)
      .join('')
  }
  const has = (name: string) => uses.some(({ uniform }) => uniform === name)
  return fillTemplate(templates['godot/vat.gdshader'], {
    name: oneLine(set.name),
    render_modes: renderModes(material),
    defines: defines.map((name) => `#define ${name}\n`).join(''),
    surface_uniforms: [
      ...(material.alpha === 'mask' ? ['uniform float alpha_cutoff : hint_range(0.0, 1.0) = 0.5;'] : []),
      ...(has('normal_map') ? ['uniform float normal_scale = 1.0;'] : []),
      ...(has('occlusion_map') ? ['uniform float occlusion_strength : hint_range(0.0, 1.0) = 1.0;'] : []),
      ...uses.map(({ uniform, map, hint }) => `uniform sampler2D ${uniform} : ${[hint, ...samplerHints(map)].join(', ')};`),
    ]
      .map((line) => `${line}\n`)
      .join(''),
    layer_uniforms: layers.map(({ role }) => `uniform sampler2D vat_${role}_map : filter_nearest, repeat_disable;\n`).join(''),
    clip_count: String(set.clips.length),
    clips: set.clips
      .map(({ firstRow, frameCount, fps, loop }) => glslVector([firstRow, loop ? frameCount : -frameCount, fps]))
      .join(', '),
    layout: [set.layout.columnsPerRow, set.layout.rowsPerFrame].map(glslFloat).join(', '),
    maps_varying: uvSets.map((uvSet) => `varying vec2 uv_${uvSet};\n`).join(''),
    decode: templates['agnostic/decode.glsl'],
    layer_functions: layers.map((layer) => layerFunction(layer, set.layout.orientation)).join('\n'),
    index_uv: uvSetExpression(Number(indexUV.slice('TEXCOORD_'.length)), 'vertex'),
    pass_maps: uvSets.map((uvSet) => `\tuv_${uvSet} = ${uvSetExpression(uvSet, 'vertex')};\n`).join(''),
    sample_base_color: uses.filter(({ uniform }) => uniform === 'base_color_map').map(sample).join(''),
    sample_surface: uses.filter(({ uniform }) => uniform !== 'base_color_map').map(sample).join(''),
  })
}

/** How a layer is decoded: a function `vat_ROLE(address, row)` in the words of Godot's shaders. */
function layerFunction(layer: PackagedTexture, orientation: PackagedSet['layout']['orientation']): string {
  const { role } = layer
  return [
    `${role === 'tangent' ? 'vec4' : 'vec3'} vat_${role}(vec2 address, float row) {`,
    ...decodeLayer(layer, orientation, `vat_${role}_map`, GLSL).map((line) => `\t${line}`),
    '}',
    '',
  ].join('\n')
}

/**
 * Where Godot has a set of texture coordinates: two of them by name, the others, two by two, in the custom attributes of a vertex.
 * Those are only there in `vertex()`, so that the other stage gets them through a varying.
 */
function uvSetExpression(uvSet: number, stage: 'vertex' | 'fragment'): string {
  if (uvSet < 2) return ['UV', 'UV2'][uvSet]
  return stage === 'fragment' ? `uv_${uvSet}` : `CUSTOM${Math.floor(uvSet / 2) - 1}.${uvSet % 2 === 0 ? 'xy' : 'zw'}`
}

/** Scale and offset of an image on its coordinates. */
function placement({ uvScale, uvOffset }: MaterialMap): string {
  const isItself = uvScale.every((value) => value === 1) && uvOffset.every((value) => value === 0)
  return isItself ? '' : ` * ${glslVector(uvScale)} + ${glslVector(uvOffset)}`
}

/** Godot knows one filter for both directions; its own import of glTF takes that of the image made smaller, too. */
function samplerHints({ repeats, nearest, mipmaps }: MaterialMap): string[] {
  return [`filter_${nearest ? 'nearest' : 'linear'}${mipmaps ? '_mipmap' : ''}`, repeats ? 'repeat_enable' : 'repeat_disable']
}

function renderModes({ doubleSided, unlit, alpha }: SurfaceMaterial): string {
  return [
    'blend_mix',
    alpha === 'blend' ? 'depth_prepass_alpha' : 'depth_draw_opaque',
    doubleSided ? 'cull_disabled' : 'cull_back',
    'diffuse_burley',
    'specular_schlick_ggx',
    ...(unlit ? ['unshaded'] : []),
  ].join(', ')
}

function fillMaterial(template: string, set: PackagedSet, material: SurfaceMaterial, shader: string): string {
  const textures: string[] = []
  const parameters: string[] = []
  const set_ = (name: string, value: string) => parameters.push(`shader_parameter/${name} = ${value}`)
  const ids = new Map<string, string>()
  const texture = (uniform: string, file: string) => {
    if (!ids.has(file)) {
      ids.set(file, `texture_${ids.size}`)
      textures.push(`[ext_resource type="Texture2D" path="${quoted(file)}" id="${ids.get(file)}"]\n`)
    }
    set_(uniform, `ExtResource("${ids.get(file)}")`)
  }
  for (const { role, file } of set.textures) if (LAYER_ROLES.includes(role)) texture(`vat_${role}_map`, file)
  const [red, green, blue, alpha] = material.baseColor
  set_('base_color', `Color(${[red, green, blue].map(toSrgb).concat(alpha).join(', ')})`)
  set_('metallic', glslFloat(material.metallic))
  set_('roughness', glslFloat(material.roughness))
  set_('emission', `Vector3(${material.emissive.join(', ')})`)
  if (material.alpha === 'mask') set_('alpha_cutoff', glslFloat(material.alphaCutoff))
  for (const { uniform, map } of mapUses(material)) {
    texture(uniform, map.file)
    if (uniform === 'normal_map') set_('normal_scale', glslFloat(material.normalScale))
    if (uniform === 'occlusion_map') set_('occlusion_strength', glslFloat(material.occlusionStrength))
  }
  return fillTemplate(template, {
    shader: quoted(shader),
    textures: textures.join(''),
    name: quoted(material.name),
    parameters: parameters.join('\n'),
  })
}

/** A text between quotes in the files of Godot and in its scripts. */
function quoted(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/[\r\t]/g, ' ')
}

/** A text in a comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}

/** A name that a node of Godot may have: the others are changed by the engine, which then does not find the node any more. */
function nodeName(name: string): string {
  return quoted(name.replace(/[.:@/"%\\]/g, '_'))
}
