import fc from 'fast-check'
import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createExrWriter, openExr, type ExrImage, type ExrSource, type Zlib } from '../../main/codecs/exr.ts'
import { toHalf } from '../../main/codecs/half.ts'
import { Problem } from '../../main/model/problem.ts'

const zlib: Zlib = {
  deflate: async (bytes) => deflateSync(bytes),
  inflate: async (bytes, size) => inflateSync(bytes, { maxOutputLength: size }),
}

/** A file in memory. */
function createFile() {
  let bytes = new Uint8Array(0)
  return {
    get bytes() {
      return bytes
    },
    async write(piece: Uint8Array, position: number) {
      const end = position + piece.length
      if (end > bytes.length) {
        const longer = new Uint8Array(end)
        longer.set(bytes)
        bytes = longer
      }
      bytes.set(piece, position)
    },
  }
}

/** Refuses what a file would refuse, so that a reader that believes a lying number is found out. */
function sourceOf(bytes: Uint8Array): ExrSource {
  return {
    size: bytes.length,
    async read(position, length) {
      if (!(position >= 0 && length >= 0 && position + length <= bytes.length)) throw new Error(`read of ${length} at ${position}`)
      return bytes.subarray(position, position + length)
    },
  }
}

type Rows = Uint16Array | Float32Array

function createRows(image: ExrImage, rows = image.height): Rows {
  const length = image.width * image.channels * rows
  return image.type === 'float16' ? new Uint16Array(length) : new Float32Array(length)
}

/** Numbers that grow steadily, and so are told apart and compress well. */
function steady(image: ExrImage): Rows {
  const encode = image.type === 'float16' ? toHalf : Math.fround
  return createRows(image).map((_, i) => encode(i / 8 - 20))
}

