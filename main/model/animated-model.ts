/**
 * The neutral form that every reader produces and everything else works on.
 *
 * Space: right-handed, +Y up, metres, UV origin top-left (the conventions of glTF 2.0), whatever the file said.
 * Matrices are column-major (`m[column * 4 + row]`), as in glTF.
 */
export interface AnimatedModel {
  /** One entry per primitive and node that shows it, in the order of the file's nodes, then of the mesh's primitives. */
  meshes: Mesh[]
  nodes: Node[]
  skins: Skin[]
  /** One entry per node whose mesh has morph targets. */
  morphSets: MorphSet[]
  /** Names of the materials; a mesh's `material` is an index into it. */
  materials: string[]
  clips: Clip[]
  /**
   * Evaluates the nodes of the model at a time of a clip.
   *
   * @param clip one of `clips`, or null for the nodes at rest
   * @param time seconds on the clip's own time line; outside of start..end the nearest end counts
   * @param out  made by `createPose(model)`; every number in it is overwritten
   */
  pose(clip: Clip | null, time: number, out: Pose): void
  /** What was dropped or repaired on reading. */
  warnings: Warning[]
}

/** Triangles of one material, moved by one node or one skin. */
export interface Mesh {
  /** Name of the mesh in the file, or a made-up one where it has none. Not unique. */
  name: string
  /** Index of the node that shows it. */
  node: number
  /** Index of the primitive inside the file's mesh. */
  primitive: number
  /** Index into `AnimatedModel.materials`, or -1. */
  material: number
  vertexCount: number
  /** `[vertex][xyz]`, before morphing and skinning. */
  positions: Float32Array
  /** `[vertex][xyz]`, as in the file (8-bit ones are only nearly of unit length), or null where it has none. */
  normals: Float32Array | null
  /** `[vertex][xyzw]`, w is the handedness, or null where the file has none. */
  tangents: Float32Array | null
  /** Everything else that is to survive into the rest mesh: TEXCOORD_n, COLOR_n, application-specific ones. */
  attributes: VertexAttribute[]
  /** Three a triangle, counter-clockwise front, each below `vertexCount`. Strips, fans and non-indexed ones are spelled out. */
  indices: Uint32Array
  /** False where the file had no indices, so that every triangle has vertices (and hard edges) of its own. */
  indexed: boolean
  morphTargets: MorphTarget[]
  /** Index into `AnimatedModel.morphSets` and `Pose.morphWeights`, or -1 where `morphTargets` is empty. */
  morphSet: number
  /** Index into `AnimatedModel.skins`, or -1 where the node's own transform moves the mesh. */
  skin: number
  /** Null exactly where `skin` is -1. */
  influences: Influences | null
}

export interface VertexAttribute {
  /** glTF's semantic, e.g. `TEXCOORD_0`, `COLOR_0`, `_WIND`. */
  semantic: string
  itemSize: 1 | 2 | 3 | 4
  /** Integers that stand for 0..1 or -1..1. */
  normalized: boolean
  array: Float32Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array
}

/** Differences to the mesh's own vertices, `[vertex][xyz]`; null where the target leaves that attribute alone. */
export interface MorphTarget {
  name: string
  positions: Float32Array | null
  normals: Float32Array | null
  tangents: Float32Array | null
}

/** Skin influences of a mesh. */
export interface Influences {
  /** Influences a vertex; the shorter ones are filled up with weight 0. */
  perVertex: number
  /** `[vertex][influence]`, index into the skin's joints, always in range. */
  joints: Uint32Array
  /**
   * `[vertex][influence]`, finite, not negative; a vertex's weights sum to 1.
   * A vertex whose weights summed to 0 in the file has only zeros here and follows the mesh's node rigidly.
   */
  weights: Float64Array
}

export interface Node {
  name: string
  /** Index of the parent, or -1. Parents need not come before children. */
  parent: number
}

export interface Skin {
  name: string
  /** Node of each joint. */
  joints: number[]
}

export interface MorphSet {
  /** The node whose weights these are. */
  node: number
  /** Names of the targets, in order. */
  targets: string[]
}

/** One animation of the file. */
export interface Clip {
  /** As in the file; may be empty, need not be unique. */
  name: string
  /** Position in `AnimatedModel.clips`. */
  index: number
  /** Seconds: time of the first key. */
  start: number
  /** Seconds: time of the last key; equal to `start` for a clip of one key. */
  end: number
}

/** A model at one moment. */
export interface Pose {
  /** World matrix of each node, `[node][16]`. */
  worldMatrices: Float64Array
  /** Skinning matrices of each skin (joint's world matrix × inverse bind matrix), `[skin]` of `[joint][16]`. */
  palettes: Float64Array[]
  /** Morph weights, `[morph set]` of `[target]`. */
  morphWeights: Float64Array[]
}

export interface Warning {
  /** A stable word for programs, e.g. `primitive-skipped`. */
  code: string
  /** A sentence for people, with the count in it. */
  message: string
  count: number
}

/** An all-zero pose of the right shape for `AnimatedModel.pose` to fill. */
export function createPose(model: Pick<AnimatedModel, 'nodes' | 'skins' | 'morphSets'>): Pose {
  return {
    worldMatrices: new Float64Array(model.nodes.length * 16),
    palettes: model.skins.map((skin) => new Float64Array(skin.joints.length * 16)),
    morphWeights: model.morphSets.map((set) => new Float64Array(set.targets.length)),
  }
}
