import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkLimit, DEFAULT_LIMITS, LIMIT_NAMES, LIMIT_PATTERN, limitsOf } from '../../main/model/limits.ts'
import { Problem } from '../../main/model/problem.ts'

test('a limit is moved by its name; of several for one name the last counts', () => {
  expect(limitsOf()).toEqual(DEFAULT_LIMITS)
  expect(limitsOf(['vertices=5', 'frames=7', 'vertices=6'])).toEqual({ ...DEFAULT_LIMITS, vertices: 6, frames: 7 })
  expect(DEFAULT_LIMITS.vertices).not.toBe(6)
})

test.each(['vertices', 'vertices=', 'vertices=-1', 'vertices=1e9', 'vertices=1.5', 'polygons=1', '=1', 'vertices=1 ', 'vertices=9999999999999999'])(
  '%j is no limit',
  (text) => {
    expect(LIMIT_PATTERN.test(text)).toBe(false)
    expect(() => limitsOf([text])).toThrow(TypeError)
  },
)

test('what is above a limit is refused with both numbers and the flag that allows it; what is at it passes', () => {
  const limits = limitsOf(['vertices=2000'])
  expect(() => checkLimit('fox.glb', limits, 'vertices', 2000)).not.toThrow()
  const error = (() => {
    try {
      checkLimit('fox.glb', limits, 'vertices', 2001)
    } catch (error) {
      return error
    }
  })()
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    kind: 'limit',
    message: 'fox.glb has 2,001 vertices in its scene, and at most 2,000 are allowed. Simplify the model, or allow more with --limit vertices=2001.',
  })
})

test('parts of a megabyte count as one, so that the flag that is named is enough', () => {
  expect(() => checkLimit('a.glb', limitsOf(['file-size=1']), 'file-size', 1.2)).toThrow('a.glb has 2 megabytes')
})

test('the page on limits lists each with its default', () => {
  const page = readFileSync('resources/docs/limits.md', 'utf8')
  const rows = [...page.matchAll(/^\| ([a-z-]+) \| ([\d,]+) \|/gm)].map(([, name, most]) => [name, Number(most.replaceAll(',', ''))])
  expect(Object.fromEntries(rows)).toEqual(DEFAULT_LIMITS)
  expect(rows.map(([name]) => name).sort()).toEqual([...LIMIT_NAMES].sort())
})
