import type { Progress, Work } from '../bake/contract.ts'
import { type JobEvent, type JobRequest, workerMessage } from '../jobs/contract.ts'
import type { Channel } from './channel.ts'
import { faultOf } from './fault.ts'
import type { Works } from './works.ts'

/** Progress of a job is told at most this often: nobody sees more, and each message costs a copy. */
const PROGRESS_INTERVAL = 33
/** Work keeps the thread for at most this long before messages (a cancellation) are looked at. */
const BREATH_INTERVAL = 15

interface Running {
  cancelled: boolean
}

/**
 * Answers the requests that come through a channel: runs the work, tells its progress, and stops it between two of its
 * steps when it is cancelled or the channel closes. Knows nothing of threads or Electron.
 *
 * Messages in are `workerMessage`s, messages out are `jobEvent`s.
 */
export function serve(channel: Channel, works: Works): void {
  const jobs = new Map<string, Running>()
  const tell = (event: JobEvent) => channel.post(event)

  channel.onMessage((message) => {
    const parsed = workerMessage.safeParse(message)
    if (!parsed.success) {
      const job = jobOf(message)
      if (job !== undefined) tell({ type: 'failed', job, kind: 'internal', message: `The worker does not understand the request: ${parsed.error.message}` })
      return
    }
    const { job } = parsed.data
    if (parsed.data.type === 'cancel') {
      const running = jobs.get(job)
      if (running) running.cancelled = true
      return
    }
    const running: Running = { cancelled: false }
    jobs.set(job, running)
    void run(job, parsed.data.request, running, works, tell).finally(() => jobs.delete(job))
  })

  channel.onClose(() => {
    for (const running of jobs.values()) running.cancelled = true
  })
}

async function run(job: string, request: JobRequest, running: Running, works: Works, tell: (event: JobEvent) => void): Promise<void> {
  tell({ type: 'accepted', job })
  const progress = progressTeller((progress) => tell({ type: 'progress', job, progress }))
  try {
    const work = start(job, request, works, tell)
    let breath = performance.now()
    for (;;) {
      if (running.cancelled) {
        // The work's own `finally` blocks clean up. It has no result to give, so `undefined` stands in for one.
        await work.return(undefined as never)
        return tell({ type: 'cancelled', job })
      }
      const step = await work.next()
      if (step.done) {
        progress.flush()
        return tell({ type: 'finished', job, result: step.value })
      }
      progress.step(step.value)
      if (performance.now() - breath >= BREATH_INTERVAL) {
        await new Promise((resolve) => setImmediate(resolve))
        breath = performance.now()
      }
    }
  } catch (error) {
    tell({ type: 'failed', job, ...faultOf(error) })
  }
}

type JobResult = Extract<JobEvent, { type: 'finished' }>['result']

function start(job: string, request: JobRequest, works: Works, tell: (event: JobEvent) => void): Work<JobResult> {
  switch (request.kind) {
    case 'bake':
      return works.bake(request.model, request.options, {
        staged: (folder) => tell({ type: 'staged', job, folder }),
        exported: ({ role, file, bytes }) => tell({ type: 'file.export', job, role, file, bytes }),
      })
    case 'plan':
      return works.plan(request.model, request.options)
    case 'verify':
      return works.verify(request.sidecar, { model: request.model, maxError: request.maxError, limit: request.limit })
    case 'inspect':
      return works.inspect(request.model, { limit: request.limit })
    case 'picture':
      return works.picture(request.sidecar, { size: request.size })
  }
}

/** Passes on the first step of each stage and then at most one step an interval; `flush` passes on the last one. */
function progressTeller(tell: (progress: Progress) => void) {
  const stages = new Set<Progress['stage']>()
  let told = -Infinity
  let untold: Progress | null = null
  return {
    step(progress: Progress) {
      const now = performance.now()
      if (stages.has(progress.stage) && now - told < PROGRESS_INTERVAL) {
        untold = progress
        return
      }
      stages.add(progress.stage)
      told = now
      untold = null
      tell(progress)
    },
    flush() {
      if (untold) tell(untold)
    },
  }
}

function jobOf(message: unknown): string | undefined {
  const job = (message as { job?: unknown } | null | undefined)?.job
  return typeof job === 'string' ? job : undefined
}
