#!/usr/bin/env node
import { createJobs } from '../jobs/jobs.ts'
import { startWorkerProcess } from '../jobs/start-worker-process.ts'
import { startWorkerThread } from '../jobs/start-worker-thread.ts'
import { runCommandLine } from './program.ts'

/** One Ctrl-C can arrive twice: from the terminal, and again from npx, which passes it on. */
const ECHO = 500

const interrupt = new AbortController()
let interrupted = -Infinity
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const now = performance.now()
    if (!interrupt.signal.aborted) {
      interrupted = now
      interrupt.abort()
    } else if (now - interrupted > ECHO) {
      // The signal's own way is at once; process.exit would wait for an image that is being compressed.
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
  })
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read the output has seen enough (`| head`); the work goes on to its end.
    if (error.code === 'EPIPE') return
    process.exitCode ||= 1
    if (stream === process.stdout) process.stderr.write(`error: The output cannot be written: ${error.message}. Send it elsewhere.\n`)
  })
}

const worker = new URL('./worker.js', import.meta.url)

void runCommandLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  interrupt: interrupt.signal,
  startJobs: ({ concurrency } = {}) =>
    concurrency === undefined
      ? createJobs({ startWorker: () => startWorkerThread(worker) })
      : createJobs({ startWorker: () => startWorkerProcess(worker), concurrency }),
}).then((status) => {
  process.exitCode = status || process.exitCode
})
