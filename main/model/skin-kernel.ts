import type { Influences } from './animated-model.ts'
import { MATRIX_SIZE } from './matrix.ts'
import { SKIN_KERNEL } from './skin-kernel-code.ts'

/** What the compiled kernel offers; build/kernel/skin.ts says what each argument is. */
type Skin = (
  count: number,
  matrices: number,
  joints: number,
  weights: number,
  positions: number,
  normals: number,
  handedness: number,
  outPositions: number,
  outNormals: number,
  special: number,
) => number

/** The part of WebAssembly that is used: neither Node's types nor those of the language have it. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer }
  Instance: new (module: object, imports: { env: object }) => { exports: unknown }
}

/** Fewer vertices are not worth the copying, and more would take more memory than it saves time. */
const FEWEST = 256
const MOST = 250_000
const PAGE = 65_536

let compiled: object | null | undefined

/** Null where the platform does not allow for it, such as a page with a strict content security policy. */
function compile(): object | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(SKIN_KERNEL), (character) => character.charCodeAt(0)))
  } catch {
    return null
  }
}

/** A mesh whose vertices lie in the kernel's own memory. */
export interface SkinKernel {
  /**
   * Moves all vertices.
   *
   * @param matrices   `[matrix][16]`, column-major, of which the influences' joints are numbers
   * @param handedness of the space that the matrices lead to
   * @param outPositions `[vertex][xyz]` from `outAt` on
   * @param outNormals the same, or null where none are wanted
   * @returns the vertices whose normal is left to be carried the slow way, since their matrix mirrors or flattens
   */
  skin(matrices: Float64Array, handedness: number, outPositions: Float32Array, outNormals: Float32Array | null, outAt: number): Uint32Array
}

/**
 * Lays a mesh out for the compiled kernel, which gives the same bits as `blendMatrices`, `placeVertices` and `transformNormals` in
 * half the time.
 *
 * @param influences   with rigid vertices led to a matrix
 * @param matrixCount  matrices that the joints may name
 * @returns null for a mesh that it is not made for, or where WebAssembly is not to be had
 */
export function createSkinKernel(
  influences: Influences,
  matrixCount: number,
  positions: Float32Array,
  normals: Float32Array,
): SkinKernel | null {
  const count = positions.length / 3
  if (influences.perVertex !== 4 || count < FEWEST || count > MOST) return null
  if (compiled === undefined) compiled = compile()
  if (compiled === null) return null

  let bytes = 0
  const place = (length: number) => {
    const at = bytes
    // Multiples of 16, at which two numbers are loaded fastest.
    bytes += Math.ceil(length / 16) * 16
    return at
  }
  const at = {
    matrices: place(matrixCount * MATRIX_SIZE * 8),
    joints: place(count * 16),
    weights: place(count * 32),
    positions: place(count * 12),
    normals: place(count * 12),
    outPositions: place(count * 12),
    outNormals: place(count * 12),
    special: place(count * 4),
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
  const { buffer } = memory
  const { skin } = new WebAssembly.Instance(compiled, { env: { memory } }).exports as { skin: Skin }
  const floats = (from: number) => new Float32Array(buffer, from, count * 3)
  const matrixArray = new Float64Array(buffer, at.matrices, matrixCount * MATRIX_SIZE)
  new Uint32Array(buffer, at.joints, count * 4).set(influences.joints.map((joint) => joint * MATRIX_SIZE * 8))
  new Float64Array(buffer, at.weights, count * 4).set(influences.weights)
  floats(at.positions).set(positions)
  floats(at.normals).set(normals)

  return {
    skin(matrices, handedness, outPositions, outNormals, outAt) {
      matrixArray.set(matrices.subarray(0, matrixArray.length))
      const inNormals = outNormals === null ? 0 : at.normals
      const specials = skin(
        count, at.matrices, at.joints, at.weights, at.positions, inNormals, handedness, at.outPositions, at.outNormals, at.special,
      )
      outPositions.set(floats(at.outPositions), outAt)
      outNormals?.set(floats(at.outNormals), outAt)
      return new Uint32Array(buffer, at.special, specials)
    },
  }
}
