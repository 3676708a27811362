import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { Problem } from '../../model/problem.ts'
import type { WarningList } from '../warnings.ts'
import { broken } from './broken.ts'
import type { Container } from './container.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** The bytes that a glTF file refers to. */
export interface Resources {
  /** `[buffer]`, each exactly as long as the file says. */
  buffers: Bytes[]
  /** `[image]`; null where the image is in a buffer view, or could not be had. */
  images: ({ bytes: Bytes; mimeType: string | undefined } | null)[]
}

/**
 * Fetches all buffers and images (glTF 2.0, section 3.6.1): from the binary chunk, from data URIs, and from files in the
 * model's own folder or below. Nothing is read from elsewhere. An image that cannot be had is a warning, since the model
 * moves without it; a buffer is not.
 *
 * @param file   name of the model, for sentences
 * @param folder where it lies
 * @throws Problem that names the buffer which is missing, too short, or outside of the folder
 */
export async function readResources(
  file: string,
  folder: string,
  { json, binary }: Container,
  warnings: WarningList,
): Promise<Resources> {
  const buffers: Bytes[] = []
  for (const [i, { uri, byteLength }] of json.buffers.entries()) {
    let bytes = i === 0 && uri === undefined && binary ? plainBytes(binary) : null
    if (uri !== undefined) {
      try {
        bytes = (await readUri(folder, uri)).bytes
      } catch (error) {
        if (!(error instanceof UriError)) throw error
        throw new Problem('input', `${file} needs ${shown(uri)}, which ${error.message}. ${error.advice}`)
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
        image = await readUri(folder, uri ?? '')
      } catch (error) {
        if (!(error instanceof UriError)) throw error
        warnings.add('image-missing', 'Left out # image|images', 1, uri && `${shown(uri)} ${error.message}`)
      }
    }
    images.push(image)
  }
  return { buffers, images }
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

/** A data URI is too long to be shown. */
function shown(uri: string): string {
  return uri.length > 200 ? `${uri.slice(0, 40)}…` : uri
}

async function readUri(folder: string, uri: string): Promise<{ bytes: Bytes; mimeType: string | undefined }> {
  const data = /^data:([^,;]*)((?:;[^,;]*)*),/i.exec(uri)
  if (data) {
    const body = uri.slice(data[0].length)
    const base64 = /;\s*base64\s*$/i.test(data[2])
    // Base64 inside of a URI may itself be percent-encoded.
    const text = body.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    const bytes = base64 ? Buffer.from(text, 'base64') : Buffer.from(text, 'latin1')
    return { bytes: plainBytes(bytes), mimeType: data[1] || undefined }
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri)) {
    throw new UriError('is an address and no file', 'Put the file into the folder of the model and export it with a relative path.')
  }
  for (const path of pathsOf(folder, uri)) {
    try {
      if ((await stat(path)).isFile()) return { bytes: plainBytes(await readFile(path)), mimeType: undefined }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG' && code !== 'ERR_INVALID_ARG_VALUE') {
        throw new UriError(`cannot be read (${code})`, 'Make the file readable.')
      }
    }
  }
  throw new UriError('is missing', 'Put it beside the model again, or export the model as one .glb file.')
}

/**
 * The files a relative URI may mean: percent-decoded as it should be, then with the backslashes that some exporters
 * write, then to the letter for names that hold a percent sign.
 */
function pathsOf(folder: string, uri: string): string[] {
  const names = new Set([decoded(uri), decoded(uri).replaceAll('\\', '/'), uri])
  const paths = [...names].map((name) => resolve(folder, name))
  const outside = paths.some((path) => {
    const inner = relative(folder, path)
    return inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)
  })
  if (outside) throw new UriError("is outside of the model's folder", 'Put the file into the folder of the model.')
  return paths
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
