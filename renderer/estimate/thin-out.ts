import type { AnimatedModel, Mesh } from '../../main/model/animated-model.ts'

/**
 * A model with only every n-th vertex, so that a look at it stays short however large it is. It has no triangles and no
 * normals: it is for measuring where vertices go, not for being drawn.
 *
 * @param most vertices of all meshes together, or a few more
 */
export function thinOut(model: AnimatedModel, most: number): AnimatedModel {
  const total = model.meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0)
  const step = Math.max(1, Math.ceil(total / most))
  return { ...model, meshes: model.meshes.map((mesh) => thinMesh(mesh, step)), pose: (clip, time, out) => model.pose(clip, time, out) }
}

function thinMesh(mesh: Mesh, step: number): Mesh {
  const vertexCount = Math.ceil(mesh.vertexCount / step)
  return {
    ...mesh,
    vertexCount,
    positions: pick(mesh.positions, 3, step),
    normals: null,
    tangents: null,
    attributes: [],
    indices: new Uint32Array(),
    morphTargets: mesh.morphTargets.map(({ name, positions }) => ({
      name,
      positions: positions && pick(positions, 3, step),
      normals: null,
      tangents: null,
    })),
    influences: mesh.influences && {
      perVertex: mesh.influences.perVertex,
      joints: pick(mesh.influences.joints, mesh.influences.perVertex, step),
      weights: pick(mesh.influences.weights, mesh.influences.perVertex, step),
    },
  }
}

/** Every n-th item of `[item][size]`. */
function pick<Numbers extends Float32Array | Float64Array | Uint32Array>(array: Numbers, size: number, step: number): Numbers {
  if (step === 1) return array
  const count = Math.ceil(array.length / size / step)
  const picked = new (array.constructor as new (length: number) => Numbers)(count * size)
  for (let i = 0; i < count; i++) picked.set(array.subarray(i * step * size, (i * step + 1) * size), i * size)
  return picked
}
