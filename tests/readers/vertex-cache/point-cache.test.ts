import { describe, expect, it } from 'vitest'
import { readPointCache } from '../../../main/readers/vertex-cache/point-cache.ts'
import { frameAt } from '../../../main/readers/vertex-cache/vertex-cache.ts'
import { buildPointCache } from './build-caches.ts'

const FRAMES = [[0, 0, 0, 1, 2, 3], [0, 0, 1, 1, 2, 4], [0, 0, 2, 1, 2, 5]]

describe('a .pc2 file', () => {
  it('has samples from its first frame on, some frames apart', () => {
    const { times, frames } = readPointCache('sea.pc2', buildPointCache(FRAMES, { first: 12, step: 0.5 }), 24)
    expect(times).toEqual([0.5, 12.5 / 24, 13 / 24])
    expect(frames.map((frame) => [...frame])).toEqual(FRAMES)
  })

  it.each([
    ['no header', new Uint8Array(31), 'it does not begin as a point cache'],
    ['another file', new Uint8Array(64), 'it does not begin as a point cache'],
    ['more samples than bytes', buildPointCache(FRAMES, { samples: 4 }), '4 samples of 2 points take 128 bytes, and it has 104'],
    ['a lie about its points', buildPointCache(FRAMES, { points: 2 ** 31 - 1 }), '3 samples of 2147483647 points take 77309411324 bytes'],
    ['no samples', buildPointCache(FRAMES, { samples: 0 }), '0 samples of 2 points'],
    ['no time between its samples', buildPointCache(FRAMES, { step: 0 }), 'its samples are 0 frames apart from frame 0 on'],
  ])('is refused with %s', (_, bytes, sentence) => {
    expect(() => readPointCache('sea.pc2', bytes, 24)).toThrow(`sea.pc2 is broken: ${sentence}`)
  })
})

describe('a time between frames', () => {
  it.each([[-1, 0], [0, 0], [0.5, 0.5], [1, 1], [2, 1.5], [3, 2], [9, 2]])('%d s of frames at 0, 1 and 3 s is frame %d', (time, frame) => {
    expect(frameAt([0, 1, 3], time)).toBe(frame)
  })
})
