import { z } from 'zod'
import { checkLimit, type Limits } from '../../model/limits.ts'
import type { WarningList } from '../warnings.ts'
import { floatsOf } from './accessors.ts'
import { broken, labelOf } from './broken.ts'
import { readAccessors } from './document.ts'
import type { Resources } from './resources.ts'
import type { Gltf, GltfNode } from './schema.ts'

const PARTS = [
  { semantic: 'TRANSLATION', property: 'translation', type: 'VEC3' },
  { semantic: 'ROTATION', property: 'rotation', type: 'VEC4' },
  { semantic: 'SCALE', property: 'scale', type: 'VEC3' },
] as const

const instancing = z.looseObject({ attributes: z.record(z.string(), z.int().min(0)) })

/**
 * Makes nodes of the instances of EXT_mesh_gpu_instancing: each becomes a child that shows the mesh of the node. Skinned and
 * morphed meshes keep a single copy, with a warning: where their instances would be is not specified.
 *
 * @returns a file without instances, whose own nodes keep their numbers
 * @throws Problem where the attributes of a node do not fit together, `limit` where they make too many nodes
 */
export async function expandInstances(
  file: string,
  json: Gltf,
  resources: Resources,
  limits: Limits,
  warnings: WarningList,
): Promise<Gltf> {
  const nodes: GltfNode[] = [...json.nodes]
  for (const [index, node] of json.nodes.entries()) {
    const extension = node.extensions?.EXT_mesh_gpu_instancing
    if (extension === undefined || node.mesh === undefined) continue
    if (node.skin !== undefined || json.meshes[node.mesh].primitives.some(({ targets }) => targets.length > 0)) {
      warnings.add('instances-ignored', 'Read only one copy of the moving mesh of # node|nodes with GPU instances', 1, node.name)
      continue
    }
    const label = `the instances of ${labelOf('node', index, node.name)}`
    const parsed = instancing.safeParse(extension)
    if (!parsed.success) throw broken(file, `${label} are described wrong`)
    const parts = PARTS.flatMap(({ semantic, property, type }) => {
      const at = parsed.data.attributes[semantic]
      if (at === undefined) return []
      if (json.accessors[at]?.type !== type) throw broken(file, `${semantic} of ${label} is no ${type}`)
      return [{ property, at }]
    })
    const counts = new Set(parts.map(({ at }) => json.accessors[at].count))
    if (counts.size !== 1) throw broken(file, `${label} have ${[...counts].join(' and ') || 'no'} numbers of attributes`)
    const [count] = counts
    checkLimit(file, limits, 'nodes', nodes.length + count)

    const accessors = await readAccessors(file, json, resources, new Set(parts.map(({ at }) => at)))
    const { mesh, extensions: _, ...plain } = node
    const children = Array.from({ length: count }, (_, i) => {
      const place = parts.map(({ property, at }) => {
        const size = property === 'rotation' ? 4 : 3
        return [property, [...floatsOf(accessors[at]).subarray(i * size, i * size + size)]]
      })
      return nodes.push({ ...(Object.fromEntries(place) as Partial<GltfNode>), name: node.name, mesh, children: [] }) - 1
    })
    nodes[index] = { ...plain, children: [...node.children, ...children] }
  }
  return nodes.length === json.nodes.length ? json : { ...json, nodes }
}
