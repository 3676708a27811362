import type { AnimatedModel, Influences, Mesh, MorphTarget, Pose } from '../../main/model/animated-model.ts'

/** A mesh of which a test states only what it is about. */
export function meshOf(parts: Partial<Mesh> & Pick<Mesh, 'positions'>): Mesh {
  return {
    name: 'mesh',
    node: 0,
    primitive: 0,
    material: -1,
    vertexCount: parts.positions.length / 3,
    normals: null,
    tangents: null,
    attributes: [],
    indices: new Uint32Array(0),
    indexed: true,
    morphTargets: [],
    morphSet: -1,
    skin: -1,
    influences: null,
    ...parts,
  }
}

/** A model of these meshes that is always in one pose. */
export function modelOf(meshes: Mesh[], rest: Pose): AnimatedModel {
  return {
    meshes,
    nodes: Array.from({ length: rest.worldMatrices.length / 16 }, (_, index) => ({ name: `node ${index}`, parent: -1 })),
    skins: rest.palettes.map((palette, index) => ({
      name: `skin ${index}`,
      joints: Array.from({ length: palette.length / 16 }, () => 0),
    })),
    morphSets: rest.morphWeights.map((weights) => ({ node: 0, targets: Array.from(weights, (_, index) => `target ${index}`) })),
    materials: [],
    clips: [],
    pose(_clip, _time, out) {
      out.worldMatrices.set(rest.worldMatrices)
      rest.palettes.forEach((palette, index) => out.palettes[index].set(palette))
      rest.morphWeights.forEach((weights, index) => out.morphWeights[index].set(weights))
    },
    warnings: [],
  }
}

export function poseOf(parts: { nodes?: number[][]; palettes?: number[][][]; morphWeights?: number[][] }): Pose {
  return {
    worldMatrices: Float64Array.from((parts.nodes ?? [scaling(1, 1, 1)]).flat()),
    palettes: (parts.palettes ?? []).map((palette) => Float64Array.from(palette.flat())),
    morphWeights: (parts.morphWeights ?? []).map((weights) => Float64Array.from(weights)),
  }
}

export function influencesOf(vertices: { joints: number[]; weights: number[] }[]): Influences {
  return {
    perVertex: vertices[0].joints.length,
    joints: Uint32Array.from(vertices.flatMap(({ joints }) => joints)),
    weights: Float64Array.from(vertices.flatMap(({ weights }) => weights)),
  }
}

export function targetOf(deltas: Partial<MorphTarget>): MorphTarget {
  return { name: 'target', positions: null, normals: null, tangents: null, ...deltas }
}

/** Column-major, as all matrices here. */
export function scaling(x: number, y: number, z: number): number[] {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]
}

export function translation(x: number, y: number, z: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
}

export function rotation(axis: 'x' | 'y' | 'z', radians: number): number[] {
  const c = Math.cos(radians)
  const s = Math.sin(radians)
  if (axis === 'x') return [1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1]
  if (axis === 'y') return [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1]
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
}

/** a × b × … */
export function product(...matrices: number[][]): number[] {
  return matrices.reduce((a, b) =>
    Array.from({ length: 16 }, (_, index) => {
      const row = index % 4
      const column = index - row
      return [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + row] * b[column + k], 0)
    }),
  )
}

/** Numbers in 0..1 that are the same on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
