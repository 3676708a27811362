import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { animated, moved } from '../hostile/broken-files.ts'
import { examine, randomOptions, type Outcome } from './examine.ts'
import { buildFbx, type FbxSource } from '../readers/fbx/build-fbx.ts'
import { buildMayaCache, buildPointCache, describeMayaCache } from '../readers/vertex-cache/build-caches.ts'
import { mutate, mutateBytes } from './mutate.ts'
import { createRandom } from './random.ts'

/** Largest file that is mutated: small ones are read in no time, and more of their bytes mean something. */
const LARGEST = 30_000

/** It needs files beside it. */
const NOT_ALONE = ['SimpleMorph.gltf']

/** A triangle with a skin, a blend shape and a take. */
const FBX_RIG: FbxSource = {
  models: [
    { name: 'Bone', type: 'LimbNode', properties: { InheritType: 0, 'Lcl Translation': [1, 0, 0] } },
    {
      name: 'Body',
      materials: ['Skin'],
      mesh: {
        points: [0, 0, 0, 1, 0, 0, 0, 1, 0],
        polygons: [[0, 1, 2]],
        normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
        uvs: [0, 0, 1, 0, 0, 1],
        skin: { clusters: [{ bone: 'Bone', points: [0, 1, 2], weights: [1, 0.5, 1] }] },
        channels: [{ name: 'Up', fullWeights: [100], shapes: [{ points: [2], deltas: [0, 1, 0] }] }],
      },
    },
  ],
  materials: [{ name: 'Skin', properties: { DiffuseColor: [1, 0, 0] } }],
  takes: [
    {
      name: 'Wave',
      start: 0,
      stop: 1,
      curves: [
        { target: 'Bone', property: 'Lcl Rotation', keys: { Z: [[0, 0], [1, 90]] } },
        { target: 'Up', property: 'DeformPercent', keys: { X: [[0, 0], [1, 100]] } },
      ],
    },
  ],
}

/** A triangle with a morph target and an animation. */
const BABYLON_MORPH = {
  meshes: [
    {
      name: 'Body',
      id: 'body',
      position: [0, 0, 0],
      rotation: [0, 0, 0],
      scaling: [1, 1, 1],
      isVisible: true,
      isEnabled: true,
      morphTargetManagerId: 0,
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
      normals: [0, 0, -1, 0, 0, -1, 0, 0, -1],
      uvs: [0, 0, 1, 0, 0, 1],
      indices: [0, 1, 2],
    },
  ],
  morphTargetManagers: [
    {
      id: 0,
      targets: [
        {
          name: 'Up',
          influence: 0,
          positions: [0, 0, 0, 1, 0, 0, 0, 2, 0],
          animations: [
            {
              name: 'Up',
              property: 'influence',
              framePerSecond: 30,
              dataType: 0,
              loopBehavior: 1,
              keys: [{ frame: 0, values: [0] }, { frame: 30, values: [1] }],
            },
          ],
        },
      ],
    },
  ],
}

/** A file to break, and what lies beside it unbroken. */
export interface WholeFile {
  name: string
  bytes: Uint8Array
  beside?: Record<string, Uint8Array>
  /** Which of them is the model, where it is not the one that is broken. */
  model?: string
}

/** Three shapes of a triangle. */
const WAVES = [0, 1, 2].map((height) => [0, 0, height, 1, 0, 0, 0, 1, 0])

function numberedObj(shape: number[]): Uint8Array {
  const lines = [0, 3, 6].map((i) => `v ${shape.slice(i, i + 3).join(' ')}`)
  return new TextEncoder().encode([...lines, 'vn 0 0 1', 'vt 0 0', 'usemtl Skin', 'f 1/1/1 2/1/1 3/1/1', ''].join('\n'))
}

/** Writes the files into a folder; returns the path of the model. */
export function placeFiles({ name, beside = {}, model = name }: WholeFile, bytes: Uint8Array, folder: string): string {
  for (const [file, content] of Object.entries({ ...beside, [name]: bytes })) writeFileSync(join(folder, file), content)
  return join(folder, model)
}

