import type { AnimatedModel, Pose } from './animated-model.ts'

/** What is evaluated of a frame. The vertices of all chosen meshes lie one behind the other. */
export interface Frame {
  /** `[vertex][xyz]` in the bake's space. */
  positions: Float32Array
  /** `[vertex][xyz]`, unit length, or null where normals are not wanted. */
  normals: Float32Array | null
  /** `[vertex][xyzw]`, or null where tangents are not wanted. */
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
  /** True for each chosen mesh whose normals are computed because the file has none. */
  computedNormals: boolean[]
  /** Morphs, skins and places all vertices. Every number of `out` is overwritten. */
  evaluate(pose: Pose, out: Frame): void
  createFrame(wanted: { normals: boolean; tangents: boolean }): Frame
}

export type CreateEvaluator = (
  model: AnimatedModel,
  /** Indices into `model.meshes`, in the order in which their vertices are to lie. */
  meshes: number[],
  /** Column-major matrix from the model's space to the bake's (axes, mirror, scale). */
  space: Float64Array,
) => Evaluator
