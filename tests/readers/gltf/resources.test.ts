import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitsOf } from '../../../main/model/limits.ts'
import { readResources } from '../../../main/readers/gltf/resources.ts'
import { gltf } from '../../../main/readers/gltf/schema.ts'
import { WarningList } from '../../../main/readers/warnings.ts'
import type { Json } from '../build-gltf.ts'

let root: string
let folder: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'resources-'))
  folder = join(root, 'model')
  await write('../secret.bin', 'secret')
  await write('plain.bin', 'plain')
  await write('deep/er/file.bin', 'deep')
  await write('with  spaces.bin', 'spaces')
  await write('ünïcödé 名前.bin', 'unicode')
  await write('100%.bin', 'percent')
  await write('my buffer #1.bin', 'hash')
  await write('..dots.bin', 'dots')
})

afterAll(() => rm(root, { recursive: true }))

async function write(name: string, content: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function read(json: Json, binary: Uint8Array | null = null, limit: string[] = []) {
  const warnings = new WarningList()
  const container = { json: gltf.parse({ asset: { version: '2.0' }, ...json }), binary }
  return { ...(await readResources(folder, container, { file: 'model.gltf', limits: limitsOf(limit), spent: 0 }, warnings)), warnings: warnings.list() }
}

async function bufferText(uri: string, byteLength: number): Promise<string> {
  const { buffers } = await read({ buffers: [{ uri, byteLength }] })
  return new TextDecoder().decode(buffers[0])
}

describe('a buffer comes from', () => {
  test.each([
    ['plain.bin', 'plain'],
    ['./plain.bin', 'plain'],
    ['deep/er/file.bin', 'deep'],
    ['deep/../plain.bin', 'plain'],
    ['with%20%20spaces.bin', 'spaces'],
    ['with  spaces.bin', 'spaces'],
    ['%C3%BCn%C3%AFc%C3%B6d%C3%A9%20%E5%90%8D%E5%89%8D.bin', 'unicode'],
    ['ünïcödé 名前.bin', 'unicode'],
    ['my%20buffer%20%231.bin', 'hash'],
    ['100%.bin', 'percent'],
    ['deep\\er\\file.bin', 'deep'],
    ['..dots.bin', 'dots'],
  ])('the file %s', async (uri, text) => {
    expect(await bufferText(uri, text.length)).toBe(text)
  })

  test.each([
    ['data:application/octet-stream;base64,aGVsbG8=', 'hello'],
    ['data:application/gltf-buffer;base64,aGVsbG8', 'hello'],
    ['data:;base64,aGVsbG8%3D', 'hello'],
    ['DATA:application/octet-stream;charset=x;BASE64,aGVsbG8=', 'hello'],
    ['data:,hello', 'hello'],
    ['data:,%hello%', '%hello%'],
    ['data:,%4%68%ello', '%4h%ello'],
    ['data:text/plain,%68ello', 'hello'],
  ])('the data URI %s', async (uri, text) => {
    expect(await bufferText(uri, text.length)).toBe(text)
  })

  test('a data URI of raw bytes that are no text', async () => {
    const { buffers } = await read({ buffers: [{ uri: 'data:,%00%ff%80A', byteLength: 4 }] })
    expect([...buffers[0]]).toEqual([0, 255, 128, 65])
  })

  test('the binary chunk, for the first buffer without a URI; its padding is cut off', async () => {
    const { buffers } = await read({ buffers: [{ byteLength: 3 }] }, Uint8Array.of(1, 2, 3, 0))
    expect(buffers).toEqual([Uint8Array.of(1, 2, 3)])
  })
})

describe('a buffer is refused', () => {
  test.each<[string, Json, string]>([
    ['that is missing', { uri: 'gone%20away.bin', byteLength: 1 }, 'model.gltf needs gone%20away.bin, which is missing'],
    ['that is a folder', { uri: 'deep', byteLength: 1 }, 'model.gltf needs deep, which is missing'],
    ['with a name that no file can have', { uri: 'a%00b', byteLength: 1 }, 'which is missing'],
    ['that is shorter than it should be', { uri: 'plain.bin', byteLength: 6 }, 'buffer 0 should have 6 bytes, but only 5 are there'],
    ['that claims to be huge', { uri: 'plain.bin', byteLength: 4e12 }, 'buffer 0 should have 4000000000000 bytes, but only 5'],
    ['without any data', { byteLength: 1 }, 'buffer 0 has no data'],
    ['beside the folder', { uri: '../secret.bin', byteLength: 1 }, "../secret.bin, which is outside of the model's folder"],
    ['beside the folder, in disguise', { uri: 'deep/..%2F..%2Fsecret.bin', byteLength: 1 }, "outside of the model's folder"],
    ['beside the folder, with backslashes', { uri: '..\\secret.bin', byteLength: 1 }, "outside of the model's folder"],
    ['with an absolute path', { uri: '/etc/passwd', byteLength: 1 }, "/etc/passwd, which is outside of the model's folder"],
    ['on the network', { uri: 'https://example.com/a.bin', byteLength: 1 }, 'https://example.com/a.bin, which is an address and no file'],
    ['with another scheme', { uri: 'file:///etc/passwd', byteLength: 1 }, 'which is an address and no file'],
  ])('%s', async (_, buffer, sentence) => {
    await expect(read({ buffers: [buffer] })).rejects.toThrow(sentence)
    await expect(read({ buffers: [buffer] })).rejects.toMatchObject({ name: 'Problem', kind: 'input' })
  })

  test('that would need a binary chunk of its own', async () => {
    await expect(read({ buffers: [{ byteLength: 1 }, { byteLength: 1 }] }, Uint8Array.of(1))).rejects.toThrow('buffer 1 has no data')
  })

  // A link to itself fails for every user; Windows lets only some users make one.
  if (process.platform !== 'win32') {
    test('that a link leads out of the folder to', async () => {
      await symlink('../secret.bin', join(folder, 'link.bin'))
      await symlink('..', join(folder, 'up'))
      for (const uri of ['link.bin', 'up/secret.bin']) {
        await expect(read({ buffers: [{ uri, byteLength: 1 }] })).rejects.toThrow(`${uri}, which is outside of the model's folder`)
      }
      const { images, warnings } = await read({ images: [{ uri: 'link.bin' }] })
      expect(images).toEqual([null])
      expect(warnings[0].message).toBe("Left out 1 image: link.bin is outside of the model's folder.")
    })

    test('but a link within the folder is followed', async () => {
      await symlink('../plain.bin', join(folder, 'deep/inner.bin'))
      expect(await bufferText('deep/inner.bin', 5)).toBe('plain')
    })

    test('that is a pipe, which would never end', async () => {
      execFileSync('mkfifo', [join(folder, 'pipe.bin')])
      await expect(read({ buffers: [{ uri: 'pipe.bin', byteLength: 1 }] })).rejects.toThrow('pipe.bin, which is not a regular file')
    })

    test('that cannot be read', async () => {
      await symlink('loop.bin', join(folder, 'loop.bin'))
      await expect(read({ buffers: [{ uri: 'loop.bin', byteLength: 1 }] })).rejects.toThrow('loop.bin, which cannot be read (ELOOP)')
    })
  }

  test('that is larger than may be read, together with those before it', async () => {
    await write('half.bin', 'x'.repeat(600_000))
    const json = { buffers: [{ uri: 'half.bin', byteLength: 1 }, { uri: 'half.bin', byteLength: 1 }] }
    expect((await read({ buffers: json.buffers.slice(1) }, null, ['file-size=1'])).buffers).toHaveLength(1)
    await expect(read(json, null, ['file-size=1'])).rejects.toThrow('model.gltf has 2 megabytes, with the files that it refers to, and at most 1 are allowed')
  })

  test('that is a data URI without a comma', async () => {
    await expect(read({ buffers: [{ uri: `data:${';x'.repeat(1e6)}`, byteLength: 1 }] })).rejects.toThrow('which is a data URI without a comma')
  })

  test('with a long URI cut short in the sentence', async () => {
    const uri = `file:${'x'.repeat(10_000)}`
    await expect(read({ buffers: [{ uri, byteLength: 1 }] })).rejects.toThrow(/^.{1,250}$/)
  })
})

describe('images', () => {
  test('come with the type that a data URI names', async () => {
    const { images } = await read({ images: [{ uri: 'data:image/jpeg;base64,aGk=' }, { uri: 'plain.bin' }, { bufferView: 0 }] })
    expect(images.map((image) => image && [new TextDecoder().decode(image.bytes), image.mimeType])).toEqual([
      ['hi', 'image/jpeg'],
      ['plain', undefined],
      null,
    ])
  })

  test('that cannot be had are left out with one warning', async () => {
    const { images, warnings } = await read({
      images: [{ uri: 'gone.png' }, { uri: '../secret.bin' }, { uri: 'http://example.com/x.png' }, {}],
    })
    expect(images).toEqual([null, null, null, null])
    expect(warnings).toEqual([
      {
        code: 'image-missing',
        count: 4,
        message:
          "Left out 4 images: gone.png is missing, ../secret.bin is outside of the model's folder, " +
          'http://example.com/x.png is an address and no file.',
      },
    ])
  })
})
