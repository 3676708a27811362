import { basename } from 'node:path'
import type { z } from 'zod'
import { bakeResult, inspectResult, pictureResult, planResult, verifyResult } from '../bake/contract.ts'
import { Problem, type ProblemKind } from '../model/problem.ts'
import { type JobEvent, type JobRequest, type JobResults, jobEvent, jobRequest, type WorkerMessage } from './contract.ts'
import type { WorkerExit, WorkerHandle } from './worker-handle.ts'

/** One piece of work that was handed in. */
export interface Job<Kind extends JobRequest['kind'] = JobRequest['kind']> {
  id: string
  kind: Kind
  /** Called with every event from now on, the last time with finished, failed or cancelled. */
  onEvent(listener: (event: JobEvent) => void): void
  /** Rejects with a `Problem` where a person can act on it, and with another `Error` for a defect of ours. */
  result: Promise<JobResults[Kind]>
  /** Gives the job up. It still finishes where it is done before the worker hears of it. */
  cancel(): void
}

export interface Jobs {
  /**
   * Puts a request at the end of the queue.
   *
   * @throws Problem `usage` for a request that does not follow the contract
   */
  submit<Kind extends JobRequest['kind']>(request: Extract<JobRequest, { kind: Kind }>): Job<Kind>
  /** Cancels every job, waits until all are over and cleared up, and ends the workers. */
  close(): Promise<void>
}

export interface JobsOptions {
  startWorker(): WorkerHandle
  /** Settles a staging folder whose worker is dead. */
  recoverStaging?(folder: string): Promise<void>
  /** Jobs that run at the same time, each in a worker of its own. */
  concurrency?: number
  /** Milliseconds that a worker has to answer a cancellation before it is killed. */
  patience?: number
}

type Ending = Extract<JobEvent, { type: 'finished' | 'failed' | 'cancelled' }>

interface Entry {
  id: string
  request: JobRequest
  listeners: ((event: JobEvent) => void)[]
  /** Resolves, never rejects, when the job is over. */
  ended: Promise<Ending>
  settle(ending: Ending): void
  /** Null while the job waits. */
  worker: WorkerHandle | null
  /** Staging folders that the worker has told of. */
  staged: Set<string>
  /** Running while a cancelled worker may still answer. */
  patience?: NodeJS.Timeout
  /** What the job ends with once its worker, which was killed, is gone. */
  fate?: Ending
}

const resultSchemas: Record<JobRequest['kind'], z.ZodType> = {
  bake: bakeResult,
  plan: planResult,
  verify: verifyResult,
  inspect: inspectResult,
  picture: pictureResult,
}

