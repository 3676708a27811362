import { isGlb } from '../../main/readers/gltf/container.ts'
import { glbOf } from '../readers/build-gltf.ts'
import type { Random } from './random.ts'

/*
 * Makes broken files of whole ones: a few changes each, so that most of the file still gets through to the later stages.
 */

/** Numbers at the edges of what programs count with. */
const NUMBERS = [
  0, -0, 1, -1, 2, 3, 0.5, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53 - 1,
  1e9, 4e9, 1e-45, 1e-300, 1e38, 1e300, -1e300,
]
const FLOATS = [0, -0, 1, -1, 0.5, 2, 1e5, -1e9, 1e19, -1e20, 1e38, -1e38, 3.4e38, 1e-45, 1e-38, -1e-20]
const NO_NUMBERS = [NaN, Infinity, -Infinity]
/** Parts of a file, as often as they are to be broken: what all others stand on is found out first, whatever else is wrong. */
const PARTS = [
  'nodes', 'nodes', 'nodes', 'animations', 'animations', 'animations', 'materials', 'materials', 'materials', 'meshes', 'meshes', 'skins', 'skins',
  'images', 'images', 'textures', 'textures', 'samplers', 'scenes', 'accessors', 'bufferViews', 'buffers', 'asset', 'extensionsUsed',
]
const TEXTS = [
  '', '..', '../secret.bin', '..%2Fsecret.bin', '/etc/passwd', 'a/b\\c:d', 'CON', 'nul.txt', 'x'.repeat(300), ' dots... ', '\u0000\u001b[2J\n', '💃🏽', '\ud800',
  'data:,', 'data:;base64,AAAA', 'http://127.0.0.1:1/', 'link.bin', 'pipe.bin', 'folder', '__proto__', 'constructor', 'toString', '2.0', '9.9', 'CUBICSPLINE',
  'STEP', 'LINEAR', 'weights', 'translation', 'rotation', 'scale', 'pointer', 'SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT4', 'KHR_draco_mesh_compression',
  'EXT_meshopt_compression', 'KHR_mesh_quantization', 'KHR_texture_transform', 'image/png', 'image/webp', 'POSITION', 'NORMAL', 'JOINTS_0', 'WEIGHTS_1', 'TEXCOORD_7',
]
/** Component types and modes of glTF, right and wrong. */
const CODES = [5120, 5121, 5122, 5123, 5124, 5125, 5126, 5130, 0, 1, 4, 5, 6, 7]

// JSON of any shape.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any

/** A broken copy of a .glb or .gltf file. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.1)) return mutateBytes(bytes, random)
  const { json, binary } = takeApart(bytes)
  const changes = 1 + random.below(3)
  // Numbers alone mostly get through; what is wrong in the JSON is mostly found at once.
  const numbers = random.pick([0, 0.5, 0.95])
  let data = binary
  for (let i = 0; i < changes; i++) {
    if (data && random.chance(numbers)) data = mutateNumbers(json, data, random)
    else mutateJson(json, random)
  }
  const text = mutateText(JSON.stringify(json), random)
  if (data) return glbOf(text, data)
  return new TextEncoder().encode(text)
}

function takeApart(bytes: Uint8Array): { json: Json; binary: Uint8Array | null } {
  const decode = (part: Uint8Array) => JSON.parse(new TextDecoder().decode(part)) as object
  if (!isGlb(bytes)) return { json: decode(bytes), binary: null }
  const end = 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true)
  return { json: decode(bytes.subarray(20, end)), binary: bytes.slice(end + 8) }
}

/** Bytes that are turned over, overwritten, taken out, put in or cut off, anywhere in the file. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice()
  const at = random.chance(0.5) ? random.below(Math.min(64, changed.length)) : random.below(changed.length)
  switch (random.below(5)) {
    case 0:
      for (let i = 0; i <= random.below(8); i++) changed[random.below(changed.length)] ^= 1 << random.below(8)
      return changed
    case 1:
      changed.fill(random.pick([0, 0xff, 0x20, 0x7f]), at, at + 1 + random.below(64))
      return changed
    case 2:
      return changed.subarray(0, at)
    case 3:
      return Uint8Array.from([...changed.subarray(0, at), ...changed.subarray(at + 1 + random.below(16))])
    default:
      return Uint8Array.from([
        ...changed.subarray(0, at),
        ...changed.subarray(random.below(changed.length)).subarray(0, 64),
        ...changed.subarray(at),
      ])
  }
}

/** Numbers of the binary chunk: floats of an accessor, mostly, since an integer that is wrong is mostly out of range. */
function mutateNumbers(json: Json, binary: Uint8Array, random: Random): Uint8Array {
  const changed = binary.slice()
  const view = new DataView(changed.buffer)
  for (let i = 0; i <= random.below(6); i++) {
    const { first, end } = random.chance(0.9) ? placeOfFloats(json, changed.length, random) : { first: 0, end: changed.length }
    const at = first + random.below(Math.floor((end - first) / 4)) * 4
    if (!(at >= 0 && at + 4 <= changed.length)) continue
    if (random.chance(0.9)) view.setFloat32(at, random.pick(random.chance(0.1) ? NO_NUMBERS : FLOATS), true)
    else view.setUint32(at, random.pick(NUMBERS), true)
  }
  return random.chance(0.03) ? changed.subarray(0, random.below(changed.length)) : changed
}

