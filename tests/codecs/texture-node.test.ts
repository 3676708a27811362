import { decode } from 'fast-png'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTexelArray, type TexelArray, type TexelType } from '../../main/codecs/texel.ts'
import { openTextureReader, openTextureWriter, type TextureImage } from '../../main/codecs/texture-node.ts'
import { toHalf } from '../../main/codecs/half.ts'
import { Problem } from '../../main/model/problem.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'vat-codecs-'))))
afterAll(() => rm(folder, { recursive: true }))

/** Every stored number of the type may occur, also 0 in the alpha channel. */
function texelsOf({ width, height, channels, type }: TextureImage): TexelArray {
  const texels = createTexelArray(type, width * height * channels)
  for (let i = 0; i < texels.length; i++) {
    const swing = Math.sin(i * 0.7) * 0.5 + 0.5
    if (type === 'unorm8') texels[i] = i % 7 === 0 ? i : swing * 255
    else if (type === 'unorm16') texels[i] = i % 7 === 0 ? i * 257 : swing * 65535
    else texels[i] = type === 'float16' ? toHalf(swing - 0.7) : swing - 0.7
  }
  return texels
}

async function writeTexture(file: string, image: TextureImage, texels: TexelArray, rowsAtATime = image.height) {
  const writer = await openTextureWriter(file, image)
  const step = rowsAtATime * image.width * image.channels
  for (let from = 0; from < texels.length; from += step) await writer.write(texels.slice(from, from + step))
  return writer.close()
}

async function readTexture(file: string) {
  const reader = await openTextureReader(file)
  const { width, height, channels, type } = reader
  try {
    return { image: { width, height, channels, type }, texels: await reader.readRows(0, height) }
  } finally {
    await reader.close()
  }
}

const CASES = (['unorm8', 'unorm16', 'float16', 'float32'] as TexelType[]).flatMap((type) =>
  ([3, 4] as const).map((channels) => [type, channels] as const),
)
const extension = (type: TexelType) => (type.startsWith('unorm') ? 'png' : 'exr')

describe.each(CASES)('a texture of %s with %i channels', (type, channels) => {
  const image = { width: 61, height: 37, channels, type }
  const file = () => join(folder, `${type}-${channels}.${extension(type)}`)

  it('comes back number by number', async () => {
    const texels = texelsOf(image)
    await writeTexture(file(), image, texels, 5)
    expect(await readTexture(file())).toEqual({ image, texels })
  })

  it('tells the size and the hash of the finished file', async () => {
    const { bytes, sha256 } = await writeTexture(file(), image, texelsOf(image))
    const content = await readFile(file())
    expect(bytes).toBe(content.length)
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'))
  })

  it('is the same file, byte by byte, however it is written', async () => {
    const other = join(folder, `again.${extension(type)}`)
    await writeFile(other, 'something much longer than nothing'.repeat(10_000))
    const first = await writeTexture(file(), image, texelsOf(image))
    expect(await writeTexture(other, image, texelsOf(image), 1)).toEqual(first)
  })

  it('gives rows from anywhere', async () => {
    const texels = texelsOf(image)
    await writeTexture(file(), image, texels)
    const reader = await openTextureReader(file())
    const rowLength = image.width * channels
    for (const [first, count] of [[36, 1], [0, 3], [14, 5], [37, 0]]) {
      expect(await reader.readRows(first, count)).toEqual(texels.slice(first * rowLength, (first + count) * rowLength))
    }
    await expect(reader.readRows(36, 2)).rejects.toThrow(RangeError)
    await reader.close()
  })

  it('refuses broken rows, too many and too few', async () => {
    const writer = await openTextureWriter(file(), image)
    await expect(writer.write(createTexelArray(type, 61 * channels + 1))).rejects.toThrow(/are not whole rows/)
    await expect(writer.write(createTexelArray(type, 61 * channels * 38))).rejects.toThrow('row 38 of 37')
    await writer.write(createTexelArray(type, 61 * channels * 36))
    await expect(writer.close()).rejects.toThrow('36 rows of 37 were written')
    await writer.abort()
  })

  it('leaves no file when it is given up, at any time', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'))
    const path = join(empty, `a.${extension(type)}`)
    const texels = texelsOf(image)
    for (const rows of [0, 20, 37]) {
      const writer = await openTextureWriter(path, image)
      await writer.write(texels.subarray(0, rows * image.width * channels))
      await writer.abort()
      await writer.abort()
      expect(await readdir(empty)).toEqual([])
    }
    const finished = await openTextureWriter(path, image)
    await finished.write(texels)
    await finished.close()
    await finished.abort()
    expect(await readdir(empty)).toEqual([])
  })

  it('is found out when it is cut off or changed', async () => {
    await writeTexture(file(), image, texelsOf(image))
    const whole = await readFile(file())
    const broken = join(folder, 'broken')
    const changed = Buffer.from(whole)
    // In the middle of the compressed pixels.
    changed[whole.length >> 1] ^= 255
    for (const content of [whole.subarray(0, whole.length * 0.6), whole.subarray(0, 30), whole.subarray(0, 3), changed]) {
      await writeFile(broken, content)
      const failure = await readTexture(broken).catch((error) => error)
      // A change that EXR's stored or compressed blocks do not notice is for the hash to find.
      if (content === changed && extension(type) === 'exr' && !(failure instanceof Error)) continue
      expect(failure).toBeInstanceOf(Problem)
      expect(failure).toMatchObject({ kind: 'input', message: expect.stringContaining(`${broken} is `) })
    }
  })
})

