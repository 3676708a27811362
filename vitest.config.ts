import { availableParallelism } from 'node:os'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

/** The pure rooms are cheap to test and everything stands on them. */
const PURE = { lines: 90 }

export default defineConfig({
  plugins: [vue()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/engines/**', 'tests/e2e/**', 'tests/viewport/**', 'tests/bench/**', 'tests/process/**', 'tests/hostile/**'],
        },
      },
      {
        extends: true,
        test: { name: 'process', include: ['tests/process/command.test.ts'], globalSetup: 'tests/process/build.ts', benchmark: { include: [] } },
      },
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // By itself vitest leaves a core free, which is half of a build server's two.
    maxWorkers: availableParallelism(),
    coverage: {
      provider: 'v8',
      include: ['main/**/*.ts'],
      // The patterns match anywhere in a path, and the project itself may lie in a folder called main.
      exclude: ['tests/**', 'build/**'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: {
        'main/model/**': PURE,
        'main/codecs/**': PURE,
        'main/targets/**': PURE,
        'main/bake/{options,plan,sidecar,contract}.ts': PURE,
      },
    },
  },
})
