import { encodeOctahedral, encodePacked, octahedralCoding, packedCoding, type PackedBits } from '../codecs/octahedral.ts'
import { chooseCoding, chooseDirectionCoding, createTexelArray, encodeTexels, type TexelArray, type TexelCoding, type TexelType } from '../codecs/texel.ts'
import { openTextureWriter, type TextureImage, type TextureWriter, type WrittenImage } from '../codecs/texture-node.ts'
import { createBox, growBox, uniteBox, type Box } from '../model/box.ts'
import type { Frame } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import { columnValues, type Columns } from './columns.ts'
import type { Progress } from './contract.ts'
import type { BakeOptions } from './options.ts'
import { sampleTimes, TEXEL_TYPES, type LayerPlan, type LayoutPlan, type RowBlock } from './plan.ts'
import type { Preparation } from './prepare.ts'
import type { SidecarTexture } from './sidecar.ts'
import type { Staging } from './staging.ts'

/** Tells how far a stage is. */
export type Track = (stage: Progress['stage'], done: number) => Progress

/** Numbers that a frame has for each vertex, by role. */
const SIZES = { position: 3, normal: 3, tangent: 4 } as const

/** Pass 1: the box around what the position texture will hold. */
export async function* measureBounds(preparation: Preparation, content: BakeOptions['content'], track: Track): AsyncGenerator<Progress, Box, void> {
  const { evaluator } = preparation
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  const values = createBox()
  for (const block of frames(preparation, frame)) {
    if (content === 'offset') becomeOffsets(preparation, block, frame.positions)
    growBox(values, frame.positions)
    yield track('measuring', evaluator.vertexCount)
  }
  return values
}

/**
 * Pass 2: every frame becomes a row block of each layer. Also measures each clip's box of positions.
 *
 * @param values the box of pass 1, or null where the encoding needs none
 */
export async function* encodeTextures(
  preparation: Preparation,
  values: Box | null,
  staging: Staging,
  track: Track,
): AsyncGenerator<Progress, { textures: SidecarTexture[]; bounds: Box[] }, void> {
  const { evaluator, layers, encoding, columns, layout, places } = preparation
  const type = TEXEL_TYPES[encoding]
  const codings = layers.map((layer) => chooseLayerCoding(layer, type, values))
  const roles = new Set(layers.map(({ role }) => role))
  const frame = evaluator.createFrame({ normals: roles.has('normal'), tangents: roles.has('tangent') })
  const isOffset = layers[0].content === 'offset'
  const gathered = { position: room(columns, 3), normal: room(columns, 3), tangent: room(columns, 4) }
  const boxes: Box[] = []

  const sinks: TextureSink[] = []
  try {
    for (const index of preparation.textures.keys()) sinks.push(await openSink(preparation, index, type, staging))
    for (const block of frames(preparation, frame)) {
      const box = createBox()
      growBox(box, frame.positions)
      boxes.push(box)
      if (isOffset) becomeOffsets(preparation, block, frame.positions)
      const all = { position: frame.positions, normal: frame.normals!, tangent: frame.tangents! }
      for (const [index, layer] of layers.entries()) {
        const { role } = layer
        const columnsOfLayer = columnValues(columns, all[role], SIZES[role], gathered[role])
        const { texels, at, stride } = sinks[layer.texture].blockOf(layer)
        encodeLayer(layer, codings[index], columnsOfLayer, layout.columnCount, texels, at, stride)
      }
      for (const sink of sinks) await sink.place(block)
      yield track('encoding', evaluator.vertexCount)
    }
    const hashes: string[] = []
    for (const sink of sinks) {
      yield track('writing', 0)
      hashes.push((await sink.close()).sha256)
    }
    sinks.length = 0
    return {
      textures: layers.map((layer, index) => describeLayer(preparation, layer, codings[index], type, hashes[layer.texture])),
      bounds: places.map((blocksOfClip) => blocksOfClip.reduce((box, block) => (uniteBox(box, boxes[block]), box), createBox())),
    }
  } finally {
    for (const sink of sinks) await sink.abort()
  }
}

function room({ vertices }: Columns, size: number): Float32Array {
  return new Float32Array((vertices?.length ?? 0) * size)
}

/** Evaluates the frame of every row block in order. */
function* frames({ loaded, sampler, clips, blocks }: Preparation, frame: Frame): Generator<number, void, void> {
  const times = clips.map(sampleTimes)
  for (const [index, block] of blocks.entries()) {
    const clip = clips[block.clip]
    sampler.sample(clip, times[block.clip][block.frame], frame)
    if (!areFinite(frame.positions)) throw unbounded(loaded.file, clip.name, block)
    yield index
  }
}

function unbounded(file: string, clip: string, { frame }: RowBlock): Problem {
  const name = file.split(/[/\\]/).pop()!
  const advice = 'Bake it with a smaller --scale, or repair the transforms of its nodes.'
  return new Problem('input', `${name} leaves the range of numbers in frame ${frame} of "${clip}". ${advice}`)
}

/** Whether all numbers are finite: one that is not makes the sum so. */
function areFinite(values: Float32Array): boolean {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] * 0
  return sum === 0
}

/** Positions become offsets from the rest mesh. Between two of the largest floats there is no distance that a float could hold. */
function becomeOffsets({ loaded, rest, clips, blocks }: Preparation, block: number, positions: Float32Array): void {
  for (let i = 0; i < positions.length; i++) positions[i] = positions[i] - rest.positions[i]
  if (!areFinite(positions)) throw unbounded(loaded.file, clips[blocks[block].clip].name, blocks[block])
}

