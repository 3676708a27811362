import type { AnimatedModel, Mesh } from '../../main/model/animated-model.ts'

/** Meshes that are baked or left out together, since the option names them alike. */
export interface MeshChoice {
  /** What `--mesh` calls them. */
  name: string
  /** Indices into the model's meshes. */
  meshes: number[]
  vertexCount: number
  movedBy: 'skin' | 'node'
  morphTargets: number
}

type Meshes = Pick<AnimatedModel, 'nodes'> & { meshes: Omit<Mesh, 'attributes'>[] }

/** The choices among a model's meshes: one for each name of a node that shows any, in the order of the meshes. */
export function meshChoices(model: Meshes): MeshChoice[] {
  const names = new Set(model.meshes.map((mesh) => model.nodes[mesh.node].name || mesh.name))
  return [...names].map((name) => {
    const meshes = meshesNamed(model, [name])
    const chosen = meshes.map((index) => model.meshes[index])
    return {
      name,
      meshes,
      vertexCount: chosen.reduce((sum, mesh) => sum + mesh.vertexCount, 0),
      movedBy: chosen.some((mesh) => mesh.skin >= 0) ? 'skin' : 'node',
      morphTargets: Math.max(0, ...chosen.map((mesh) => mesh.morphTargets.length)),
    }
  })
}

/** The meshes that the option `mesh` means: those of that name or of a node of that name; all of them where it is empty. */
export function meshesNamed(model: Meshes, names: string[]): number[] {
  const all = model.meshes.map((_, index) => index)
  if (names.length === 0) return all
  return all.filter((index) => {
    const mesh = model.meshes[index]
    return names.includes(mesh.name) || names.includes(model.nodes[mesh.node].name)
  })
}

/** What `--anim` calls a clip: its name, or its number where the name is empty, not the only one, or looks like a number. */
export function clipOption(clips: { name: string }[], index: number): string {
  const { name } = clips[index]
  const isPlain = name !== '' && !/^#\d+$/.test(name) && clips.filter((other) => other.name === name).length === 1
  return isPlain ? name : `#${index}`
}
