import { readGltf } from '../../main/readers/gltf/read-gltf.ts'

type Numbers = Float32Array | Float64Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array
type AccessorType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4'
/* Tests break files in every way there is, so their JSON has no type. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }

function componentTypeOf(array: Numbers): number {
  if (array instanceof Int8Array) return 5120
  if (array instanceof Uint8Array) return 5121
  if (array instanceof Int16Array) return 5122
  if (array instanceof Uint16Array) return 5123
  if (array instanceof Uint32Array) return 5125
  return array instanceof Float64Array ? 5130 : 5126
}

/** A glTF file in the making: JSON to be changed at will, and the bytes of its only buffer. */
export class GltfBuilder {
  json: Json
  #bytes: number[] = []

  constructor(json: Json = {}) {
    this.json = { asset: { version: '2.0' }, bufferViews: [], accessors: [], ...json }
  }

  /** Appends bytes as a buffer view of their own; returns its index. */
  view(array: Numbers, over: Json = {}): number {
    while (this.#bytes.length % 8 > 0) this.#bytes.push(0)
    this.json.bufferViews.push({ buffer: 0, byteOffset: this.#bytes.length, byteLength: array.byteLength, ...over })
    this.#bytes.push(...new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    return this.json.bufferViews.length - 1
  }

  /** Appends an accessor with a buffer view of its own; returns its index. */
  accessor(type: AccessorType, array: Numbers, over: Json = {}): number {
    const count = array.length / COMPONENTS[type]
    return this.json.accessors.push({ bufferView: this.view(array), componentType: componentTypeOf(array), count, type, ...over }) - 1
  }

  /** An accessor of floats. */
  floats(type: AccessorType, ...numbers: number[]): number {
    return this.accessor(type, Float32Array.from(numbers))
  }

  /** Appends an animation sampler to an animation and a channel that uses it. */
  channel(animation: Json, target: Json, times: number[], values: number[], interpolation = 'LINEAR'): void {
    const types: Record<string, AccessorType> = { rotation: 'VEC4', weights: 'SCALAR' }
    const input = this.floats('SCALAR', ...times)
    const output = this.floats(types[target.path] ?? 'VEC3', ...values)
    animation.samplers = [...(animation.samplers ?? []), { input, output, interpolation }]
    animation.channels = [...(animation.channels ?? []), { sampler: animation.samplers.length - 1, target }]
  }

  binary(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  /** The file as GLB. */
  glb(): Uint8Array {
    const binary = this.binary()
    const json = { ...this.json, buffers: this.json.buffers ?? [{ byteLength: binary.length }] }
    return glbOf(JSON.stringify(json), binary)
  }

  /** Reads the file, which is called model.glb and has nothing beside it. */
  async read() {
    return readGltf('/nowhere/model.glb', 'model.glb', this.glb())
  }

  /** Reads the file; the model alone. */
  async model() {
    return (await this.read()).model
  }
}

/** A GLB of a JSON text and, where there is one, a binary chunk. */
export function glbOf(text: string, binary?: Uint8Array): Uint8Array {
  const json = padded(new TextEncoder().encode(text), 0x20)
  const chunks = [chunkOf(0x4e4f534a, json), ...(binary ? [chunkOf(0x004e4942, padded(binary, 0))] : [])]
  const length = 12 + chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return Uint8Array.from([...words(0x46546c67, 2, length), ...chunks.flatMap((chunk) => [...chunk])])
}

export function chunkOf(type: number, data: Uint8Array): Uint8Array {
  return Uint8Array.from([...words(data.length, type), ...data])
}

function words(...numbers: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer)
}

function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler)
  out.set(bytes)
  return out
}

/** A triangle on one node, as most tests begin: vertices at the origin, 1 along x and 1 along y. */
export function triangle(): GltfBuilder {
  const builder = new GltfBuilder({ nodes: [{ mesh: 0 }] })
  builder.json.meshes = [{ primitives: [{ attributes: { POSITION: builder.floats('VEC3', 0, 0, 0, 1, 0, 0, 0, 1, 0) } }] }]
  return builder
}

/** The triangle on a skin of two joints; each vertex follows one of them. The mesh's node is 0, the joints are 1 and 2. */
export function skinnedTriangle(): GltfBuilder {
  const builder = triangle()
  const { json } = builder
  json.nodes = [{ mesh: 0, skin: 0 }, { children: [2] }, { translation: [1, 0, 0] }]
  json.skins = [{ joints: [1, 2] }]
  Object.assign(json.meshes[0].primitives[0].attributes, {
    JOINTS_0: builder.accessor('VEC4', Uint8Array.from([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])),
    WEIGHTS_0: builder.floats('VEC4', 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
  })
  return builder
}
