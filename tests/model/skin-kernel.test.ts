import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeTRS, MATRIX_SIZE } from '../../main/model/matrix.ts'
import { transformNormals } from '../../main/model/normals.ts'
import { createSkinKernel } from '../../main/model/skin-kernel.ts'
import { blendMatrices, placeVertices } from '../../main/model/skin.ts'

const VERTICES = 300
const MATRICES = 7

/** Numbers of a seed, from -1 to 1. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  }
}

function createMesh(seed: number) {
  const next = numbersOf(seed)
  const weights = Float64Array.from({ length: VERTICES * 4 }, () => Math.abs(next()))
  for (let i = 0; i < weights.length; i += 4) {
    const sum = weights[i] + weights[i + 1] + weights[i + 2] + weights[i + 3]
    for (let k = 0; k < 4; k++) weights[i + k] /= sum
  }
  return {
    influences: { perVertex: 4, joints: Uint32Array.from(weights, () => Math.floor(Math.abs(next()) * MATRICES)), weights },
    positions: Float32Array.from({ length: VERTICES * 3 }, next),
    normals: Float32Array.from({ length: VERTICES * 3 }, next),
  }
}

/** Turned, moved and scaled; some mirror, some flatten. */
function createMatrices(seed: number): Float64Array {
  const next = numbersOf(seed + 1)
  const matrices = new Float64Array(MATRICES * MATRIX_SIZE)
  for (let index = 0; index < MATRICES; index++) {
    const scale = index === 1 ? -1 : index === 2 ? 0 : 1
    const trs = Float64Array.from([next(), next(), next(), next(), next(), next(), next(), scale, 1 + next() / 2, 1])
    const length = Math.hypot(...trs.subarray(3, 7))
    for (let i = 3; i < 7; i++) trs[i] /= length
    composeTRS(matrices, index * MATRIX_SIZE, trs, 0)
  }
  return matrices
}

describe('the compiled kernel', () => {
  it.each([1, -1])('gives every bit that the plain code gives, in a space of handedness %i', (handedness) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { influences, positions, normals } = createMesh(seed)
        const matrices = createMatrices(seed)
        const blended = new Float64Array(VERTICES * MATRIX_SIZE)
        const plain = { positions: new Float32Array(VERTICES * 3), normals: new Float32Array(VERTICES * 3) }
        blendMatrices(influences, 0, VERTICES, matrices, blended)
        placeVertices(blended, 1, positions, 0, VERTICES, plain.positions, 0)
        transformNormals(blended, 1, handedness, normals, 0, VERTICES, plain.normals, 0)

        const kernel = createSkinKernel(influences, MATRICES, positions, normals)!
        const out = { positions: new Float32Array((VERTICES + 1) * 3), normals: new Float32Array((VERTICES + 1) * 3) }
        const special = [...kernel.skin(matrices, handedness, out.positions, out.normals, 3)]
        expect(out.positions.slice(3)).toEqual(plain.positions)
        for (let vertex = 0; vertex < VERTICES; vertex++) {
          if (special.includes(vertex)) continue
          expect(out.normals.slice(3 + vertex * 3, 6 + vertex * 3)).toEqual(plain.normals.slice(vertex * 3, vertex * 3 + 3))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('names the vertices whose matrix mirrors', () => {
    const { influences, positions, normals } = createMesh(1)
    const matrices = new Float64Array(MATRICES * MATRIX_SIZE)
    for (let index = 0; index < MATRICES; index++) {
      composeTRS(matrices, index * MATRIX_SIZE, Float64Array.of(0, 0, 0, 0, 0, 0, 1, index === 3 ? -1 : 1, 1, 1), 0)
    }
    const only = { ...influences, joints: influences.joints.map((_, i) => (Math.floor(i / 4) === 5 ? 3 : 0)) }
    const kernel = createSkinKernel(only, MATRICES, positions, normals)!
    expect([...kernel.skin(matrices, 1, new Float32Array(VERTICES * 3), new Float32Array(VERTICES * 3), 0)]).toEqual([5])
  })

  it('leaves normals alone where none are wanted', () => {
    const { influences, positions, normals } = createMesh(2)
    const kernel = createSkinKernel(influences, MATRICES, positions, normals)!
    expect([...kernel.skin(createMatrices(2), 1, new Float32Array(VERTICES * 3), null, 0)]).toEqual([])
  })

  it('is not made for small meshes or for other numbers of influences', () => {
    const { influences, positions, normals } = createMesh(3)
    const few = { perVertex: 4, joints: influences.joints.slice(0, 40), weights: influences.weights.slice(0, 40) }
    expect(createSkinKernel(few, MATRICES, positions.slice(0, 30), normals.slice(0, 30))).toBeNull()
    expect(createSkinKernel({ ...influences, perVertex: 2 }, MATRICES, positions, normals)).toBeNull()
  })
})
