import { describe, expect, it } from 'vitest'
import { type BakeOptions, bakeOptions, type Target, TARGETS } from '../../../main/bake/options.ts'
import { targetOf } from '../../../main/targets/targets.ts'
import { assume, consequencesOf, type KnownClip } from '../../../renderer/estimate/consequences.ts'
import { findProblems } from '../../../renderer/estimate/problems.ts'

const options = (changes: Partial<BakeOptions> = {}) => assume(bakeOptions.parse(changes), [])
const clip = (changes: Partial<KnownClip> = {}): KnownClip => ({
  name: 'Run', index: 0, start: 0, end: 10, measured: { seam: 0, endsDiagonal: 2, box: { min: [0, 0, 0], max: [2, 0, 0] }, offsets: { min: [0, 0, 0], max: [1, 0, 0] } }, ...changes,
})
const small = { vertexCount: 1000 }

function isKnown(target: Target): boolean {
  try {
    return targetOf(target).name === target
  } catch {
    return false
  }
}

describe('problems', () => {
  it('are none for what can be baked', () => {
    expect(findProblems(small, [[clip()]], options())).toEqual([])
  })

  it('name a target that has no package yet, with the way out', () => {
    for (const target of TARGETS) {
      if (isKnown(target)) {
        expect(findProblems(small, [[clip()]], options({ target }))).toEqual([])
        continue
      }
      const [problem, ...others] = findProblems(small, [[clip()]], options({ target }))
      expect(others).toEqual([])
      expect(problem).toMatchObject({ field: 'target', severity: 'bad' })
      expect(findProblems(small, [[clip()]], options({ target, ...problem.fixes[0].change }))).toEqual([])
    }
  })

  it('tell a range that is empty or outside, and lead back to the whole clip', () => {
    for (const range of [{ start: 5, end: 2 }, { start: 20, end: 30 }, { end: -4 }]) {
      const [problem] = findProblems(small, [[clip()]], options(range))
      expect(problem.field).toBe('start')
      expect(problem.text).toContain('10.000')
      expect(findProblems(small, [[clip()]], options({ ...range, ...problem.fixes[0].change }))).toEqual([])
    }
  })

  it('tell what is too tall with the numbers, and every fix mends it', () => {
    const crowd = { vertexCount: 41_216 }
    const asked = { maxSize: 2048, fps: 30 }
    const [problem] = findProblems(crowd, [[clip()]], options(asked))
    expect(problem.text).toBe('6,300 px are needed and 2,048 px allowed: 300 frames of 21 rows each.')
    expect(problem.fixes.length).toBe(2)
    for (const fix of problem.fixes) {
      const mended = options({ ...asked, ...fix.change })
      expect(findProblems(crowd, [[clip()]], mended)).toEqual([])
      expect(() => consequencesOf({ ...crowd, meshBytes: 0 }, [clip()], mended)).not.toThrow()
    }
    // The rate is the highest that fits.
    expect(findProblems(crowd, [[clip()]], options({ ...asked, fps: Number(problem.fixes[0].change.fps) + 1 }))).toHaveLength(1)
  })

  it('tell that several clips are too tall together, and lead to a bake for each', () => {
    const clips = [clip(), clip({ name: 'Walk', index: 1 })]
    const asked = options({ maxSize: 512 })
    const [problem, ...others] = findProblems({ vertexCount: 500 }, [clips], asked)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ field: 'maxSize', headline: 'The bake of 2 clips is too tall for 512' })
    expect(problem.fixes.some(({ separately }) => separately)).toBe(true)
    expect(findProblems({ vertexCount: 500 }, clips.map((one) => [one]), asked)).toEqual([])
  })

  it('offer nothing where nothing helps', () => {
    const [problem] = findProblems({ vertexCount: 400_000_000 }, [[clip()]], options())
    expect(problem.fixes).toEqual([])
    expect(problem.text).toContain('Leave out meshes')
  })

  it('warn of an encoding that will hardly hold the error limit, and name one that does', () => {
    const [problem] = findProblems(small, [[clip()]], options({ encoding: 'rgba8', maxError: '0.5mm' }))
    expect(problem).toMatchObject({ field: 'encoding', severity: 'warn', fixes: [{ change: { encoding: 'exr16' } }] })
    expect(findProblems(small, [[clip()]], options({ encoding: 'exr16', maxError: '0.5mm' }))).toEqual([])
  })
})
