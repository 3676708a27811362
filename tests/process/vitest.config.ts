import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * The command line as processes that are killed, batched, spoken to and given hostile files: `npm run test:process`. What every
 * change is likely to break of it, the promises of the README, is in `npm test`.
 */
export default defineConfig({
  test: {
    include: ['tests/process/**/*.test.ts', 'tests/hostile/**/*.test.ts'],
    exclude: ['tests/process/command.test.ts'],
    globalSetup: 'tests/process/build.ts',
    testTimeout: 60_000,
    maxWorkers: availableParallelism(),
  },
})
