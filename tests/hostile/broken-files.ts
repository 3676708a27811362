import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GltfBuilder, type Json, skinnedTriangle, triangle } from '../readers/build-gltf.ts'
import { hugePng } from './huge-png.ts'

/*
 * Files that lie, each a small valid one with one thing wrong, and what the command line has to make of them.
 */

export interface BrokenFile {
  /** What is wrong with it. */
  what: string
  /** Writes the file into a folder of its own; answers its path. */
  make(folder: string): string
  /** Of the command line; `bake` with the first clip where there are none. */
  args?: string[]
  /** The sentence of a refusal … */
  refused?: RegExp
  /** … or what a bake warns of; null for one that has nothing to say. */
  warned?: RegExp | null
  /** Systems that have no such files. */
  notOn?: NodeJS.Platform
}

const MILLION = 1_000_000

/** The skinned triangle with an animation that turns its second joint: valid in every way. */
export function animated(): GltfBuilder {
  const builder = skinnedTriangle()
  builder.json.animations = [{ name: 'Turn' }]
  builder.channel(builder.json.animations[0], { node: 2, path: 'rotation' }, [0, 0.5, 1], [0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 1, 0])
  builder.json.scenes = [{ nodes: [0, 1] }]
  builder.json.scene = 0
  return builder
}

/** The triangle that one node moves. */
export function moved(path: string, times: number[], values: number[]): GltfBuilder {
  const builder = triangle()
  builder.json.animations = [{ name: 'Move' }]
  builder.channel(builder.json.animations[0], { node: 0, path }, times, values)
  return builder
}

function write(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** A GLB of the animated triangle after a change. */
function changed(change: (json: Json, builder: GltfBuilder) => void, builder = animated): (folder: string) => string {
  return (folder) => {
    const built = builder()
    change(built.json, built)
    return write(folder, 'model.glb', built.glb())
  }
}

/** The animated triangle as text, whose only buffer is at that address; `beside` puts things into its folder first. */
function withUri(
  uri: string | ((bytes: Uint8Array) => string),
  beside: (folder: string, bytes: Uint8Array) => void = () => {},
): (folder: string) => string {
  return (folder) => {
    const builder = animated()
    const bytes = builder.binary()
    const inner = join(folder, 'model')
    mkdirSync(inner)
    beside(inner, bytes)
    const buffers = [{ uri: typeof uri === 'string' ? uri : uri(bytes), byteLength: bytes.length }]
    return write(inner, 'model.gltf', JSON.stringify({ ...builder.json, buffers }))
  }
}

const percentCodes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/../g, '%$&')

const positions = (json: Json): number => json.meshes[0].primitives[0].attributes.POSITION

