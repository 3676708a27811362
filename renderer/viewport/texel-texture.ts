import { Constants, RawTexture, type Scene, Texture } from 'babylonjs'
import { Problem } from '../../main/model/problem.ts'
import type { BakeTexture } from '../../main/worker/preview-contract.ts'

/**
 * The texels of a bake on the GPU, as they are stored: 8-bit ones as fractions, halves and floats as themselves, 16-bit ones
 * as integers that the shader divides, since WebGL 2 has no 16-bit fractions. Nothing is filtered.
 *
 * @throws Problem `limit` where the GPU does not take a texture of that size
 */
export function createTexelTexture({ width, height, channels, type, texels }: BakeTexture, scene: Scene): RawTexture {
  const engine = scene.getEngine()
  const { maxTextureSize } = engine.getCaps()
  if (width > maxTextureSize || height > maxTextureSize) {
    throw new Problem(
      'limit',
      `The texture of this bake has ${width} × ${height} pixels, and this GPU shows at most ${maxTextureSize}. Bake with a smaller --max-size to see it here.`,
    )
  }
  const format = (type === 'unorm16' ? INTEGER_FORMATS : FORMATS)[channels]
  return new RawTexture(texels, width, height, format, scene, false, false, Texture.NEAREST_SAMPLINGMODE, TYPES[type])
}

const FORMATS = { 3: Constants.TEXTUREFORMAT_RGB, 4: Constants.TEXTUREFORMAT_RGBA }
const INTEGER_FORMATS = { 3: Constants.TEXTUREFORMAT_RGB_INTEGER, 4: Constants.TEXTUREFORMAT_RGBA_INTEGER }

const TYPES: Record<BakeTexture['type'], number> = {
  unorm8: Constants.TEXTURETYPE_UNSIGNED_BYTE,
  unorm16: Constants.TEXTURETYPE_UNSIGNED_SHORT,
  float16: Constants.TEXTURETYPE_HALF_FLOAT,
  float32: Constants.TEXTURETYPE_FLOAT,
}
