import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodeRecords } from '../../../main/meshes/fbx/encode-records.ts'
import { parseRecords } from '../../../main/meshes/fbx/parse-records.ts'
import { double, int, long, record, type FbxRecord } from '../../../main/meshes/fbx/records.ts'

const inflate = (bytes: Uint8Array, size: number) => inflateSync(bytes, { maxOutputLength: size })
const encode = (records: FbxRecord[]) => encodeRecords(records, deflateSync)

/** Every type of value, an array that is compressed and two that are not, and records three deep. */
const RECORDS = [
  record('Values', [int(-7), long(2 ** 40 + 1), double(0.1), 'Läuft\0\x01Model', '', { type: 'C', value: true }, { type: 'R', value: Uint8Array.of(1, 2, 255) }]),
  record('Arrays', [
    { type: 'd', values: () => Float64Array.of(0.5, -1) },
    { type: 'i', values: () => Int32Array.from({ length: 1000 }, (_, i) => -i) },
    { type: 'i', values: () => new Int32Array(0) },
  ]),
  record('Outer', [], [record('Middle', ['a'], [record('Inner'), record('Inner', ['b'])]), record('Empty')]),
]

describe('records', () => {
  test('read back as they were', () => {
    const leaf = (name: string, ...values: unknown[]) => ({ name, values, children: [] })
    expect(parseRecords(encode(RECORDS), inflate)).toEqual([
      leaf('Values', -7, 2 ** 40 + 1, 0.1, 'Läuft\0\x01Model', '', 1, Uint8Array.of(1, 2, 255)),
      leaf('Arrays', Float64Array.of(0.5, -1), Int32Array.from({ length: 1000 }, (_, i) => -i), new Int32Array(0)),
      { name: 'Outer', values: [], children: [{ name: 'Middle', values: ['a'], children: [leaf('Inner'), leaf('Inner', 'b')] }, leaf('Empty')] },
    ])
  })

  test('stand between the magic of version 7.4 and a footer whose last 144 bytes begin at a multiple of 16', () => {
    for (let length = 0; length < 17; length++) {
      const bytes = encode([record('Padding', ['x'.repeat(length)])])
      const view = new DataView(bytes.buffer)
      expect(new TextDecoder().decode(bytes.subarray(0, 23))).toBe('Kaydara FBX Binary  \0\x1a\0')
      expect([view.getUint32(23, true), view.getUint32(bytes.length - 140, true)]).toEqual([7400, 7400])
      expect((bytes.length - 140) % 16).toBe(0)
    }
  })

  test('say where they end, how many values they have and how many bytes those take', () => {
    const bytes = encode([record('Name', [int(1), 'ab'])])
    const view = new DataView(bytes.buffer)
    // Values: a letter and 4 bytes; a letter, a length of 4 bytes and 2 letters.
    expect([27, 31, 35].map((at) => view.getUint32(at, true))).toEqual([27 + 13 + 4 + 12, 2, 12])
  })
})

describe('a file is refused', () => {
  const whole = encode(RECORDS)
  /** The file with other bytes at an offset. */
  const changed = (at: number, ...values: number[]) => {
    const bytes = whole.slice()
    bytes.set(values, at)
    return bytes
  }
  const offsetOf = (text: string) => Buffer.from(whole).indexOf(text)

  test('that is cut short anywhere before its footer', () => {
    const end = Buffer.from(whole).indexOf(Buffer.from('fabcab09d0c8d466', 'hex'))
    for (let length = 0; length < end; length += 5) expect(() => parseRecords(whole.subarray(0, length), inflate)).toThrow()
    expect(parseRecords(whole.subarray(0, end), inflate)).toHaveLength(3)
  })

  test.each([
    ['is another format', changed(0, 0x47), 'it is no binary FBX'],
    ['is of another version', changed(23, 0x4c, 0x1d), 'it has version 7500 of FBX'],
    ['has a record that ends before it begins', changed(27, 5, 0, 0, 0), 'a record ends outside of the file'],
    ['claims an array of a billion', changed(offsetOf('Arrays') + 7, 0xff, 0xff, 0xff, 0x3f), 'an array has another size than it says'],
    ['claims more of a compressed array', changed(offsetOf('Arrays') + 7 + 12 + 17, 0xff, 0xff, 0xff, 0x3f), 'an array has another size than it says'],
    ['has a value of an unknown type', changed(offsetOf('Values') + 6, 0x7a), 'a value has the unknown type z'],
  ])('that %s', (_, bytes, message) => {
    expect(() => parseRecords(bytes, inflate)).toThrow(message)
  })
})
