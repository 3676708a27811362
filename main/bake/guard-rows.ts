import type { VerifyResult } from './contract.ts'
import { openLayers } from './layers.ts'
import { planBlocks } from './plan.ts'
import type { Unreported } from './sidecar.ts'

/**
 * Compares every guard frame of a written bake with the frame that it repeats: what filters between rows mixes it in.
 *
 * @param set that does not contradict itself
 * @returns the first one that is another, or null
 */
export async function findWrongGuard(folder: string, set: Unreported): Promise<VerifyResult['damaged'][number] | null> {
  const { layout, clips, columnCount } = set
  const guards = layout.guardRows / layout.rowsPerFrame
  if (guards === 0) return null
  const columns = Uint32Array.from({ length: columnCount }, (_, column) => column)
  const address = {
    x: columns.map((column) => column % layout.columnsPerRow),
    r: columns.map((column) => Math.floor(column / layout.columnsPerRow)),
  }
  const readers = openLayers(folder, set, address, new Float32Array(columnCount * 3))
  try {
    for (const { role, file } of set.textures) {
      const layer = await readers.layer(role)
      if (!layer) continue
      const [guard, repeated] = [new Float64Array(columnCount * layer.size), new Float64Array(columnCount * layer.size)]
      for (const clip of clips) {
        const fromGuard = { firstRow: clip.firstRow - layout.guardRows }
        for (const [block, { frame }] of planBlocks([clip], guards).blocks.entries()) {
          if (block === guards + frame) continue
          await layer.decode(fromGuard, block, guard)
          await layer.decode(clip, frame, repeated)
          const isSame = guard.every((value, i) => value === repeated[i])
          if (!isSame) return { file, problem: `has a guard row of "${clip.name}" that does not repeat frame ${frame}` }
        }
      }
    }
    return null
  } finally {
    await readers.close()
  }
}
