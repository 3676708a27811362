import type { AnimatedModel, Influences, Mesh, Pose } from './animated-model.ts'
import { createPose } from './animated-model.ts'
import { determinant3, MATRIX_SIZE, multiply } from './matrix.ts'
import { isMorphed, morphVectors } from './morph.ts'
import { computeNormals, handednessOf, transformNormals } from './normals.ts'
import { createSkinKernel, type SkinKernel } from './skin-kernel.ts'
import { blendMatrices, placeVertices, withRigidVertices } from './skin.ts'
import { transformTangents } from './tangents.ts'

/** What is evaluated of a frame. The vertices of all chosen meshes lie one behind the other. */
export interface Frame {
  /** `[vertex][xyz]` in the bake's space. */
  positions: Float32Array
  /** `[vertex][xyz]`, unit length, or null where normals are not wanted. */
  normals: Float32Array | null
  /**
   * `[vertex][xyzw]`, or null where tangents are not wanted. Vertices of a mesh without tangents get 1 0 0 1, as do those of
   * a mesh without normals, whose tangents glTF 2.0 (section 3.7.2.1) tells to ignore.
   */
  tangents: Float32Array | null
}

/** The chosen meshes of a model, made ready for being evaluated many times. */
export interface Evaluator {
  vertexCount: number
  /** First vertex of each chosen mesh, in the order in which they were chosen. */
  firstVertices: number[]
  /**
   * Triangles of each chosen mesh in its own vertex numbers, as the rest mesh has to write them: turned over where the
   * transform at rest (and the bake's space) mirrors the mesh, so that fronts stay fronts.
   */
  indices: Uint32Array[]
  /** True for each chosen mesh whose triangles are turned over. */
  turnedOver: boolean[]
  /** True for each chosen mesh whose normals are computed because the file has none. */
  computedNormals: boolean[]
  /** Morphs, skins and places all vertices. Every number of `out` is overwritten. */
  evaluate(pose: Pose, out: Frame): void
  createFrame(wanted: { normals: boolean; tangents: boolean }): Frame
}

/** A chosen mesh with everything that does not change from frame to frame. */
interface Part {
  mesh: Mesh
  firstVertex: number
  /** `[matrix][16]`, with the space folded in: the skin's from its first joint on and the nodes' behind them, or the node's. */
  matrices: Float64Array
  /** Null where the node moves all vertices. */
  influences: Influences | null
  /** `[target]` of `[vertex][xyz]`, per attribute. */
  deltas: Record<'positions' | 'normals' | 'tangents', (Float32Array | null)[]>
  /** Null where the mesh has no normals to make use of them with. */
  tangents: Float32Array | null
  indices: Uint32Array
  turnedOver: boolean
  /** `[vertex][xyz]`, in double precision for normals to be computed from; null where the mesh has normals. */
  posed: Float64Array | null
  /** `[vertex][xyz]`: what computed normals fall back on. */
  normalsAtRest: Float32Array | null
  /** Compiled code for the commonest kind of mesh, made when it is first evaluated; null where it is not for it. */
  kernel?: SkinKernel | null
}

/** Vertices that go through all steps together: few enough for their matrices (16 KB) to stay in the processor's first cache. */
const BLOCK = 128

const NO_WEIGHTS = new Float64Array(0)

/**
 * Makes the chosen meshes ready. A vertex of a frame is space × (Σ weight × skinning matrix) × (position + Σ morph weight ×
 * delta), or space × node × … for meshes without a skin and for vertices without weights. It is computed in double precision
 * with the space folded into the matrices, and rounded once, to the nearest Float32.
 *
 * @param meshes  indices into `model.meshes`, in the order in which their vertices are to lie
 * @param space   column-major matrix from the model's space to the bake's (axes, mirror, scale), fourth row 0 0 0 1
 */
