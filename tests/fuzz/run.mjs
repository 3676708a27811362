// `npm run fuzz -- --seconds 3600 --seed 7`: breaks small models at random and bakes them. See fuzz.ts.
// Vite compiles the TypeScript first, so that compiled code is tried.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside of node_modules, so that the compiled code finds the packages.
const cache = join(root, 'node_modules/.cache')
await mkdir(cache, { recursive: true })
const outDir = await mkdtemp(join(cache, 'fuzz-'))
try {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      rolldownOptions: {
        input: { fuzz: join(root, 'tests/fuzz/fuzz.ts'), runner: join(root, 'tests/fuzz/runner.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  })
  const { fuzz } = await import(pathToFileURL(join(outDir, 'fuzz.js')).href)
  await fuzz(process.argv.slice(2), root, join(outDir, 'runner.js'))
} finally {
  await rm(outDir, { recursive: true })
}
