import { glslFloat, glslVector, hlslVector } from './glsl.ts'
import type { PackagedSet, PackagedTexture } from './target.ts'

/** What differs between shading languages in how a layer is decoded. */
export interface Dialect {
  /** Of a type: `vec` in GLSL, `float` in HLSL. */
  vector: 'vec' | 'float'
  integers: string
  /** The whole texel at a pixel, unfiltered. */
  fetch(map: string, pixel: string): string
}

export const GLSL: Dialect = { vector: 'vec', integers: 'ivec2', fetch: (map, pixel) => `texelFetch(${map}, ${pixel}, 0)` }
export const HLSL: Dialect = { vector: 'float', integers: 'int2', fetch: (map, pixel) => `${map}.Load(int3(${pixel}, 0))` }

/**
 * How a layer is decoded in a shader, of an `address` in the frame and a `row` of the frame: the lines of a function's body, with
 * the functions of `agnostic/decode.*`. Source: resources/docs/vat-format.md.
 *
 * @param map name of the texture
 */
export function decodeLayer(layer: PackagedTexture, orientation: PackagedSet['layout']['orientation'], map: string, dialect: Dialect): string[] {
  const { type, content, channels, scale, offset, height, baseRow, baseColumn } = layer
  const vector = dialect.vector === 'vec' ? glslVector : hlslVector
  const { integers, fetch } = dialect
  const pixel = `${integers}(address + ${vector([baseColumn, baseRow])} + ${dialect.vector}2(0.0, row) + 0.5)${orientation === 'frames-x' ? '.yx' : ''}`
  const texel =
    type === 'unorm8x2' ? `vat_join(${fetch(map, 'pixel')}, ${fetch(map, `pixel + ${integers}(0, ${height / 2})`)})` : fetch(map, 'pixel')
  const value = `(${texel}).${channels} * ${vector(scale)} + ${vector(offset)}`
  const steps = { octahedral8: 256, octahedral12: 4096 }[content]
  const folded = steps ? `vat_unpack(${value}, ${glslFloat(steps)})` : value
  const decoded = steps || content === 'octahedral'
    ? [`${dialect.vector}2 folded = ${folded};`, 'return normalize(vat_unfold(folded));']
    : [`return ${value};`]
  return [`${integers} pixel = ${pixel};`, ...decoded]
}