export function createEvaluator(model: AnimatedModel, meshes: number[], space: Float64Array): Evaluator {
  const { parts, folded, sources } = layOut(model, meshes)
  const vertexCount = parts.reduce((sum, part) => sum + part.mesh.vertexCount, 0)
  const spaceHandedness = determinant3(space, 0) < 0 ? -1 : 1

  const blended = new Float64Array(BLOCK * MATRIX_SIZE)
  const morphed = new Float64Array(BLOCK * 3)
  const computed = parts.filter((part) => part.posed !== null)
  const sums = new Float64Array(Math.max(0, ...computed.map((part) => part.mesh.vertexCount * 3)))

  function foldSpace(pose: Pose): void {
    for (const { matrices, from, count, at } of sources) {
      const array = matrices(pose)
      for (let i = 0; i < count * MATRIX_SIZE; i += MATRIX_SIZE) multiply(folded, at + i, space, 0, array, from + i)
    }
  }

  /** Matrices of a block of vertices; `stepOf` says whether each has its own. */
  function matricesOf({ influences, matrices }: Part, from: number, count: number): Float64Array {
    if (influences === null) return matrices
    blendMatrices(influences, from, count, matrices, blended)
    return blended
  }

  function evaluatePart(part: Part, pose: Pose, out: Frame): void {
    const { mesh, deltas, tangents, posed } = part
    const weights = mesh.morphSet < 0 ? NO_WEIGHTS : pose.morphWeights[mesh.morphSet]
    const movesPositions = isMorphed(deltas.positions, weights)
    const movesNormals = isMorphed(deltas.normals, weights)
    const step = stepOf(part)
    const isDone = !movesPositions && !movesNormals && skinByKernel(part, out)
    const hasTangents = out.tangents !== null && tangents !== null
    for (let from = 0; from < mesh.vertexCount && (!isDone || hasTangents); from += BLOCK) {
      const count = Math.min(BLOCK, mesh.vertexCount - from)
      const to = part.firstVertex + from
      const matrices = matricesOf(part, from, count)

      if (!isDone) {
        if (movesPositions) morphVectors(mesh.positions, 3, deltas.positions, weights, from, count, morphed)
        const positions = movesPositions ? morphed : mesh.positions
        const positionsAt = movesPositions ? 0 : from * 3
        if (posed === null) placeVertices(matrices, step, positions, positionsAt, count, out.positions, to * 3)
        else placeVertices(matrices, step, positions, positionsAt, count, posed, from * 3)
      }
      if (!isDone && out.normals !== null && mesh.normals !== null) {
        if (movesNormals) morphVectors(mesh.normals, 3, deltas.normals, weights, from, count, morphed)
        const normals = movesNormals ? morphed : mesh.normals
        transformNormals(matrices, step, spaceHandedness, normals, movesNormals ? 0 : from * 3, count, out.normals, to * 3)
      }
      if (hasTangents) {
        morphVectors(tangents, 4, deltas.tangents, weights, from, count, morphed)
        transformTangents(matrices, step, spaceHandedness, morphed, tangents, from, count, out.tangents!, to * 4)
      }
    }
    if (posed !== null) {
      out.positions.set(posed, part.firstVertex * 3)
      if (out.normals !== null) computeNormals(posed, part.indices, part.normalsAtRest, sums, out.normals, part.firstVertex * 3)
    }
    if (out.tangents !== null && tangents === null) fillTangents(out.tangents, part.firstVertex, mesh.vertexCount)
  }

  /** Positions and normals of a mesh by compiled code, which gives the same bits; false where it is not for that mesh. */
  function skinByKernel(part: Part, out: Frame): boolean {
    const { mesh, influences, matrices, posed, firstVertex } = part
    if (influences === null || mesh.normals === null || posed !== null) return false
    if (part.kernel === undefined) part.kernel = createSkinKernel(influences, matrices.length / MATRIX_SIZE, mesh.positions, mesh.normals)
    if (!part.kernel) return false
    for (const vertex of part.kernel.skin(matrices, spaceHandedness, out.positions, out.normals, firstVertex * 3)) {
      blendMatrices(influences, vertex, 1, matrices, blended)
      transformNormals(blended, 1, spaceHandedness, mesh.normals, vertex * 3, 1, out.normals!, (firstVertex + vertex) * 3)
    }
    return true
  }

  /** Whether most corners of the mesh's triangles belong to vertices that the matrices folded last mirror. */
  function isMirrored(part: Part): boolean {
    const handedness = new Int8Array(part.mesh.vertexCount)
    for (let from = 0; from < handedness.length; from += BLOCK) {
      const count = Math.min(BLOCK, handedness.length - from)
      const matrices = matricesOf(part, from, count)
      for (let i = 0; i < count; i++) {
        const at = i * stepOf(part) * MATRIX_SIZE
        handedness[from + i] = handednessOf(determinant3(matrices, at), matrices, at, spaceHandedness)
      }
    }
    return part.mesh.indices.reduce((sum, vertex) => sum + handedness[vertex], 0) < 0
  }

  function evaluate(pose: Pose, out: Frame): void {
    foldSpace(pose)
    for (const part of parts) evaluatePart(part, pose, out)
  }

  function createFrame(wanted: { normals: boolean; tangents: boolean }): Frame {
    return {
      positions: new Float32Array(vertexCount * 3),
      normals: wanted.normals ? new Float32Array(vertexCount * 3) : null,
      tangents: wanted.tangents ? new Float32Array(vertexCount * 4) : null,
    }
  }

  const rest = createPose(model)
  model.pose(null, 0, rest)
  foldSpace(rest)
  for (const part of parts) {
    part.turnedOver = isMirrored(part)
    if (part.turnedOver) part.indices = turnOver(part.indices)
  }
  if (computed.length > 0) {
    const frame = createFrame({ normals: true, tangents: false })
    for (const part of computed) {
      evaluatePart(part, rest, frame)
      part.normalsAtRest = frame.normals!.slice(part.firstVertex * 3, (part.firstVertex + part.mesh.vertexCount) * 3)
    }
  }

  return {
    vertexCount,
    firstVertices: parts.map((part) => part.firstVertex),
    indices: parts.map((part) => part.indices),
    turnedOver: parts.map((part) => part.turnedOver),
    computedNormals: parts.map((part) => part.mesh.normals === null),
    evaluate,
    createFrame,
  }
}

