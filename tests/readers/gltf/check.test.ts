import { describe, expect, test } from 'vitest'
import { checkGltf, isTrsPath, morphTargetCount } from '../../../main/readers/gltf/check.ts'
import { gltf } from '../../../main/readers/gltf/schema.ts'
import type { Json } from '../build-gltf.ts'

/** A small file that has one of everything, in JSON alone. Accessors: see the comments. */
function whole(): Json {
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ name: 'Stage', nodes: [0, 1] }],
    nodes: [{ name: 'Body', mesh: 0, skin: 0, camera: 0 }, { name: 'Hip', children: [2] }, { name: 'Knee' }],
    cameras: [{}],
    skins: [{ name: 'Rig', joints: [1, 2], inverseBindMatrices: 4, skeleton: 1 }],
    materials: [{}],
    textures: [{ source: 0 }],
    images: [{ bufferView: 0 }],
    meshes: [
      {
        name: 'Skin',
        primitives: [
          { attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3, material: 0, targets: [{ POSITION: 0 }, { NORMAL: 0 }] },
        ],
      },
    ],
    animations: [
      {
        name: 'Walk',
        samplers: [
          { input: 5, output: 6 },
          { input: 5, output: 7, interpolation: 'CUBICSPLINE' },
        ],
        channels: [
          { sampler: 0, target: { node: 1, path: 'rotation' } },
          { sampler: 1, target: { node: 0, path: 'weights' } },
        ],
      },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }, // 0 positions
      { bufferView: 0, componentType: 5121, count: 3, type: 'VEC4' }, // 1 joints
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC4' }, // 2 weights
      { bufferView: 0, componentType: 5123, count: 3, type: 'SCALAR' }, // 3 indices
      { bufferView: 0, componentType: 5126, count: 2, type: 'MAT4' }, // 4 inverse bind matrices
      { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR' }, // 5 key times
      { bufferView: 0, componentType: 5126, count: 2, type: 'VEC4' }, // 6 rotations
      { bufferView: 0, componentType: 5126, count: 12, type: 'SCALAR' }, // 7 weights: 2 keys x 3 x 2 targets
      {
        count: 3,
        componentType: 5126,
        type: 'VEC3', // 8 sparse
        sparse: { count: 2, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 1, byteOffset: 4 } },
      },
    ],
    bufferViews: [{ buffer: 0, byteLength: 128 }, { buffer: 0, byteOffset: 100, byteLength: 28 }],
    buffers: [{ byteLength: 128 }],
  }
}

function check(json: Json): void {
  checkGltf('model.glb', gltf.parse(json))
}

test('a whole file passes', () => {
  expect(() => check(whole())).not.toThrow()
})

