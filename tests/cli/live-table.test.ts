import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startLiveTable, tableLines } from '../../main/cli/live-table.ts'
import { Written } from './fake-shell.ts'

test('the lines are what runs and how much is over, as wide as the terminal at most', () => {
  const lines = tableLines(
    [
      { name: 'Fox.glb', progress: { stage: 'encoding', done: 42, total: 100 } },
      { name: `${'long '.repeat(9)}.glb`, progress: null },
      { name: 'evil\u001b[2J.glb', progress: null },
    ],
    { over: 3, failed: 1, count: 40 },
    80,
  )
  expect(lines[0]).toMatch(/^Fox\.glb {23}█████░{7} {3}42 % {2}Encoding the textures$/)
  expect(lines[1]).toMatch(/^long long long long long lo… .* 0 % {2}Comparing$/)
  expect(lines[2]).not.toContain('\u001b')
  expect(lines[3]).toBe('3 of 40 over, 1 failed')
  expect(tableLines([{ name: 'Fox.glb', progress: null }], { over: 0, failed: 0, count: 1 }, 20).every((line) => line.length < 20)).toBe(true)
})

test('is drawn below the lines that are written meanwhile, and is gone in the end', async () => {
  const terminal = new Written()
  terminal.isTTY = true
  const table = startLiveTable(terminal, 2, false)
  table.tell({ type: 'started', index: 0, file: '/models/Fox.glb' })
  await wait(250)
  expect(terminal.text).toMatch(/Fox\.glb .*\n0 of 2 over\n/)
  table.aside(() => terminal.write('a line\n'))
  // Two rows up, and everything below is cleared before the line.
  expect(terminal.text.endsWith('\u001b[2A\u001b[Ja line\n')).toBe(true)
  await wait(250)
  table.end()
  expect(terminal.text.endsWith('\u001b[2A\u001b[J')).toBe(true)
})

test('is not drawn where nobody watches', async () => {
  for (const [isTTY, quiet] of [[false, false], [true, true]]) {
    const stream = new Written()
    stream.isTTY = isTTY
    const table = startLiveTable(stream, 1, quiet)
    table.tell({ type: 'started', index: 0, file: 'Fox.glb' })
    await wait(150)
    table.aside(() => stream.write('line\n'))
    table.end()
    expect(stream.text).toBe('line\n')
  }
})
