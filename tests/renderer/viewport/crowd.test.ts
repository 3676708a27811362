import { describe, expect, test } from 'vitest'
import type { SidecarClip } from '../../../main/bake/sidecar.ts'
import type { Box } from '../../../main/model/box.ts'
import { LARGEST_CROWD, layOutCrowd } from '../../../renderer/viewport/crowd.ts'
import { DEFAULT_CROWD } from '../../../renderer/viewport/view.ts'

const bounds: Box = { min: [-1, 0, -2], max: [1, 3, 2] }
const clip = (name: string, firstRow: number, frameCount: number, loop: boolean): SidecarClip =>
  ({ name, index: 0, start: 0, firstRow, frameCount, fps: 10, duration: 1, loop, seam: 0, bounds })
const clips = [clip('Run', 4, 10, true), clip('Jump', 40, 21, false)]
const layOut = (options: Partial<typeof DEFAULT_CROWD>) => layOutCrowd({ ...DEFAULT_CROWD, ...options }, { clips }, bounds)

const placesOf = ({ matrices, count }: ReturnType<typeof layOut>) =>
  Array.from({ length: count }, (_, instance) => [matrices[instance * 16 + 12], matrices[instance * 16 + 14]])

describe('places', () => {
  test('the first instance stands where the model stands, the others in rings around it, no two in one place', () => {
    const places = placesOf(layOut({ count: 1000, spacing: 5 }))
    expect(places[0]).toEqual([0, 0])
    expect(new Set(places.map(String)).size).toBe(1000)
    expect(places.slice(1, 9).every(([x, z]) => Math.max(Math.abs(x), Math.abs(z)) === 5)).toBe(true)
    expect(places.slice(9, 25).every(([x, z]) => Math.max(Math.abs(x), Math.abs(z)) === 10)).toBe(true)
  })

  test('neighbours do not touch unless they are told to', () => {
    const [, , , second] = placesOf(layOut({ count: 4 })).map(([x, z]) => Math.hypot(x, z))
    expect(second).toBeGreaterThan(4)
  })

  test('the box holds all of them', () => {
    expect(layOut({ count: 9, spacing: 10 }).bounds).toEqual({ min: [-11, 0, -12], max: [11, 3, 12] })
  })

  test('there are 1 to 10,000', () => {
    expect(layOut({ count: 0 }).count).toBe(1)
    expect(layOut({ count: 1e6 }).count).toBe(LARGEST_CROWD)
  })
})

describe('playback', () => {
  const ahead = (crowd: ReturnType<typeof layOut>) => Array.from({ length: crowd.count }, (_, i) => crowd.playback[i * 4])

  test('in step, all are at the same time', () => {
    expect(new Set(ahead(layOut({ count: 50, phase: 'in-step', clips: [0] })))).toEqual(new Set([0]))
  })

  test.each(['random', 'wave'] as const)('%s spreads them over the clip', (phase) => {
    const seconds = ahead(layOut({ count: 400, phase, clips: [0] }))
    expect(Math.min(...seconds)).toBeLessThan(0.1)
    expect(Math.max(...seconds)).toBeGreaterThan(0.9)
    expect(Math.max(...seconds)).toBeLessThan(1)
  })

  test('is the same each time', () => {
    expect(layOut({ count: 100 })).toEqual(layOut({ count: 100 }))
  })

  test('clips are dealt out; one that does not loop says so by its sign', () => {
    const { playback, count } = layOut({ count: 200 })
    const dealt = Array.from({ length: count }, (_, i) => [...playback.subarray(i * 4 + 1, i * 4 + 4)].join())
    expect(new Set(dealt)).toEqual(new Set(['0,10,10', '10,-21,10']))
    expect(dealt.filter((one) => one === '0,10,10').length).toBeGreaterThan(60)
    const only = layOut({ count: 20, clips: [1, 7] })
    expect(Array.from({ length: 20 }, (_, i) => only.playback[i * 4 + 1])).toEqual(Array(20).fill(10))
  })
})
