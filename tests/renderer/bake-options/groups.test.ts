import { expect, it } from 'vitest'
import { optionKeys } from '../../../renderer/bake-options/describe-option.ts'
import { ELSEWHERE, optionGroups } from '../../../renderer/bake-options/groups.ts'

it('every option of the schema has one place: a row of the bake panel, or a list of the model', () => {
  const rows = optionGroups().flatMap((group) => group.rows.flatMap(({ options }) => options))
  expect([...rows, ...Object.keys(ELSEWHERE)].sort()).toEqual([...optionKeys].sort())
})

it('an option that no row names follows the one before it in the schema', () => {
  const groupOf = (key: string) => optionGroups().find(({ rows }) => rows.some(({ options }) => (options as string[]).includes(key)))?.name
  expect(groupOf('loop')).toBe('time')
  expect(groupOf('tangents')).toBe('encoding')
  expect(groupOf('pot')).toBe('layout')
})