describe('everything that does not fit is refused with a sentence', () => {
  test.each<[string, (json: Json) => void]>([
    // Buffers, views, accessors.
    ['buffer view 0 uses buffer 1, but there are 1', (json) => (json.bufferViews[0].buffer = 1)],
    ['buffer view 1 ends at byte 129, but buffer 0 has 128', (json) => (json.bufferViews[1].byteLength = 29)],
    ['accessor 0 uses buffer view 2, but there are 2', (json) => (json.accessors[0].bufferView = 2)],
    ['accessor 0 has the unknown component type 5124', (json) => (json.accessors[0].componentType = 5124)],
    ['accessor 0 needs 48000000000 bytes for 4000000000 elements, but buffer view 0 has 128', (json) => (json.accessors[0].count = 4e9)],
    ['accessor 0 needs 132 bytes', (json) => (json.accessors[0].byteOffset = 96)],
    ['accessor 0 needs 132 bytes', (json) => (json.bufferViews[0].byteStride = 60)],
    ['accessor 8 replaces 4 values, but has only 3', (json) => (json.accessors[8].sparse.count = 4)],
    ['accessor 8 (sparse indices) uses buffer view 9', (json) => (json.accessors[8].sparse.indices.bufferView = 9)],
    ['accessor 8 (sparse indices) needs 30 bytes', (json) => (json.accessors[8].sparse.indices.byteOffset = 26)],
    ['accessor 8 has sparse indices that are not unsigned', (json) => (json.accessors[8].sparse.indices.componentType = 5126)],
    ['accessor 8 (sparse values) needs 29 bytes', (json) => (json.accessors[8].sparse.values.byteOffset = 5)],
    // Meshes.
    ['material 0 ("Cloth") uses texture 1, but there are 1', (json) =>
      (json.materials[0] = { name: 'Cloth', pbrMetallicRoughness: { baseColorTexture: { index: 1 } } })],
    ['material 0 uses texture 7, but there are 1', (json) =>
      (json.materials[0] = { extensions: { KHR_materials_clearcoat: { clearcoatTexture: { index: 7 } } } })],
    ['texture 0 uses sampler 0, but there are 0', (json) => (json.textures[0].sampler = 0)],
    ['texture 0 uses image 3, but there are 1', (json) => (json.textures[0].extensions = { EXT_texture_webp: { source: 3 } })],
    ['primitive 0 of mesh 0 ("Skin") uses material 1', (json) => (json.meshes[0].primitives[0].material = 1)],
    ['POSITION of primitive 0 of mesh 0 ("Skin") uses accessor 99', (json) => (json.meshes[0].primitives[0].attributes.POSITION = 99)],
    ['POSITION of primitive 0 of mesh 0 ("Skin") is SCALAR instead of VEC3', (json) => (json.meshes[0].primitives[0].attributes.POSITION = 3)],
    ['NORMAL of primitive 0 of mesh 0 ("Skin") has 2 values for 3 vertices', (json) => {
      json.accessors.push({ ...json.accessors[0], count: 2 })
      json.meshes[0].primitives[0].attributes.NORMAL = 9
    }],
    ['has JOINTS_0 but no WEIGHTS_0', (json) => delete json.meshes[0].primitives[0].attributes.WEIGHTS_0],
    ['JOINTS_0 of primitive 0 of mesh 0 ("Skin") are not unsigned integers', (json) => (json.meshes[0].primitives[0].attributes.JOINTS_0 = 2)],
    ['primitive 0 of mesh 0 ("Skin") uses accessor 99', (json) => (json.meshes[0].primitives[0].indices = 99)],
    ['the indices of primitive 0 of mesh 0 ("Skin") are not unsigned', (json) => (json.meshes[0].primitives[0].indices = 5)],
    ['the indices of primitive 0 of mesh 0 ("Skin") are not unsigned', (json) => (json.meshes[0].primitives[0].indices = 1)],
    ['POSITION of morph target 0 of primitive 0 of mesh 0 ("Skin") uses accessor 99', (json) => (json.meshes[0].primitives[0].targets[0].POSITION = 99)],
    ['NORMAL of morph target 1 of primitive 0 of mesh 0 ("Skin") is VEC4', (json) => (json.meshes[0].primitives[0].targets[1].NORMAL = 2)],
    ['POSITION of morph target 0 of primitive 0 of mesh 0 ("Skin") has 2 values for 3 vertices', (json) => {
      json.accessors.push({ ...json.accessors[0], count: 2 })
      json.meshes[0].primitives[0].targets[0].POSITION = 9
    }],
    ['the primitives of mesh 0 ("Skin") have different numbers of morph targets (2, 0)', (json) =>
      json.meshes[0].primitives.push({ attributes: { POSITION: 0 } })],
    // Nodes and scenes.
    ['node 0 ("Body") shows mesh 1, but there are 1', (json) => (json.nodes[0].mesh = 1)],
    ['node 0 ("Body") uses skin 1, but there are 1', (json) => (json.nodes[0].skin = 1)],
    ['node 0 ("Body") uses camera 1, but there are 1', (json) => (json.nodes[0].camera = 1)],
    ['node 1 ("Hip") has child 3, but there are 3', (json) => json.nodes[1].children.push(3)],
    ['node 2 ("Knee") has two parents, nodes 0 and 1', (json) => (json.nodes[0].children = [2])],
    ['node 2 ("Knee") has two parents, nodes 1 and 1', (json) => json.nodes[1].children.push(2)],
    ['the hierarchy goes round in a circle (2 nodes)', (json) => (json.nodes[2].children = [1])],
    ['the hierarchy goes round in a circle (1 node)', (json) => (json.nodes[0].children = [0])],
    ['scene 0 ("Stage") shows node 3, but there are 3', (json) => json.scenes[0].nodes.push(3)],
    ['the default scene is 1, but there are 1', (json) => (json.scene = 1)],
    // Skins.
    ['skin 0 ("Rig") has joint 3, but there are 3', (json) => (json.skins[0].joints[0] = 3)],
    ['skin 0 ("Rig") hangs on node 3, but there are 3', (json) => (json.skins[0].skeleton = 3)],
    ['skin 0 ("Rig") uses accessor 99', (json) => (json.skins[0].inverseBindMatrices = 99)],
    ['the inverse bind matrices of skin 0 ("Rig") are not 4×4 floats', (json) => (json.skins[0].inverseBindMatrices = 2)],
    ['skin 0 ("Rig") has 2 inverse bind matrices for 3 joints', (json) => json.skins[0].joints.push(0)],
    // Animations.
    ['sampler 0 of animation 0 ("Walk") uses accessor 99', (json) => (json.animations[0].samplers[0].input = 99)],
    ['sampler 1 of animation 0 ("Walk") uses accessor 99', (json) => (json.animations[0].samplers[1].output = 99)],
    ['the key times of sampler 0 of animation 0 ("Walk") are not floats', (json) => (json.animations[0].samplers[0].input = 3)],
    ['channel 0 of animation 0 ("Walk") uses sampler 2, but there are 2', (json) => (json.animations[0].channels[0].sampler = 2)],
    ['channel 0 of animation 0 ("Walk") moves node 3, but there are 3', (json) => (json.animations[0].channels[0].target.node = 3)],
    ['channel 0 of animation 0 ("Walk") has 8 numbers for 2 keys of scale, which take 6', (json) =>
      (json.animations[0].channels[0].target.path = 'scale')],
    ['channel 0 of animation 0 ("Walk") has 8 numbers for 2 keys of rotation, which take 24', (json) =>
      (json.animations[0].samplers[0].interpolation = 'CUBICSPLINE')],
    ['channel 1 of animation 0 ("Walk") has 12 numbers for 2 keys of weights, which take 4', (json) =>
      delete json.animations[0].samplers[1].interpolation],
    // Images.
    ['image 0 uses buffer view 2, but there are 2', (json) => (json.images[0].bufferView = 2)],
    ['texture 0 uses image 1, but there are 1', (json) => (json.textures[0].source = 1)],
  ])('%s', (sentence, damage) => {
    const json = whole()
    damage(json)
    expect(() => check(json)).toThrow(sentence)
    expect(() => check(json)).toThrow(expect.objectContaining({ name: 'Problem', kind: 'input' }))
  })
})

