import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { bakeClips, expectedClips, truthJobOf, type ExpectedClip } from './bake-corpus.ts'
import { compareNormals } from './compare.ts'
import { bakeableModels } from './corpus.ts'
import { describeWithEngines } from './engine.ts'
import { printTable } from './print-table.ts'

/** Samples a second. Few: what is tested is the arithmetic of a normal, which does not depend on the time. */
const FPS = 4

/** The ways to store normals, and how far they may be off in degrees. Float normals are tested with the positions. */
const KINDS: { encoding: BakeOptionsInput['encoding']; normals: BakeOptionsInput['normals']; limit: number }[] = [
  { encoding: 'rgba8', normals: 'xyz', limit: 1 },
  { encoding: 'rgba8', normals: 'octahedral', limit: 1 },
  { encoding: 'rgba16', normals: 'xyz', limit: 0.05 },
  { encoding: 'rgba16', normals: 'octahedral', limit: 0.05 },
]

describeWithEngines('normals of every clip of the corpus', () => {
  const models = bakeableModels().filter(({ hasNormals }) => hasNormals)
  let expected: Map<string, ExpectedClip[]>
  /** By model: how many normals were compared and how many left out, then the worst of each kind in degrees. */
  const rows = new Map<string, string[]>()

  beforeAll(async () => {
    expected = await expectedClips(models, { fps: FPS })
  })
  afterAll(() => {
    const kinds = KINDS.map(({ encoding, normals }) => `${encoding} ${normals} °`)
    printTable(['file', 'normals', 'without a true one', ...kinds], [...rows].map(([name, row]) => [name, ...row]))
  })

  describe.each(KINDS)('as $encoding $normals', ({ encoding, normals, limit }) => {
    it.each(models.map((model) => [model.name, model] as const))(`%s is within ${limit} degrees`, async (_, model) => {
      const baked = await bakeClips(model, { fps: FPS, encoding, normals })
      const clips = expected.get(model.name)!
      expect(baked.map(truthJobOf)).toEqual(clips.map(({ job }) => job))
      const results = baked.map((clip, i) => compareNormals(clip, clips[i].truth))
      const compared = results.reduce((sum, result) => sum + result.compared, 0)
      const untold = results.reduce((sum, result) => sum + result.untold, 0)
      const degrees = Math.max(...results.map((result) => result.degrees))
      rows.set(model.name, [...(rows.get(model.name) ?? [String(compared), String(untold)]), degrees.toPrecision(3)])
      expect(compared).toBeGreaterThan(0)
      expect(degrees).toBeLessThanOrEqual(limit)
    })
  })
})
