import { describe, expect, it } from 'vitest'
import {
  formatBytes, formatCounted, formatDegrees, formatFixed, formatMegabytes, formatMillimetres, formatMillimetresShort,
  formatPercent, formatPixels, formatSeconds, formatSize, formatTimeLeft, formatTook, shortenPath, splitPath,
} from '../../../renderer/words/format.ts'

/** No-break spaces as plain ones, so that the expectations can be read. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('numbers of the window', () => {
  it('keep a number and its unit on one line', () => {
    expect(formatSeconds(1.158, 3)).toBe('1.158\u00a0s')
    expect(formatPixels(1728, 35)).toBe('1,728\u00a0×\u00a035\u00a0px')
  })

  it('have three significant digits', () => {
    expect(plain(formatMillimetres(20.341))).toBe('20.3 mm')
    expect(plain(formatMillimetres(374.76))).toBe('375 mm')
    expect(plain(formatPercent(0.01188))).toBe('0.0119 %')
    expect(formatDegrees(0.9412)).toBe('0.941°')
  })

  it('say when an error is too small to matter, shorter in tables', () => {
    expect(plain(formatMillimetres(0.004))).toBe('under 0.01 mm')
    expect(plain(formatMillimetresShort(0.004))).toBe('< 0.01 mm')
    expect(plain(formatMillimetres(0))).toBe('0 mm')
  })

  it('count in decimal bytes', () => {
    expect(plain(formatBytes(1))).toBe('1 byte')
    expect(plain(formatBytes(162_852))).toBe('163 kB')
    expect(plain(formatBytes(999_600))).toBe('1 MB')
    expect(plain(formatMegabytes(390_000))).toBe('0.39 MB')
    expect(plain(formatMegabytes(16_777_216))).toBe('16.8 MB')
    expect(plain(formatMegabytes(900))).toBe('under 0.01 MB')
  })

  it('count people’s things', () => {
    expect(formatCounted(1, 'clip')).toBe('1 clip')
    expect(formatCounted(1599, 'vertex', 'vertices')).toBe('1,599 vertices')
    expect(formatFixed(0.5, 2)).toBe('0.50')
  })

  it('tell the size of a model in the unit that fits it', () => {
    expect(plain(formatSize([25.18, 78.99, 154.74]))).toBe('25.2 × 79.0 × 154.7 m')
    expect(plain(formatSize([0.12, 0.5, 0.25]))).toBe('12.0 × 50.0 × 25.0 cm')
    expect(plain(formatSize([0.001, 0.002, 0.003]))).toBe('1.00 × 2.00 × 3.00 mm')
  })

  it('tell what is left of a wait without promising', () => {
    expect(formatTimeLeft(6.2)).toBe('0:07 left')
    expect(formatTimeLeft(250)).toBe('4:10 left')
    expect(plain(formatTimeLeft(3900))).toBe('1 h 5 min left')
    expect(plain(formatTook(0.412))).toBe('0.412 s')
    expect(plain(formatTook(125))).toBe('2 min 5 s')
  })
})

describe('paths', () => {
  it('are cut from the left at a folder', () => {
    expect(shortenPath('/home/mira/Projects/meadow/vat', 40)).toBe('/home/mira/Projects/meadow/vat')
    expect(shortenPath('/home/mira/Projects/meadow/vat', 16)).toBe('…/meadow/vat')
    expect(shortenPath('C:\\Users\\mira\\meadow\\vat', 14)).toBe('…\\meadow\\vat')
    expect(shortenPath('/home/a_name_that_is_far_too_long_for_any_field', 12)).toBe('…r_any_field')
  })

  it('are taken apart on any system', () => {
    expect(splitPath('/a/b/Fox.glb')).toEqual({ folder: '/a/b', name: 'Fox.glb' })
    expect(splitPath('C:\\a\\Fox.glb')).toEqual({ folder: 'C:\\a', name: 'Fox.glb' })
    expect(splitPath('Fox.glb')).toEqual({ folder: '', name: 'Fox.glb' })
  })
})
