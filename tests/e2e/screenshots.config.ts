import { defineConfig } from 'vitest/config'

/**
 * Pictures of every state of the window in the real Electron, dark and light, at both sizes of the design; for looking at, so no part
 * of the tests:
 *
 *     SCREENSHOTS=folder xvfb-run -a -s '-screen 0 1600x1000x24' npm run screenshots
 */
export default defineConfig({
  test: {
    include: ['tests/e2e/screenshots.look.ts'],
    globalSetup: 'tests/e2e/build.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
