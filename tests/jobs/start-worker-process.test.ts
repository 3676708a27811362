import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkerProcess } from '../../main/jobs/start-worker-process.ts'
import type { WorkerExit, WorkerHandle } from '../../main/jobs/worker-handle.ts'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-process-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function program(source: string): URL {
  const file = join(folder, `${count++}.mjs`)
  writeFileSync(file, source)
  return pathToFileURL(file)
}

const exitOf = (worker: WorkerHandle) => new Promise<WorkerExit>((resolve) => worker.onExit(resolve))

describe('a worker process', () => {
  test('hears and answers through its channel, and ends when it is killed, however busy it is', async () => {
    const worker = startWorkerProcess(program('process.on("message", (m) => process.send(new Map([[m, 2]]), () => { for (;;); }))'))
    const answer = new Promise((resolve) => worker.channel.onMessage(resolve))
    worker.channel.post(21)
    expect(await answer).toEqual(new Map([[21, 2]]))
    const exit = exitOf(worker)
    worker.kill()
    expect(await exit).toMatchObject({ outOfMemory: false, error: { message: expect.stringMatching(/its process (was ended by SIGKILL|ended with)/) as string } })
  })

  test('that ends by itself tells how, and nobody minds what is sent to it after that', async () => {
    const worker = startWorkerProcess(program('process.exit(7)'))
    expect((await exitOf(worker)).error!.message).toBe('its process ended with status 7')
    worker.channel.post('too late')
  })

  test('that runs out of memory is known for it', async () => {
    const worker = startWorkerProcess(program('process.on("message", () => {}); console.error("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"); process.abort()'))
    expect((await exitOf(worker)).outOfMemory).toBe(true)
  })

  test('sees when its parent lets go of it', async () => {
    const worker = startWorkerProcess(program('process.on("message", () => {}); process.on("disconnect", () => process.exit(3)); process.send("ready")'))
    await new Promise((resolve) => worker.channel.onMessage(resolve))
    const exit = exitOf(worker)
    worker.channel.close()
    expect((await exit).error!.message).toBe('its process ended with status 3')
  })
})
