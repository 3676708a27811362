import { Worker, type WorkerOptions } from 'node:worker_threads'
import { nodeChannel } from '../worker/channel.ts'
import type { WorkerExit, WorkerHandle } from './worker-handle.ts'

/**
 * Starts a worker as a thread of this process. Killing it waits for native code (an image that is being compressed),
 * since a thread cannot be stopped inside of that.
 *
 * @param file   the compiled main/worker/entry.ts
 * @param limits of the thread's memory; those of the process where they are not given
 */
export function startWorkerThread(file: URL | string, limits?: WorkerOptions['resourceLimits']): WorkerHandle {
  const worker = new Worker(file, { stdout: true, resourceLimits: limits })
  // Standard output belongs to whoever speaks for the process: a stray line would spoil the JSON on it.
  worker.stdout.pipe(process.stderr, { end: false })

  const exit: WorkerExit = { outOfMemory: false }
  worker.on('error', (error: NodeJS.ErrnoException) => {
    exit.outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    exit.error = error
  })
  return {
    channel: nodeChannel(worker),
    kill: () => void worker.terminate(),
    onExit: (listener) => void worker.once('exit', () => listener(exit)),
  }
}
