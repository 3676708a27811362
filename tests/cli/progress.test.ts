import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createEstimate, progressText, startProgress } from '../../main/cli/progress.ts'
import { Written } from './fake-shell.ts'

describe('the progress line', () => {
  test('says stage, share and what is left', () => {
    const text = progressText('Verifying', { stage: 'verifying', done: 42, total: 100 }, 6.2, 80)
    expect(text).toMatch(/^Verifying +█{10}░{14} {3}42 % {2}0:07 left$/)
  })

  test('says only the stage where the amount of work is not known', () => {
    expect(progressText('Reading the model', { stage: 'reading', done: 0, total: 0 }, null, 80).trim()).toBe('Reading the model')
  })

  test('never says more than all, nor 100 % before the end', () => {
    expect(progressText('x', { stage: 'verifying', done: 999, total: 1000 }, null, 80)).toContain(' 99 %')
    expect(progressText('x', { stage: 'verifying', done: 2000, total: 1000 }, null, 80)).toContain('100 %')
  })

  test('is never wider than the terminal, where it would wrap', () => {
    expect(progressText('Verifying', { stage: 'verifying', done: 42, total: 100 }, 6.2, 40).length).toBeLessThan(40)
  })
})

describe('the estimate', () => {
  test('goes by the mean speed so far, and grows while nothing moves', () => {
    const estimate = createEstimate()
    estimate.note({ stage: 'reading', done: 0, total: 0 }, 0)
    estimate.note({ stage: 'encoding', done: 100, total: 1100 }, 5000)
    const halfway = { stage: 'encoding' as const, done: 600, total: 1100 }
    estimate.note(halfway, 7000)
    expect(estimate.left(halfway, 7000)).toBeCloseTo(2)
    expect(estimate.left(halfway, 9000)).toBeCloseTo(4)
  })

  test('is not given before there is something to go by', () => {
    const estimate = createEstimate()
    const begin = { stage: 'encoding' as const, done: 0, total: 100 }
    expect(estimate.left(begin, 0)).toBeNull()
    estimate.note(begin, 0)
    expect(estimate.left(begin, 3000)).toBeNull()
    expect(estimate.left({ ...begin, done: 50 }, 100)).toBeNull()
  })
})

describe('on a terminal', () => {
  test('it appears for work that lasts, follows it, and is taken away', async () => {
    const stream = new Written()
    stream.isTTY = true
    const progress = startProgress(stream)
    progress.show({ stage: 'encoding', done: 50, total: 100 })
    await wait(700)
    expect(stream.text).toContain('Encoding the textures')
    expect(stream.text).toContain('50 %')
    progress.cancelling()
    await wait(250)
    expect(stream.text).toContain('Cancelling…')
    progress.end()
    const { length } = stream.text
    await wait(250)
    expect(stream.text.length).toBe(length)
    // The line is cleared at the end.
    expect(stream.text.slice(stream.text.lastIndexOf('%'))).toContain('\u001b[')
  })

  test('it does not appear for work that is over at once', async () => {
    const stream = new Written()
    stream.isTTY = true
    const progress = startProgress(stream)
    progress.show({ stage: 'encoding', done: 50, total: 100 })
    progress.end()
    await wait(500)
    expect(stream.text).toBe('')
  })
})

test('where nobody watches nothing is written', async () => {
  const stream = new Written()
  const progress = startProgress(stream)
  progress.show({ stage: 'encoding', done: 50, total: 100 })
  progress.cancelling()
  await wait(500)
  progress.end()
  expect(stream.text).toBe('')
})
