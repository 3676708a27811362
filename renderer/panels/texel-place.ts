import type { Sidecar, SidecarTexture } from '../../main/bake/sidecar.ts'
import { frameRow } from '../viewport/decode-frame.ts'

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
export function texelPlace(sidecar: Pick<Sidecar, 'layout' | 'clips' | 'columnCount'>, texture: Pick<SidecarTexture, 'baseRow' | 'baseColumn'>, x: number, y: number): TexelPlace | null {
  const { columnsPerRow, rowsPerFrame, orientation } = sidecar.layout
  const [along, down] = orientation === 'frames-x' ? [y, x] : [x, y]
  const across = along - texture.baseColumn
  const row = down - texture.baseRow
  if (across < 0 || across >= columnsPerRow || row < 0) return null
  for (const [index, clip] of sidecar.clips.entries()) {
    const rowOf = (frame: number) => frameRow(sidecar, index, frame)
    const rows = Array.from({ length: clip.frameCount }, (_, at) => rowOf(at))
    const frame = rows.findIndex((first) => row >= first && row < first + rowsPerFrame)
    if (frame < 0) continue
    const column = (row - rowOf(frame)) * columnsPerRow + across
    return column < sidecar.columnCount ? { column, frame, clip: index, time: clip.start + frame / clip.fps } : null
  }
  return null
}
