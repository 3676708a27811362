import { defineConfig } from 'vitest/config'

/**
 * The window in a real browser, without Electron: `npx vitest run --config tests/renderer/window/vitest.config.ts`.
 * Needs Chromium (see serve.ts). Leaves pictures of every state in SCREENSHOTS, where that is set.
 */
export default defineConfig({
  test: { include: ['tests/renderer/window/*.look.ts'], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
})
