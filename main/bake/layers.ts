import { join } from 'node:path'
import { decodeOctahedral, unpackOctahedral, type PackedBits } from '../codecs/octahedral.ts'
import { decodeTexels, type TexelArray } from '../codecs/texel.ts'
import { openTextureReader, withBytesJoined, type TextureReader } from '../codecs/texture-node.ts'
import { Problem } from '../model/problem.ts'
import type { ClipPlan } from './plan.ts'
import type { Sidecar, SidecarTexture } from './sidecar.ts'

/** Where each vertex has its texel inside a frame, `[vertex]`, as its index UV says. */
export interface Address {
  x: Uint32Array
  r: Uint32Array
}

/** One layer of a written bake, ready to give the values of any frame as a player has them. */
export interface LayerReader {
  /** Numbers a vertex: three, or four where a handedness is among them. */
  size: 3 | 4
  /** Decodes a frame of a clip into `[vertex][size]`. Directions are of any length. */
  decode(clip: ClipRows, frame: number, out: Float64Array): Promise<void>
}

/** The textures of a set, each opened once. */
export interface LayerReaders {
  layer(role: SidecarTexture['role']): Promise<LayerReader | null>
  close(): Promise<void>
}

/** Where the frames of a clip are. */
export type ClipRows = Pick<ClipPlan, 'firstRow' | 'frameRows'>

type LayeredSet = Pick<Sidecar, 'textures' | 'layout'>

/**
 * The address of every vertex.
 *
 * @param indexUVs  of the sub-meshes, `[vertex][uv]` each
 * @throws Problem `verify` where one points outside of a frame, or to a column that is none
 */
export function addressesOf(indexUVs: Float32Array[], { layout, columnCount }: Pick<Sidecar, 'layout' | 'columnCount'>, file: string): Address {
  const { columnsPerRow, rowsPerFrame } = layout
  const count = indexUVs.reduce((sum, uvs) => sum + uvs.length / 2, 0)
  const address: Address = { x: new Uint32Array(count), r: new Uint32Array(count) }
  let vertex = 0
  for (const uvs of indexUVs) {
    for (let i = 0; i < uvs.length; i += 2, vertex++) {
      const x = Math.floor(uvs[i] * columnsPerRow)
      const r = Math.floor(uvs[i + 1] * rowsPerFrame)
      if (!(x >= 0 && x < columnsPerRow && r >= 0 && r * columnsPerRow + x < columnCount)) {
        throw new Problem('verify', `${file} has an index UV that points outside of a frame at vertex ${vertex}. Bake again.`)
      }
      address.x[vertex] = x
      address.r[vertex] = r
    }
  }
  return address
}

/** Row of a frame, counted from the beginning of a layer. */
export function rowOf({ firstRow, frameRows }: ClipRows, frame: number, rowsPerFrame: number): number {
  return frameRows?.[frame] ?? firstRow + frame * rowsPerFrame
}

/**
 * @param rest `[vertex][xyz]`: positions of the rest mesh, which offsets are from
 */
export function openLayers(folder: string, set: LayeredSet, address: Address, rest: Float32Array): LayerReaders {
  const images = new Map<string, Image>()
  const imageOf = async (texture: SidecarTexture) => {
    const known = images.get(texture.file)
    if (known) return known
    const image = { reader: await openTexture(folder, texture), rows: undefined, whole: undefined }
    images.set(texture.file, image)
    return image
  }
  return {
    async layer(role) {
      const texture = set.textures.find((texture) => texture.role === role)
      if (!texture) return null
      const image = await imageOf(texture)
      return readLayer(image, texture, set.layout, address, rest)
    },
    async close() {
      for (const { reader } of images.values()) await reader.close()
    },
  }
}

/**
 * Opens the file of a layer, with bytes that lie apart in it joined.
 *
 * @throws Problem `verify` where it is not what the sidecar says
 */
export async function openTexture(folder: string, { file, width, height, type }: SidecarTexture): Promise<TextureReader> {
  const reader = await openTextureReader(join(folder, file))
  const stored = type === 'unorm8x2' ? 'unorm8' : type
  if (reader.width === width && reader.height === height && reader.type === stored) {
    return type === 'unorm8x2' ? withBytesJoined(reader) : reader
  }
  await reader.close()
  throw new Problem(
    'verify',
    `${file} is ${reader.width} × ${reader.height} pixels of ${reader.type}, the sidecar says ${width} × ${height} of ${stored}. Bake again.`,
  )
}

/** An open texture. */
interface Image {
  reader: TextureReader
  /** Room for the rows of a frame, used again from frame to frame. */
  rows: TexelArray | undefined
  /** All its texels, where frames go across and each is in every row. */
  whole: TexelArray | undefined
}

function readLayer(image: Image, texture: SidecarTexture, layout: Sidecar['layout'], address: Address, rest: Float32Array): LayerReader {
  const { reader } = image
  const { rowsPerFrame, orientation } = layout
  const { width, height } = reader
  const isAcross = orientation === 'frames-x'
  const baseColumn = texture.baseColumn ?? 0
  const texels = address.x.map((x, vertex) =>
    isAcross ? (baseColumn + x) * width + address.r[vertex] : address.r[vertex] * width + baseColumn + x,
  )
  const places = { texels, shift: 0, stride: reader.channels, channels: [...texture.channels].map((name) => 'rgba'.indexOf(name)) }
  const coding = { type: reader.type, scale: texture.scale, offset: texture.offset }
  const unfold = unfolding(texture, rest, texels.length)
  return {
    size: unfold.size,
    async decode(clip, frame, out) {
      const row = texture.baseRow + rowOf(clip, frame, rowsPerFrame)
      if (isAcross) image.whole ??= await reader.readRows(0, height)
      else image.rows = await reader.readRows(row, rowsPerFrame, image.rows)
      places.shift = isAcross ? row : 0
      const stored = (isAcross ? image.whole : image.rows)!
      decodeTexels(coding, stored, places, unfold.values ?? out)
      unfold.into(out)
    },
  }
}

/** What is left to do when the channels of a layer have been decoded. */
interface Unfolding {
  size: 3 | 4
  /** Room for what is decoded; null where that is the result already. */
  values: Float64Array | null
  into(out: Float64Array): void
}

function unfolding({ content, channels }: SidecarTexture, rest: Float32Array, count: number): Unfolding {
  if (content === 'octahedral') {
    const pairs = new Float64Array(count * 2)
    return { size: 3, values: pairs, into: (out) => decodeOctahedral(pairs, 0, count, out, 0) }
  }
  const packed = /^octahedral(8|12)$/.exec(content)
  if (packed) {
    const bits = Number(packed[1]) as PackedBits
    const codes = new Float64Array(count)
    const pairs = new Float64Array(count * 2)
    return {
      size: 3,
      values: codes,
      into(out) {
        unpackOctahedral(bits, codes, count, pairs)
        decodeOctahedral(pairs, 0, count, out, 0)
      },
    }
  }
  if (content === 'offset') {
    return {
      size: 3,
      values: null,
      into(out) {
        for (let i = 0; i < out.length; i++) out[i] += rest[i]
      },
    }
  }
  return { size: channels.length === 4 ? 4 : 3, values: null, into: () => {} }
}
