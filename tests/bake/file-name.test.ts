import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeFileName } from '../../main/bake/file-name.ts'

it.each([
  ['Run', 'Run'],
  ['Armature|Walk', 'Armature_Walk'],
  ['a/b\\c', 'a_b_c'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'bake'],
  ['', 'bake'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['walk. ', 'walk'],
  ['走る 🏃', '走る 🏃'],
  ['tab\there', 'tab_here'],
  ['lone \ud800 surrogate', 'lone _ surrogate'],
])('%j becomes %j', (name, safe) => {
  expect(safeFileName(name, 'bake')).toBe(safe)
})

it('cuts long names between characters', () => {
  const safe = safeFileName('é'.repeat(300), 'bake')
  expect(safe).toBe('é'.repeat(50))
})

it('always gives a single, usable path component', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = safeFileName(name, 'bake')
      expect(safe).not.toMatch(/[/\\:*?"<>|\0]/)
      expect(safe).not.toMatch(/^[. ]|[. ]$/)
      expect(safe.length).toBeGreaterThan(0)
      expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(101)
    }),
  )
})
