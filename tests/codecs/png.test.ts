import { describe, expect, it } from 'vitest'
import { decodePngHeader } from '../../main/codecs/png.ts'
import { Problem } from '../../main/model/problem.ts'

function header({ width = 7, height = 5, bits = 16, colourType = 2 } = {}): Uint8Array {
  const bytes = new Uint8Array(29)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  bytes.set([bits, colourType], 24)
  return bytes
}

describe('the header of a PNG file', () => {
  it('tells size, channels and bits', () => {
    expect(decodePngHeader(header(), 500, 'a.png')).toEqual({ width: 7, height: 5, channels: 3, type: 'unorm16' })
    expect(decodePngHeader(header({ bits: 8, colourType: 6 }), 500, 'a.png')).toEqual({ width: 7, height: 5, channels: 4, type: 'unorm8' })
  })

  it.each([
    ['a palette', header({ bits: 8, colourType: 3 }), /^a\.png has 8 bits and colour type 3: only RGB and RGBA of 8 or 16 bits can be read\. /],
    ['one bit', header({ bits: 1, colourType: 2 }), /has 1 bits/],
    ['no width', header({ width: 0 }), /500 bytes cannot hold the 0 x 5 pixels/],
    ['more than zlib can pack', header({ width: 1000, height: 1000 }), /500 bytes cannot hold the 1000 x 1000 pixels/],
    ['a giant size', header({ width: 2 ** 32 - 1, height: 2 ** 32 - 1 }), /cannot hold/],
    ['another first chunk', header().fill(65, 12, 16), /does not begin like one/],
    ['an early end', header().subarray(0, 28), /does not begin like one/],
  ])('with %s is refused in a sentence', (_, bytes, sentence) => {
    const decode = () => decodePngHeader(bytes, 500, 'a.png')
    expect(decode).toThrow(Problem)
    expect(decode).toThrow(sentence)
  })
})
