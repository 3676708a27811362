import type { AbstractMesh, Bone, Mesh, Node, Skeleton, TransformNode } from 'babylonjs'
import type { BabylonScene } from './library.ts'

/** The moving things of a scene in a list, parents first: transform nodes and meshes, then the bones of each skeleton. */
export interface BabylonNodes {
  /** All that have a place in the world of their own. */
  placed: TransformNode[]
  names: string[]
  /** Index of the parent, or -1. */
  parents: number[]
  /** `[skeleton]`: its bones, and where they begin in the list. */
  skeletons: { skeleton: Skeleton; bones: Bone[]; first: number; carrier: AbstractMesh | null }[]
}

export function listNodes({ scene }: BabylonScene): BabylonNodes {
  const all = [...scene.transformNodes, ...scene.meshes] as TransformNode[]
  const depth = (node: Node): number => (node.parent ? depth(node.parent) + 1 : 0)
  const placed = all.map((node) => ({ node, depth: depth(node) })).sort((a, b) => a.depth - b.depth).map(({ node }) => node)
  const nodes: BabylonNodes = {
    placed,
    names: placed.map(({ name }) => name),
    parents: placed.map(({ parent }) => placed.indexOf(parent as TransformNode)),
    skeletons: [],
  }
  for (const skeleton of scene.skeletons) {
    const carrier = scene.meshes.find((mesh) => mesh.skeleton === skeleton) ?? null
    const { bones } = skeleton
    const first = nodes.names.length
    nodes.skeletons.push({ skeleton, bones, first, carrier })
    for (const bone of bones) {
      const parent = bone.getParent()
      nodes.names.push(bone.name)
      nodes.parents.push(parent ? first + bones.indexOf(parent) : carrier ? placed.indexOf(carrier) : -1)
    }
  }
  return nodes
}

/** The mesh whose vertices a node shows: its own, or for an instance those of its source. */
export function sourceOf(node: TransformNode): Mesh | null {
  const { sourceMesh } = node as TransformNode & { sourceMesh?: Mesh }
  const mesh = sourceMesh ?? (node as Mesh)
  return mesh.geometry ? mesh : null
}
