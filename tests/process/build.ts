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

/** Compiles the command line before the tests of this folder. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { program, remove } = await compile()
  project.provide('program', program)
  return remove
}

/**
 * Compiles the command line, each time anew and into a folder of its own: tests can neither test an old build nor pull away the
 * one in dist/ from under somebody who uses it.
 *
 * @returns the path of what is to be run, and what takes it away again
 */
export async function compile(): Promise<{ program: string; remove(): void }> {
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
  return { program: join(folder, 'index.js'), remove }
}
