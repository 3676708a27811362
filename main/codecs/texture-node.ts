import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { Problem } from '../model/problem.ts'
import { joinBytes, splitBytes } from './bytes.ts'
import { createExrWriter, openExr, type ExrImage, type Zlib } from './exr.ts'
import { readPng, writePng } from './png-sharp.ts'
import { decodePngHeader, PNG_HEADER_BYTES, type PngImage } from './png.ts'
import { createTexelArray, type TexelArray, type TexelType } from './texel.ts'

/** A texture in a file: PNG for the unorm types, EXR for the float ones. */
export interface TextureImage {
  width: number
  height: number
  channels: 3 | 4
  type: TexelType
}

/** A texture that is to be written. */
export interface WrittenImage extends TextureImage {
  /** Numbers of `unorm16` go, high bytes above low ones, into a PNG of 8 bits that is twice as high. */
  bytesApart?: boolean
}

export interface TextureWriter {
  /**
   * Takes whole rows, in order from the top, one call after the other.
   *
   * @param texels `[row][x][channel]`, of the texture's type; may be used again once the promise is kept
   * @throws Problem of kind `output` where the disk fails; RangeError for a broken row or one row too many
   */
  write(texels: TexelArray): Promise<void>
  /**
   * Finishes the file and lets go of it, also where that fails.
   *
   * @returns its size, and its SHA-256 in lower-case hexadecimal
   * @throws Problem of kind `output` where the disk fails; RangeError where rows are missing
   */
  close(): Promise<{ bytes: number; sha256: string }>
  /** Gives up: removes the file, finished or not. Never throws; may be called at any time. */
  abort(): Promise<void>
}

export interface TextureReader extends TextureImage {
  /**
   * Reads whole rows from anywhere. An EXR is read block by block; a PNG is decoded as a whole by the first call, and what
   * comes back is a view of that: it must not be changed.
   *
   * @param out room that may be used for the rows, from an earlier call
   * @returns `[row][x][channel]`, of the texture's type
   * @throws Problem of kind `input` where the file is damaged
   */
  readRows(firstRow: number, rowCount: number, out?: TexelArray): Promise<TexelArray>
  close(): Promise<void>
}

const deflateAsync = promisify(deflate)
const inflateAsync = promisify(inflate)

/**
 * zlib on Node's thread pool. The room for the result is asked for at once, since every further piece is another trip there.
 * Level 1 gives what level 6 gives, within half a percent, for numbers shuffled like ours, and takes two thirds of the time.
 */
const zlib: Zlib = {
  deflate: (bytes) => deflateAsync(bytes, { level: 1, memLevel: 9, chunkSize: bytes.length + 1024 }),
  inflate: (bytes, size) => inflateAsync(bytes, { maxOutputLength: size, chunkSize: size + 1024 }),
}

/**
 * Begins a texture file; one that is there is replaced.
 *
 * @throws Problem of kind `output` where the file cannot be made
 */
export async function openTextureWriter(file: string, image: WrittenImage): Promise<TextureWriter> {
  const handle = await open(file, 'w').catch((error) => {
    throw outputProblem(file, error)
  })
  const target = await createTarget(handle, file, image)
  const attempt = async <Result>(action: () => Promise<Result>) => {
    try {
      return await action()
    } catch (error) {
      throw error instanceof RangeError ? error : outputProblem(file, error)
    }
  }
  return {
    write: (texels) => attempt(() => target.write(texels)),
    close: () =>
      attempt(async () => {
        await target.finish().finally(target.release)
        return hashFile(file)
      }),
    async abort() {
      await target.release().catch(() => {})
      await rm(file, { force: true }).catch(() => {})
    },
  }
}

async function createTarget(handle: FileHandle, file: string, image: WrittenImage): Promise<Target> {
  const { type } = image
  if (type === 'float16' || type === 'float32') return exrTarget(handle, { ...image, type })
  // sharp opens the file itself, by its name.
  await handle.close()
  return pngTarget(file, { ...image, type })
}

/** What the two formats have to offer to the writer. */
interface Target {
  write(texels: TexelArray): Promise<void>
  finish(): Promise<unknown>
  /** Lets go of the file, once nothing is written any more. May be called twice. */
  release(): Promise<void>
}

function exrTarget(handle: FileHandle, image: ExrImage): Target {
  const sink = {
    async write(bytes: Uint8Array, position: number) {
      for (let done = 0; done < bytes.length; ) {
        done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten
      }
    },
  }
  const writer = createExrWriter(image, sink, zlib)
  return {
    write: (texels) => writer.write(texels as Uint16Array | Float32Array),
    finish: writer.finish,
    async release() {
      await writer.settle()
      await handle.close()
    },
  }
}

