import { expect, test } from 'vitest'
import { WarningList } from '../../main/readers/warnings.ts'

test('what happens several times is one warning with its count', () => {
  const warnings = new WarningList()
  warnings.add('lost', 'Lost # node|nodes')
  warnings.add('lost', 'Lost # node|nodes', 4)
  expect(warnings.list()).toEqual([{ code: 'lost', count: 5, message: 'Lost 5 nodes.' }])
})

test('the words fit the count', () => {
  const warnings = new WarningList()
  warnings.add('one', 'Moved # vertex|vertices')
  expect(warnings.list()[0].message).toBe('Moved 1 vertex.')
})

test('nothing is noted for a count of 0', () => {
  const warnings = new WarningList()
  warnings.add('none', 'Lost # node|nodes', 0, 'somewhere')
  expect(warnings.list()).toEqual([])
})

test('the sentence names up to three examples, each once', () => {
  const warnings = new WarningList()
  for (const name of ['a', 'b', 'a']) warnings.add('few', 'Lost # file|files', 1, name)
  for (const name of ['a', 'b', 'c', 'd']) warnings.add('many', 'Lost # file|files', 1, name)
  warnings.add('unnamed', 'Lost # file|files', 2, undefined)
  expect(warnings.list().map(({ message }) => message)).toEqual([
    'Lost 3 files: a, b.',
    'Lost 4 files: a, b, c and others.',
    'Lost 2 files.',
  ])
})
