import type { Document } from '@gltf-transform/core'
import type { AnimatedModel } from '../model/animated-model.ts'
import { checkLimit, type Limits } from '../model/limits.ts'
import type { LoadedModel } from './loaded-model.ts'
import { WarningList } from './warnings.ts'

/**
 * Checks a model that was read against the limits, whatever kind of file it came from, and leaves out images that nothing could
 * show: a few kilobytes of PNG may become gigabytes of pixels.
 *
 * @param file name of the file
 * @throws Problem `limit` with the number that is too high
 */
export function checkModel(file: string, { model, appearance }: Pick<LoadedModel, 'model' | 'appearance'>, limits: Limits): void {
  for (const [name, count] of Object.entries(countModel(model))) checkLimit(file, limits, name as keyof Limits, count)
  const warnings = new WarningList()
  dropHugeImages(appearance, limits, warnings)
  model.warnings.push(...warnings.list())
}

function countModel({ nodes, skins, meshes, clips }: AnimatedModel): Partial<Limits> {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    nodes: nodes.length,
    joints: sum(skins.map(({ joints }) => joints.length)),
    meshes: meshes.length,
    vertices: sum(meshes.map(({ vertexCount }) => vertexCount)),
    triangles: sum(meshes.map(({ indices }) => indices.length / 3)),
    morphs: sum(meshes.map(({ vertexCount, morphTargets }) => vertexCount * morphTargets.length)),
    clips: clips.length,
  }
}

function dropHugeImages(appearance: Document, limits: Limits, warnings: WarningList): void {
  for (const texture of appearance.getRoot().listTextures()) {
    const [width, height] = sizeOf(texture) ?? [0, 0]
    if (width * height <= limits.pixels) continue
    warnings.add('image-too-large', 'Left out # image|images with too many pixels', 1, `${width} × ${height}, and at most ${limits.pixels} pixels are allowed`)
    texture.dispose()
  }
}

/** Width and height as the image says; null where it does not, or is damaged. */
function sizeOf(texture: { getSize(): [number, number] | null }): [number, number] | null {
  try {
    return texture.getSize()
  } catch {
    return null
  }
}