const sizes: BrokenFile[] = [
  {
    what: '40 million vertices out of nothing',
    make: changed((json) => {
      const accessor = json.accessors[positions(json)]
      delete accessor.bufferView
      accessor.count = 40 * MILLION
      delete json.meshes[0].primitives[0].attributes.JOINTS_0
      delete json.meshes[0].primitives[0].attributes.WEIGHTS_0
    }),
    refused: /has 40,000,000 vertices in its scene, and at most 5,000,000 are allowed/,
  },
  {
    what: '4 thousand million values in an accessor that nothing uses',
    make: changed((json) => json.accessors.push({ componentType: 5126, type: 'MAT4', count: 4e9 })),
    warned: null,
  },
  {
    what: 'an accessor larger than its buffer',
    make: changed((json) => (json.accessors[positions(json)].count = 4e9)),
    refused: /accessor \d needs 48000000000 bytes for 4000000000 elements, but buffer view \d has 36/,
  },
  {
    what: 'an accessor whose length overflows 2^53',
    make: changed((json) => (json.accessors[positions(json)].count = Number.MAX_SAFE_INTEGER)),
    refused: /accessor \d needs 1080863910568918\d+ bytes/,
  },
  {
    what: 'a sparse accessor that replaces what it does not have',
    make: changed((json, builder) => {
      const indices = builder.view(Uint16Array.of(0, 60_000))
      const values = builder.view(new Float32Array(6))
      const sparse = { count: 2, indices: { bufferView: indices, componentType: 5123 }, values: { bufferView: values } }
      json.accessors[positions(json)].sparse = sparse
    }),
    refused: /replaces value 60000, but has only 3/,
  },
  {
    what: 'a sparse accessor of 1.9 million zeros in each of fifty morph targets',
    make: changed((json, builder) => {
      const count = 1_900_000
      json.accessors[positions(json)] = { componentType: 5126, type: 'VEC3', count }
      const indices = builder.view(Uint16Array.of(0))
      const values = builder.view(new Float32Array(3))
      const sparse = { count: 1, indices: { bufferView: indices, componentType: 5123 }, values: { bufferView: values } }
      const targets = Array.from({ length: 50 }, () => ({
        POSITION: json.accessors.push({ componentType: 5126, type: 'VEC3', count, sparse }) - 1,
      }))
      json.meshes[0].primitives[0].targets = targets
    }, () => moved('translation', [0, 1], [0, 0, 0, 1, 0, 0])),
    refused: /has [\d,]+ megabytes of numbers and images beyond what its buffers can account for, and at most 350 are allowed/,
  },
  {
    what: 'one list of indices in 3,000 primitives',
    make: changed((json, builder) => {
      const [primitive] = json.meshes[0].primitives
      primitive.indices = builder.accessor('SCALAR', new Uint8Array(30_000))
      json.meshes[0].primitives = Array.from({ length: 3000 }, () => primitive)
    }),
    refused: /has 30,000,000 triangles in its scene, and at most 10,000,000 are allowed/,
  },
  {
    what: 'a mesh of 20,000 primitives on 20,000 nodes',
    make: changed((json) => {
      json.meshes[0].primitives = Array.from({ length: 20_000 }, () => json.meshes[0].primitives[0])
      json.nodes.push(...Array.from({ length: 20_000 }, () => ({ mesh: 0 })))
      delete json.scenes
      delete json.scene
    }),
    refused: /has 400,020,000 meshes in its scene, and at most 50,000 are allowed/,
  },
  {
    what: '100 million vertices of one morph target',
    make: changed((json) => {
      json.meshes[0].primitives[0].targets = Array.from({ length: 100_000 }, () => ({ POSITION: positions(json) }))
      json.nodes.push(...Array.from({ length: 10 }, () => ({ mesh: 0 })))
      json.scenes[0].nodes.push(...Array.from({ length: 10 }, (_, i) => i + 3))
    }),
    refused: /has 110,000,000 vertices in its morph targets, and at most 100,000,000 are allowed/,
  },
  {
    what: 'a million joints',
    make: changed((json) => {
      json.skins.push(...Array.from({ length: 1000 }, () => ({ joints: Array.from({ length: 1000 }, () => 1) })))
    }),
    refused: /has 1,000,002 joints in its skins, and at most 100,000 are allowed/,
  },
  {
    what: '200,000 nodes',
    make: changed((json) => (json.nodes = json.nodes.concat(Array.from({ length: 200_000 }, () => ({}))))),
    refused: /has 200,003 nodes, and at most 100,000 are allowed/,
  },
  {
    what: 'a chain of 99,000 nodes',
    make: changed((json) => {
      json.nodes.push(...Array.from({ length: 99_000 }, (_, i) => (i < 98_999 ? { children: [i + 4] } : {})))
      json.nodes[2].children = [3]
    }),
    warned: null,
  },
  {
    what: '5,000 animations',
    make: changed((json) => (json.animations = Array.from({ length: 5000 }, () => json.animations[0]))),
    args: ['inspect'],
    refused: /has 5,000 animations, and at most 2,000 are allowed/,
  },
  {
    what: 'one list of keys in 60,000 channels',
    make: changed((json, builder) => {
      const times = Array.from({ length: 1000 }, (_, i) => i / 1000)
      const animation: Json = {}
      builder.channel(animation, { node: 2, path: 'scale' }, times, new Array<number>(3000).fill(1))
      animation.channels = Array.from({ length: 60_000 }, () => animation.channels[0])
      json.animations.push(animation)
    }),
    refused: /has 60,000,003 key frames in its animations, and at most 5,000,000 are allowed/,
  },
  {
    what: 'a buffer view past the end of its buffer',
    make: changed((json) => (json.bufferViews[0].byteLength = 2 ** 40)),
    refused: /buffer view 0 ends at byte 1099511627776, but buffer 0 has/,
  },
  {
    what: 'a buffer of 4 TB',
    make: changed((json, builder) => (json.buffers = [{ byteLength: 4e12 + builder.binary().length }])),
    refused: /buffer 0 should have 4\d{12} bytes, but only \d+ are there/,
  },
  {
    what: 'a chunk of 4 GB',
    make: (folder) => {
      const bytes = animated().glb()
      new DataView(bytes.buffer).setUint32(12, 0xffffffff, true)
      return write(folder, 'model.glb', bytes)
    },
    refused: /the chunk at byte 12 should have 4294967295 bytes, but only \d+ are there/,
  },
  {
    what: 'a file of zeros that is larger than may be read',
    make: (folder) => write(folder, 'model.glb', new Uint8Array(3 * MILLION)),
    args: ['bake', '--limit', 'file-size=2'],
    refused: /model\.glb has 3 megabytes, with the files that it refers to, and at most 2 are allowed/,
  },
  {
    what: 'a buffer that is larger than may be read',
    make: withUri('big.bin', (folder) => write(folder, 'big.bin', new Uint8Array(3 * MILLION))),
    args: ['bake', '--limit', 'file-size=2'],
    refused: /model\.gltf has 4 megabytes, with the files that it refers to, and at most 2 are allowed/,
  },
  {
    what: '20 MB of empty lists in its JSON',
    make: (folder) => write(folder, 'model.gltf', `{"asset":{"version":"2.0"},"extras":[${'[],'.repeat(7 * MILLION)}0]}`),
    refused: /model\.gltf has 14,000,00\d values in its JSON, and at most 2,000,000 are allowed/,
  },
  {
    what: 'JSON that is nested a million deep',
    make: (folder) => write(folder, 'model.gltf', `{"asset":{"version":"2.0"},"extras":${'['.repeat(MILLION)}${']'.repeat(MILLION)}}`),
    refused: /its JSON is nested 1000001 deep, and 100 is more than glTF needs/,
  },
  {
    what: 'a PNG of 24,000 × 24,000 pixels as a texture',
    make: changed((json) => {
      json.images = [{ uri: `data:image/png;base64,${hugePng(24_000).toString('base64')}` }]
      json.textures = [{ source: 0 }]
      json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
      json.meshes[0].primitives[0].material = 0
    }),
    warned: /Left out 1 image with too many pixels: 24000 × 24000, and at most 268435456 pixels are allowed/,
  },
  {
    what: 'one image of 5 MB in 1,000 images',
    make: changed((json) => {
      json.buffers = [{ byteLength: json.bufferViews.at(-1).byteOffset + json.bufferViews.at(-1).byteLength }, {
        uri: `data:,${'x'.repeat(5 * MILLION)}`,
        byteLength: 5 * MILLION,
      }]
      json.bufferViews.push({ buffer: 1, byteLength: 5 * MILLION })
      json.images = Array.from({ length: 1000 }, () => ({ bufferView: json.bufferViews.length - 1, mimeType: 'image/png' }))
    }),
    refused: /has 4,9\d\d megabytes of numbers and images beyond what its buffers can account for/,
  },
]

