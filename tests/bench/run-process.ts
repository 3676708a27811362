import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a whole process took. */
export interface Spent {
  /** Seconds from its start to its end. */
  seconds: number
  /** What it printed on standard output. */
  output: string
}

export interface NodeSpent extends Spent {
  /** Seconds of processor time, of all threads. */
  processorSeconds: number
  /** Largest resident memory in bytes, all threads included. */
  peakBytes: number
}

/**
 * Runs a program to its end.
 *
 * @throws Error with everything that it printed where it fails
 */
export async function runProcess(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Spent> {
  const begin = performance.now()
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const seconds = (performance.now() - begin) / 1000
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}:\n${output}${complaints}`)
  return { seconds, output }
}

/**
 * Loaded before the program, leaves at its end what it used. Linux is asked for the high-water mark itself, since the figure of
 * resourceUsage() there begins with the memory of whoever started the process.
 */
const LEAVE_USAGE = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    let kilobytes = maxRSS
    try { kilobytes = Number(/VmHWM:\\s*(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) } catch {}
    const usage = { peakBytes: kilobytes * 1024, processorSeconds: (userCPUTime + systemCPUTime) / 1e6 }
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage))
  })`

/** Runs a script with this Node to its end. */
export async function runNode(script: string, args: string[]): Promise<NodeSpent> {
  const folder = await mkdtemp(join(tmpdir(), 'usage-'))
  try {
    const usage = join(folder, 'usage.json')
    const preload = `data:text/javascript,${encodeURIComponent(LEAVE_USAGE)}`
    const spent = await runProcess(process.execPath, ['--import', preload, script, ...args], { BENCH_USAGE: usage })
    return { ...spent, ...(JSON.parse(await readFile(usage, 'utf8')) as Pick<NodeSpent, 'processorSeconds' | 'peakBytes'>) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
