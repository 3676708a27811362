// Runs TypeScript compiled by Vite, so that what is timed or tried is compiled code.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {Record<string, string>} input files below the project's root, by the name that each gets
 * @param {(url: (name: string) => string) => Promise<void>} run is given where each compiled file is; they go when it is done
 */
export async function withCompiled(input, run) {
  // Inside of node_modules, so that the compiled code finds the packages.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const outDir = await mkdtemp(join(cache, 'compiled-'))
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
          input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(root, file)])),
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    })
    await run((name) => pathToFileURL(join(outDir, `${name}.js`)).href)
  } finally {
    await rm(outDir, { recursive: true })
  }
}
