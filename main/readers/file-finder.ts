import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { Problem } from '../model/problem.ts'
import { isInside, readLimitedFile, type Budget } from './limited-file.ts'
import type { ExternalFile } from './loaded-model.ts'

/** Reads files that a model names, from the model's folder alone. */
export interface FileFinder {
  /**
   * @param names   as the model has them, the likelier first: relative or absolute, from any system
   * @param folders where exporters put such files, beside the model
   * @returns null where there is none
   * @throws Problem `limit` where it takes more than allowed
   */
  read(names: string[], folders: string[]): Promise<{ path: string; bytes: Uint8Array } | null>
  /** Every file that was read or looked for, once. */
  external(): ExternalFile[]
}

/** Looks for files under the relative name, then under the last part of any name in the folder and in those beside the model. */
export function createFileFinder(folder: string, budget: Budget): FileFinder {
  const external = new Map<string, ExternalFile>()
  return {
    async read(names, folders) {
      const plain = names.filter(Boolean).map((name) => name.replaceAll('\\', '/'))
      const candidates = new Set(plain.filter((name) => !isAbsolute(name) && !/^[a-z]+:/i.test(name)))
      for (const name of plain) for (const beside of ['', ...folders]) candidates.add(join(beside, basename(name)))
      for (const name of candidates) {
        const path = resolve(folder, name)
        try {
          if (!isInside(await realpath(folder), await realpath(path))) continue
          const bytes = await readLimitedFile(path, budget)
          external.set(path, { file: path, sha256: createHash('sha256').update(bytes).digest('hex') })
          return { path, bytes }
        } catch (error) {
          if (error instanceof Problem) throw error
        }
      }
      const missing = resolve(folder, basename(plain[0] ?? ''))
      external.set(missing, { file: missing, sha256: null })
      return null
    },
    external: () => [...external.values()],
  }
}
