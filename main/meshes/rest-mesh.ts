import type { VertexAttribute } from '../model/animated-model.ts'

/** The mesh whose vertices address the textures of a bake, ready to be written. */
export interface RestMesh {
  name: string
  /** Their vertices, one behind the other, are the vertices of the bake. */
  submeshes: Submesh[]
  /** Box around every vertex in every frame, for engines that would otherwise cull by the rest pose. */
  bounds: { min: [number, number, number]; max: [number, number, number] }
  /** Plain JSON that is written beside the bounds into the extras of the mesh and of its node. */
  extras: Record<string, unknown>
}

/** Triangles of one material. Vertices without a triangle are legal and are kept. */
export interface Submesh {
  name: string
  /** Index into the materials of the appearance document, or -1 for none. */
  material: number
  /** `[vertex][xyz]` */
  positions: Float32Array
  /** `[vertex][xyz]`, unit length */
  normals: Float32Array | null
  /** `[vertex][xyzw]`, xyz of unit length, w is 1 or -1; written only where there are normals. */
  tangents: Float32Array | null
  /** `[vertex][uv]`, the texture address of the vertex's column. */
  indexUV: Float32Array
  /** TEXCOORD_n, COLOR_n and application-specific attributes as the model has them. */
  attributes: VertexAttribute[]
  /** `[triangle][corner]`, each below the vertex count. */
  indices: Uint32Array
}

/** A sub-mesh as it is on disk. */
export interface ReadSubmesh {
  name: string
  /** `[vertex][xyz]` */
  positions: Float32Array
  /** `[vertex][xyz]` */
  normals: Float32Array | null
  /** `[vertex][xyzw]` */
  tangents: Float32Array | null
  /** `[vertex][uv]` */
  indexUV: Float32Array
  /** `[triangle][corner]` */
  indices: Uint32Array
}
