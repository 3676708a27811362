import { expect, test } from 'vitest'
import { shortened } from '../../main/model/shortened.ts'

test.each([
  ['Body', 'Body'],
  ['', ''],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['🏃'.repeat(61), `${'🏃'.repeat(59)}…`],
  ['two\nlines\r', 'two\ufffdlines\ufffd'],
  ['\u001b[2Jgone\u009b1m', '\ufffd[2Jgone\ufffd1m'],
  ['Run\u202egnp', 'Run\ufffdgnp'],
])('%j stands in a sentence as %j', (text, short) => {
  expect(shortened(text)).toBe(short)
})

test('a length may be given', () => {
  expect(shortened('abcdef', 4)).toBe('abc…')
})

test('of many megabytes only the beginning is looked at', () => {
  const begin = performance.now()
  expect(shortened('\n'.repeat(100_000_000)).length).toBe(60)
  expect(performance.now() - begin).toBeLessThan(1000)
})
