import { describe, expect, it } from 'vitest'
import { createPaceMeter } from '../../../renderer/stores/pace.ts'

/** A bake of 100 frames of 10 vertices: measured once, encoded once, verified twice. */
const total = 4 * 100 * 10
const at = (stage: 'measuring' | 'encoding' | 'verifying', frames: number) => ({ stage, done: frames * 10, total })

describe('the pace of a bake', () => {
  it('fills one bar after the other', () => {
    const note = createPaceMeter(100, true)
    expect(note({ stage: 'reading', done: 0, total: 0 }, 0)).toMatchObject({ share: 0, pass: null })
    expect(note(at('measuring', 50), 10)).toMatchObject({ pass: 'bounds', frame: 50, passes: { bounds: 0.5, encoding: 0, verifying: 0 } })
    expect(note(at('encoding', 175), 20)).toMatchObject({ pass: 'encoding', frame: 75, passes: { bounds: 1, encoding: 0.75, verifying: 0 } })
    expect(note(at('verifying', 300), 30)).toMatchObject({ pass: 'verifying', frame: 50, share: 0.75, passes: { verifying: 0.5 } })
    expect(note(at('verifying', 400), 40)).toMatchObject({ frame: 100, share: 1 })
  })

  it('has no pass for bounds where none is made', () => {
    const note = createPaceMeter(100, false)
    const progress = { stage: 'encoding' as const, done: 500, total: 3000 }
    expect(note(progress, 0)).toMatchObject({ frame: 50, passes: { bounds: 1, encoding: 0.5, verifying: 0 } })
  })

  it('tells rate and time left once enough was seen', () => {
    const note = createPaceMeter(100, true)
    expect(note(at('measuring', 1), 0)).toMatchObject({ rate: null, left: null })
    expect(note(at('measuring', 20), 100)).toMatchObject({ rate: null, left: null })
    const later = note(at('measuring', 81), 1000)
    expect(later.rate).toBeCloseTo(80, 6)
    expect(later.left).toBeCloseTo((400 - 81) / 80, 6)
    // Every pass has a rate of its own.
    expect(note(at('encoding', 101), 1100).rate).toBeNull()
    expect(note(at('encoding', 141), 2100).rate).toBeCloseTo(40, 6)
  })
})
