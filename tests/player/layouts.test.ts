/**
 * Every layout is decoded by the one rule of resources/docs/vat-format.md: random models of known trajectories are baked in every
 * combination of options, and the player that was written from that page finds every vertex of every frame where it has to be.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'
import { bakery } from './bakes.ts'
import { expectExact, keeping } from './exact.ts'
import { loadSet } from './player.ts'
import { anyModel, buildModel } from './random-model.ts'
import { readTruth } from './truth.ts'

const { bake, verify, write } = bakery()

const bothBetween = { guardRows: 1, dedupeFrames: true }

/** Options of which every combination has to work, or to be refused. */
const further = fc.record({
  stack: fc.boolean(),
  pot: fc.boolean(),
  tangents: fc.boolean(),
  columns: fc.constantFrom('vertex' as const, 'shared' as const),
  rest: fc.constantFrom('rest' as const, 'first-frame' as const),
  between: fc.constantFrom<BakeOptionsInput>({}, { guardRows: 1 }, { guardRows: 3 }, { dedupeFrames: true }, bothBetween),
  maxSize: fc.constantFrom(8192, 64, 37),
  loop: fc.constantFrom('auto', 'on', 'off'),
  frames: fc.constantFrom(undefined, 1, 5),
  scale: fc.constantFrom(1, 100),
  // The one cuts 16 bits in two.
  target: fc.constantFrom('agnostic' as const, 'godot' as const),
})

/** The sentence with which a combination is refused, or null where it makes sense. */
function refusalOf({ encoding, normals, tangents, stack, guardRows = 0, dedupeFrames, target }: BakeOptionsInput): RegExp | null {
  if (normals === 'packed' && (encoding === 'rgba8' || encoding === 'exr16')) return /--normals packed .* alpha channel, and that of \w+ is too small/
  if (stack && !tangents && (normals === 'none' || normals === 'packed')) return /--stack has nothing to put below the positions/
  if (dedupeFrames && guardRows > 0) return /--dedupe-frames .* guard rows/
  if (dedupeFrames && target === 'godot') return /--dedupe-frames needs a table of rows/
  return null
}

const combinations = (['frames-y', 'frames-x'] as const).flatMap((orientation) =>
  (['rgba8', 'rgba16', 'exr16', 'exr'] as const).flatMap((encoding) =>
    (['position', 'offset'] as const).flatMap((content) =>
      (['none', 'xyz', 'octahedral', 'packed'] as const).map((normals) => ({ orientation, encoding, content, normals })))))
  .map((combination, seed) => ({ combination, seed, title: Object.values(combination).join(', ') }))

describe('random models are decoded to within the bound of the encoding', () => {
  it.each(combinations)('in $title', async ({ combination, seed }) => {
    await fc.assert(fc.asyncProperty(anyModel, further, async (choice, { between, ...rest }) => {
      const file = await write('model.glb', buildModel(choice))
      const options: BakeOptionsInput = { all: true, fps: 10, ...combination, ...rest, ...between }
      const refusal = refusalOf(options)
      if (refusal) {
        await expect(bake(file, options)).rejects.toThrow(refusal)
        return
      }
      const { sidecarFile } = await bake(file, options).catch(async (error: unknown) => {
        // What does not fit says what would.
        const size = error instanceof Problem && error.kind === 'limit' && /with --max-size (\d+)\.$/.exec(error.message)
        if (!size) throw error
        await expect(bake(file, { ...options, maxSize: Number(size[1]) - 1 })).rejects.toThrow(/does not fit/)
        return bake(file, { ...options, maxSize: Number(size[1]) })
      })
      const set = await loadSet(sidecarFile)
      for (const { width, height } of set.sidecar.textures) {
        if (rest.pot) expect([Math.log2(width) % 1, Math.log2(height) % 1]).toEqual([0, 0])
      }
      expectExact(set, keeping(readTruth(file)))
      expect(await verify(sidecarFile, file)).toMatchObject({ damaged: [], asReported: true, report: set.sidecar.report })
    }), { seed, numRuns: 6 })
  })
})
