import { expect, it } from 'vitest'
import { joinBytes, splitBytes } from '../../main/codecs/bytes.ts'

it('puts the high bytes of an image above its low ones', () => {
  expect([...splitBytes(Uint16Array.of(0x0102, 0xfffe, 0x00ff))]).toEqual([0x01, 0xff, 0x00, 0x02, 0xfe, 0xff])
})

it('joins what it took apart, for every number of 16 bits', () => {
  const all = Uint16Array.from({ length: 65_536 }, (_, i) => i)
  const bytes = splitBytes(all)
  const joined = new Uint16Array(all.length)
  joinBytes(bytes.subarray(0, all.length), bytes.subarray(all.length), joined)
  expect(joined).toEqual(all)
})