/** sharp takes a whole image, so the rows are gathered first. */
function pngTarget(file: string, image: PngImage & { bytesApart?: boolean }): Target {
  const { width, height, channels, type, bytesApart } = image
  const rowLength = width * channels
  let texels = createTexelArray(type, rowLength * height) as Uint8Array | Uint16Array
  let filled = 0
  let written = Promise.resolve()
  return {
    async write(rows) {
      if (rows.length % rowLength !== 0) throw new RangeError(`${rows.length} numbers are not whole rows of ${rowLength}`)
      if (filled + rows.length > texels.length) throw new RangeError(`row ${(filled + rows.length) / rowLength} of ${height}`)
      texels.set(rows, filled)
      filled += rows.length
    },
    async finish() {
      if (filled !== texels.length) throw new RangeError(`${filled / rowLength} rows of ${height} were written`)
      written = bytesApart
        ? writePng(file, { width, height: height * 2, channels, type: 'unorm8' }, splitBytes(texels as Uint16Array))
        : writePng(file, image, texels)
      await written
      texels = createTexelArray(type, 0) as Uint8Array | Uint16Array
    },
    release: () => written.catch(() => {}),
  }
}

async function hashFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Opens a texture file, PNG or EXR by what is in it.
 *
 * @throws Problem of kind `input` where there is no such file, it is damaged, or not of a kind that this program writes
 */
export async function openTextureReader(file: string): Promise<TextureReader> {
  const unreadable = (error: unknown) => {
    throw new Problem('input', `${file} cannot be read: ${reasonOf(error)}. Name a texture that was baked by this program.`)
  }
  const handle = await open(file, 'r').catch(unreadable)
  try {
    const { size } = await handle.stat()
    const read = async (position: number, length: number) => {
      const bytes = new Uint8Array(length)
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, position + done).catch(unreadable)
        if (bytesRead === 0) throw new Problem('input', `${file} became shorter while it was read. Bake it again.`)
        done += bytesRead
      }
      return bytes
    }
    const start = await read(0, Math.min(size, PNG_HEADER_BYTES))
    if (beginsWith(start, PNG_SIGNATURE)) {
      const image = decodePngHeader(start, size, file)
      await handle.close()
      return pngReader(file, image)
    }
    if (beginsWith(start, EXR_SIGNATURE)) {
      const reader = await openExr({ size, read }, zlib, file)
      const { width, height, channels, type } = reader
      return {
        width,
        height,
        channels,
        type,
        async readRows(firstRow, rowCount, out) {
          const length = rowCount * width * channels
          const rows = (out?.length === length ? out : createTexelArray(type, length)) as Uint16Array | Float32Array
          await reader.readRows(firstRow, rowCount, rows)
          return rows
        },
        close: () => handle.close(),
      }
    }
    throw new Problem('input', `${file} is neither a PNG nor an EXR file. Name a texture that was baked by this program.`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const EXR_SIGNATURE = [0x76, 0x2f, 0x31, 0x01]

function beginsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, i) => bytes[i] === byte)
}

function pngReader(file: string, image: PngImage): TextureReader {
  const rowLength = image.width * image.channels
  let texels: Promise<Uint8Array | Uint16Array> | null = null
  return {
    ...image,
    async readRows(firstRow, rowCount) {
      const end = firstRow + rowCount
      if (!(firstRow >= 0 && rowCount >= 0 && end <= image.height)) throw new RangeError(`rows ${firstRow} to ${end} of ${image.height}`)
      texels ??= readPng(file, image).catch((error) => {
        throw new Problem('input', `${file} is damaged as a PNG file: ${reasonOf(error)}. Bake it again.`)
      })
      return (await texels).subarray(firstRow * rowLength, end * rowLength)
    },
    async close() {
      texels = null
    },
  }
}

/** An 8-bit image whose lower half holds the low bytes, as the 16-bit image that it stands for. */
export function withBytesJoined(reader: TextureReader): TextureReader {
  const height = reader.height / 2
  return {
    ...reader,
    height,
    type: 'unorm16',
    async readRows(firstRow, rowCount, out) {
      const high = (await reader.readRows(firstRow, rowCount)) as Uint8Array
      const low = (await reader.readRows(height + firstRow, rowCount)) as Uint8Array
      const rows = (out?.length === high.length ? out : createTexelArray('unorm16', high.length)) as Uint16Array
      joinBytes(high, low, rows)
      return rows
    },
  }
}

/** What the commonest failures of a disk are called among people, and what to do about them. */
const DISK_FAILURES: Record<string, [reason: string, advice: string]> = {
  ENOSPC: ['the disk is full', 'Make room on it, or bake to another one'],
  EDQUOT: ['the quota of the disk is used up', 'Make room on it, or bake to another one'],
  EACCES: ['access is denied', 'Choose a folder that you may write to'],
  EPERM: ['access is denied', 'Choose a folder that you may write to'],
  EROFS: ['the disk is read-only', 'Choose a folder that you may write to'],
  EBUSY: ['another program uses it', 'Close that program and bake again'],
  ENOENT: ['its folder does not exist', 'Make the folder first'],
}

function outputProblem(file: string, error: unknown): Problem {
  const [reason, advice] = DISK_FAILURES[codeOf(error)] ?? [reasonOf(error), 'Look after the disk, then bake again']
  return new Problem('output', `${file} cannot be written: ${reason}. ${advice}.`)
}

/** Code of a system's error; sharp's errors only carry the system's sentence for it. */
function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code) return code
  return /no space left/i.test(message) ? 'ENOSPC' : ''
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  return message.trim().split('\n')[0].replace(/\.$/, '')
}
