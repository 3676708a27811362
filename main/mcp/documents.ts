import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../model/problem.ts'

const ADDRESS = 'vat-studio://docs/'
const TYPES: Record<string, string> = { '.md': 'text/markdown', '.json': 'application/json' }

/** The documentation as resources: the specification of the format, its schema, and what else lies beside them. */
export function listDocuments(): { uri: string; name: string; mimeType: string }[] {
  return readdirSync(documentFolder())
    .filter((name) => extname(name) in TYPES)
    .sort()
    .map((name) => ({ uri: ADDRESS + name, name, mimeType: TYPES[extname(name)] }))
}

/**
 * Reads a document; null where the address is not one of a document.
 *
 * @throws Problem `usage` where there is none of that name
 */
export async function readDocument(uri: string): Promise<{ uri: string; mimeType: string; text: string } | null> {
  if (!uri.startsWith(ADDRESS)) return null
  const document = listDocuments().find((document) => document.uri === uri)
  if (!document) throw new Problem('usage', `${uri} is not one of the documents. There are ${listDocuments().map(({ name }) => name).join(', ')}.`)
  return { uri, mimeType: document.mimeType, text: await readFile(join(documentFolder(), document.name), 'utf8') }
}

/** `resources/docs` of this program, which lies above wherever its code was compiled to. */
function documentFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const docs = join(folder, 'resources', 'docs')
    if (existsSync(join(docs, 'vat-format.md'))) return docs
    if (folder === dirname(folder)) throw new Error('The documentation is not there.')
  }
}
