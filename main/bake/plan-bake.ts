import { join } from 'node:path'
import type { PlanResult, Work } from './contract.ts'
import type { BakeOptions } from './options.ts'
import { gpuBytes } from './plan.ts'
import { prepareBake, type Preparation } from './prepare.ts'

/**
 * Plans a bake without making it: what `--dry-run` shows.
 *
 * @param model path of the model
 * @throws Problem as `prepareBake`
 */
export async function* planBake(model: string, options: BakeOptions): Work<PlanResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  return describePlan(await prepareBake(model, options), options)
}

function describePlan(preparation: Preparation, options: BakeOptions): PlanResult {
  const { loaded, clips, layout, meshes, files, name, warnings } = preparation
  const texture = (role: string, file: string) => ({
    role,
    file: join(options.output, file),
    width: layout.width,
    height: layout.height,
    bytes: gpuBytes(options.encoding, layout.width, layout.height),
  })
  return {
    name,
    folder: options.output,
    vertexCount: preparation.evaluator.vertexCount,
    columnCount: layout.columnCount,
    clips: clips.map(({ name, start, duration, frameCount, fps, loop, seam }) => ({ name, start, duration, frameCount, fps, loop, seam })),
    layout: { columnsPerRow: layout.columnsPerRow, rowsPerFrame: layout.rowsPerFrame, orientation: 'frames-y', guardRows: 0 },
    textures: [texture('position', files.position), ...(files.normal ? [texture('normal', files.normal)] : [])],
    meshes: meshes.map((index) => loaded.model.meshes[index].name),
    warnings,
  }
}
