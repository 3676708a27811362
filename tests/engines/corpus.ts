import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { SHARED, engine } from './engine.ts'

const CORPUS = join(SHARED, 'corpus')
const COMPRESSIONS = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression']

interface GltfJson {
  extensionsUsed?: string[]
  animations?: unknown[]
  meshes?: { primitives: { attributes: Record<string, number> }[] }[]
}

/** A model of the corpus. */
export interface CorpusModel {
  /** Path inside the corpus. */
  name: string
  /** Absolute path. */
  file: string
  /** Number of animations that its JSON lists. */
  clips: number
  /** Whether any primitive has normals of its own. */
  hasNormals: boolean
}

/** Every glTF of the corpus that is meant to be valid and is not compressed. */
export function corpusModels(): CorpusModel[] {
  return ['gltf', 'synth']
    .flatMap((folder) => readdirSync(join(CORPUS, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((name) => /\.(gltf|glb)$/.test(name) && !basename(name).startsWith('bad_'))
    .map((name) => ({ name, file: join(CORPUS, name), json: readJson(join(CORPUS, name)) }))
    .filter(({ json }) => !json.extensionsUsed?.some((extension) => COMPRESSIONS.includes(extension)))
    .map(({ name, file, json }) => ({
      name,
      file,
      clips: json.animations?.length ?? 0,
      hasNormals: json.meshes?.some((mesh) => mesh.primitives.some(({ attributes }) => 'NORMAL' in attributes)) ?? false,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The models of the corpus that can be baked. */
export function bakeableModels(): CorpusModel[] {
  return corpusModels().filter(({ name }) => !(name in UNBAKEABLE))
}

/** Models of the corpus that rightly cannot be baked, and what the sentence says of them. */
export const UNBAKEABLE: Record<string, RegExp> = {
  'gltf/00_empty_scene.gltf': /no triangles/,
  'gltf/00_no_scenes/00_no_scenes.gltf': /no animation/,
  'gltf/01_unlit/01_unlit.gltf': /no animation/,
  'gltf/01_vertex_count_16bit/01_vertex_count_16bit.gltf': /no animation/,
  'gltf/01_vertex_count_32bit/01_vertex_count_32bit.gltf': /no animation/,
  'gltf/09_texture_transform/09_texture_transform.gltf': /no animation/,
  'gltf/24_gpu_instancing/24_gpu_instancing.gltf': /no animation/,
  'gltf/CubeImageUriMultipleSpaces/CubeImageUriMultipleSpaces.gltf': /no animation/,
  'gltf/Med_General.glb': /no triangles/,
  'gltf/MeshPrimitiveModes.gltf': /no animation/,
  'gltf/MorphPrimitivesTest/MorphPrimitivesTest.gltf': /no animation/,
  'gltf/PalmTree/PalmTree.gltf': /no animation/,
  'gltf/animation-splines-single-or-no-keyframes/animation-splines-single-or-no-keyframes.gltf': /no triangles/,
  'gltf/escaped-strings/escaped-strings.gltf': /no triangles/,
  'gltf/many-cubes/many-cubes.gltf': /no animation/,
  'gltf/skin-multiple-sets/skin-multiple-sets.gltf': /no animation/,
  'synth/morph_default_weights_no_clip.glb': /no animation/,
  'synth/prim_line_strip.glb': /no triangles/,
  'synth/prim_lines.glb': /no triangles/,
  'synth/prim_points.glb': /no triangles/,
  'synth/skin_static_no_clip.glb': /no animation/,
}

/** The JSON of a glTF or of a GLB's first chunk. */
function readJson(file: string): GltfJson {
  const bytes = readFileSync(file)
  const text = bytes.toString('latin1', 0, 4) === 'glTF' ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)) : bytes
  return JSON.parse(text.toString('utf8')) as GltfJson
}

/** A clip of a model, and the seconds on its time line at which it is to be evaluated. */
export interface TruthJob {
  model: string
  clip: number
  times: number[]
}

/** What the oracle says: by `node<i>/prim<k>`, `[time][vertex][xyz]`; normals are null where the file has none. */
export type Truth = Map<string, { positions: Float32Array; normals: Float32Array | null }>

/** Evaluates all jobs with the oracle, weights normalised. */
export async function evaluateTruth(jobs: TruthJob[]): Promise<Truth[]> {
  const folder = await mkdtemp(join(tmpdir(), 'truth-'))
  try {
    await writeFile(join(folder, 'jobs.json'), JSON.stringify(jobs))
    const oracle = join(SHARED, 'oracle/gltf_truth.py')
    await engine('python3', [resolve('tests/engines/evaluate_truth.py'), oracle, join(folder, 'jobs.json'), folder], [
      folder,
      ...new Set(jobs.map(({ model }) => dirname(model)).filter((place) => !place.startsWith(SHARED))),
    ])
    const index = JSON.parse(await readFile(join(folder, 'truth.json'), 'utf8')) as Record<string, { offset: number; vertices: number }>[]
    return await Promise.all(
      index.map(async (arrays, job) => {
        const { buffer } = new Uint8Array(await readFile(join(folder, `${job}.f32`)))
        const array = (key: string) => new Float32Array(buffer, arrays[key].offset * 4, jobs[job].times.length * arrays[key].vertices * 3)
        const keys = Object.keys(arrays).filter((key) => key.endsWith('|pos'))
        return new Map(
          keys.map((key) => {
            const mesh = key.slice(0, -'|pos'.length)
            return [mesh, { positions: array(key), normals: arrays[`${mesh}|nrm`] ? array(`${mesh}|nrm`) : null }]
          }),
        )
      }),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