/** A run of matrices of a pose and where it goes among the folded ones, both in numbers, not in matrices. */
interface MatrixSource {
  matrices(pose: Pose): Float64Array
  from: number
  count: number
  at: number
}

/** Lines up the vertices of the chosen meshes, and, each once, the matrices that move them: the skins' first, then the nodes'. */
function layOut(model: AnimatedModel, meshes: number[]): { parts: Part[]; sources: MatrixSource[]; folded: Float64Array } {
  const chosen = meshes.map((index) => model.meshes[index])
  const sources: MatrixSource[] = []
  let matrixCount = 0
  const add = (matrices: MatrixSource['matrices'], from: number, count: number): number => {
    const at = matrixCount * MATRIX_SIZE
    sources.push({ matrices, from, count, at })
    matrixCount += count
    return at
  }
  const skins = new Map<number, number>()
  for (const { skin } of chosen) {
    if (skin >= 0 && !skins.has(skin)) skins.set(skin, add((pose) => pose.palettes[skin], 0, model.skins[skin].joints.length))
  }
  const nodes = new Map<number, number>()
  for (const { node } of chosen) {
    if (!nodes.has(node)) nodes.set(node, add((pose) => pose.worldMatrices, node * MATRIX_SIZE, 1))
  }
  const folded = new Float64Array(matrixCount * MATRIX_SIZE)

  let firstVertex = 0
  const parts = chosen.map((mesh): Part => {
    const nodeAt = nodes.get(mesh.node)!
    const matrixAt = skins.get(mesh.skin) ?? nodeAt
    const part: Part = {
      mesh,
      firstVertex,
      matrices: folded.subarray(matrixAt),
      influences: mesh.influences && withRigidVertices(mesh.influences, (nodeAt - matrixAt) / MATRIX_SIZE),
      deltas: {
        positions: mesh.morphTargets.map((target) => target.positions),
        normals: mesh.morphTargets.map((target) => target.normals),
        tangents: mesh.morphTargets.map((target) => target.tangents),
      },
      tangents: mesh.normals && mesh.tangents,
      indices: mesh.indices,
      turnedOver: false,
      posed: mesh.normals === null ? new Float64Array(mesh.vertexCount * 3) : null,
      normalsAtRest: null,
    }
    firstVertex += mesh.vertexCount
    return part
  })
  return { parts, sources, folded }
}

/** Matrices from one vertex to the next: none where the node moves them all. */
function stepOf(part: Part): 0 | 1 {
  return part.influences === null ? 0 : 1
}

function turnOver(indices: Uint32Array): Uint32Array {
  const turned = indices.slice()
  for (let i = 0; i < turned.length; i += 3) {
    turned[i + 1] = indices[i + 2]
    turned[i + 2] = indices[i + 1]
  }
  return turned
}

function fillTangents(tangents: Float32Array, firstVertex: number, count: number): void {
  for (let o = firstVertex * 4; o < (firstVertex + count) * 4; o += 4) {
    tangents[o] = 1
    tangents[o + 1] = 0
    tangents[o + 2] = 0
    tangents[o + 3] = 1
  }
}
