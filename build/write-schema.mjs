// `npm run schema`: writes the JSON Schema of the sidecar. Vite runs the TypeScript, so that Node 20 can.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const schema = await runnerImport('/build/sidecar-schema.ts', { root, configFile: false, logLevel: 'error' })
const { SCHEMA_FILE, sidecarSchemaText } = schema.module

const file = fileURLToPath(new URL(`../${SCHEMA_FILE}`, import.meta.url))
await mkdir(dirname(file), { recursive: true })
await writeFile(file, sidecarSchemaText())
console.log(`Wrote ${SCHEMA_FILE}`)
