import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * SHA-256 of a file, in lower-case hexadecimal, read piece by piece.
 *
 * @throws the file system's own error where the file cannot be read, or another where it is a pipe or a device, which may never end
 */
export async function hashFile(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) throw new Error('not a regular file')
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
