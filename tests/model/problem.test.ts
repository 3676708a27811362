import { expect, test } from 'vitest'
import { Problem } from '../../main/model/problem.ts'

test('a sentence that quotes a file does not tell the terminal what to do', () => {
  const { message } = new Problem('input', 'a.obj is broken: line 7 uses 1\u0000\u001b[2J\n, but there are 3. Export it again.')
  expect(message).toBe('a.obj is broken: line 7 uses 1\uFFFD[2J\uFFFD, but there are 3. Export it again.')
})
