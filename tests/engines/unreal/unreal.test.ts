import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../../main/bake/options.ts'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { bakery } from '../../player/bakes.ts'
import { readTruth } from '../../player/truth.ts'
import { describeWithEngines, engine } from '../engine.ts'
import { evaluateHlsl, indexUV, texturesOf } from '../hlsl/evaluate.ts'

const run = promisify(execFile)
const FOX = resolve('resources/samples/Fox.glb')
const ROBOT = resolve('resources/samples/RobotExpressive.glb')
const { bake } = bakery()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unreal-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** @returns its sidecar's file */
const bakeFor = async (file: string, options: BakeOptionsInput) => (await bake(file, { target: 'unreal', ...options })).sidecarFile
const readSidecar = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Sidecar

type Properties = Record<string, unknown>
interface Graph {
  properties: Properties
  nodes: { kind: string; properties: Properties; links: Record<string, [node: number, output: string]> }[]
  results: Record<string, [node: number, output: string]>
}
interface Report {
  tasks: Properties[]
  warnings: string[]
  saved: string[]
  properties: Record<string, Properties>
  build: [lod: number, settings: Properties][]
  slots: Record<string, Record<string, string>>
  materials: Record<string, Graph>
  instances: Record<string, { parent: string; Clip: number }>
}

/** What the import script of a bake did in the recording editor. */
async function imported(sidecarFile: string, ...again: '--again'[]): Promise<Report> {
  const script = sidecarFile.replace(/\.json$/, '_import_vat.py')
  const { stdout } = await run('python3', [resolve('tests/engines/unreal/unreal.py'), script, ...again], { maxBuffer: 1 << 26 })
  return JSON.parse(stdout)
}

