import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../model/problem.ts'

export interface WrittenFile {
  /** Base name. */
  file: string
  bytes: number
  /** SHA-256, lower-case hexadecimal. */
  sha256: string
}

/**
 * Writes files into a folder.
 *
 * @throws Problem `output` when one cannot be written
 */
export async function saveFiles(folder: string, files: { file: string; data: Uint8Array }[]): Promise<WrittenFile[]> {
  const written: WrittenFile[] = []
  for (const { file, data } of files) {
    await writeFile(join(folder, file), data).catch((error: NodeJS.ErrnoException) => {
      throw new Problem('output', `"${file}" cannot be written (${error.code}). Free some space or choose another folder.`)
    })
    written.push({ file, bytes: data.byteLength, sha256: createHash('sha256').update(data).digest('hex') })
  }
  return written
}
