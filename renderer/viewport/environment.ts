import type { Scene } from 'babylonjs'
import { CubeMapToSphericalPolynomialTools, Engine, RawCubeTexture } from 'babylonjs'
import { toHalves } from '../../main/codecs/half.ts'

const SIZE = 64

/** Directions of a cube map's faces, `[face]` of the axes right, down and forward (OpenGL 4.6, table 8.19). */
const FACES: [number[], number[], number[]][] = [
  [[0, 0, -1], [0, -1, 0], [1, 0, 0]],
  [[0, 0, 1], [0, -1, 0], [-1, 0, 0]],
  [[1, 0, 0], [0, 0, 1], [0, 1, 0]],
  [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
  [[1, 0, 0], [0, -1, 0], [0, 0, 1]],
  [[-1, 0, 0], [0, -1, 0], [0, 0, -1]],
]

/**
 * A studio made of numbers, so that nothing is fetched: a bright ceiling over a dim floor, and two soft boxes, for
 * reflections and for light from all around.
 */
export function createEnvironment(scene: Scene): RawCubeTexture {
  const faces = FACES.map(renderFace)
  const halves = faces.map((face) => {
    const bits = new Uint16Array(face.length)
    toHalves(face, 0, face.length, bits, 0)
    return bits
  })
  const texture = new RawCubeTexture(scene, halves, SIZE, Engine.TEXTUREFORMAT_RGBA, Engine.TEXTURETYPE_HALF_FLOAT, true)
  texture.name = 'studio'
  texture.gammaSpace = false
  const [right, left, up, down, front, back] = faces
  texture.sphericalPolynomial = CubeMapToSphericalPolynomialTools.ConvertCubeMapToSphericalPolynomial({
    right,
    left,
    up,
    down,
    front,
    back,
    size: SIZE,
    format: Engine.TEXTUREFORMAT_RGBA,
    type: Engine.TEXTURETYPE_FLOAT,
    gammaSpace: false,
  })
  return texture
}

function renderFace([right, down, forward]: (typeof FACES)[number]): Float32Array {
  const pixels = new Float32Array(SIZE * SIZE * 4)
  for (let y = 0, at = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++, at += 4) {
      const u = ((x + 0.5) / SIZE) * 2 - 1
      const v = ((y + 0.5) / SIZE) * 2 - 1
      const direction = [0, 1, 2].map((axis) => forward[axis] + u * right[axis] + v * down[axis])
      const length = Math.hypot(...direction)
      pixels.set([...radiance(direction.map((part) => part / length)), 1], at)
    }
  }
  return pixels
}

/** Light that comes from a direction, linear RGB. */
function radiance(direction: number[]): [number, number, number] {
  const [, height] = direction
  const sky = smoothstep(-0.35, 0.9, height)
  const key = softBox(direction, [0.5, 0.65, 0.57], 0.8, 0.96)
  const fill = softBox(direction, [-0.8, 0.25, 0.3], 0.85, 0.97)
  return [0.2 + 0.5 * sky + 2.6 * key + 0.9 * fill, 0.2 + 0.53 * sky + 2.5 * key + 1 * fill, 0.21 + 0.58 * sky + 2.3 * key + 1.15 * fill]
}

function softBox(direction: number[], towards: number[], outer: number, inner: number): number {
  const cosine = direction.reduce((sum, part, axis) => sum + part * towards[axis], 0) / Math.hypot(...towards)
  return smoothstep(outer, inner, cosine)
}

function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
}