describe('the import script', () => {
  it.each([
    ['exr', 'TC_HDR_F32'],
    ['exr16', 'TC_HDR'],
    ['rgba16', 'TC_VECTOR_DISPLACEMENTMAP'],
    ['rgba8', 'TC_VECTOR_DISPLACEMENTMAP'],
  ] as const)('keeps every number of %s textures', async (encoding, compression) => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run'], frames: 3, encoding, normals: 'xyz' })
    const { properties, warnings, saved } = await imported(sidecarFile)
    expect(warnings).toEqual([])
    expect(saved).toEqual(['/Game/VAT/Run'])
    for (const asset of ['T_Run_pos', 'T_Run_nrm']) {
      expect(properties[`/Game/VAT/Run/${asset}`]).toEqual({
        srgb: false,
        compression_settings: `TextureCompressionSettings.${compression}`,
        compression_no_alpha: false,
        mip_gen_settings: 'TextureMipGenSettings.TMGS_NO_MIPMAPS',
        lod_group: 'TextureGroup.TEXTUREGROUP_COLOR_LOOKUP_TABLE',
        lod_bias: 0,
        max_texture_size: 0,
        power_of_two_mode: 'TexturePowerOfTwoSetting.NONE',
        never_stream: true,
        virtual_texture_streaming: false,
        filter: 'TextureFilter.TF_NEAREST',
        address_x: 'TextureAddress.TA_CLAMP',
        address_y: 'TextureAddress.TA_CLAMP',
      })
    }
  })

  it('imports the mesh as it is, and as one that stands still', async () => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run'], frames: 3 })
    const { tasks, build, properties } = await imported(sidecarFile)
    const task = tasks.find(({ filename }) => String(filename).endsWith('.fbx'))!
    expect(task).toMatchObject({
      filename: sidecarFile.replace(/\.json$/, '_mesh.fbx'),
      destination_path: '/Game/VAT/Run',
      destination_name: 'SM_Run',
      automated: true,
      replace_existing: true,
      options: {
        import_mesh: true,
        import_as_skeletal: false,
        import_animations: false,
        mesh_type_to_import: 'FBXImportType.FBXIT_STATIC_MESH',
        static_mesh_import_data: {
          combine_meshes: true,
          convert_scene: true,
          convert_scene_unit: false,
          force_front_x_axis: false,
          generate_lightmap_u_vs: false,
          remove_degenerates: false,
          build_nanite: false,
          normal_import_method: 'FBXNormalImportMethod.FBXNIM_IMPORT_NORMALS_AND_TANGENTS',
        },
      },
    })
    expect(build).toEqual([
      [
        0,
        {
          use_full_precision_u_vs: true,
          generate_lightmap_u_vs: false,
          remove_degenerates: false,
          recompute_normals: false,
          recompute_tangents: false,
          use_mikk_t_space: false,
          use_high_precision_tangent_basis: true,
        },
      ],
    ])
    const mesh = properties['/Game/VAT/Run/SM_Run']
    expect(mesh.nanite_settings).toEqual({ enabled: false })
    const { meshes, bounds } = await readSidecar(sidecarFile)
    expect(`TEXCOORD_${mesh.light_map_coordinate_index as number}`).not.toBe(meshes[0].indexUV)
    // The stand-in's mesh fills -1 to 1 at rest.
    expect(mesh.positive_bounds_extension).toEqual(bounds.max.map((value) => value - 1))
    expect(mesh.negative_bounds_extension).toEqual(bounds.min.map((value) => -1 - value))
  })

  it('builds a material for each surface and an instance for each clip', async () => {
    const sidecarFile = await bakeFor(ROBOT, { anim: ['Dance', 'Wave'], frames: 3, normals: 'xyz', tangents: true, name: 'Robot' })
    const { materials, instances, slots, warnings } = await imported(sidecarFile)
    expect(warnings).toEqual([])
    const paths = Object.keys(materials)
    expect(paths).toHaveLength((await readMaterials(sidecarFile)).length)
    expect(Object.keys(instances)).toEqual(paths.flatMap((path) => ['Dance', 'Wave'].map((clip) => `${path.replace('/M_', '/MI_')}_${clip}`)))
    expect(Object.values(instances)).toEqual(paths.flatMap((parent) => [{ parent, Clip: 0 }, { parent, Clip: 1 }]))
    expect(slots['/Game/VAT/Robot/SM_Robot']).toEqual(Object.fromEntries(paths.map((path, slot) => [slot, `${path.replace('/M_', '/MI_')}_Dance`])))

    for (const { properties, nodes, results } of Object.values(materials)) {
      expect(properties).toMatchObject({
        tangent_space_normal: false,
        compiled: true,
        usages: ['MaterialUsage.MATUSAGE_INSTANCED_STATIC_MESHES', 'MaterialUsage.MATUSAGE_NIAGARA_MESH_PARTICLES'],
      })
      // The offset: from the player's node, turned from the instance's space into the world's.
      const transform = nodes[results.MP_WORLD_POSITION_OFFSET[0]]
      expect(transform).toMatchObject({
        kind: 'MaterialExpressionTransform',
        properties: {
          transform_source_type: 'MaterialVectorCoordTransformSource.TRANSFORMSOURCE_INSTANCE',
          transform_type: 'MaterialVectorCoordTransform.TRANSFORM_WORLD',
        },
      })
      const player = nodes[transform.links[''][0]]
      expect(player.properties.code).toBe(await readFile(join(dirname(sidecarFile), 'Robot_VatCommon.ush'), 'utf8'))
      // Every input of the node is fed.
      expect(Object.keys(player.links)).toEqual((player.properties.inputs as { input_name: string }[]).map(({ input_name }) => input_name))
      const fed = (name: string) => nodes[player.links[name][0]]
      expect(fed('Rest').kind).toBe('MaterialExpressionPreSkinnedPosition')
      expect(fed('VatNormal').properties).toMatchObject({ texture: '/Game/VAT/Robot/T_Robot_nrm', sampler_type: 'MaterialSamplerType.SAMPLERTYPE_LINEAR_COLOR' })
      for (const [index, name] of ['Clip', 'Phase', 'Speed'].entries()) {
        expect(fed(name)).toMatchObject({ kind: 'MaterialExpressionPerInstanceCustomData', properties: { data_index: index } })
        expect(nodes[fed(name).links.DefaultValue[0]].properties.parameter_name).toBe(name)
      }
      // Normals are computed for vertices.
      const stage = nodes[results.MP_NORMAL[0]]
      expect([stage.kind, results.MP_NORMAL[1]]).toEqual(['MaterialExpressionVertexInterpolator', 'PS'])
      expect(nodes[nodes[stage.links.VS[0]].links[''][0]]).toBe(player)
    }
  })

  it('leaves the instance that was chosen for a slot where it is run again', async () => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run', 'Walk'], frames: 3, name: 'Fox' })
    const first = await imported(sidecarFile)
    expect(first.slots['/Game/VAT/Fox/SM_Fox']).toEqual({ 0: '/Game/VAT/Fox/MI_Fox_Run' })
    const { slots, materials, warnings } = await imported(sidecarFile, '--again')
    expect(slots['/Game/VAT/Fox/SM_Fox']).toEqual({ 0: '/Game/VAT/Fox/MI_Fox_Walk' })
    expect(materials).toEqual(first.materials)
    expect(warnings).toEqual([])
  })

  it('gives each parameter of a material a name of its own', async () => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run'], frames: 3, normals: 'xyz', tangents: true })
    for (const { nodes } of Object.values((await imported(sidecarFile)).materials)) {
      const names = nodes.flatMap(({ properties }) => properties.parameter_name ?? [])
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain('BaseColorMap')
    }
  })
})