describe('extensions', () => {
  test('an unknown one is refused where it is required', () => {
    expect(() => check({ ...whole(), extensionsUsed: ['EXT_unheard_of'], extensionsRequired: ['EXT_unheard_of'] })).toThrow(
      'model.glb needs EXT_unheard_of, which cannot be read',
    )
    expect(() => check({ ...whole(), extensionsUsed: ['EXT_unheard_of'] })).not.toThrow()
  })

  test.each([
    'KHR_mesh_quantization',
    'KHR_texture_transform',
    'KHR_materials_unlit',
    'KHR_lights_punctual',
    'KHR_animation_pointer',
    'KHR_draco_mesh_compression',
    'EXT_meshopt_compression',
    'KHR_meshopt_compression',
    'EXT_mesh_gpu_instancing',
  ])('%s may be required', (name) => {
    expect(() => check({ ...whole(), extensionsUsed: [name], extensionsRequired: [name] })).not.toThrow()
  })
})

test('a hierarchy may be deep and wide', () => {
  const deep = Array.from({ length: 100_000 }, (_, i) => ({ children: i < 99_999 ? [i + 1] : [] }))
  expect(() => check({ asset: { version: '2.0' }, nodes: deep })).not.toThrow()
  const wide = [{ children: Array.from({ length: 200_000 }, (_, i) => i + 1) }, ...Array.from({ length: 200_000 }, () => ({}))]
  expect(() => check({ asset: { version: '2.0' }, nodes: wide })).not.toThrow()
})

test('an animated property of a node has a known number of numbers', () => {
  expect(['translation', 'rotation', 'scale', 'weights', 'pointer', 'toString'].map(isTrsPath)).toEqual([true, true, true, false, false, false])
  const json = gltf.parse(whole())
  expect([0, 1].map((node) => morphTargetCount(json, node))).toEqual([2, 0])
})
