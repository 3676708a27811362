import { describe, expect, it } from 'vitest'
import { readMayaCache, readMayaDescription } from '../../../main/readers/vertex-cache/maya-cache.ts'
import { buildMayaCache, describeMayaCache } from './build-caches.ts'

const frames = [
  { time: 6000, channels: { sea: [1, 2, 3], sea_normals: [0, 1, 0] } },
  { time: 0, channels: { sea: [4, 5, 6], sea_normals: [0, 0, 1] } },
]

describe('a Maya cache', () => {
  it.each([
    ['.mc of 32-bit numbers', { wide: false, double: false }],
    ['.mc of 64-bit numbers', { wide: false, double: true }],
    ['.mcx of 32-bit numbers', { wide: true, double: false }],
    ['.mcx of 64-bit numbers', { wide: true, double: true }],
  ])('has the frames of a channel in the order of their times: %s', (_, kind) => {
    const cache = readMayaCache([{ name: 'sea.mc', bytes: buildMayaCache({ ...kind, start: 0, frames }) }], 'sea')
    expect(cache.times).toEqual([0, 1])
    expect(cache.frames.map((frame) => [...frame])).toEqual([[4, 5, 6], [1, 2, 3]])
  })

  it('may have a file for each frame, which begin at their times', () => {
    const files = [3000, 1500].map((start) => ({
      name: `seaFrame${start}.mc`,
      bytes: buildMayaCache({ start, frames: [{ channels: { sea: [start, 0, 0] } }] }),
    }))
    const { times, frames: found } = readMayaCache(files, 'sea')
    expect([times, found.map(([x]) => x)]).toEqual([[0.25, 0.5], [1500, 3000]])
  })

  const whole = buildMayaCache({ start: 0, frames })
  const changed = (at: number, value: number) => {
    const bytes = whole.slice()
    bytes[at] = value
    return bytes
  }
  it.each([
    ['another file', new TextEncoder().encode('hello world'), 'it does not begin as a Maya cache'],
    ['nothing', new Uint8Array(0), 'it does not begin as a Maya cache'],
    ['a size beyond its end', changed(4, 255), 'a chunk of 4278190120 bytes does not fit into what is left of it, 280'],
    ['an end within a chunk', whole.subarray(0, whole.length - 5), 'does not fit into what is left of it'],
    ['a count that is not that of its bytes', changed(whole.length - 21, 9), '"sea_normals" has 12 bytes, which are not 9 points'],
    ['no such channel', buildMayaCache({ start: 0, frames: [{ channels: { lake: [0, 0, 0] } }] }), 'it has no vectors of "sea_normals"'],
  ])('is refused with %s', (_, bytes, sentence) => {
    expect(() => readMayaCache([{ name: 'sea.mc', bytes }], 'sea_normals')).toThrow(sentence)
  })
})

describe('the .xml file of a Maya cache', () => {
  it('tells the kind of file, and what each channel is', () => {
    expect(readMayaDescription('sea.xml', describeMayaCache('OneFile', 'mcx', { 'a&lt;b': 'positions', n: 'normals' }))).toEqual({
      isOneFile: true,
      ending: 'mcx',
      channels: [{ name: 'a<b', interpretation: 'positions' }, { name: 'n', interpretation: 'normals' }],
    })
    expect(readMayaDescription('sea.xml', describeMayaCache('OneFilePerFrame', 'mcc', {}))).toMatchObject({ isOneFile: false, ending: 'mc' })
  })

  it('is refused where it describes something else', () => {
    expect(() => readMayaDescription('sea.xml', new TextEncoder().encode('<svg/>'))).toThrow('sea.xml is broken: it does not describe a Maya cache')
  })
})
