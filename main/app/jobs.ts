import { dirname } from 'node:path'
import type { JobEvent, JobRequest } from '../jobs/contract.ts'
import { createJobs, type Job, type Jobs } from '../jobs/jobs.ts'
import type { WindowJob, WindowJobEvent } from '../../preload/api.ts'
import type { Grants } from './grants.ts'
import type { Handlers, Tell } from './ipc.ts'
import { startWorkerProcess } from './worker-process.ts'

export interface AppJobs {
  handlers: Pick<Handlers, 'jobs.submit' | 'jobs.cancel'>
  /** Bakes that run or wait. */
  bakesOpen(): number
  /** Cancels everything and waits until it is cleared up. */
  close(): Promise<void>
}

/**
 * The jobs of the window. Bakes and verifications wait for one another; plans and inspections, which are short and whose
 * answer somebody watches for, have a queue and a process of their own.
 */
export function createAppJobs(grants: Grants, tell: Tell): AppJobs {
  const long = createJobs({ startWorker: startWorkerProcess })
  const short = createJobs({ startWorker: startWorkerProcess })
  const open = new Map<string, Job>()

  function submit(windowJob: WindowJob): string {
    const request = withPaths(windowJob, grants)
    const [queue, prefix]: [Jobs, string] = request.kind === 'bake' || request.kind === 'verify' ? [long, 'long'] : [short, 'short']
    const job: Job = queue.submit(request)
    const id = `${prefix}-${job.id}`
    open.set(id, job)
    job.onEvent((event) => {
      if (isEnd(event)) open.delete(id)
      // Later, so that the window knows the id before it hears of it.
      setImmediate(() => tell('jobs.onEvent', forWindow(id, event, request, grants)))
    })
    return id
  }

  return {
    handlers: {
      'jobs.submit': submit,
      // A job that has ended in the meantime has told so.
      'jobs.cancel': (id) => open.get(id)?.cancel(),
    },
    bakesOpen: () => [...open.values()].filter((job) => job.kind === 'bake').length,
    close: async () => void (await Promise.all([long.close(), short.close()])),
  }
}

function withPaths(job: WindowJob, grants: Grants): JobRequest {
  const modelPath = (token: string) => grants.take(token, 'model').path
  switch (job.kind) {
    case 'bake':
    case 'plan': {
      const output = grants.take(job.output, 'folder').path
      return { kind: job.kind, model: modelPath(job.model), options: { ...job.options, output } }
    }
    case 'verify':
      return { ...job, sidecar: grants.take(job.sidecar, 'sidecar').path, model: job.model === undefined ? undefined : modelPath(job.model) }
    case 'inspect':
      return { ...job, model: modelPath(job.model) }
  }
}

function forWindow(id: string, event: JobEvent, request: JobRequest, grants: Grants): WindowJobEvent {
  const own = { ...event, job: id }
  if (event.type !== 'finished' || request.kind !== 'bake' || !('sidecarFile' in event.result)) return own
  const { sidecarFile } = event.result
  return { ...own, written: { sidecar: grants.give('sidecar', sidecarFile), folder: grants.give('folder', dirname(sidecarFile)) } }
}

const isEnd = (event: JobEvent) => event.type === 'finished' || event.type === 'failed' || event.type === 'cancelled'
