import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { BakeResult } from '../../main/bake/contract.ts'
import type { BakeOptions } from '../../main/bake/options.ts'
import type { Grant, WindowJobEvent } from '../../preload/api.ts'
import { messageOf, vatStudio } from '../vat-studio.ts'
import { createPaceMeter, type Pace } from './pace.ts'

export type JobState = 'waiting' | 'running' | 'cancelling' | 'done' | 'over-limit' | 'failed' | 'cancelled'

/** One bake of the queue, from its request to what came of it. */
export interface BakeJob {
  /** Of the window; the same for a retry is another one. */
  key: number
  /** Of the job API; null until it was accepted into the queue. */
  id: string | null
  model: Grant
  folder: Grant
  options: BakeOptions
  /** Of the clips, as the list shows them. */
  clips: string[]
  frames: number
  vertices: number
  state: JobState
  pace: Pace | null
  /** The sentence of what went wrong. */
  message: string | null
  result: BakeResult | null
  written: { sidecar: Grant; folder: Grant } | null
}

export type WantedBake = Pick<BakeJob, 'model' | 'folder' | 'options' | 'clips' | 'frames' | 'vertices'>

/** Finished rows that are kept, newest first. */
const KEPT = 20

/** The queue of bakes. The main process runs it; this is what it tells. */
export const useJobsStore = defineStore('jobs', () => {
  const jobs = shallowRef<BakeJob[]>([])
  const meters = new Map<number, ReturnType<typeof createPaceMeter>>()
  const finishedListeners: ((job: BakeJob) => void)[] = []
  let count = 0

  const running = computed(() => jobs.value.find(({ state }) => state === 'running' || state === 'cancelling') ?? null)
  const waiting = computed(() => jobs.value.filter(({ state }) => state === 'waiting'))
  const open = computed(() => jobs.value.filter(isOpen))
  /** Those that are over and were not taken away, newest first. */
  const over = computed(() => jobs.value.filter((job) => !isOpen(job)).reverse())

  /** Replaces a row, so that whoever shows it hears of it. */
  function change(key: number, changes: Partial<BakeJob>): void {
    jobs.value = jobs.value.map((job) => (job.key === key ? { ...job, ...changes } : job))
  }

  /** Puts a bake at the end of the queue. */
  async function add(wanted: WantedBake): Promise<void> {
    const { model, folder, clips, frames, vertices } = wanted
    const key = ++count
    const fresh = { key, id: null, state: 'waiting' as const, pace: null, message: null, result: null, written: null }
    jobs.value = [...jobs.value, { ...fresh, model, folder, options: plain(wanted.options), clips: [...clips], frames, vertices }]
    const { output: _, ...options } = plain(wanted.options)
    try {
      change(key, { id: await vatStudio().jobs.submit({ kind: 'bake', model: model.token, output: folder.token, options }) })
    } catch (error) {
      end(key, { state: 'failed', message: messageOf(error) })
    }
  }

  function receive(event: WindowJobEvent): void {
    const job = jobs.value.find(({ id }) => id === event.job)
    if (!job) return
    const { key } = job
    switch (event.type) {
      case 'accepted':
        change(key, { state: 'running' })
        break
      case 'progress': {
        let meter = meters.get(key)
        if (!meter) meters.set(key, (meter = createPaceMeter(job.frames, job.options.encoding !== 'exr')))
        change(key, { pace: meter(event.progress, performance.now()), ...(job.state === 'waiting' ? { state: 'running' } : {}) })
        break
      }
      case 'finished': {
        const result = event.result as BakeResult
        end(key, { state: result.withinLimit ? 'done' : 'over-limit', result, written: event.written ?? null })
        const finished = jobs.value.find((row) => row.key === key)
        if (finished) for (const listener of finishedListeners) listener(finished)
        break
      }
      case 'failed':
        end(key, { state: 'failed', message: event.message })
        break
      case 'cancelled':
        end(key, { state: 'cancelled' })
        break
      case 'staged':
      case 'file.export':
        break
    }
  }

  /** The last change of a row. Forgets the oldest ones that are over. */
  function end(key: number, changes: Partial<BakeJob>): void {
    meters.delete(key)
    change(key, changes)
    const kept = new Set(over.value.slice(0, KEPT).map((job) => job.key))
    jobs.value = jobs.value.filter((job) => isOpen(job) || kept.has(job.key))
  }

  function cancel({ key, id, state }: BakeJob): void {
    if (state === 'running') change(key, { state: 'cancelling' })
    if (id !== null) void vatStudio().jobs.cancel(id)
  }

  function cancelWaiting(): void {
    for (const job of waiting.value) cancel(job)
  }

  /** Takes a row that is over out of the list. */
  function dismiss(job: BakeJob): void {
    jobs.value = jobs.value.filter(({ key }) => key !== job.key)
  }

  async function retry(job: BakeJob): Promise<void> {
    dismiss(job)
    await add(job)
  }

  function onFinished(listener: (job: BakeJob) => void): void {
    finishedListeners.push(listener)
  }

  return { jobs, running, waiting, open, over, add, receive, cancel, cancelWaiting, dismiss, retry, onFinished }
})

const isOpen = ({ state }: BakeJob) => state === 'waiting' || state === 'running' || state === 'cancelling'

/** Without the proxies of Vue, which cannot cross to the main process. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