async function readMaterials(sidecarFile: string): Promise<unknown[]> {
  return JSON.parse(await readFile(sidecarFile.replace(/\.json$/, '_unreal.json'), 'utf8')).materials
}

/** What a compiler needs around the body of a Custom node. */
async function wrapped(sidecarFile: string): Promise<string> {
  const description = JSON.parse(await readFile(sidecarFile.replace(/\.json$/, '_unreal.json'), 'utf8'))
  const code = await readFile(sidecarFile.replace(/\.json$/, '_VatCommon.ush'), 'utf8')
  const steering = ['Time', 'Clip', 'Phase', 'Speed', 'Replay', 'NextClip', 'NextPhase', 'Fade', 'Manual', 'ManualTime']
  const inputs = `float2 IndexUV, float3 Rest, ${steering.map((name) => `float ${name}`).join(', ')}`
  // This compiler takes methods of a structure inside of a function for recursions; those of Unreal do not.
  const [structure, play] = code.split(/^(?=VatCommon vat;)/m)
  return `${structure}
${description.textures.map(({ input }: { input: string }) => `Texture2D ${input};`).join('\n')}
float3 CustomExpression0(${inputs}${description.outputs.map((name: string) => `, inout float3 ${name}`).join('')}) {
${play}
}
float4 main(float2 uv : TEXCOORD0, float3 rest : POSITION) : SV_Position {
${description.outputs.map((name: string) => `float3 ${name} = 0;`).join(' ')}
return float4(CustomExpression0(${['uv', 'rest', '1, 0, 0, 1, 1, 0, 0, 0.5, 0, 0', ...description.outputs].join(', ')})${description.outputs.map((name: string) => ` + ${name}`).join('')}, 1);
}`
}

const LAYOUTS: [string, BakeOptionsInput][] = [
  ['16 bits in two bytes', { encoding: 'rgba16', normals: 'xyz', tangents: true }],
  ['offsets, and normals in alpha', { encoding: 'exr', content: 'offset', normals: 'packed' }],
  ['octahedral normals in one texture, frames along x', { encoding: 'exr16', normals: 'octahedral', stack: true, orientation: 'frames-x' }],
  ['bytes in several rows a frame', { encoding: 'rgba8', normals: 'xyz', maxSize: 512 }],
]

describeWithEngines("the shader's code", () => {
  it.each(LAYOUTS)('is accepted by a compiler of HLSL: %s', async (_, options) => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run', 'Walk'], frames: 4, name: 'Fox', ...options })
    const file = join(folder, 'main.hlsl')
    await writeFile(file, await wrapped(sidecarFile))
    expect(await engine('glslang', ['-D', '--entry-point', 'main', '-V', '-S', 'vert', '-o', `${file}.spv`, file], [folder])).not.toMatch(/error|warning/i)
  })
})

