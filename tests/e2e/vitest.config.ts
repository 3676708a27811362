import { defineConfig } from 'vitest/config'

/** The real Electron, driven by Playwright: `npm run test:e2e`. */
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: 'tests/e2e/build.ts',
    // Each program draws with all cores, and only one of them can have the keyboard.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
