import { defineConfig } from 'vitest/config'

/** Real Blender, real OpenEXR tools, and the oracle over the whole corpus: `npm run test:engines`. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    // Every file uses all cores by itself.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