/** Numbers that no compression makes smaller. */
function noise(image: ExrImage): Rows {
  const rows = createRows(image)
  const bytes = new Uint8Array(rows.buffer)
  let state = 1
  for (let i = 0; i < bytes.length; i++) bytes[i] = (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24
  return rows
}

async function write(image: ExrImage, rows: Rows, options?: Parameters<typeof createExrWriter>[3], with_ = zlib): Promise<Uint8Array> {
  const file = createFile()
  const writer = createExrWriter(image, file, with_, options)
  await writer.write(rows)
  expect(await writer.finish()).toBe(file.bytes.length)
  return file.bytes
}

async function read(bytes: Uint8Array): Promise<{ image: ExrImage; rows: Rows }> {
  const reader = await openExr(sourceOf(bytes), zlib, 'a.exr')
  const { width, height, channels, type } = reader
  const image = { width, height, channels, type }
  const rows = createRows(image)
  await reader.readRows(0, height, rows)
  return { image, rows }
}

/** An EXR file as its specification lays it out, for one block of scanlines, without any code of the product. */
function dissect(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const attributes: Record<string, { type: string; value: Uint8Array }> = {}
  let at = 8
  const text = () => {
    const end = bytes.indexOf(0, at)
    const value = String.fromCharCode(...bytes.subarray(at, end))
    at = end + 1
    return value
  }
  for (let name = text(); name !== ''; name = text()) {
    const type = text()
    const size = view.getInt32(at, true)
    attributes[name] = { type, value: bytes.slice(at + 4, at + 4 + size) }
    at += 4 + size
  }
  const block = Number(view.getBigUint64(at, true))
  const size = view.getInt32(block + 4, true)
  return { attributes, tableStart: at, block, y: view.getInt32(block, true), data: bytes.slice(block + 8, block + 8 + size) }
}

const image = (width: number, height: number, channels: 3 | 4 = 4, type: ExrImage['type'] = 'float32') => ({ width, height, channels, type })

describe('an EXR file', () => {
  it('begins with the magic number, version 2 without flags, and every attribute that is required', async () => {
    const bytes = await write(image(5, 3, 3, 'float16'), steady(image(5, 3, 3, 'float16')))
    const { attributes } = dissect(bytes)
    expect([...bytes.subarray(0, 8)]).toEqual([0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0])
    expect(Object.entries(attributes).map(([name, { type }]) => `${name} ${type}`)).toEqual([
      'channels chlist',
      'compression compression',
      'dataWindow box2i',
      'displayWindow box2i',
      'lineOrder lineOrder',
      'pixelAspectRatio float',
      'screenWindowCenter v2f',
      'screenWindowWidth float',
    ])
    expect([...attributes.compression.value]).toEqual([3])
    expect([...new Int32Array(attributes.dataWindow.value.buffer)]).toEqual([0, 0, 4, 2])
    const channel = (letter: string, type: number) => [letter.charCodeAt(0), 0, type, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    expect([...attributes.channels.value]).toEqual([...channel('B', 1), ...channel('G', 1), ...channel('R', 1), 0])
  })

  it('holds row by row, channel by channel in alphabetical order, interleaved and predicted before it is compressed', async () => {
    const picture = image(9, 16)
    const rows = steady(picture)
    const { data, y, block, tableStart } = dissect(await write(picture, rows))
    expect(block).toBe(tableStart + 8)
    expect(y).toBe(0)
    // Backwards, step by step, as the specification tells: zlib, predictor, then the two halves are the even and odd bytes.
    const bytes = new Uint8Array(inflateSync(data))
    for (let i = 1; i < bytes.length; i++) bytes[i] = bytes[i - 1] + bytes[i] - 128
    const half = bytes.length / 2
    const raw = bytes.map((_, i) => (i % 2 === 0 ? bytes[i / 2] : bytes[half + (i - 1) / 2]))
    const samples = new Float32Array(raw.buffer)
    for (let row = 0; row < 16; row++) {
      for (const [plane, channel] of [3, 2, 1, 0].entries()) {
        for (let x = 0; x < 9; x++) expect(samples[(row * 4 + plane) * 9 + x]).toBe(rows[(row * 9 + x) * 4 + channel])
      }
    }
  })

  it('holds a block as it is where compression does not make it smaller', async () => {
    const { data } = dissect(await write(image(1, 1), Float32Array.from([1.1, -2.2, 3.3, -4.4])))
    expect(new Float32Array(data.buffer)).toEqual(Float32Array.from([-4.4, 3.3, -2.2, 1.1]))
  })

  it('has string attributes', async () => {
    const bytes = await write(image(2, 2), steady(image(2, 2)), { attributes: { comments: 'Füchse', owner: '' } })
    const reader = await openExr(sourceOf(bytes), zlib, 'a.exr')
    expect({ ...reader.attributes }).toEqual({ comments: 'Füchse', owner: '' })
    expect(() => createExrWriter(image(1, 1), createFile(), zlib, { attributes: { ['x'.repeat(32)]: '' } })).toThrow(RangeError)
  })

  describe.each([
    ['float16', 'compressed', steady],
    ['float16', 'stored', noise],
    ['float32', 'compressed', steady],
    ['float32', 'stored', noise],
  ] as const)('of %s, %s', (type, how, fill) => {
    it('comes back number by number, at any size', async () => {
      let bytes = 0
      let rawBytes = 0
      for (let width = 1; width <= 40; width++) {
        for (const height of [1, 15, 16, 17, 33]) {
          const picture = image(width, height, width % 2 ? 3 : 4, type)
          const rows = fill(picture)
          const file = await write(picture, rows)
          const back = await read(file)
          expect(back.image).toEqual(picture)
          expect(Buffer.compare(new Uint8Array(back.rows.buffer), new Uint8Array(rows.buffer)), `${width} x ${height}`).toBe(0)
          bytes += file.length
          rawBytes += rows.byteLength
        }
      }
      if (how === 'compressed') expect(bytes).toBeLessThan(rawBytes / 2)
      else expect(bytes).toBeGreaterThan(rawBytes)
    })
  })

  it('comes back with every kind of number', async () => {
    const numbers = Float32Array.from([0, -0, Infinity, -Infinity, NaN, 1e-45, 3.4e38, -1e-10])
    const { rows } = await read(await write(image(2, 1), numbers))
    expect([...rows]).toEqual([...numbers])
  })

  it('is the same however its rows are handed over and however many blocks are under way', async () => {
    const picture = image(7, 77, 3)
    const rows = steady(picture)
    const whole = await write(picture, rows, { parallel: 1 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40)), fc.integer({ min: 1, max: 6 }), async (batches, parallel) => {
        const file = createFile()
        // Later blocks are often done first.
        const moody: Zlib = { ...zlib, deflate: (bytes) => new Promise((done) => setTimeout(() => done(deflateSync(bytes)), bytes[0] % 4)) }
        const writer = createExrWriter(picture, file, moody, { parallel })
        let row = 0
        const buffer = createRows(picture)
        for (const batch of [...batches, 77]) {
          const end = Math.min(row + batch, 77)
          const part = buffer.subarray(0, (end - row) * 21)
          part.set(rows.subarray(row * 21, end * 21))
          await writer.write(part)
          part.fill(0)
          row = end
        }
        await writer.finish()
        expect(file.bytes).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  it('does not begin like an EXR before it is finished', async () => {
    const file = createFile()
    const writer = createExrWriter(image(4, 32), file, zlib)
    await writer.write(steady(image(4, 32)))
    await writer.settle()
    expect(file.bytes.length).toBeGreaterThan(400)
    expect([...file.bytes.subarray(0, 4)]).toEqual([0, 0, 0, 0])
  })

  it('keeps a bounded number of blocks under way', async () => {
    let running = 0
    let most = 0
    const counting: Zlib = {
      ...zlib,
      async deflate(bytes) {
        most = Math.max(most, ++running)
        await new Promise((done) => setTimeout(done, 1))
        running--
        return deflateSync(bytes)
      },
    }
    await write(image(3, 16 * 20), steady(image(3, 16 * 20)), { parallel: 4 }, counting)
    expect(most).toBe(4)
  })
})

describe('an EXR writer', () => {
  it('refuses broken rows, too many and too few', async () => {
    const writer = createExrWriter(image(4, 2), createFile(), zlib)
    await expect(writer.write(new Float32Array(15))).rejects.toThrow('15 numbers are not whole rows of 16')
    await writer.write(new Float32Array(16))
    await expect(writer.finish()).rejects.toThrow('1 rows of 2 were written')
    await expect(writer.write(new Float32Array(32))).rejects.toThrow(RangeError)
  })

  it.each(['sink', 'zlib'] as const)('passes on a failure of its %s and comes to rest', async (where) => {
    let writes = 0
    const fail = async () => {
      throw new Error('broken')
    }
    const sink = { write: where === 'sink' ? fail : async () => void writes++ }
    const writer = createExrWriter(image(4, 160), sink, where === 'zlib' ? { ...zlib, deflate: fail } : zlib, { parallel: 2 })
    await expect(writer.write(new Float32Array(16 * 160)).then(() => writer.finish())).rejects.toThrow('broken')
    await writer.settle()
    expect(writes).toBe(0)
  })
})

describe('an EXR reader', () => {
  it('reads any rows, in any order', async () => {
    const picture = image(6, 100, 3)
    const rows = steady(picture)
    const reader = await openExr(sourceOf(await write(picture, rows)), zlib, 'a.exr')
    await fc.assert(
      fc.asyncProperty(fc.nat(100), fc.nat(100), async (a, b) => {
        const [first, end] = [Math.min(a, b), Math.max(a, b)]
        const out = createRows(picture, end - first)
        await reader.readRows(first, end - first, out)
        expect(out).toEqual(rows.subarray(first * 18, end * 18))
      }),
    )
    await expect(reader.readRows(90, 11, createRows(picture, 11))).rejects.toThrow(RangeError)
  })

  it('decompresses a block once for all of its rows in turn', async () => {
    let inflated = 0
    const counting: Zlib = { ...zlib, inflate: (bytes, size) => (inflated++, zlib.inflate(bytes, size)) }
    const picture = image(6, 40)
    const reader = await openExr(sourceOf(await write(picture, steady(picture))), counting, 'a.exr')
    for (let row = 0; row < 40; row++) await reader.readRows(row, 1, createRows(picture, 1))
    expect(inflated).toBe(3)
  })

  it('reads files without compression, with ZIPS, with shifted data windows and with unknown attributes', async () => {
    const rows = Float32Array.from({ length: 12 }, (_, i) => i + 0.5)
    for (const compression of [0, 2]) {
      const { image: found, rows: back } = await read(uncompressedFile({ compression }))
      expect(found).toEqual(image(2, 2, 3))
      expect(back).toEqual(rows)
    }
  })

  const refusals: [string, Parameters<typeof uncompressedFile>[0], RegExp][] = [
    ['another compression', { compression: 4 }, /^a\.exr has compression 4: only/],
    ['tiles', { flags: 0x200 }, /^a\.exr has tiles, several parts or deep pixels: only/],
    ['several parts', { flags: 0x1000 }, /has tiles, several parts/],
    ['another version', { version: 3 }, /has tiles, several parts/],
    ['other channels', { names: ['G', 'R', 'Z'] }, /^a\.exr has the channels G, R, Z: only/],
    ['integers', { sampleType: 0 }, /has the channels B, G, R: only/],
    ['a window inside out', { window: [0, 0, -1, 1] }, /announces 0 x 2 pixels/],
    ['a giant window', { window: [-2147483648, -2147483648, 2147483647, 2147483647] }, /bytes cannot hold the 4294967296 x 4294967296 pixels/],
    ['a wide window', { window: [0, 0, 2147483647, 0] }, /cannot hold/],
    ['a tall window', { window: [0, 0, 0, 2147483647] }, /cannot hold/],
    ['no window', { windowName: 'cropWindow' }, /header is not complete/],
    ['a block of another length', { window: [10, 20, 12, 21] }, /block 0 of 2 has 24 bytes where 36 belong/],
    ['a block of another place', { firstBlockY: 7 }, /block 0 of 2 is not where it should be/],
    ['a block outside of the file', { firstOffset: 2n ** 63n }, /block 0 of 2 lies outside of it/],
    ['a block in the header', { firstOffset: 0n }, /block 0 of 2 lies outside of it/],
  ]
  it.each(refusals)('refuses %s in a sentence', async (_, change, sentence) => {
    const failure = await read(uncompressedFile(change)).catch((error) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure).toMatchObject({ kind: 'input', message: expect.stringMatching(sentence) })
  })

  it('refuses what is no EXR at all', async () => {
    for (const bytes of [[], [1, 2, 3], Array<number>(500).fill(0), Array<number>(500).fill(255)]) {
      await expect(openExr(sourceOf(Uint8Array.from(bytes)), zlib, 'a.exr')).rejects.toThrow('a.exr is damaged as an EXR file')
    }
  })

  it('ends quickly on a header of a megabyte of lies', async () => {
    const start = [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]
    const attribute = [...'channels\0chlist\0'].map((letter) => letter.charCodeAt(0))
    const bytes = new Uint8Array(1 << 20)
    bytes.set(start)
    for (let at = 8; at + 20 < bytes.length; at += 21) bytes.set([...attribute, 1, 0, 0, 0], at)
    const before = performance.now()
    await expect(openExr(sourceOf(bytes), zlib, 'a.exr')).rejects.toThrow(Problem)
    await expect(openExr(sourceOf(bytes.map((byte, i) => (i < 8 ? byte : byte || 1))), zlib, 'a.exr')).rejects.toThrow(Problem)
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it('finds every cut', async () => {
    const picture = image(5, 20, 3)
    const bytes = await write(picture, steady(picture))
    for (let length = 0; length < bytes.length; length += 3) {
      await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(Problem)
    }
  })

  it.each([
    ['compressed half', image(5, 40, 4, 'float16'), steady],
    ['stored half', image(5, 40, 4, 'float16'), noise],
    ['compressed float', image(5, 40, 3, 'float32'), steady],
  ] as const)('meets mutations of a file of %s with a Problem or with numbers, never with anything else', async (_, picture, fill) => {
    const bytes = await write(picture, fill(picture))
    const headerEnd = dissect(bytes).block
    const place = fc.oneof(fc.nat(headerEnd + 7), fc.nat(bytes.length - 1))
    const change = fc.tuple(place, fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 127, 128, 255)))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const mutated = bytes.slice()
        for (const [at, value] of changes) mutated[at] = value
        try {
          const { image: found, rows } = await read(mutated)
          expect(rows.length).toBe(found.width * found.height * found.channels)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          expect(error.kind).toBe('input')
        }
      }),
      { numRuns: 1000 },
    )
  })
})

/** Two rows of two RGB pixels, 0.5, 1.5, 2.5 …, written by hand with one block a row and whatever is to be wrong with it. */
function uncompressedFile({
  compression = 0,
  flags = 0,
  version = 2,
  names = ['B', 'G', 'R'],
  sampleType = 2,
  window = [10, 20, 11, 21],
  windowName = 'dataWindow',
  firstBlockY = 20,
  firstOffset = null as bigint | null,
} = {}): Uint8Array {
  const bytes: number[] = []
  const text = (value: string) => bytes.push(...[...value].map((letter) => letter.charCodeAt(0)), 0)
  const numbers = (array: Int32Array | Float32Array | BigUint64Array) => bytes.push(...new Uint8Array(array.buffer))
  const int = (...values: number[]) => numbers(Int32Array.from(values))
  const attribute = (name: string, type: string, size: number) => (text(name), text(type), int(size))
  int(20000630, version | flags)
  attribute('weather', 'sunny', 3)
  bytes.push(1, 0, 2)
  attribute('channels', 'chlist', names.length * 18 + 1)
  for (const name of names) {
    text(name)
    int(sampleType, 0, 1, 1)
  }
  bytes.push(0)
  attribute('compression', 'compression', 1)
  bytes.push(compression)
  attribute(windowName, 'box2i', 16)
  int(...window)
  bytes.push(0)
  const blocks = bytes.length + 16
  numbers(BigUint64Array.from([firstOffset ?? BigInt(blocks), BigInt(blocks + 32)]))
  for (const [row, y] of [firstBlockY, window[1] + 1].entries()) {
    int(y, 24)
    for (const channel of [2, 1, 0]) numbers(Float32Array.from([0, 1], (x) => (row * 2 + x) * 3 + channel + 0.5))
  }
  return Uint8Array.from(bytes)
}
