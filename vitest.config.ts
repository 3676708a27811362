import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/engines/**', 'tests/e2e/**', 'tests/bench/**'],
    testTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['main/**'],
    },
  },
})
