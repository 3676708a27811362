import type { Sidecar } from '../../main/bake/sidecar.ts'

/** Where a vertex of the rest mesh and its moment are, for people. */
export interface VertexPlace {
  /** `vertex 1,435 of fox1` */
  text: string
  /** Name of the clip, or its number where it has none. */
  clip: string
  /** Seconds on the clip's own time line. */
  time: number
}

/** Names a vertex by its sub-mesh, in whose own numbers it is counted. */
export function vertexPlace(sidecar: Pick<Sidecar, 'meshes' | 'clips'>, worst: { clip: number; frame: number; vertex: number }): VertexPlace {
  let { vertex } = worst
  let name = ''
  for (const submesh of sidecar.meshes[0].submeshes) {
    name = submesh.name
    if (vertex < submesh.vertexCount) break
    vertex -= submesh.vertexCount
  }
  const clip = sidecar.clips[worst.clip]
  return {
    text: `vertex ${vertex.toLocaleString()}${name === '' ? '' : ` of ${name}`}`,
    clip: clip.name === '' ? `#${clip.index}` : clip.name,
    time: clip.start + worst.frame / clip.fps,
  }
}
