import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FORKED, processChannel } from '../worker/channel.ts'
import type { WorkerExit, WorkerHandle } from './worker-handle.ts'

/** Megabytes of objects (typed arrays are not among them). Without a limit a runaway takes half a minute to fill the machine. */
const HEAP_LIMIT = 2048

/**
 * Starts a worker as a process of its own: one that crashes takes no other with it, and one that is killed is gone at once,
 * whatever it is doing. It ends by itself when this process does.
 *
 * @param file the compiled main/worker/entry.ts
 */
export function startWorkerProcess(file: URL): WorkerHandle {
  const child = fork(fileURLToPath(file), [FORKED], {
    execArgv: [`--max-old-space-size=${HEAP_LIMIT}`],
    serialization: 'advanced',
    // Standard output belongs to whoever speaks for the program: a stray line would spoil the protocol on it.
    stdio: ['ignore', process.stderr.fd, 'pipe', 'ipc'],
  })

  const exit: WorkerExit = { outOfMemory: false }
  // A process that is out of memory is ended by a signal; only its last words tell.
  child.stderr!.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    if (chunk.includes('heap out of memory')) exit.outOfMemory = true
  })
  const hushed = new Promise((resolve) => child.stderr!.once('close', resolve))
  const ended = new Promise<void>((resolve) => {
    const end = (error: Error) => {
      exit.error ??= error
      resolve()
    }
    child.once('error', end)
    child.once('exit', (status, signal) => end(new Error(signal ? `its process was ended by ${signal}` : `its process ended with status ${status}`)))
  })
  return {
    channel: processChannel(child),
    kill: () => void child.kill('SIGKILL'),
    // Node's own event for both does not come where the channel was closed before.
    onExit: (listener) => void Promise.all([hushed, ended]).then(() => listener(exit)),
  }
}
