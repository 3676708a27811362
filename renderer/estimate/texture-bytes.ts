import { gpuBytes } from '../../main/bake/plan.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'

/** Bytes that the textures of a bake take on a GPU: uncompressed, and three channels kept as four. */
export function textureBytes({ encoding, textures }: Pick<Sidecar, 'encoding' | 'textures'>): number {
  // Layers may share a file.
  const files = new Map(textures.map((texture) => [texture.file, texture]))
  return [...files.values()].reduce((sum, { width, height, type }) => sum + gpuBytes(encoding, width, height, type === 'unorm8x2'), 0)
}
