import { availableParallelism } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { createLane, type LaneModel, type StartedLane } from '../bake/lane.ts'
import type { FrameErrors, Stretch } from '../bake/measure.ts'
import type { Unreported } from '../bake/sidecar.ts'

/** How a thread that is to be a lane is told from a worker. */
export interface LaneData {
  lane: LaneModel
}

interface LaneRequest {
  folder: string
  set: Unreported
  stretch: Stretch
}

type LaneReply = { found: FrameErrors[] } | { failed: true }

/**
 * Starts a thread that measures beside this one.
 *
 * @param entry the compiled main/worker/entry.ts
 * @returns null where there is only one processor
 */
export function startLane(entry: URL, model: LaneModel): StartedLane | null {
  if (availableParallelism() < 2) return null
  const data: LaneData = { lane: model }
  const thread = new Worker(entry, { workerData: data, stdout: true })
  thread.stdout.pipe(process.stderr, { end: false })
  // A lane that is never asked must not keep the program alive, nor may its end be taken for the program's.
  thread.unref()
  let answer: ((reply: LaneReply) => void) | null = null
  const tell = (reply: LaneReply) => {
    answer?.(reply)
    answer = null
  }
  let ended = false
  const end = () => {
    ended = true
    tell({ failed: true })
  }
  thread.on('message', tell)
  thread.on('error', end)
  thread.on('exit', end)
  return {
    async measure(folder, set, stretch) {
      const reply = await new Promise<LaneReply>((resolve) => {
        if (ended) return resolve({ failed: true })
        answer = resolve
        const request: LaneRequest = { folder, set, stretch }
        thread.postMessage(request)
      })
      if ('failed' in reply) throw new Error('the other thread cannot measure')
      return reply.found
    },
    async close() {
      await thread.terminate()
    },
  }
}

/** The other end: answers the requests that come through a port, one after the other. */
export function serveLane(port: MessagePort, model: LaneModel): void {
  const lane = createLane(model)
  port.on('message', ({ folder, set, stretch }: LaneRequest) => {
    const reply = (reply: LaneReply) => port.postMessage(reply)
    lane.measure(folder, set, stretch).then(
      (found) => reply({ found }),
      () => reply({ failed: true }),
    )
  })
}