/** Whole files to break: those of the fixtures, and some that are made here. */
export function listWholeFiles(root: string): WholeFile[] {
  const folder = join(root, 'tests/fixtures/models')
  const fixtures = readdirSync(folder)
    .filter((name) => /\.(glb|gltf)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
    .filter(({ name, bytes }) => bytes.length <= LARGEST && !NOT_ALONE.includes(name))
  const dressed = animated()
  dressed.json.images = [{ uri: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' }]
  dressed.json.textures = [{ source: 0 }]
  dressed.json.materials = [{ name: 'Skin', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0.5 } }]
  const [primitive] = dressed.json.meshes[0].primitives
  primitive.material = 0
  primitive.attributes.TEXCOORD_0 = dressed.floats('VEC2', 0, 0, 1, 0, 0, 1)
  primitive.attributes.NORMAL = dressed.floats('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1)
  primitive.indices = dressed.accessor('SCALAR', Uint16Array.of(0, 1, 2))
  return [
    ...fixtures,
    { name: 'animated.glb', bytes: animated().glb() },
    { name: 'moved.glb', bytes: moved('translation', [0, 0.5, 1], [0, 0, 0, 1, 0, 0, 1, 1, 0]).glb() },
    { name: 'dressed.glb', bytes: dressed.glb() },
    { name: 'rig.fbx', bytes: buildFbx(FBX_RIG) },
    { name: 'morph.babylon', bytes: new TextEncoder().encode(JSON.stringify(BABYLON_MORPH)) },
    {
      name: 'frame_2.obj',
      bytes: numberedObj(WAVES[1]),
      beside: { 'frame_1.obj': numberedObj(WAVES[0]), 'frame_3.obj': numberedObj(WAVES[2]) },
    },
    { name: 'waves.pc2', bytes: buildPointCache(WAVES), model: 'sea.fbx', beside: { 'sea.fbx': cachedFbx('waves.pc2') } },
    {
      name: 'waves.mcx',
      bytes: buildMayaCache({ wide: true, start: 0, frames: WAVES.map((shape, i) => ({ time: i * 250, channels: { shape } })) }),
      model: 'sea.fbx',
      beside: { 'sea.fbx': cachedFbx('waves.xml'), 'waves.xml': describeMayaCache('OneFile', 'mcx', { shape: 'positions' }) },
    },
  ]
}

function cachedFbx(file: string): Uint8Array {
  const mesh = { points: WAVES[0], polygons: [[0, 1, 2]], caches: [{ file, channel: 'shape' }] }
  return buildFbx({ models: [{ name: 'Sea', mesh }] })
}

export interface CaseResult extends Outcome {
  /** The whole file that was broken. */
  of: string
}

/**
 * Makes a broken file, the same for the same seed and number, and examines what becomes of it.
 *
 * @param folder emptied first; afterwards the file lies in it as model/model.glb or whatever it is, with options.json beside it
 */
export async function runCase(whole: WholeFile[], seed: number, index: number, folder: string): Promise<CaseResult> {
  const random = createRandom(seed, index)
  const chosen = random.pick(whole)
  const { name, bytes } = chosen
  const broken = /\.(glb|gltf)$/.test(name) ? mutate(bytes, random) : mutateBytes(bytes, random)
  const options = randomOptions(random)

  rmSync(folder, { recursive: true, force: true })
  const inner = join(folder, 'model')
  mkdirSync(inner, { recursive: true })
  for (const file of ['secret.bin', 'secret.png']) writeFileSync(join(folder, file), 'secret'.repeat(2000))
  symlinkSync('../secret.bin', join(inner, 'link.bin'))
  mkdirSync(join(inner, 'folder'))
  if (process.platform !== 'win32' && !existsSync(join(inner, 'pipe.bin'))) execFileSync('mkfifo', [join(inner, 'pipe.bin')])
  const model = placeFiles(chosen.beside ? chosen : { ...chosen, name: `model${extname(name)}` }, broken, inner)
  writeFileSync(join(folder, 'options.json'), JSON.stringify(options))
  return { of: name, ...(await examine(model, folder, options)) }
}