/** Makes the one queue of work that a face of the program hands its requests to. */
export function createJobs(options: JobsOptions): Jobs {
  const { startWorker, recoverStaging = recoverBakeStaging, concurrency = 1, patience = 1000 } = options
  const waiting: Entry[] = []
  const running: Entry[] = []
  /** Started, not ended, and not to be killed. They are kept for the next job. */
  const workers: WorkerHandle[] = []
  let count = 0

  function submit<Kind extends JobRequest['kind']>(request: Extract<JobRequest, { kind: Kind }>): Job<Kind> {
    const parsed = jobRequest.safeParse(request)
    if (!parsed.success) throw new Problem('usage', `The request is not valid: ${issuesOf(parsed.error)}.`)
    const entry = createEntry(String(++count), parsed.data)
    const result = entry.ended.then((ending) => {
      if (ending.type !== 'finished') throw errorOf(ending, entry.request)
      return ending.result as JobResults[Kind]
    })
    // Whoever listens to the events only must not die of a rejection that nobody waits for.
    result.catch(() => {})
    waiting.push(entry)
    // Later, so that the submitter can listen before the first event.
    queueMicrotask(startNext)
    return {
      id: entry.id,
      kind: request.kind,
      onEvent: (listener) => void entry.listeners.push(listener),
      result,
      cancel: () => cancel(entry),
    }
  }

  function startNext(): void {
    while (running.length < concurrency && waiting.length > 0) {
      const entry = waiting.shift()!
      running.push(entry)
      try {
        entry.worker = workers.find((worker) => !entryOf(worker)) ?? startListening()
        tell(entry, { type: 'start', job: entry.id, request: entry.request })
      } catch (error) {
        end(entry, failure(entry, `could not be started: ${(error as Error).message}`, error as Error))
      }
    }
  }

  function startListening(): WorkerHandle {
    const worker = startWorker()
    workers.push(worker)
    worker.channel.onMessage((message) => {
      const entry = entryOf(worker)
      if (entry) receive(entry, message)
    })
    worker.onExit((exit) => {
      remove(workers, worker)
      const entry = entryOf(worker)
      if (entry) void settleStaging(entry, entry.fate ?? crash(entry, exit)).then((ending) => end(entry, ending))
    })
    return worker
  }

  function receive(entry: Entry, message: unknown): void {
    const event = jobEvent.safeParse(message).data
    if (event && event.job !== entry.id) return
    if (!event || (event.type === 'finished' && !resultSchemas[entry.request.kind].safeParse(event.result).success)) {
      return kill(entry, failure(entry, 'stopped: its worker gave an answer that is not part of the contract'))
    }
    if (event.type === 'finished' || event.type === 'failed' || event.type === 'cancelled') return end(entry, event)
    if (event.type === 'staged') entry.staged.add(event.folder)
    for (const listener of entry.listeners) listener(event)
  }

  function cancel(entry: Entry): void {
    const cancelled: Ending = { type: 'cancelled', job: entry.id }
    if (remove(waiting, entry)) return end(entry, cancelled)
    if (!running.includes(entry) || entry.patience || entry.fate) return
    entry.patience = setTimeout(() => kill(entry, cancelled), patience)
    tell(entry, { type: 'cancel', job: entry.id })
  }

  function kill(entry: Entry, fate: Ending): void {
    if (entry.fate) return
    entry.fate = fate
    remove(workers, entry.worker!)
    entry.worker!.kill()
  }

  function end(entry: Entry, ending: Ending): void {
    clearTimeout(entry.patience)
    remove(running, entry)
    entry.settle(ending)
    for (const listener of entry.listeners) listener(ending)
    startNext()
  }

  /** Nothing of a dead worker stays behind. Answers with the ending of its job. */
  async function settleStaging(entry: Entry, ending: Ending): Promise<Ending> {
    try {
      for (const folder of entry.staged) await recoverStaging(folder)
      return ending
    } catch (error) {
      const message = `${nameOf(entry.request)} stopped, and its folder could not be cleared up: ${(error as Error).message}`
      return { type: 'failed', job: entry.id, kind: 'output', message, stack: (error as Error).stack }
    }
  }

  const entryOf = (worker: WorkerHandle) => running.find((entry) => entry.worker === worker)
  const tell = (entry: Entry, message: WorkerMessage) => entry.worker!.channel.post(message)

  return {
    submit,
    async close() {
      const open = [...waiting, ...running]
      open.forEach(cancel)
      await Promise.all(open.map((entry) => entry.ended))
      for (const worker of workers.splice(0)) worker.kill()
    },
  }
}

function createEntry(id: string, request: JobRequest): Entry {
  let settle!: Entry['settle']
  const ended = new Promise<Ending>((resolve) => (settle = resolve))
  return { id, request, listeners: [], ended, settle, worker: null, staged: new Set() }
}

/** The bake's own way; loaded only where a worker had to be killed. */
async function recoverBakeStaging(folder: string): Promise<void> {
  const { recoverStaging } = await import('../bake/staging.ts')
  await recoverStaging(folder)
}

function crash(entry: Entry, exit: WorkerExit): Ending {
  if (exit.outOfMemory) {
    const message = `${nameOf(entry.request)} ran out of memory. Try fewer frames or fewer meshes at a time.`
    return { type: 'failed', job: entry.id, kind: 'limit' satisfies ProblemKind, message }
  }
  return failure(entry, `stopped unexpectedly${exit.error ? `: ${exit.error.message}` : ''}`, exit.error)
}

function failure(entry: Entry, what: string, error?: Error): Ending {
  const message = `${nameOf(entry.request)} ${what.replace(/[.\s]*$/, '')}.`
  return { type: 'failed', job: entry.id, kind: 'internal', message, stack: error?.stack }
}

/** The job as the subject of a sentence. */
function nameOf(request: JobRequest): string {
  switch (request.kind) {
    case 'bake':
      return `The bake of ${basename(request.model)}`
    case 'plan':
      return `The plan for ${basename(request.model)}`
    case 'verify':
      return `The verification of ${basename(request.sidecar)}`
    case 'inspect':
      return `The inspection of ${basename(request.model)}`
    case 'picture':
      return `The picture of ${basename(request.sidecar)}`
  }
}

function errorOf(ending: Exclude<Ending, { type: 'finished' }>, request: JobRequest): Error {
  if (ending.type === 'cancelled') return new Problem('cancelled', `${nameOf(request)} was cancelled.`)
  const error = ending.kind === 'internal' ? new Error(ending.message) : new Problem(ending.kind as ProblemKind, ending.message)
  if (ending.stack !== undefined) error.stack = ending.stack
  return error
}

function issuesOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

function remove<Item>(list: Item[], item: Item): boolean {
  const place = list.indexOf(item)
  if (place >= 0) list.splice(place, 1)
  return place >= 0
}
