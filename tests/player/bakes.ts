/** Bakes for the tests of the player, each in a folder of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import type { BakeResult, VerifyResult, Work } from '../../main/bake/contract.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { verify } from '../../main/bake/verify.ts'

export const sample = (file: string) => join(import.meta.dirname, '../../resources/samples', file)

/** Does all of a piece of work. */
export async function run<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

/** What bakes into folders under a temporary one, which is removed after the tests of a file. */
export function bakery() {
  let folder: string
  let bakes = 0
  beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'vat-player-')) })
  afterAll(() => rm(folder, { recursive: true }))
  return {
    bake: (model: string, options: BakeOptionsInput): Promise<BakeResult> =>
      run(bake(model, bakeOptions.parse({ output: join(folder, String(bakes++)), ...options }))),
    verify: (sidecarFile: string, model: string): Promise<VerifyResult> => run(verify(sidecarFile, { model })),
    /** Writes a model into the folder; returns its path. */
    async write(name: string, bytes: Uint8Array | string): Promise<string> {
      const file = join(folder, name)
      await writeFile(file, bytes)
      return file
    },
  }
}
