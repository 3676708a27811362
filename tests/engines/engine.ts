import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)

/** The folder beside the project that holds the corpus, the oracle and the engines' tools. */
export const SHARED = resolve('../shared')
const ENGINE = join(SHARED, 'tools/engine')
const ENGINES_ROOT = process.env.ENGINES_ROOT ?? join(homedir(), '.cache/vat-tools/engines')

/** Why the engines cannot be used, or null. */
function whyMissing(): string | null {
  if (!existsSync(ENGINE)) return `there is no ${ENGINE}`
  if (!existsSync(join(ENGINES_ROOT, '.ready'))) return `the engines are not installed: run ${join(SHARED, 'tools/get-engines')}`
  return null
}

/**
 * A `describe` for tests that need real engines. Where there are none the tests are skipped, and the reason is printed;
 * with REQUIRE_ENGINES=1, as in CI, that is a failure.
 */
export function describeWithEngines(name: string, tests: () => void): void {
  const missing = whyMissing()
  if (missing === null) return void describe(name, tests)
  if (process.env.REQUIRE_ENGINES === '1') return void it(`${name}: has the engines`, () => expect.fail(missing))
  console.warn(`${name}: skipped, ${missing}`)
  it.skip(`${name} (${missing})`)
}

/**
 * Runs a program of the engines' root and returns what it prints.
 *
 * @param folders absolute paths that it has to see beside the project's own folder
 * @throws Error with everything that it printed where it fails
 */
export async function engine(program: string, args: string[], folders: string[] = []): Promise<string> {
  const env = { ...process.env, ENGINE_MOUNTS: [SHARED, ...folders].join(' ') }
  try {
    const { stdout, stderr } = await run(ENGINE, [program, ...args], { env, maxBuffer: 1 << 26 })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
