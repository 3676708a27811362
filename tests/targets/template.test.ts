import { expect, it } from 'vitest'
import { fillTemplate } from '../../main/targets/template.ts'

it('fills every slot, as often as it stands there, and takes texts as they are', () => {
  expect(fillTemplate('a {{x}} b {{x}} {{y}}', { x: '$& {{y}}', y: '2' })).toBe('a $& {{y}} b $& {{y}} 2')
})

it('takes a slot without a text and a text without a slot for defects', () => {
  expect(() => fillTemplate('{{x}}', {})).toThrow('no text for the slot x')
  expect(() => fillTemplate('', { x: '' })).toThrow('no slot x')
})
