import { z } from 'zod'

/** Index into one of the file's lists. */
const index = z.int().min(0)
const size = z.int().min(0)
const name = z.string().optional()
const numbers = (length: number) => z.array(z.number()).length(length).optional()
const indices = z.record(z.string(), index)

const extensions = z.record(z.string(), z.unknown()).optional()

const buffer = z.looseObject({ uri: z.string().optional(), byteLength: size, extensions })

const bufferView = z.looseObject({
  buffer: index,
  byteOffset: size.optional(),
  byteLength: size,
  byteStride: size.optional(),
  extensions,
})

const accessor = z.looseObject({
  name,
  bufferView: index.optional(),
  byteOffset: size.optional(),
  componentType: z.int(),
  normalized: z.boolean().optional(),
  count: size,
  type: z.enum(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
  sparse: z
    .looseObject({
      count: size,
      indices: z.looseObject({ bufferView: index, byteOffset: size.optional(), componentType: z.int() }),
      values: z.looseObject({ bufferView: index, byteOffset: size.optional() }),
    })
    .optional(),
})

const primitive = z.looseObject({
  attributes: indices,
  indices: index.optional(),
  material: index.optional(),
  mode: z.int().min(0).max(6).optional(),
  targets: z.array(indices).default([]),
  extensions,
})

const mesh = z.looseObject({
  name,
  primitives: z.array(primitive),
  weights: z.array(z.number()).optional(),
  extras: z.unknown().optional(),
})

const node = z.looseObject({
  name,
  children: z.array(index).default([]),
  mesh: index.optional(),
  skin: index.optional(),
  camera: index.optional(),
  matrix: numbers(16),
  translation: numbers(3),
  rotation: numbers(4),
  scale: numbers(3),
  weights: z.array(z.number()).optional(),
  extensions,
})

const skin = z.looseObject({ name, joints: z.array(index).min(1), inverseBindMatrices: index.optional(), skeleton: index.optional() })

const animation = z.looseObject({
  name,
  channels: z.array(z.looseObject({ sampler: index, target: z.looseObject({ node: index.optional(), path: z.string() }) })).default([]),
  samplers: z
    .array(z.looseObject({ input: index, output: index, interpolation: z.enum(['LINEAR', 'STEP', 'CUBICSPLINE']).optional() }))
    .default([]),
})

const image = z.looseObject({ name, uri: z.string().optional(), mimeType: z.string().optional(), bufferView: index.optional() })

/** What becomes the colours of a material; the rest of it passes through. */
const material = z.looseObject({
  name,
  emissiveFactor: numbers(3),
  pbrMetallicRoughness: z
    .looseObject({ baseColorFactor: numbers(4), metallicFactor: z.number().optional(), roughnessFactor: z.number().optional() })
    .optional(),
})

/**
 * The parts of a glTF 2.0 file's JSON that the reader goes by; lists that are not there are empty. Everything else passes
 * through as it is, so that materials keep what this program does not know.
 */
export const gltf = z.looseObject({
  asset: z.looseObject({ version: z.string(), minVersion: z.string().optional() }),
  extensionsUsed: z.array(z.string()).default([]),
  extensionsRequired: z.array(z.string()).default([]),
  buffers: z.array(buffer).default([]),
  bufferViews: z.array(bufferView).default([]),
  accessors: z.array(accessor).default([]),
  meshes: z.array(mesh).default([]),
  nodes: z.array(node).default([]),
  skins: z.array(skin).default([]),
  animations: z.array(animation).default([]),
  scenes: z.array(z.looseObject({ name, nodes: z.array(index).default([]) })).default([]),
  scene: index.optional(),
  materials: z.array(material).default([]),
  cameras: z.array(z.looseObject({})).default([]),
  images: z.array(image).default([]),
  samplers: z.array(z.looseObject({})).default([]),
  textures: z
    .array(z.looseObject({ source: index.optional(), sampler: index.optional(), extensions: z.record(z.string(), z.unknown()).optional() }))
    .default([]),
})

export type Gltf = z.output<typeof gltf>
export type GltfAccessor = z.output<typeof accessor>
export type GltfPrimitive = z.output<typeof primitive>
export type GltfMesh = z.output<typeof mesh>
export type GltfNode = z.output<typeof node>
export type GltfAnimation = z.output<typeof animation>
