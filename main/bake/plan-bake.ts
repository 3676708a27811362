import { join } from 'node:path'
import type { PlanResult, Work } from './contract.ts'
import type { BakeOptions } from './options.ts'
import { gpuBytes } from './plan.ts'
import { prepareBake, sidecarLayout, type Preparation } from './prepare.ts'

/**
 * Plans a bake without making it: what `--dry-run` shows.
 *
 * @param model path of the model
 * @throws Problem as `prepareBake`
 */
export async function* planBake(model: string, options: BakeOptions): Work<PlanResult> {
  yield { stage: 'reading', done: 0, total: 0 }
  return describePlan(yield* prepareBake(model, options), options)
}

function describePlan(preparation: Preparation, options: BakeOptions): PlanResult {
  const { loaded, clips, encoding, layout, meshes, files, folder, name, choices, warnings } = preparation
  const texture = (role: string, index: number) => ({
    role,
    file: join(folder, files.textures[index]),
    width: layout.width,
    height: layout.height,
    bytes: gpuBytes(encoding, layout.width, layout.height, preparation.bytesApart),
  })
  return {
    name,
    folder,
    vertexCount: preparation.evaluator.vertexCount,
    columnCount: layout.columnCount,
    clips: clips.map(({ name, start, duration, frameCount, fps, loop, seam, blend }) => (
      { name, start, duration, frameCount, fps, loop, seam, blend }
    )),
    layout: sidecarLayout(preparation, options),
    encoding,
    textures: preparation.textures.map(({ role }, index) => texture(role, index)),
    waste: preparation.waste,
    choices,
    meshes: meshes.map((index) => loaded.model.meshes[index].name),
    external: loaded.external ?? [],
    warnings,
  }
}