describe.each([
  ['unorm8', 8, 3, 2],
  ['unorm8', 8, 4, 6],
  ['unorm16', 16, 3, 2],
  ['unorm16', 16, 4, 6],
] as const)('the PNG file of %s', (type, bits, channels, colourType) => {
  const image = { width: 300, height: 40, channels, type }

  it(`has ${bits} bits and ${channels} channels, and nothing that asks for colour management`, async () => {
    const file = join(folder, 'header.png')
    await writeTexture(file, image, texelsOf(image))
    const bytes = await readFile(file)
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25], bytes[28]]).toEqual([300, 40, bits, colourType, 0])
    const chunks = new Set<string>()
    for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) chunks.add(bytes.toString('latin1', at + 4, at + 8))
    chunks.delete('pHYs')
    expect([...chunks]).toEqual(['IHDR', 'IDAT', 'IEND'])
  })

  it('means the same numbers to another decoder', async () => {
    const file = join(folder, 'independent.png')
    const texels = texelsOf(image)
    await writeTexture(file, image, texels)
    const decoded = decode(await readFile(file))
    expect(decoded).toMatchObject({ width: 300, height: 40, channels, depth: bits })
    expect(decoded.data).toEqual(texels)
  })
})

describe('a texture file', () => {
  const image: TextureImage = { width: 2, height: 2, channels: 3, type: 'unorm16' }

  it('may have any name', async () => {
    const odd = join(folder, 'Füchse [page=1] & 100 %')
    await mkdir(odd)
    for (const name of ['a[1].png', '[b].png', '-c.png', 'd e ü 狐.png', '%20.png']) {
      const texels = texelsOf(image)
      await writeTexture(join(odd, name), image, texels)
      expect(await readTexture(join(odd, name)), name).toEqual({ image, texels })
    }
    expect((await readdir(odd)).length).toBe(5)
  })

  it.each(['unorm16', 'float16'] as const)('that cannot be made is a Problem that says why (%s)', async (type) => {
    const failure = await openTextureWriter(join(folder, 'nowhere', 'a.png'), { ...image, type }).catch((error) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure.kind).toBe('output')
    expect(failure.message).toMatch(/a\.png cannot be written: its folder does not exist\. Make the folder first\.$/)
  })

  it.each(['unorm16', 'float16'] as const)('whose folder vanishes is a Problem, too (%s)', async (type) => {
    const vanishing = await mkdtemp(join(folder, 'vanishing-'))
    const writer = await openTextureWriter(join(vanishing, 'a'), { ...image, type })
    await writer.write(texelsOf({ ...image, type }))
    await rm(vanishing, { recursive: true })
    const failure = await writer.close().catch((error) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure.kind).toBe('output')
    await writer.abort()
  })

  it('that is missing, a folder, empty or something else is a Problem that says so', async () => {
    await expect(openTextureReader(join(folder, 'missing.exr'))).rejects.toThrow('missing.exr cannot be read: there is no such file.')
    await expect(openTextureReader(folder)).rejects.toThrow(Problem)
    for (const content of ['', 'a text that is long enough to be a header of anything']) {
      await writeFile(join(folder, 'text.png'), content)
      const failure = await openTextureReader(join(folder, 'text.png')).catch((error) => error)
      expect(failure).toBeInstanceOf(Problem)
      expect(failure.message).toMatch(/text\.png is neither a PNG nor an EXR file\./)
    }
  })
})
