import { chmod } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** The command line and its worker, for Node. Dependencies stay outside, where `npm install` puts them. */
export default defineConfig({
  root,
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: resolve(root, 'dist/cli'),
    rolldownOptions: {
      input: { index: resolve(root, 'main/cli/index.ts'), worker: resolve(root, 'main/worker/entry.ts') },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  plugins: [
    {
      name: 'executable',
      // So that dist/cli/index.js also runs where npm has not linked it.
      writeBundle: ({ dir }) => chmod(resolve(dir!, 'index.js'), 0o755),
    },
  ],
})
