import type { WorkerExit, WorkerHandle } from '../../main/jobs/worker-handle.ts'
import type { Channel } from '../../main/worker/channel.ts'
import { serve } from '../../main/worker/serve.ts'
import type { Works } from '../../main/worker/works.ts'

/** A worker without a thread: messages are copied, and arrive later, as those of a real one. */
export interface FakeWorker extends WorkerHandle {
  /** What it was told, as kinds of message and numbers of jobs. */
  told: string[]
  killed: boolean
  /** Ends it as if it had died by itself. */
  die(exit?: Partial<WorkerExit>): void
}

/** Either works to serve, or an answer of its own to every message. */
export type Behaviour = Partial<Works> | ((message: { type: 'start' | 'cancel'; job: string }, post: (event: unknown) => void) => void)

export function fakeWorker(behaviour: Behaviour, told: string[] = []): FakeWorker {
  const outside: ((message: unknown) => void)[] = []
  const inside: ((message: unknown) => void)[] = []
  const exits: ((exit: WorkerExit) => void)[] = []
  let alive = true
  const deliver = (listeners: ((message: unknown) => void)[], message: unknown) => {
    const copy = structuredClone(message)
    setImmediate(() => {
      if (alive) for (const listener of listeners) listener(copy)
    })
  }
  const own: Channel = {
    post: (message) => deliver(outside, message),
    onMessage: (listener) => void inside.push(listener),
    close() {},
    onClose() {},
  }
  if (typeof behaviour === 'function') own.onMessage((message) => behaviour(message as never, own.post))
  else serve(own, behaviour as Works)

  const worker: FakeWorker = {
    told,
    killed: false,
    channel: {
      post(message) {
        const { type, job } = message as { type: string; job: string }
        told.push(`${type} ${job}`)
        deliver(inside, message)
      },
      onMessage: (listener) => void outside.push(listener),
      close() {},
      onClose() {},
    },
    kill() {
      worker.killed = true
      worker.die()
    },
    onExit: (listener) => void exits.push(listener),
    die(exit = {}) {
      setImmediate(() => {
        alive = false
        for (const listener of exits.splice(0)) listener({ outOfMemory: false, ...exit })
      })
    },
  }
  return worker
}
