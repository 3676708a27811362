import { rowOf } from './layers.ts'
import type { Sidecar } from './sidecar.ts'

/** Channels that each content takes, by the role that may have it. */
const CHANNELS: Record<string, Record<string, number>> = {
  position: { position: 3, offset: 3 },
  normal: { xyz: 3, octahedral: 2, octahedral8: 1, octahedral12: 1 },
  tangent: { xyz: 4 },
}

/**
 * Whether a sidecar agrees with itself, beyond what its schema can say: sizes, sums, rates, and a layout that can be read back.
 *
 * @returns a sentence that says where it does not, or null
 */
export function findContradiction(sidecar: Sidecar): string | null {
  const { layout, clips, textures, meshes } = sidecar
  const rows = Math.ceil(sidecar.columnCount / layout.columnsPerRow)
  if (sidecar.columnCount > sidecar.vertexCount) return 'columnCount is larger than vertexCount'
  if (layout.rowsPerFrame !== rows) return `rowsPerFrame is ${layout.rowsPerFrame}, and ${rows} follow from columnCount and columnsPerRow`
  if (layout.guardRows % rows !== 0) return `guardRows is ${layout.guardRows}, and a frame takes ${rows} rows`

  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  if (sum(clips.map(({ frameCount }) => frameCount)) !== sidecar.frameCount) return 'frameCount is not the sum of the frames of all clips'
  if (sum(meshes[0].submeshes.map(({ vertexCount }) => vertexCount)) !== sidecar.vertexCount) {
    return 'vertexCount is not the sum of the vertices of all sub-meshes'
  }
  for (const { name, frameCount, frameRows } of clips) {
    if (frameRows && layout.guardRows > 0) return `the clip "${name}" has frameRows, which cannot have guard rows`
    if (frameRows && frameRows.length !== frameCount) return `the clip "${name}" has ${frameCount} frames and ${frameRows.length} frameRows`
  }

  // Nothing is walked through frame by frame that is not there: a sidecar may claim any number of frames.
  const lastRows = clips.map((clip) => (clip.frameRows ?? [rowOf(clip, clip.frameCount - 1, rows)]).reduce((a, b) => Math.max(a, b)))
  const needed = lastRows.reduce((a, b) => Math.max(a, b)) + rows + layout.guardRows
  const unguarded = clips.find(({ firstRow }) => firstRow < layout.guardRows)
  if (unguarded) return `the clip "${unguarded.name}" begins at row ${unguarded.firstRow} and has no room for ${layout.guardRows} guard rows before it`
  for (const role of Object.keys(CHANNELS)) {
    const layers = textures.filter((texture) => texture.role === role)
    if (layers.length > 1 || (role === 'position' && layers.length === 0)) return `it has ${layers.length} layers of role ${role}`
    for (const layer of layers) {
      const channels = CHANNELS[role][layer.content]
      if (channels === undefined) return `${layer.file} holds ${layer.content} and cannot have the role ${role}`
      if (layer.channels.length !== channels || layer.scale.length !== channels || layer.offset.length !== channels) {
        return `${layer.file} needs ${channels} channels, scales and offsets for ${layer.content}`
      }
      // The lower half holds the low bytes of the upper one.
      const height = layer.type === 'unorm8x2' ? layer.height / 2 : layer.height
      if (!Number.isInteger(height)) return `${layer.file} has ${layer.height} rows, and two halves of bytes need an even number`
      const [along, beside] = layout.orientation === 'frames-x' ? [layer.width, height] : [height, layer.width]
      if (layer.baseRow + needed > along || layer.baseColumn + layout.columnsPerRow > beside) {
        return `${layer.file} is too small for its ${sidecar.frameCount} frames`
      }
      // Twice as long on each side where these are powers of two: what is larger would be decoded for nothing.
      const layersInFile = textures.filter((texture) => texture.file === layer.file).length
      const room = needed * layout.columnsPerRow * layersInFile
      if (layer.width * height > 4 * room) {
        return `${layer.file} has ${layer.width} × ${layer.height} pixels, and its frames take ${room} of them`
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
