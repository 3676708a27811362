import { expect, it } from 'vitest'
import { type BakeOptions, bakeOptions } from '../../../main/bake/options.ts'
import { combinationProblem } from '../../../renderer/estimate/combination-problem.ts'

const problemOf = (changes: Partial<BakeOptions>) => combinationProblem(bakeOptions.parse(changes))

it('is none for what goes together', () => {
  expect(problemOf({})).toBeNull()
  expect(problemOf({ normals: 'packed', encoding: 'exr', fps: 'auto', maxError: '1mm' })).toBeNull()
})

it.each<[Partial<BakeOptions>, field: keyof BakeOptions, ways: string[]]>([
  [{ normals: 'packed' }, 'normals', ['Use Encoding PNG 16-bit', 'Use Normals Octahedral', 'Use Normals Vector']],
  [{ stack: true }, 'stack', ['Turn on Tangents', 'Use Normals Vector', 'Leave out Stack']],
  [{ fps: 'auto' }, 'fps', ['Use Error limit 0.1%', 'Use Frame rate 30\u00a0fps']],
  [{ encoding: 'auto' }, 'encoding', ['Use Error limit 0.1%', 'Use Encoding EXR half']],
  [{ dedupeFrames: true, guardRows: 2 }, 'dedupeFrames', ['Leave out Equal frames']],
])('of %o is said in the words of the window, beside its field, with ways out that mend it', (changes, field, ways) => {
  const problem = problemOf(changes)!
  expect(problem.field).toBe(field)
  expect(problem.headline + problem.text).not.toContain('--')
  expect(problem.fixes.map(({ label }) => label).sort()).toEqual(ways.sort())
  for (const { change } of problem.fixes) expect(problemOf({ ...changes, ...change })).toBeNull()
})
