import { describe, expect, test } from 'vitest'
import { startWorkerThread } from '../../main/jobs/start-worker-thread.ts'
import type { WorkerExit, WorkerHandle } from '../../main/jobs/worker-handle.ts'

const program = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${source}`)}`)
const exitOf = (worker: WorkerHandle) => new Promise<WorkerExit>((resolve) => worker.onExit(resolve))

describe('a worker thread', () => {
  test('hears and answers through its channel, and ends when it is killed, however busy it is', async () => {
    const worker = startWorkerThread(program('parentPort.on("message", (m) => { parentPort.postMessage(m * 2); for (;;); })'))
    const answer = new Promise((resolve) => worker.channel.onMessage(resolve))
    worker.channel.post(21)
    expect(await answer).toBe(42)
    const exit = exitOf(worker)
    worker.kill()
    expect(await exit).toEqual({ outOfMemory: false })
  })

  test('that throws tells what it threw', async () => {
    const exit = await exitOf(startWorkerThread(program('throw new Error("broken")')))
    expect(exit.outOfMemory).toBe(false)
    expect(exit.error!.message).toBe('broken')
  })

  test('that cannot be loaded tells why', async () => {
    const exit = await exitOf(startWorkerThread(new URL('./no-such-worker.js', import.meta.url)))
    expect(exit.error!.message).toContain('no-such-worker.js')
  })

  test('that needs more memory than it may have is known for it', async () => {
    const worker = startWorkerThread(program('const kept = []; for (;;) kept.push(new Array(1000).fill({}))'), { maxOldGenerationSizeMb: 16 })
    expect((await exitOf(worker)).outOfMemory).toBe(true)
  })

  test('writes its own lines to standard error: standard output is not its own', async () => {
    const written: string[] = []
    const { write } = process.stderr
    process.stderr.write = ((text: string | Uint8Array) => written.push(String(text)) > 0)
    try {
      await exitOf(startWorkerThread(program('console.log("stray")')))
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.stderr.write = write
    }
    expect(written.join('')).toBe('stray\n')
  })
})
