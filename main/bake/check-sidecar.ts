import type { Sidecar } from './sidecar.ts'

/** Channels that each content takes. */
const CHANNELS: Record<string, number> = { position: 3, offset: 3, xyz: 3, octahedral: 2 }

/**
 * Whether a sidecar agrees with itself, beyond what its schema can say: sizes, sums, rates, and a layout that can be read back.
 *
 * @returns a sentence that says where it does not, or null
 */
export function findContradiction(sidecar: Sidecar): string | null {
  const { layout, clips, textures, meshes } = sidecar
  const rows = Math.ceil(sidecar.columnCount / layout.columnsPerRow)
  if (layout.orientation !== 'frames-y' || layout.guardRows !== 0) return 'its layout is one that this version does not write'
  if (sidecar.columnCount !== sidecar.vertexCount) return 'columnCount and vertexCount differ, which this version does not write'
  if (layout.rowsPerFrame !== rows) return `rowsPerFrame is ${layout.rowsPerFrame}, and ${rows} follow from columnCount and columnsPerRow`

  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  if (sum(clips.map(({ frameCount }) => frameCount)) !== sidecar.frameCount) return 'frameCount is not the sum of the frames of all clips'
  if (sum(meshes[0].submeshes.map(({ vertexCount }) => vertexCount)) !== sidecar.vertexCount) {
    return 'vertexCount is not the sum of the vertices of all sub-meshes'
  }

  for (const role of ['position', 'normal']) {
    const layers = textures.filter((texture) => texture.role === role)
    if (layers.length > 1 || (role === 'position' && layers.length === 0)) return `it has ${layers.length} layers of role ${role}`
    for (const layer of layers) {
      const channels = CHANNELS[layer.content]
      const fits = role === 'position' ? ['position', 'offset'] : ['xyz', 'octahedral']
      if (!fits.includes(layer.content)) return `${layer.file} holds ${layer.content} and cannot have the role ${role}`
      if (layer.channels.length !== channels || layer.scale.length !== channels || layer.offset.length !== channels) {
        return `${layer.file} needs ${channels} channels, scales and offsets for ${layer.content}`
      }
      const needed = Math.max(...clips.map((clip) => clip.firstRow + clip.frameCount * rows))
      if (layer.baseRow + needed > layer.height || layout.columnsPerRow > layer.width) {
        return `${layer.file} is too small for its ${sidecar.frameCount} frames`
      }
    }
  }

  for (const { name, frameCount, fps, duration, loop } of clips) {
    const steps = loop ? frameCount : frameCount - 1
    if (frameCount > 1 && Math.abs(steps / fps - duration) > 1e-6 * Math.max(duration, 1e-6)) {
      return `the clip "${name}" does not last ${duration} s with ${frameCount} frames at ${fps} fps`
    }
  }
  return null
}
