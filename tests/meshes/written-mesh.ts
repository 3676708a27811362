import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Logger, NodeIO } from '@gltf-transform/core'
import type { Document, GLTF } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import { validateBytes } from 'gltf-validator'

const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS)

/** The JSON of a written .glb or .gltf, and a document of it. */
export async function open(file: string): Promise<{ json: GLTF.IGLTF; document: Document }> {
  const source = await io.readAsJSON(file)
  return { json: source.json, document: await io.readJSON(source) }
}

/** Errors and warnings that the Khronos validator finds, as `CODE pointer`. */
export async function faultsOf(file: string): Promise<string[]> {
  const report = await validateBytes(await readFile(file), {
    uri: file,
    maxIssues: 0,
    externalResourceFunction: (uri) => readFile(join(dirname(file), decodeURIComponent(uri))),
  })
  return report.issues.messages.filter(({ severity }) => severity < 2).map(({ code, pointer }) => `${code} ${pointer}`)
}

export function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
