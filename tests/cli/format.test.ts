import { describe, expect, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDegrees,
  formatMillimetres,
  formatNumber,
  formatPercent,
  formatSeconds,
  formatTable,
  formatTimeLeft,
} from '../../main/cli/format.ts'

describe('numbers', () => {
  test('counts are whole, with separated thousands', () => {
    expect([0, 7, 1599, 1_048_576].map(formatCount)).toEqual(['0', '7', '1,599', '1,048,576'])
  })

  test('a counted thing has its singular', () => {
    expect([0, 1, 2].map((count) => formatCounted(count, 'clip'))).toEqual(['0 clips', '1 clip', '2 clips'])
    expect(formatCounted(1728, 'vertex', 'vertices')).toBe('1,728 vertices')
  })

  test('measured values have three significant digits', () => {
    expect([30.2246, 0.012345, 1620.4, 0.94, 2].map(formatNumber)).toEqual(['30.2', '0.0123', '1,620', '0.94', '2'])
  })
})

describe('bytes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [483_840, '484 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [16_777_216, '16.8 MB'],
    [1_610_612_736, '1.61 GB'],
    [5e15, '5,000 TB'],
  ])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})

describe('times', () => {
  test.each([
    [0.0432, '0.0432 s'],
    [1.158, '1.16 s'],
    [59.94, '59.9 s'],
    [59.96, '1 min 0 s'],
    [125, '2 min 5 s'],
    [3599.6, '1 h 0 min'],
    [3900, '1 h 5 min'],
  ])('%d seconds last %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text))

  test.each([
    [0, '0:00 left'],
    [6.2, '0:07 left'],
    [250, '4:10 left'],
    [3900, '1 h 5 min left'],
  ])('%d seconds to wait are %s', (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text))
})

describe('errors', () => {
  test.each([
    [0, '0 mm'],
    [0.0099, 'under 0.01 mm'],
    [0.01, '0.01 mm'],
    [1.4712, '1.47 mm'],
    [1620.4, '1,620 mm'],
  ])('a distance of %d mm is %s', (value, text) => expect(formatMillimetres(value)).toBe(text))

  test.each([
    [0.00009, 'under 0.0001 %'],
    [0.00085, '0.00085 %'],
    [0.9412, '0.941 %'],
  ])('a share of %d % is %s', (value, text) => expect(formatPercent(value)).toBe(text))

  test.each([
    [0.0032, 'under 0.01°'],
    [0.9412, '0.941°'],
  ])('an angle of %d degrees is %s', (value, text) => expect(formatDegrees(value)).toBe(text))
})

describe('tables', () => {
  test('align their columns, numbers at the right, and leave no space at the end of a line', () => {
    expect(
      formatTable(
        [
          ['name', 'frames', ''],
          ['Run', '35', 'x'],
          ['Survey', '1,104'],
        ],
        [1],
      ),
    ).toEqual(['name    frames', 'Run         35  x', 'Survey   1,104'])
  })
})
