import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeFileName, safeFileNames } from '../../main/bake/file-name.ts'

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
  ['Con .txt', '_Con .txt'],
  ['CONIN$', '_CONIN$'],
  ['COM¹', '_COM¹'],
  ['console', 'console'],
  ['Run\u202egnp.exe', 'Run_gnp.exe'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['x'.repeat(300), 'x'.repeat(100)],
  [`${'x'.repeat(98)} . y`, 'x'.repeat(98)],
  ['C:\\Windows\\run', 'C__Windows_run'],
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

it.each([
  [['Run', 'run', 'RUN'], ['Run', 'run_2', 'RUN_3']],
  [['a/b', 'a:b', 'a_b'], ['a_b', 'a_b_2', 'a_b_3']],
  [['Run', 'run', 'Run_2'], ['Run', 'run_3', 'Run_2']],
  [['Run_2', 'run', 'Run'], ['Run_2', 'run', 'Run_3']],
  [['', '..', 'Walk'], ['bake', 'bake_2', 'Walk']],
  [['caf\u00e9', 'cafe\u0301'], ['café', 'café_2']],
  [['Straße', 'STRASSE'], ['Straße', 'STRASSE_2']],
  [['walk', 'wa\u200dlk'], ['walk', 'wa\u200dlk_2']],
  [['x'.repeat(300), 'x'.repeat(200)], ['x'.repeat(100), `${'x'.repeat(100)}_2`]],
])('%j become %j', (names, safe) => {
  expect(safeFileNames(names, 'bake')).toEqual(safe)
})

it('never gives two names that a disk takes for one', () => {
  const name = fc.oneof(fc.constantFrom('a', 'A', 'a_2', 'A_2', 'a_3', '', 'a/', 'a.'), fc.string({ unit: 'binary', maxLength: 5 }))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      const safe = safeFileNames(names, 'a')
      expect(new Set(safe.map((one) => one.normalize('NFKC').toLowerCase())).size).toBe(names.length)
    }),
  )
})

it('is quick for thousands of the same name', () => {
  expect(new Set(safeFileNames(new Array<string>(20_000).fill('run'), 'bake')).size).toBe(20_000)
})
