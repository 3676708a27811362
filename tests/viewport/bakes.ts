import { join, resolve } from 'node:path'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult } from '../../main/bake/contract.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import type { ViewMode } from '../../renderer/viewport/view.ts'
import type { Harness } from './serve.ts'

let bakes = 0

/** Bakes a clip of a sample model and opens the model and the bake in the page. */
export async function openBoth({ page, grants, folder }: Harness, file: string, options: BakeOptionsInput): Promise<BakeResult> {
  const path = resolve('resources/samples', file)
  const work = bake(path, bakeOptions.parse({ ...options, output: join(folder, String(bakes++)) }))
  let step = await work.next()
  while (!step.done) step = await work.next()
  const result = step.value
  grants.add(file, path)
  grants.add(result.sidecarFile, result.sidecarFile)
  const { index } = result.sidecar.clips[0]
  await page.evaluate(
    async ([model, bake, clip]) => {
      window.harness.set({ bake: null })
      await window.harness.open(model)
      window.harness.set({ clip })
      await window.harness.openBake(bake)
    },
    [file, result.sidecarFile, index] as const,
  )
  return result
}

/** How the frames of two modes differ at a time of the clip. */
export const compare = ({ page }: Harness, time: number, one: ViewMode, other: ViewMode, limit = 2) =>
  page.evaluate(
    async ([time, one, other, limit]) => {
      await window.harness.capture('one', time, one)
      await window.harness.capture('other', time, other)
      return window.harness.compare('one', 'other', limit)
    },
    [time, one, other, limit] as const,
  )