const compressed: BrokenFile[] = [
  {
    what: 'a compressed buffer view that says it becomes 4 GB',
    make: changed((json, builder) => {
      const packed = builder.view(new Uint8Array(64))
      const { byteOffset, byteLength } = json.bufferViews[packed]
      const meshopt = { buffer: 0, byteOffset, byteLength, byteStride: 4, count: 1e9, mode: 'ATTRIBUTES' }
      json.bufferViews.push({ buffer: 1, byteLength: 4e9, extensions: { EXT_meshopt_compression: meshopt } })
      json.buffers = [
        { byteLength: byteOffset + byteLength },
        { byteLength: 4e9, extensions: { EXT_meshopt_compression: { fallback: true } } },
      ]
      json.extensionsUsed = json.extensionsRequired = ['EXT_meshopt_compression']
    }),
    refused: /has [\d,]+ megabytes of numbers and images beyond what its buffers can account for/,
  },
  {
    what: 'a compressed buffer view of nothing but zeros',
    make: changed((json, builder) => {
      const packed = builder.view(new Uint8Array(64))
      const { byteOffset, byteLength } = json.bufferViews[packed]
      const meshopt = { buffer: 0, byteOffset, byteLength, byteStride: 12, count: 3, mode: 'ATTRIBUTES' }
      Object.assign(json.bufferViews[json.accessors[positions(json)].bufferView], { extensions: { EXT_meshopt_compression: meshopt } })
      json.extensionsUsed = json.extensionsRequired = ['EXT_meshopt_compression']
    }),
    refused: /is compressed with meshopt, and cannot be unpacked/,
  },
  {
    what: 'a mesh compressed with Draco that is none',
    make: changed((json, builder) => {
      const bufferView = builder.view(Uint8Array.from({ length: 64 }, (_, i) => 'DRACO'.charCodeAt(i) || 1))
      const [primitive] = json.meshes[0].primitives
      primitive.extensions = { KHR_draco_mesh_compression: { bufferView, attributes: { POSITION: 0 } } }
      json.extensionsUsed = json.extensionsRequired = ['KHR_draco_mesh_compression']
    }),
    refused: /is compressed with Draco, and cannot be unpacked/,
  },
  {
    what: 'a Draco mesh of 100 million points',
    make: changed((json, builder) => {
      const points = 100 * MILLION
      const varint = [0, 7, 14, 21].map((shift) => ((points >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0))
      const header = [...Buffer.from('DRACO'), 2, 2, 1, 0, 0, 0]
      // One triangle of plain indices, then one attribute: three floats a point.
      const data = [...header, 1, ...varint, 1, ...new Array<number>(12).fill(0), 1, 1, 0, 9, 3, 0, 0, 0, ...new Array<number>(200).fill(0)]
      const bufferView = builder.view(Uint8Array.from(data))
      const [primitive] = json.meshes[0].primitives
      primitive.extensions = { KHR_draco_mesh_compression: { bufferView, attributes: { POSITION: 0 } } }
      json.extensionsUsed = json.extensionsRequired = ['KHR_draco_mesh_compression']
    }),
    refused: /is compressed with Draco, and announces 100000000 vertices and 1 triangles instead of 3 and 1/,
  },
  {
    what: 'a million instances of a mesh',
    make: changed((json) => {
      const at = json.accessors.push({ componentType: 5126, type: 'VEC3', count: MILLION }) - 1
      json.nodes.push({ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: at } } } })
      json.scenes[0].nodes.push(json.nodes.length - 1)
      json.extensionsUsed = ['EXT_mesh_gpu_instancing']
    }),
    refused: /has 1,000,004 nodes, and at most 100,000 are allowed/,
  },
]

