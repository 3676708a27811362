import { defineConfig } from 'vitest/config'

/** The viewport in a real browser: `npx vitest run --config tests/viewport/vitest.config.ts`. Needs Chromium (see serve.ts). */
export default defineConfig({
  test: { include: ['tests/viewport/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false },
})
