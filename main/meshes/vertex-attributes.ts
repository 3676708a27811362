import type { VertexAttribute } from '../model/animated-model.ts'
import type { Submesh } from './rest-mesh.ts'

/**
 * Texture coordinate sets beyond these are taken for a fault of the file: no engine reads as many, and the sets below a
 * written one have to be filled.
 */
export const MAX_UV_SETS = 16

/**
 * Number of texture coordinate sets that the attributes need when they are numbered as they are: 3 where the last one is
 * TEXCOORD_2, whether or not TEXCOORD_1 is there.
 */
export function countUVSets(attributes: VertexAttribute[]): number {
  return attributes.reduce((count, attribute) => (isUVSet(attribute) ? Math.max(count, numberOf(attribute) + 1) : count), 0)
}

/**
 * The attributes of a sub-mesh (but for POSITION, NORMAL and TANGENT) as glTF 2.0, section 3.7.2.1, lets them be written
 * without KHR_mesh_quantization:
 *
 * - texture coordinates as floats, in sets 0 to `indexChannel` without a gap; sets that the sub-mesh does not have are zero,
 *   the last one is the index UV;
 * - colours as floats or as normalised unsigned integers of 8 or 16 bits, numbered without a gap;
 * - application-specific attributes of any type but 32-bit integers, which become floats.
 *
 * @returns the attributes in that order, and the semantics that no rule of glTF allows and that were left out
 */
export function layOutAttributes(submesh: Submesh, indexChannel: number): { written: VertexAttribute[]; leftOut: string[] } {
  const written: VertexAttribute[] = []
  const kept = new Set<VertexAttribute>()
  const keep = (attribute: VertexAttribute | undefined) => attribute && kept.add(attribute)
  const named = (semantic: string) => submesh.attributes.find((attribute) => attribute.semantic === semantic)

  for (let set = 0; set < indexChannel; set++) {
    const source = named(`TEXCOORD_${set}`)
    const given = source && isUVSet(source) ? source : undefined
    keep(given)
    written.push(uvSet(set, given ? toFloats(given) : new Float32Array(submesh.indexUV.length)))
  }
  written.push(uvSet(indexChannel, submesh.indexUV))

  for (let set = 0; ; set++) {
    const colour = named(`COLOR_${set}`)
    if (!colour || colour.itemSize < 3) break
    keep(colour)
    written.push(isUnsignedFraction(colour) ? colour : asFloats(colour))
  }

  for (const attribute of submesh.attributes) {
    if (!attribute.semantic.startsWith('_')) continue
    keep(attribute)
    written.push(attribute.array instanceof Uint32Array ? asFloats(attribute) : attribute)
  }
  return { written, leftOut: submesh.attributes.filter((attribute) => !kept.has(attribute)).map(({ semantic }) => semantic) }
}

/** The number in TEXCOORD_2; NaN for other attributes. */
function numberOf({ semantic }: VertexAttribute): number {
  return Number(/^TEXCOORD_(\d+)$/.exec(semantic)?.[1] ?? NaN)
}

function isUVSet(attribute: VertexAttribute): boolean {
  return attribute.itemSize === 2 && numberOf(attribute) < MAX_UV_SETS
}

function uvSet(set: number, array: Float32Array): VertexAttribute {
  return { semantic: `TEXCOORD_${set}`, itemSize: 2, normalized: false, array }
}

function isUnsignedFraction({ array, normalized }: VertexAttribute): boolean {
  return array instanceof Float32Array || (normalized && (array instanceof Uint8Array || array instanceof Uint16Array))
}

function asFloats(attribute: VertexAttribute): VertexAttribute {
  return { ...attribute, normalized: false, array: toFloats(attribute) }
}

/** The values that the numbers of an attribute stand for: c / 127 and so on for glTF's normalised integers, at least -1. */
export function toFloats({ array, normalized }: VertexAttribute): Float32Array {
  if (array instanceof Float32Array) return array
  if (!normalized) return Float32Array.from(array)
  const signed = array instanceof Int8Array || array instanceof Int16Array
  const largest = 2 ** (array.BYTES_PER_ELEMENT * 8 - (signed ? 1 : 0)) - 1
  return Float32Array.from(array, (value) => Math.max(value / largest, -1))
}
