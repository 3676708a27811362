import type { Sidecar, SidecarTexture } from '../../main/bake/sidecar.ts'

/** What a texel of a bake holds. */
export interface TexelPlace {
  column: number
  /** Frame of the clip, from 0. */
  frame: number
  clip: number
  /** Seconds on the clip's own time line. */
  time: number
}

/** Which column and frame a texel holds by the rule of the format, or null where it holds none. */
export function texelPlace(sidecar: Pick<Sidecar, 'layout' | 'clips' | 'columnCount'>, texture: Pick<SidecarTexture, 'baseRow'>, x: number, y: number): TexelPlace | null {
  const { columnsPerRow, rowsPerFrame, orientation } = sidecar.layout
  const [across, down] = orientation === 'frames-x' ? [y, x] : [x, y]
  const row = down - texture.baseRow
  if (across >= columnsPerRow || row < 0) return null
  for (const [index, clip] of sidecar.clips.entries()) {
    const inside = row - clip.firstRow
    if (inside < 0 || inside >= clip.frameCount * rowsPerFrame) continue
    const frame = Math.floor(inside / rowsPerFrame)
    const column = (inside % rowsPerFrame) * columnsPerRow + across
    return column < sidecar.columnCount ? { column, frame, clip: index, time: clip.start + frame / clip.fps } : null
  }
  return null
}