describe("the shader's code, made a program of the processor", () => {
  // (x, y, z) metres of glTF are (100 x, 100 z, 100 y) centimetres of Unreal.
  const toUnreal = ([x, y, z]: ArrayLike<number> & Iterable<number>, unit = 100) => [unit * x, unit * z, unit * y]

  it.each(LAYOUTS)('decodes what was written to within the bound: %s', async (_, options) => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run', 'Walk'], frames: 6, name: 'Fox', ...options })
    const sidecar = await readSidecar(sidecarFile)
    const truth = readTruth(FOX)
    const { textures, layout, clips, report } = sidecar
    const name = (role: string) => ({ position: 'VatPosition', normal: 'VatNormal', tangent: 'VatTangent' })[role]!
    const rest = truth(undefined, 0).positions.map((position) => toUnreal(position))
    const steady = { Phase: 0, Speed: 1, Replay: 1, NextClip: 0, NextPhase: 0, Fade: 0, Manual: 0, ManualTime: 0 }
    const moments = clips.flatMap((clip, index) => Array.from({ length: clip.frameCount }, (_, frame) => ({ clip, index, frame })))
    const calls = moments.flatMap(({ clip, index, frame }) =>
      rest.map((Rest, vertex) => ({ IndexUV: indexUV(vertex, layout), Rest, Time: (frame + 1e-6) / clip.fps, Clip: index, ...steady })),
    )
    const outputs = [...new Set(textures.map(({ role }) => role))].flatMap((role) => ({ normal: ['Normal'], tangent: ['Tangent', 'Bitangent'] })[role] ?? [])
    const results = await evaluateHlsl(
      folder,
      { body: await readFile(sidecarFile.replace(/\.json$/, '_VatCommon.ush'), 'utf8'), textures: texturesOf(sidecarFile, sidecar, name), outputs },
      calls,
    )
    expect(results).toHaveLength(calls.length)
    let worst = 0
    let cosine = 1
    moments.forEach(({ clip, frame }, moment) => {
      const shape = truth(clip.index, clip.start + frame / clip.fps)
      shape.positions.forEach((position, vertex) => {
        const [x, y, z, ...normal] = results[moment * rest.length + vertex]
        const wanted = toUnreal(position)
        worst = Math.max(worst, Math.hypot(...[x, y, z].map((value, axis) => value + rest[vertex][axis] - wanted[axis])))
        if (outputs.includes('Normal')) {
          const direction = toUnreal(shape.normals[vertex], 1)
          cosine = Math.min(cosine, normal.slice(0, 3).reduce((sum, value, axis) => sum + value * direction[axis], 0))
        }
      })
    })
    // What the program measured of its own files, in centimetres, and the hundred thousandth of a frame that was asked for more.
    expect(worst).toBeLessThan(report.position.maxMillimetres / 10 + 0.05)
    expect(worst).toBeGreaterThan(0)
    expect((Math.acos(Math.min(cosine, 1)) * 180) / Math.PI).toBeLessThan(report.normal!.maxDegrees + 0.1)
  })

  it('fades to another clip, and takes a time of its own', async () => {
    const sidecarFile = await bakeFor(FOX, { anim: ['Run', 'Walk'], frames: 6, name: 'Fox', encoding: 'exr', content: 'offset' })
    const sidecar = await readSidecar(sidecarFile)
    const of = (changes: object) => ({
      ...{ IndexUV: indexUV(700, sidecar.layout), Rest: [0, 0, 0], Time: 0.11, Clip: 0, Phase: 0, Speed: 1, Replay: 1 },
      ...{ NextClip: 1, NextPhase: 0.2, Fade: 0, Manual: 0, ManualTime: 0, ...changes },
    })
    const body = await readFile(sidecarFile.replace(/\.json$/, '_VatCommon.ush'), 'utf8')
    const [run, walk, faded, manual, faster] = await evaluateHlsl(
      folder,
      { body, textures: texturesOf(sidecarFile, sidecar, () => 'VatPosition') },
      [
        of({}),
        of({ Clip: 1, Phase: 0.2 }),
        of({ Fade: 0.25 }),
        of({ Time: 7, Manual: 1, ManualTime: 0.11 }),
        of({ Time: 0.03, Speed: 3, Phase: 0.02 }),
      ],
    )
    faded.forEach((value, axis) => expect(value).toBeCloseTo(run[axis] * 0.75 + walk[axis] * 0.25, 3))
    expect(Math.hypot(...walk.map((value, axis) => value - run[axis]))).toBeGreaterThan(1)
    manual.forEach((value, axis) => expect(value).toBeCloseTo(run[axis], 6))
    faster.forEach((value, axis) => expect(value).toBeCloseTo(run[axis], 6))
  })
})
