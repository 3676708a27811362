import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHalf } from '../../main/codecs/half.ts'
import { createTexelArray, type TexelArray } from '../../main/codecs/texel.ts'
import { openTextureWriter, type TextureImage } from '../../main/codecs/texture-node.ts'
import { describeWithEngines, engine } from './engine.ts'

/** One row, a last block of one row (blocks have 16), one pixel, and as wide as textures get. */
const SIZES = [
  [37, 1],
  [19, 33],
  [1, 1],
  [16_384, 3],
]
const IMAGES: TextureImage[] = SIZES.flatMap(([width, height]) => [
  { width, height, channels: 3 as const, type: 'float32' as const },
  { width, height, channels: 4 as const, type: 'float32' as const },
  { width, height, channels: 3 as const, type: 'float16' as const },
  { width, height, channels: 4 as const, type: 'float16' as const },
  { width, height, channels: 3 as const, type: 'unorm16' as const },
])

describeWithEngines('texture files', () => {
  const images = IMAGES.map((image) => ({ ...image, name: `${image.type} ${image.width} x ${image.height} x ${image.channels}` }))
  const texels = new Map<string, TexelArray>()
  let folder: string
  /** What Blender says of each file. */
  const seen = new Map<string, { width: number; height: number; channels: number }>()
  const fileOf = ({ type, width, height, channels }: TextureImage) =>
    join(folder, `${type}_${width}_${height}_${channels}.${type === 'unorm16' ? 'png' : 'exr'}`)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'textures-'))
    for (const image of images) {
      const values = someTexels(image)
      texels.set(image.name, values)
      const writer = await openTextureWriter(fileOf(image), image)
      await writer.write(values)
      await writer.close()
    }
    const script = resolve('tests/engines/read_images.py')
    const options = ['-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '--python', script]
    const printed = await engine('blender', [...options, '--', ...images.map(fileOf)], [folder])
    for (const [, width, height, channels, file] of printed.matchAll(/^PIXELS (\d+) (\d+) (\d+) (.*)$/gm)) {
      seen.set(file, { width: Number(width), height: Number(height), channels: Number(channels) })
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  describe('exrinfo accepts', () => {
    it.each(images.filter(({ type }) => type !== 'unorm16'))('$name', async (image) => {
      const printed = await engine('exrinfo', ['--strict', '--all-metadata', fileOf(image)], [folder])
      const names = image.channels === 4 ? ['A', 'B', 'G', 'R'] : ['B', 'G', 'R']
      expect([...printed.matchAll(/'(\w)': (\w+) samp 1 1/g)].map(([, name, type]) => [name, type])).toEqual(
        names.map((name) => [name, image.type === 'float16' ? 'half' : 'float']),
      )
      expect(printed).toMatch(new RegExp(`dataWindow: .* ${image.width} x ${image.height}\n`))
      expect(printed).toMatch(/compression: .*'zip'/)
    })
  })

  describe('Blender reads pixel for pixel', () => {
    it.each(images)('$name', (image) => {
      const { width, height, channels } = image
      const said = seen.get(fileOf(image))!
      expect([said.width, said.height]).toEqual([width, height])
      const pixels = new Float32Array(new Uint8Array(readFileSync(`${fileOf(image)}.pixels`)).buffer)
      const stored = texels.get(image.name)!
      let different = 0
      for (let pixel = 0; pixel < width * height; pixel++) {
        for (let channel = 0; channel < channels; channel++) {
          if (storedAs(image, pixels[pixel * said.channels + channel]) !== valueOf(image, stored[pixel * channels + channel])) different++
        }
      }
      expect(different).toBe(0)
    })
  })
})

/** The number that a stored channel stands for: itself, but for the bits of a half. */
function valueOf({ type }: TextureImage, stored: number): number {
  return type === 'float16' ? fromHalf(stored) : stored
}

/** The number that a pixel as Blender has it comes from. It multiplies unorm by the float32 nearest to 1 / 65535. */
function storedAs({ type }: TextureImage, pixel: number): number {
  return type === 'unorm16' ? Number((pixel * 65535).toFixed(2)) : pixel
}

/** Texels of every size and sign, the same at each run: bit patterns of a counter that is stirred. */
function someTexels({ width, height, channels, type }: TextureImage): TexelArray {
  const texels = createTexelArray(type, width * height * channels)
  const bits = type === 'float32' ? new Uint32Array(texels.buffer) : (texels as Uint16Array)
  let state = 1
  for (let i = 0; i < bits.length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bits[i] = type === 'float32' ? state : state >>> 16
    if (Number.isFinite(valueOf({ width, height, channels, type }, texels[i]))) i++
  }
  return texels
}
