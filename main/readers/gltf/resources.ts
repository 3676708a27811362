import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Problem } from '../../model/problem.ts'
import type { ExternalFile } from '../loaded-model.ts'
import { shortened } from '../../model/shortened.ts'
import { isInside, NotAFile, readLimitedFile, type Budget } from '../limited-file.ts'
import type { WarningList } from '../warnings.ts'
import { broken } from './broken.ts'
import type { Container } from './container.ts'
import { isPlaceholder } from './extensions.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** The bytes that a glTF file refers to. */
export interface Resources {
  /** `[buffer]`, each exactly as long as the file says. */
  buffers: Bytes[]
  /** `[image]`; null where the image is in a buffer view, or could not be had. */
  images: ({ bytes: Bytes; mimeType: string | undefined } | null)[]
  /** Every file that was read or looked for, once. */
  external: ExternalFile[]
}

/**
 * Fetches all buffers and images (glTF 2.0, section 3.6.1): from the binary chunk, from data URIs, and from files in the
 * model's own folder or below. Nothing is read from elsewhere. An image that cannot be had is a warning, since the model
 * moves without it; a buffer is not.
 *
 * @param folder where the model lies
 * @param budget what reading may take; its file is the model's name
 * @throws Problem that names the buffer which is missing, too short, or outside of the folder
 * @throws Problem `limit` where the files are larger than allowed
 */
export async function readResources(
  folder: string,
  { json, binary }: Container,
  budget: Budget,
  warnings: WarningList,
): Promise<Resources> {
  const { file } = budget
  const buffers: Bytes[] = []
  const external = new Map<string, ExternalFile>()
  for (const [i, buffer] of json.buffers.entries()) {
    if (isPlaceholder(buffer)) {
      buffers.push(new Uint8Array(0))
      continue
    }
    const { uri, byteLength } = buffer
    let bytes = i === 0 && uri === undefined && binary ? plainBytes(binary) : null
    if (uri !== undefined) {
      try {
        bytes = (await readUri(folder, uri, budget, external)).bytes
      } catch (error) {
        if (!(error instanceof UriError)) throw error
        throw new Problem('input', `${file} needs ${shortened(uri, SHOWN)}, which ${error.message}. ${error.advice}`)
      }
    }
    if (!bytes) throw broken(file, `buffer ${i} has no data`)
    if (bytes.length < byteLength) throw broken(file, `buffer ${i} should have ${byteLength} bytes, but only ${bytes.length} are there`)
    buffers.push(bytes.subarray(0, byteLength))
  }

  const images: Resources['images'] = []
  for (const { uri, bufferView } of json.images) {
    let image = null
    if (bufferView === undefined) {
      try {
        image = await readUri(folder, uri ?? '', budget, external)
      } catch (error) {
        if (!(error instanceof UriError)) throw error
        warnings.add('image-missing', 'Left out # image|images', 1, uri && `${shortened(uri, SHOWN)} ${error.message}`)
      }
    }
    images.push(image)
  }
  return { buffers, images, external: [...external.values()] }
}

/** Why a URI gives no bytes: the rest of a sentence that begins with the URI, and what to do about it. */
class UriError extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message)
  }
}

/** Characters of a URI that are shown. */
const SHOWN = 100

/** Bytes of a URI and its type, where that is known. */
interface Content {
  bytes: Bytes
  mimeType: string | undefined
}

async function readUri(folder: string, uri: string, budget: Budget, external: Map<string, ExternalFile>): Promise<Content> {
  if (/^data:/i.test(uri)) return readDataUri(uri)
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri)) {
    throw new UriError('is an address and no file', 'Put the file into the folder of the model and export it with a relative path.')
  }
  const paths = pathsOf(folder, uri)
  for (const path of paths) {
    try {
      if (!isInside(await realpath(folder), await realpath(path))) throw outside()
      const bytes = await readLimitedFile(path, budget)
      external.set(path, { file: path, sha256: createHash('sha256').update(bytes).digest('hex') })
      return { bytes, mimeType: undefined }
    } catch (error) {
      if (error instanceof Problem || error instanceof UriError) throw error
      if (error instanceof NotAFile) {
        if (error.isFolder) continue
        throw new UriError(error.message, 'Put the file itself there.')
      }
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG' && code !== 'ERR_INVALID_ARG_VALUE') {
        throw new UriError(`cannot be read (${code})`, 'Make the file readable.')
      }
    }
  }
  external.set(paths[0], { file: paths[0], sha256: null })
  throw new UriError('is missing', 'Put it beside the model again, or export the model as one .glb file.')
}

/** The longest beginning of a data URI, up to the comma, that is looked at. */
const LONGEST_HEAD = 1000

/** RFC 2397: `data:image/png;base64,iVBO…`. */
function readDataUri(uri: string): Content {
  const comma = uri.slice(0, LONGEST_HEAD).indexOf(',')
  if (comma < 0) throw new UriError('is a data URI without a comma', 'Export the model as one .glb file.')
  const [type, ...parameters] = uri.slice('data:'.length, comma).split(';')
  const base64 = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  const body = uri.slice(comma + 1)
  // Base64 inside of a URI may itself be percent-encoded.
  const bytes = base64 ? Buffer.from(body.includes('%') ? percentDecoded(body).toString('latin1') : body, 'base64') : percentDecoded(body)
  return { bytes: plainBytes(bytes), mimeType: type || undefined }
}

/** The bytes of a text in which some are spelled `%3D`; in place, since there may be millions. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i] === PERCENT ? parseHex(bytes[i + 1], bytes[i + 2]) : -1
    if (code >= 0) i += 2
    bytes[length++] = code >= 0 ? code : bytes[i]
  }
  return bytes.subarray(0, length)
}

const PERCENT = 0x25

/** The number of two hexadecimal digits given as ASCII, or -1. */
function parseHex(high: number | undefined, low: number | undefined): number {
  const text = String.fromCharCode(high ?? 0, low ?? 0)
  return /^[0-9a-f]{2}$/i.test(text) ? parseInt(text, 16) : -1
}

/**
 * The files a relative URI may mean: percent-decoded as it should be, then with the backslashes that some exporters
 * write, then to the letter for names that hold a percent sign.
 */
function pathsOf(folder: string, uri: string): string[] {
  const names = new Set([decoded(uri), decoded(uri).replaceAll('\\', '/'), uri])
  const paths = [...names].map((name) => resolve(folder, name))
  if (!paths.every((path) => isInside(resolve(folder), path))) throw outside()
  return paths
}

function outside(): UriError {
  return new UriError("is outside of the model's folder", 'Put the file itself into the folder of the model.')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same bytes without Node's Buffer, whose `slice` would keep the whole file in memory. */
function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Bytes {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}
