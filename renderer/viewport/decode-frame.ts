import type { Sidecar, SidecarTexture } from '../../main/bake/sidecar.ts'
import { decodeTexels } from '../../main/codecs/texel.ts'
import type { BakePreview, BakeTexture } from '../../main/worker/preview-contract.ts'
import type { Playhead } from './playhead.ts'
import { concatenate } from '../../main/model/concatenate.ts'

/** Where a vertex has its texel inside a frame, `[vertex][x, r]`, of all sub-meshes (the VAT format, section 3). */
export function texelAddresses({ submeshes, sidecar }: Pick<BakePreview, 'submeshes' | 'sidecar'>): Uint32Array {
  const { columnsPerRow, rowsPerFrame } = sidecar.layout
  const addresses = new Uint32Array(submeshes.reduce((sum, { indexUV }) => sum + indexUV.length, 0))
  let at = 0
  for (const { indexUV } of submeshes) {
    for (let i = 0; i < indexUV.length; i += 2) {
      addresses[at++] = Math.floor(indexUV[i] * columnsPerRow)
      addresses[at++] = Math.floor(indexUV[i + 1] * rowsPerFrame)
    }
  }
  return addresses
}

/** A layer of a bake with its texels; null where the bake has none of that role. */
export function layerOf(bake: BakePreview, role: SidecarTexture['role']): { layer: SidecarTexture; texture: BakeTexture } | null {
  const index = bake.sidecar.textures.findIndex((layer) => layer.role === role)
  if (index < 0) return null
  const { sameAs } = bake.textures[index]
  return { layer: bake.sidecar.textures[index], texture: bake.textures[sameAs] }
}

/** Decodes the vertices of a bake on the processor, in double precision: what the error map is made of. */
export interface PositionDecoder {
  vertexCount: number
  /** Positions at a playhead of a clip (an index into the sidecar's), in the bake's space, into `[vertex][xyz]`. */
  decode(clip: number, playhead: Playhead, out: Float64Array): void
  /** One of these vertices, `[xyz]`. */
  decodeVertex(clip: number, playhead: Playhead, vertex: number): [number, number, number]
}

export function createPositionDecoder(bake: BakePreview): PositionDecoder {
  const { layer, texture } = layerOf(bake, 'position')!
  const addresses = texelAddresses(bake)
  const vertexCount = addresses.length / 2
  const rest = layer.content === 'offset' ? concatenate(bake.submeshes.map(({ positions }) => positions)) : null
  const values = new Float64Array(vertexCount * 3)
  const [rowStep, columnStep] = bake.sidecar.layout.orientation === 'frames-x' ? [1, texture.width] : [texture.width, 1]
  const channels = [...layer.channels].map((channel) => 'rgba'.indexOf(channel))
  /** `[vertex]`: its texel in a frame that begins at row 0. */
  const texels = Uint32Array.from({ length: vertexCount }, (_, vertex) => {
    const [along, row] = addresses.subarray(vertex * 2)
    return (layer.baseColumn + along) * columnStep + row * rowStep
  })

  /** Adds the values of the vertices from..end, times a weight, to `out`, where `from` comes first. */
  function addFrame(clip: number, frame: number, weight: number, from: number, end: number, out: Float64Array): void {
    const shift = (layer.baseRow + frameRow(bake.sidecar, clip, frame)) * rowStep
    const places = { texels: texels.subarray(from, end), shift, stride: texture.channels, channels }
    decodeTexels({ ...layer, type: texture.type }, texture.texels, places, values)
    for (let i = 0; i < (end - from) * 3; i++) out[i] += values[i] * weight
  }

  function decodeRange(clip: number, { first, second, blend }: Playhead, from: number, end: number, out: Float64Array): void {
    if (rest) out.set(rest.subarray(from * 3, end * 3))
    else out.fill(0)
    addFrame(clip, first, 1 - blend, from, end, out)
    if (blend > 0) addFrame(clip, second, blend, from, end, out)
  }

  return {
    vertexCount,
    decode: (clip, playhead, out) => decodeRange(clip, playhead, 0, vertexCount, out),
    decodeVertex(clip, playhead, vertex) {
      const point = new Float64Array(3)
      decodeRange(clip, playhead, vertex, vertex + 1, point)
      return [point[0], point[1], point[2]]
    },
  }
}

/** The row where a frame of a clip begins, counted from the `baseRow` of a layer (the VAT format, section 4). */
export function frameRow({ layout, clips }: Pick<Sidecar, 'layout' | 'clips'>, clip: number, frame: number): number {
  const { firstRow, frameRows } = clips[clip]
  return frameRows ? frameRows[frame] : firstRow + frame * layout.rowsPerFrame
}
