import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/**
 * SHA-256 of a file, in lower-case hexadecimal, read piece by piece.
 *
 * @throws the file system's own error where the file cannot be read
 */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