const contents: BrokenFile[] = [
  {
    what: 'a position that is not a number',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.POSITION = builder.floats('VEC3', NaN, 0, 0, Infinity, 0, 0, 0, 1, 0)
    }),
    refused: /the positions of primitive 0 of mesh 0 have 2 not finite numbers/,
  },
  {
    what: 'normals that are not numbers',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.NORMAL = builder.floats('VEC3', NaN, 0, 0, Infinity, 0, 0, 0, 1, 0)
    }),
    warned: /Set 2 numbers of normals or tangents to 0 for not being finite/,
  },
  {
    what: 'texture coordinates that are not numbers',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.TEXCOORD_0 = builder.floats('VEC2', NaN, 0, 0, Infinity, 0, 0)
    }),
    warned: /Set 2 numbers of vertex attributes to 0 for not being finite: TEXCOORD_0/,
  },
  {
    what: 'a key that is not a number',
    make: changed((json, builder) => {
      json.animations[0].samplers[0].output = builder.floats('VEC4', NaN, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    }),
    refused: /the keys of animation 0 \("Turn"\) have 1 not finite number/,
  },
  {
    what: 'an inverse bind matrix that is not a number',
    make: changed((json, builder) => (json.skins[0].inverseBindMatrices = builder.floats('MAT4', ...new Array<number>(32).fill(NaN)))),
    refused: /the inverse bind matrices of skin 0 have 32 not finite numbers/,
  },
  {
    what: 'a singular inverse bind matrix',
    make: changed((json, builder) => {
      const flat = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
      json.skins[0].inverseBindMatrices = builder.floats('MAT4', ...flat, ...flat)
    }),
    warned: /Kept 2 matrices that flatten what they move: the inverse bind matrices of skin 0/,
  },
  {
    what: 'matrices with a fourth row of their own',
    make: changed((json, builder) => {
      json.skins[0].inverseBindMatrices = builder.floats('MAT4', ...new Array<number>(32).fill(0).map((_, i) => (i % 5 === 0 ? 1 : i % 4 === 3 ? 7 : 0)))
      json.nodes[1].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    }),
    warned: /Set the fourth row of 3 matrices to 0 0 0 1/,
  },
  {
    what: 'a node of no size',
    make: changed((json) => (json.nodes[1].scale = [0, 0, 0])),
    warned: null,
  },
  {
    what: 'a rotation of length zero',
    make: changed((json) => (json.nodes[1].rotation = [0, 0, 0, 0])),
    warned: /Read 1 rotation of length zero as none: node 1/,
  },
  {
    what: 'a translation beyond all numbers',
    make: changed((json) => (json.nodes[1].translation = [1e300, 0, 0])),
    refused: /leaves the range of numbers/,
  },
  {
    what: 'a rest pose beyond all numbers, though the clip is not',
    make: (folder) => {
      const builder = moved('translation', [0, 1], [0, 0, 0, 1, 0, 0])
      builder.json.nodes[0].translation = [1e300, 0, 0]
      return write(folder, 'model.glb', builder.glb())
    },
    refused: /leaves the range of numbers/,
  },
  {
    what: 'positions at the end of all numbers',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.POSITION = builder.floats('VEC3', 3e38, 3e38, 3e38, -3e38, -3e38, -3e38, 0, 1, 0)
    }),
    refused: /leaves the range of numbers/,
  },
  {
    what: 'an index out of range',
    make: changed((json, builder) => (json.meshes[0].primitives[0].indices = builder.accessor('SCALAR', Uint16Array.of(0, 1, 65_535)))),
    refused: /primitive 0 of mesh 0 has index 65535, but only 3 vertices/,
  },
  {
    what: 'a joint out of range',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.JOINTS_0 = builder.accessor('VEC4', new Uint8Array(12).fill(200))
    }),
    refused: /primitive 0 of mesh 0 follows joint 200, but skin 0 has 2 joints/,
  },
  {
    what: 'weights that are negative or no numbers',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.WEIGHTS_0 = builder.floats('VEC4', NaN, 1, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0)
    }),
    warned: /Set 2 skin weights to 0 for being negative or not finite/,
  },
  {
    what: 'weights that sum up to 0 and to 2',
    make: changed((json, builder) => {
      json.meshes[0].primitives[0].attributes.WEIGHTS_0 = builder.floats('VEC4', 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0)
    }),
    warned: /Scaled the skin weights of 1 vertex to sum up to 1|Let 1 vertex without skin weights follow the node of the mesh/,
  },
  { what: 'a node that is its own child', make: changed((json) => (json.nodes[0].children = [0])), refused: /the hierarchy goes round in a circle \(1 node\)/ },
  { what: 'nodes that go round in a circle', make: changed((json) => (json.nodes[2].children = [1])), refused: /goes round in a circle \(2 nodes\)/ },
  { what: 'a node with two parents', make: changed((json) => (json.nodes[0].children = [2])), refused: /node 2 has two parents, nodes 0 and 1/ },
  { what: 'a scene that shows a node three times', make: changed((json) => (json.scenes[0].nodes = [0, 1, 0, 0])), warned: null },
  {
    what: 'key times that go back',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, 1, 0.5], new Array<number>(9).fill(0)).glb()),
    refused: /key 2 of animation 0 \("Move"\) is at 0\.5 s, before key 1 at 1 s/,
  },
  {
    what: 'key times before 0',
    make: (folder) => write(folder, 'model.glb', moved('translation', [-2, -1, 0], [0, 0, 0, 1, 0, 0, 0, 0, 0]).glb()),
    warned: /Kept 2 keys before 0 s, which glTF forbids: animation 0 \("Move"\)/,
  },
  {
    what: 'a key time that is not a number',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, NaN], new Array<number>(6).fill(0)).glb()),
    refused: /key 1 of animation 0 \("Move"\) has a time that is not finite/,
  },
  {
    what: 'a key time of infinity',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, Infinity], new Array<number>(6).fill(0)).glb()),
    refused: /key 1 of animation 0 \("Move"\) has a time that is not finite/,
  },
  {
    what: 'keys at one time',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]).glb()),
    warned: /Made 2 jumps of keys with equal times/,
  },
  {
    what: 'a clip of 1e9 seconds',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, 1e9], [0, 0, 0, 1, 0, 0]).glb()),
    refused: /model\.glb has 30,000,000,001 frames to bake, and at most 100,000 are allowed/,
  },
  {
    what: 'a clip of 1e38 seconds',
    make: (folder) => write(folder, 'model.glb', moved('translation', [-1e38, 1e38], [0, 0, 0, 1, 0, 0]).glb()),
    refused: /has [\d,]{40,} frames to bake, and at most 100,000 are allowed/,
  },
  {
    what: 'a clip of 1e-45 seconds',
    make: (folder) => write(folder, 'model.glb', moved('translation', [0, 1e-45], [0, 0, 0, 1, 0, 0]).glb()),
    warned: null,
  },
  { what: 'JSON that is cut off', make: (folder) => write(folder, 'model.gltf', '{"asset":{"version":"2.0"},"nodes":['), refused: /its JSON cannot be read/ },
  { what: 'an empty file', make: (folder) => write(folder, 'model.glb', ''), refused: /model\.glb is empty/ },
  { what: 'a version that is an object', make: (folder) => write(folder, 'model.gltf', '{"asset":{"version":{"toString":1}}}'), refused: /names no version of glTF/ },
  {
    what: 'an attribute called constructor',
    make: changed((json) => (json.meshes[0].primitives[0].attributes.constructor = positions(json))),
    warned: /Left out 1 vertex attribute of unknown kind: constructor/,
  },
  {
    what: 'a name of 5 MB that would steer the terminal',
    make: changed((json) => {
      json.meshes[0].name = `\u001b[2J\n${'x'.repeat(5 * MILLION)}`
      json.nodes[2].children = [2]
      json.meshes[0].primitives[0].material = 9
    }),
    refused: /^error: .{1,300}$/,
  },
]

