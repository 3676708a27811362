import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the command line, compiled from the sources as they are. */
    program: string
  }
}

const root = resolve(import.meta.dirname, '../..')

/**
 * Compiles the command line before the tests of this folder, each time anew and into a folder of its own: they can neither
 * test an old build nor pull away the one in dist/ from under somebody who uses it.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  // Inside the project, so that what is compiled finds its packages.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'vat-studio-tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    await build({
      configFile: join(root, 'build/vite.cli.config.ts'),
      mode: 'production',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: false },
    })
  } catch (error) {
    remove()
    throw error
  }
  project.provide('program', join(folder, 'index.js'))
  return remove
}
