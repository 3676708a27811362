import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How a run of the command line ended, and what it took. */
export interface Measured {
  /** Exit status; null for a process that had to be killed. */
  status: number | null
  stdout: string
  stderr: string
  /** From the start to the end of the process. */
  wallSeconds: number
  /** Processor time of the whole process: unlike the other, it does not tell of what else the machine does. */
  seconds: number
  /** Peak of the whole process, worker included; infinite where it did not live to tell. */
  megabytes: number
}

/** What every run has to keep to, whatever it is given. */
export const MOST_SECONDS = 5
export const MOST_MEGABYTES = 500

/** A process that has not ended by then hangs, however busy the machine is. */
const PATIENCE = 25_000

/** What usage.mjs writes. */
interface Usage {
  kilobytes: number
  seconds: number
}

/**
 * Runs the compiled command line to its end.
 *
 * @param program path of its index.js
 */
export async function runMeasured(program: string, args: string[], folder: string): Promise<Measured> {
  const notes = mkdtempSync(join(tmpdir(), 'usage-'))
  const file = join(notes, 'usage.json')
  const begin = performance.now()
  const watch = `--import=${pathToFileURL(join(import.meta.dirname, 'usage.mjs')).href}`
  const child = spawn(process.execPath, [watch, program, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', USAGE_FILE: file },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (piece: string) => (text[name] += piece))
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const wallSeconds = (performance.now() - begin) / 1000
  const usage = status === null ? { kilobytes: Infinity, seconds: Infinity } : (JSON.parse(readFileSync(file, 'utf8')) as Usage)
  rmSync(notes, { recursive: true, force: true })
  return { status, ...text, wallSeconds, seconds: usage.seconds, megabytes: usage.kilobytes / 1000 }
}

/** The head of a table of runs. */
export const HEAD = ['', 'status', 'CPU s', 's', 'MB', 'what was said']

/** A run as a row of that table. */
export function rowOf(name: string, { status, seconds, wallSeconds, megabytes }: Measured, said: string): string[] {
  const shown = said.trim().replace(/\s*\n\s*/g, ' ').slice(0, 160)
  return [name, String(status), seconds.toFixed(1), wallSeconds.toFixed(1), megabytes.toFixed(0), shown]
}

/** The lines of a report that warn. */
export function warningsOf(report: string): string {
  return /^Warnings +(.*(?:\n {3,}\S.*)*)/m.exec(report)?.[1] ?? ''
}
