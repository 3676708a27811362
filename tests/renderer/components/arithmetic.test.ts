import { describe, expect, it } from 'vitest'
import { workOut } from '../../../renderer/components/arithmetic.ts'

describe('what is typed into a number field', () => {
  it.each([
    ['30', 30], ['1.158/2', 0.579], ['2+3*4', 14], ['(2+3)*4', 20], ['-1.5', -1.5], ['2--1', 3], ['1,599', 1599], ['0,5', 0.5], ['.5', 0.5], ['1e3', 1000], [' 3 × 4 ', 12], ['12÷4', 3],
  ])('%s is %d', (text, value) => {
    expect(workOut(text)).toBeCloseTo(value, 12)
  })

  it.each(['', 'abc', '1+', '(1', '1)', '2 3x', '1/0', 'alert(1)', '--', '1..2'])('%j is no number', (text) => {
    expect(workOut(text)).toBeUndefined()
  })
})
