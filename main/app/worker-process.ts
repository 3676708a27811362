import { join } from 'node:path'
import { MessageChannelMain, type UtilityProcess, utilityProcess } from 'electron'
import type { WorkerHandle } from '../jobs/worker-handle.ts'
import { electronChannel } from '../worker/channel.ts'

/** Megabytes of objects (typed arrays are not among them). Without a limit a runaway takes half a minute to fill the machine. */
const HEAP_LIMIT = 2048

/** Starts the compiled main/worker/entry.ts as a process of its own. What it prints goes where our own errors go. */
export function forkWorker(serviceName: string): UtilityProcess {
  const child = utilityProcess.fork(join(import.meta.dirname, 'worker.cjs'), [], {
    serviceName,
    stdio: 'pipe',
    execArgv: [`--max-old-space-size=${HEAP_LIMIT}`],
  })
  child.stdout?.pipe(process.stderr, { end: false })
  child.stderr?.pipe(process.stderr, { end: false })
  return child
}

/** A worker for jobs in a process of its own, which can be killed whatever it is doing. */
export function startWorkerProcess(): WorkerHandle {
  const child = forkWorker('VAT Studio bakes')
  const { port1, port2 } = new MessageChannelMain()
  child.postMessage(null, [port2])

  // A process that is out of memory exits as if all were well; only its last words tell.
  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => (lastWords = (lastWords + chunk.toString()).slice(-10_000)))
  return {
    channel: electronChannel(port1),
    kill: () => void child.kill(),
    onExit: (listener) => void child.once('exit', () => listener({ outOfMemory: /heap out of memory/.test(lastWords) })),
  }
}
