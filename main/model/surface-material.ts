/** How a surface looks, in the terms of glTF's metallic-roughness materials (glTF 2.0, section 3.9). Colours are linear. */
export interface SurfaceMaterial {
  name: string
  /** Colours of vertices go into the base colour. */
  vertexColors: boolean
  baseColor: [number, number, number, number]
  baseColorMap: MaterialMap | null
  metallic: number
  roughness: number
  /** Roughness in green, metalness in blue. */
  metallicRoughnessMap: MaterialMap | null
  normalScale: number
  normalMap: MaterialMap | null
  occlusionStrength: number
  /** Occlusion in red. */
  occlusionMap: MaterialMap | null
  /** With its strength; it may be above 1. */
  emissive: [number, number, number]
  emissiveMap: MaterialMap | null
  alpha: 'opaque' | 'mask' | 'blend'
  alphaCutoff: number
  doubleSided: boolean
  unlit: boolean
}

/** An image of a material. */
export interface MaterialMap {
  /** A file beside the mesh. */
  file: string
  /** Set of texture coordinates. */
  uvSet: number
  /** Texture coordinate = (u, v) · scale + offset. */
  uvScale: [number, number]
  uvOffset: [number, number]
  repeats: boolean
  /** Its pixels are not blended where it is made smaller. */
  nearest: boolean
  mipmaps: boolean
}
