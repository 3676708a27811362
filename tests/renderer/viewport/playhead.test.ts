import { describe, expect, test } from 'vitest'
import { playheadAt } from '../../../renderer/viewport/playhead.ts'

describe('a clip that loops', () => {
  const clip = { loop: true, fps: 10, frameCount: 4 }

  test('goes from each frame to the next, and from the last to the first', () => {
    expect(playheadAt(clip, 0)).toEqual({ first: 0, second: 1, blend: 0 })
    expect(playheadAt(clip, 0.125)).toEqual({ first: 1, second: 2, blend: 0.25 })
    expect(playheadAt(clip, 0.375)).toEqual({ first: 3, second: 0, blend: 0.75 })
  })

  test('begins again, before its start as after its end', () => {
    expect(playheadAt(clip, 0.4)).toEqual(playheadAt(clip, 0))
    expect(playheadAt(clip, -0.025)).toMatchObject({ first: 3, second: 0 })
  })

  test('never leaves its frames, wherever rounding takes the time', () => {
    const astray = Array.from({ length: 10_000 }, (_, i) => playheadAt({ loop: true, fps: 30.217, frameCount: 35 }, (i - 5000) / 7)).filter(
      ({ first, second, blend }) => !(first >= 0 && first < 35 && second === (first + 1) % 35 && blend >= 0 && blend <= 1),
    )
    expect(astray).toEqual([])
  })
})

describe('a clip that does not loop', () => {
  const clip = { loop: false, fps: 10, frameCount: 4 }

  test('stays at its ends', () => {
    expect(playheadAt(clip, -1)).toEqual({ first: 0, second: 1, blend: 0 })
    expect(playheadAt(clip, 0.25)).toEqual({ first: 2, second: 3, blend: 0.5 })
    expect(playheadAt(clip, 0.3)).toEqual({ first: 3, second: 3, blend: 0 })
    expect(playheadAt(clip, 9)).toEqual({ first: 3, second: 3, blend: 0 })
  })
})

test('a clip of one frame is a pose', () => {
  expect(playheadAt({ loop: true, fps: 30, frameCount: 1 }, 12.3)).toEqual({ first: 0, second: 0, blend: 0 })
})
