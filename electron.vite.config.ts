import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'

const inProject = (path: string) => resolve(import.meta.dirname, path)

// Targets are those of the oldest Electron that has to run it; without them they would follow the installed version.
const NODE = 'node18'
const CHROMIUM = 'chrome114'

// Chromium does not start for root with its sandbox, as in a container.
if (process.getuid?.() === 0) process.env.NO_SANDBOX ??= '1'

/** The desktop editor: `npm run build:app`. The command line has a build of its own (build/vite.cli.config.ts). */
export default defineConfig({
  main: {
    build: {
      outDir: inProject('dist/main'),
      target: NODE,
      // Packages are built in: some are modules that the oldest Electron cannot require. sharp has native code.
      externalizeDeps: false,
      rolldownOptions: {
        external: ['sharp'],
        input: { index: inProject('main/index.ts'), worker: inProject('main/worker/entry.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      outDir: inProject('dist/preload'),
      target: NODE,
      minify: true,
      // A sandboxed preload can load no package, so everything is in the one file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: inProject('preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: inProject('renderer'),
    plugins: [vue()],
    build: {
      outDir: inProject('dist/renderer'),
      target: CHROMIUM,
      minify: true,
      // Babylon is one large file, and it is read from the disk.
      chunkSizeWarningLimit: 20_000,
      rolldownOptions: { input: inProject('renderer/index.html') },
    },
  },
})