/** How values become texels. Directions always span -1 to 1, so that they need no pass of their own. */
function chooseLayerCoding({ role, content, channels }: LayerPlan, type: TexelType, values: Box | null): TexelCoding {
  if (role === 'position') return chooseCoding(type, values?.min ?? [0, 0, 0], values?.max ?? [0, 0, 0])
  if (content === 'octahedral') return octahedralCoding(type)
  if (channels === 'a') return packedCoding(type as 'unorm16' | 'float32')
  return chooseDirectionCoding(type, channels.length)
}

function encodeLayer(
  { content }: LayerPlan,
  coding: TexelCoding,
  values: Float32Array,
  count: number,
  texels: TexelArray,
  at: number,
  stride: number,
): void {
  if (content === 'octahedral') encodeOctahedral(coding, values, count, texels, at, stride)
  else if (content === 'octahedral8' || content === 'octahedral12') {
    encodePacked(Number(content.slice('octahedral'.length)) as PackedBits, values, count, texels, at, stride)
  } else encodeTexels(coding, values, count, texels, at, stride)
}

function describeLayer(
  { files, layout, bytesApart }: Preparation,
  { role, content, channels, texture, baseRow, baseColumn }: LayerPlan,
  { scale, offset }: TexelCoding,
  texelType: TexelType,
  sha256: string,
): SidecarTexture {
  const { width, height } = layout
  const type = bytesApart ? 'unorm8x2' : texelType
  return { role, file: files.textures[texture], sha256, width, height, baseRow, baseColumn, channels, type, content, scale, offset }
}

/** A texture that is being filled, row block by row block. */
interface TextureSink {
  /** Where the texels of a layer's current row block go: channel of its first texel, and channels of a texel. */
  blockOf(layer: LayerPlan): { texels: TexelArray; at: number; stride: number }
  /** Takes the row blocks of all its layers. */
  place(block: number): Promise<void>
  close(): Promise<{ sha256: string }>
  abort(): Promise<void>
}

async function openSink(preparation: Preparation, index: number, type: TexelType, staging: Staging): Promise<TextureSink> {
  const { layout, orientation, layers, files, bytesApart } = preparation
  const { channels } = preparation.textures[index]
  const height = bytesApart ? layout.height / 2 : layout.height
  const image: WrittenImage = { width: layout.width, height, channels, type, bytesApart }
  const writer = await openTextureWriter(staging.path(files.textures[index]), image)
  const blockLength = layout.columnsPerRow * layout.rowsPerFrame * channels
  // Layers that begin at the same place share its texels: normals in the alpha of positions. Texels of no column stay 0.
  const tiers = new Map<string, { texels: TexelArray; baseRow: number; baseColumn: number }>()
  const tierOf = ({ baseRow, baseColumn }: LayerPlan) => {
    const key = `${baseRow} ${baseColumn}`
    if (!tiers.has(key)) tiers.set(key, { texels: createTexelArray(type, blockLength), baseRow, baseColumn })
    return tiers.get(key)!
  }
  for (const layer of layers) if (layer.texture === index) tierOf(layer)

  const streams = tiers.size === 1 && orientation === 'frames-y'
  const placing = streams ? streamRows(writer, image) : fillImage(writer, image, layout, orientation)
  return {
    blockOf(layer) {
      return { texels: tierOf(layer).texels, at: 'rgba'.indexOf(layer.channels[0]), stride: channels }
    },
    async place(block) {
      const row = block * layout.rowsPerFrame
      for (const { texels, baseRow, baseColumn } of tiers.values()) await placing.place(texels, baseRow + row, baseColumn)
    },
    async close() {
      await placing.finish()
      return writer.close()
    },
    abort: () => writer.abort(),
  }
}

interface Placing {
  /** @param texels `[r][x][channel]` of a row block @param row of the layer's first row @param column pixel of its rows */
  place(texels: TexelArray, row: number, column: number): Promise<void>
  finish(): Promise<void>
}

/** Row blocks that come in the order of the file's rows are written as they come. */
function streamRows(writer: TextureWriter, { width, height, channels, type }: TextureImage): Placing {
  let written = 0
  return {
    async place(texels) {
      await writer.write(texels)
      written += texels.length
    },
    async finish() {
      const missing = width * height * channels - written
      if (missing > 0) await writer.write(createTexelArray(type, missing))
    },
  }
}

/** Where the rows of a block lie apart, the whole image is put together first. */
function fillImage(writer: TextureWriter, image: TextureImage, layout: LayoutPlan, orientation: BakeOptions['orientation']): Placing {
  const { width, height, channels, type } = image
  const { columnsPerRow, rowsPerFrame } = layout
  const all = createTexelArray(type, width * height * channels)
  return {
    async place(texels, row, column) {
      const rowLength = columnsPerRow * channels
      for (let r = 0; r < rowsPerFrame; r++) {
        if (orientation === 'frames-y') {
          all.set(texels.subarray(r * rowLength, (r + 1) * rowLength), ((row + r) * width + column) * channels)
          continue
        }
        for (let x = 0; x < columnsPerRow; x++) {
          const from = r * rowLength + x * channels
          const to = ((column + x) * width + row + r) * channels
          for (let channel = 0; channel < channels; channel++) all[to + channel] = texels[from + channel]
        }
      }
    },
    finish: () => writer.write(all),
  }
}
