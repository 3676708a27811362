import { Constants, type Engine, RawTexture, type Scene, Texture } from 'babylonjs'
import { texelBytes } from '../../main/codecs/texel.ts'
import { Problem } from '../../main/model/problem.ts'
import type { BakeTexture } from '../../main/worker/preview-contract.ts'

/** Bytes that go to the GPU at once. */
const PIECE_BYTES = 4_000_000

/**
 * The texels of a bake on the GPU, as they are stored: 8-bit ones as fractions, halves and floats as themselves, 16-bit ones
 * as integers that the shader divides, since WebGL 2 has no 16-bit fractions. Nothing is filtered. They go there in pieces, so
 * that the window answers between two of them.
 *
 * @throws Problem `limit` where the GPU does not take a texture of that size
 */
export async function createTexelTexture({ width, height, channels, type, texels }: BakeTexture, scene: Scene): Promise<RawTexture> {
  const engine = scene.getEngine() as Engine
  const { maxTextureSize } = engine.getCaps()
  if (width > maxTextureSize || height > maxTextureSize) {
    throw new Problem(
      'limit',
      `The texture of this bake has ${width} × ${height} pixels, and this GPU shows at most ${maxTextureSize}. Bake with a smaller --max-size to see it here.`,
    )
  }
  const format = (type === 'unorm16' ? INTEGER_FORMATS : FORMATS)[channels]
  const texture = new RawTexture(null, width, height, format, scene, false, false, Texture.NEAREST_SAMPLINGMODE, TYPES[type])
  const internal = texture.getInternalTexture()!
  const rowLength = width * channels
  const rowsAPiece = Math.max(1, Math.floor(PIECE_BYTES / (rowLength * texelBytes(type))))
  for (let row = 0; row < height; row += rowsAPiece) {
    const rows = Math.min(rowsAPiece, height - row)
    engine.updateTextureData(internal, texels.subarray(row * rowLength, (row + rows) * rowLength), 0, row, width, rows)
    await new Promise((resolve) => setTimeout(resolve))
  }
  // From here it is filled again where the GPU has lost it.
  internal._bufferView = texels
  return texture
}

const FORMATS = { 3: Constants.TEXTUREFORMAT_RGB, 4: Constants.TEXTUREFORMAT_RGBA }
const INTEGER_FORMATS = { 3: Constants.TEXTUREFORMAT_RGB_INTEGER, 4: Constants.TEXTUREFORMAT_RGBA_INTEGER }

const TYPES: Record<BakeTexture['type'], number> = {
  unorm8: Constants.TEXTURETYPE_UNSIGNED_BYTE,
  unorm16: Constants.TEXTURETYPE_UNSIGNED_SHORT,
  float16: Constants.TEXTURETYPE_HALF_FLOAT,
  float32: Constants.TEXTURETYPE_FLOAT,
}