const paths: BrokenFile[] = [
  ...[
    '../secret.bin',
    '..%2Fsecret.bin',
    '%2e%2e/secret.bin',
    '%2e%2e%2fsecret.bin',
    'sub/../../secret.bin',
    '..\\secret.bin',
    'sub\\..\\..\\secret.bin',
    '%5c%5cserver%5cshare%5csecret.bin',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    '//etc/passwd',
  ].map((uri): BrokenFile => ({
    what: `a buffer at ${uri}`,
    make: withUri(uri, (folder, bytes) => {
      write(folder, '../secret.bin', bytes)
      mkdirSync(join(folder, 'sub'))
    }),
    refused: /which is outside of the model's folder/,
  })),
  { what: 'a buffer at file:///etc/passwd', make: withUri('file:///etc/passwd'), refused: /which is an address and no file/ },
  { what: 'a buffer on the network', make: withUri('http://127.0.0.1:1/a.bin'), refused: /which is an address and no file/ },
  {
    what: 'a buffer that is a link out of the folder',
    make: withUri('link.bin', (folder, bytes) => symlinkSync(write(folder, '../secret.bin', bytes), join(folder, 'link.bin'))),
    refused: /which is outside of the model's folder/,
    notOn: 'win32',
  },
  {
    what: 'a buffer in a folder that is a link out of the folder',
    make: withUri('sub/secret.bin', (folder, bytes) => {
      write(folder, '../secret.bin', bytes)
      symlinkSync(join(folder, '..'), join(folder, 'sub'))
    }),
    refused: /which is outside of the model's folder/,
    notOn: 'win32',
  },
  {
    what: 'a buffer that is a link to itself',
    make: withUri('loop.bin', (folder) => symlinkSync('loop.bin', join(folder, 'loop.bin'))),
    refused: /loop\.bin, which cannot be read \(ELOOP\)/,
    notOn: 'win32',
  },
  {
    what: 'a buffer that is a pipe',
    make: withUri('pipe.bin', (folder) => execFileSync('mkfifo', [join(folder, 'pipe.bin')])),
    refused: /pipe\.bin, which is not a regular file/,
    notOn: 'win32',
  },
  {
    what: 'a model that is a pipe',
    make: (folder) => {
      execFileSync('mkfifo', [join(folder, 'model.glb')])
      return join(folder, 'model.glb')
    },
    refused: /model\.glb is not a regular file/,
    notOn: 'win32',
  },
  { what: 'a model that is a device', make: () => '/dev/zero', refused: /zero is not a regular file/, notOn: 'win32' },
  {
    what: 'a model that is a link to a device',
    make: (folder) => {
      symlinkSync('/dev/zero', join(folder, 'model.glb'))
      return join(folder, 'model.glb')
    },
    refused: /model\.glb is not a regular file/,
    notOn: 'win32',
  },
  {
    what: 'a model that is a folder',
    make: (folder) => {
      mkdirSync(join(folder, 'model.glb'))
      return join(folder, 'model.glb')
    },
    refused: /model\.glb is a folder/,
  },
  { what: 'a data URI without a comma', make: withUri(`data:${';x'.repeat(5 * MILLION)}`), refused: /which is a data URI without a comma/ },
  { what: 'a data URI of 10 million percent signs', make: withUri((bytes) => `data:,${percentCodes(bytes)}${'%'.repeat(10 * MILLION)}`), warned: null },
  { what: 'a data URI of 30 MB in percent codes', make: withUri((bytes) => `data:,${percentCodes(bytes)}${'%00'.repeat(10 * MILLION)}`), warned: null },
  { what: 'a data URI that is too short', make: withUri('data:application/octet-stream;base64,AAAA'), refused: /buffer 0 should have \d+ bytes, but only 3 are there/ },
  {
    what: 'an image out of the folder',
    make: changed((json) => {
      json.images = [{ uri: '../../secret.png' }]
      json.textures = [{ source: 0 }]
      json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
      json.meshes[0].primitives[0].material = 0
    }),
    warned: /Left out 1 image: \.\.\/\.\.\/secret\.png is outside of the model's folder/,
  },
]

export const brokenFiles: BrokenFile[] = [...sizes, ...compressed, ...contents, ...paths]
