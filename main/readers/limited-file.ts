import { type FileHandle, open, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { checkLimit, type Limits, MEGABYTE } from '../model/limits.ts'

/** Why a file is not read although it is there. */
export class NotAFile extends Error {
  constructor(readonly isFolder: boolean) {
    super(isFolder ? 'is a folder' : 'is not a regular file')
  }
}

/** Whether a path is that of a folder or of something in it. Both have to be absolute; links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path)
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner)
}

/** How many bytes of files may still be read for a model. */
export interface Budget {
  /** Name of the model, for the sentence. */
  file: string
  limits: Limits
  /** Bytes that were read so far. */
  spent: number
}

/**
 * Reads a whole file whose size was checked first. Pipes and devices, which may never end, are not opened.
 *
 * @throws NotAFile for folders, pipes and devices
 * @throws Problem `limit` where this and what was read before are too much
 * @throws the file system's own error
 */
export async function readLimitedFile(path: string, budget: Budget): Promise<Uint8Array<ArrayBuffer>> {
  const status = await stat(path)
  if (!status.isFile()) throw new NotAFile(status.isDirectory())
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    checkLimit(budget.file, budget.limits, 'file-size', (budget.spent + size) / MEGABYTE)
    const bytes = await readBytes(handle, size)
    budget.spent += bytes.length
    return bytes
  } finally {
    await handle.close()
  }
}

/** Exactly the bytes that were there when the size was asked for: a file that grows meanwhile is not followed. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let done = 0
  while (done < size) {
    const { bytesRead } = await handle.read(bytes, done, Math.min(size - done, LARGEST_READ), done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

/** Node reads less than 2 GiB at once. */
const LARGEST_READ = 2 ** 30
