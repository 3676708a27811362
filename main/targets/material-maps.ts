import type { MaterialMap, SurfaceMaterial } from '../model/surface-material.ts'

/** The maps of a material. */
export const MAP_NAMES = ['baseColorMap', 'metallicRoughnessMap', 'normalMap', 'occlusionMap', 'emissiveMap'] as const
export type MapName = (typeof MAP_NAMES)[number]

/** Those that a material shows: of one without light, the colour alone. */
export function mapsOf(material: SurfaceMaterial): [MapName, MaterialMap][] {
  return MAP_NAMES.flatMap((name): [MapName, MaterialMap][] => {
    const map = material[name]
    return map && (!material.unlit || name === 'baseColorMap') ? [[name, map]] : []
  })
}
