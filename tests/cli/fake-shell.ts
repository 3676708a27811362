import { PassThrough, Writable } from 'node:stream'
import { runCommandLine } from '../../main/cli/program.ts'
import type { Shell, TextStream } from '../../main/cli/shell.ts'
import { createJobs } from '../../main/jobs/jobs.ts'
import { type Behaviour, fakeWorker } from '../jobs/fake-worker.ts'

/** A stream that keeps what is written to it. */
export class Written extends Writable implements TextStream {
  text = ''
  isTTY = false
  columns = 80
  override _write(chunk: Buffer | string, _encoding: string, done: () => void) {
    this.text += String(chunk)
    done()
  }
}

export interface Run {
  status: number
  stdout: string
  stderr: string
  /** What its worker was told. */
  told: string[]
}

export interface FakeShellOptions {
  /** Interrupts the command when it is aborted. */
  interrupt?: AbortController
  isTTY?: boolean
  recovered?: string[]
  patience?: number
}

/** Runs a command line in this process, in the folder /work, with a worker that behaves as told. */
export async function run(line: string | string[], behaviour: Behaviour = {}, options: FakeShellOptions = {}): Promise<Run> {
  const told: string[] = []
  const [stdout, stderr] = [new Written(), new Written()]
  stderr.isTTY = options.isTTY ?? false
  const shell: Shell = {
    stdin: new PassThrough(),
    stdout,
    stderr,
    folder: '/project',
    interrupt: (options.interrupt ?? new AbortController()).signal,
    startJobs: () =>
      createJobs({
        startWorker: () => fakeWorker(behaviour, told),
        recoverStaging: async (folder) => void options.recovered?.push(folder),
        patience: options.patience,
      }),
  }
  const status = await runCommandLine(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, shell)
  return { status, stdout: stdout.text, stderr: stderr.text, told }
}