/** Where the numbers of a float accessor lie, or everything where the JSON is too broken to tell. */
function placeOfFloats(json: Json, length: number, random: Random): { first: number; end: number } {
  const views: Json[] = Array.isArray(json.bufferViews) ? json.bufferViews : []
  const accessors: Json[] = Array.isArray(json.accessors) ? json.accessors : []
  const floats = accessors.filter((accessor) => accessor?.componentType === 5126 && typeof views[accessor.bufferView]?.byteLength === 'number')
  if (floats.length === 0) return { first: 0, end: length }
  const { byteOffset = 0, byteLength } = views[random.pick(floats).bufferView]
  return { first: byteOffset, end: Math.min(byteOffset + byteLength, length) }
}

/** One place of the JSON: another value there, none, or a copy of it elsewhere. */
function mutateJson(json: Json, random: Random): void {
  const part = random.pick(PARTS)
  if (!Object.hasOwn(json, part)) json[part] = random.pick([[], [{}], [{ name: 'x' }]])
  const places = listPlaces({ [part]: json[part] })
  const { holder, key } = random.chance(0.1) ? { holder: json, key: part } : random.pick(places)
  const value: unknown = holder[key]
  const other = random.pick(random.chance(0.5) ? places : listPlaces(json))
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(value))
      else holder[random.pick(TEXTS)] = structuredClone(value)
      break
    case 2:
      holder[key] = structuredClone(other.holder[other.key])
      break
    case 3:
      holder[key] = random.pick([null, true, [], {}, [[]], [{}], '', 0])
      break
    default:
      holder[key] = similar(value, random)
  }
}

/** Another value of the same kind, mostly. */
function similar(value: unknown, random: Random): unknown {
  if (typeof value === 'number') {
    if (random.chance(0.4)) return value + random.pick([-1, 1, 2, -value * 2, value])
    return random.pick(random.chance(0.2) ? CODES : NUMBERS)
  }
  if (typeof value === 'string') return random.pick(TEXTS)
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return random.chance(0.5) ? [...(value as unknown[]), ...(value as unknown[])] : value.slice(1)
  return random.pick([{}, [], null, { ...(value as object), extensions: { KHR_draco_mesh_compression: {} } }])
}

interface Place {
  holder: Json
  key: string
}

/** Every place of a JSON document at which a value stands. The lists of the top and their items come up as often as all numbers in them. */
function listPlaces(json: Json): Place[] {
  const places: Place[] = []
  const walk = (holder: Json, depth: number) => {
    for (const key of Object.keys(holder as object)) {
      for (let i = 0; i < (depth < 3 ? 4 : 1); i++) places.push({ holder, key })
      if (typeof holder[key] === 'object' && holder[key] !== null) walk(holder[key], depth + 1)
    }
  }
  walk(json, 0)
  return places
}

/** What JSON.stringify would not write. */
function mutateText(text: string, random: Random): string {
  if (!random.chance(0.04)) return text
  const numbers = [...text.matchAll(/(?<=[:[,])-?\d[\d.e+-]*(?=[\],}])/g)]
  if (numbers.length === 0 || random.chance(0.2)) return text.slice(0, random.below(text.length))
  const { index, 0: number } = random.pick(numbers)
  return text.slice(0, index) + random.pick(['1e999', '-1e999', '-0', '1e308', '0.1e-999', 'NaN', '01', '"1"']) + text.slice(index + number.length)
}
