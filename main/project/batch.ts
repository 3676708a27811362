import { setMaxListeners } from 'node:events'
import type { BakeResult } from '../bake/contract.ts'
import type { JobRequest, JobResults } from '../jobs/contract.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { Problem } from '../model/problem.ts'
import type { BatchEvent, BatchReport, BatchRow } from './batch-contract.ts'
import type { FoundSetup } from './find-setups.ts'
import { createGate, type Gate } from './gate.ts'
import { estimateMemory, roughOptions } from './memory.ts'
import type { BakeSetup } from './project-file.ts'
import { recordBake, recordFailure } from './record.ts'
import { type SetOfFiles, stateOf } from './state.ts'

export interface BatchOptions {
  /** Where the bakes are handed in; as many run at a time as it allows, or as there is memory for. */
  jobs: Jobs
  concurrency: number
  /** Bytes that the bakes may take together. */
  memory: number
  /** Leaves out what is up to date. */
  changed: boolean
  /** Goes on with the others when one has failed. Those that run are never disturbed. */
  keepGoing: boolean
  /** Cancels what runs and leaves out the rest. What is done stays done: the next batch can go on from there. */
  signal: AbortSignal
  onEvent(event: BatchEvent): void
}

/**
 * Bakes many setups, several at a time. Each ends in a row of its own, however it ends; this never rejects for what is wrong
 * with one of them.
 */
export async function runBatch(setups: FoundSetup[], options: BatchOptions): Promise<BatchReport> {
  const begin = performance.now()
  // One for each bake that runs, however many there are.
  setMaxListeners(0, options.signal)
  const gate = createGate(options.memory)
  const rows: BatchRow[] = setups.map(({ file }) => ({ ...emptyRow, file, outcome: 'left-out' }))
  const sets = new Map<string, string>()
  let next = 0
  let stopped = false

  const lane = async () => {
    while (next < setups.length && !stopped && !options.signal.aborted) {
      const index = next++
      options.onEvent({ type: 'started', index, file: setups[index].file })
      const row = (rows[index] = await runRow(setups[index], index, gate, options))
      refuseSharedSet(row, sets)
      if (row.outcome === 'failed' && !options.keepGoing) stopped = true
      options.onEvent({ type: 'ended', index, row })
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, setups.length) }, lane))
  return { rows, totals: totalsOf(rows), seconds: (performance.now() - begin) / 1000 }
}

/**
 * Two setups that write the same set would take turns for ever.
 *
 * @param sets path of a sidecar -> who has baked it
 */
function refuseSharedSet(row: BatchRow, sets: Map<string, string>): void {
  if (row.sidecarFile === null) return
  const other = sets.get(row.sidecarFile)
  sets.set(row.sidecarFile, other ?? row.file)
  if (other === undefined) return
  const message = `${row.sidecarFile} is also what ${other} is baked into. Give one of them another name or output folder.`
  Object.assign(row, { outcome: 'failed', error: { kind: 'output', message } } satisfies Partial<BatchRow>)
}

const emptyRow = { state: null, detail: '', error: null, sidecarFile: null, report: null, seconds: 0 } satisfies Partial<BatchRow>

async function runRow(found: FoundSetup, index: number, gate: Gate, options: BatchOptions): Promise<BatchRow> {
  const begin = performance.now()
  const row: BatchRow = { ...emptyRow, file: found.file, outcome: 'failed' }
  try {
    const setup = await found.read()
    const { state, detail, set } = await stateOf(setup)
    Object.assign(row, { state, detail })
    Object.assign(row, options.changed && set ? rowOfSet(set, detail) : await bakeSetup(setup, index, gate, options))
  } catch (error) {
    const kind = error instanceof Problem ? error.kind : 'internal'
    if (kind === 'cancelled') row.outcome = 'cancelled'
    else row.error = { kind, message: (error as Error).message }
  }
  row.seconds = (performance.now() - begin) / 1000
  return row
}

/** Bakes a setup where there is room for it, and writes down what came of it. */
async function bakeSetup(setup: BakeSetup, index: number, gate: Gate, options: BatchOptions): Promise<Partial<BatchRow>> {
  const { signal, jobs } = options
  const leave = options.concurrency > 1 ? await gate.enter(await weigh(setup, options)) : () => {}
  try {
    const result = await runJob(jobs, { kind: 'bake', model: setup.model, options: setup.options }, signal, (event) => {
      if (event.type === 'progress') options.onEvent({ type: 'progress', index, progress: event.progress })
    })
    const failure = result.withinLimit ? '' : limitText(result, setup)
    await recordBake(setup, result, failure || null)
    return rowOfSet(result, failure, 'baked')
  } catch (error) {
    const isCancelled = error instanceof Problem && error.kind === 'cancelled'
    if (!isCancelled) await recordFailure(setup, (error as Error).message)
    throw error
  } finally {
    leave()
  }
}

/** @param failure why the set is not good enough; empty where it is */
function rowOfSet({ sidecarFile, sidecar }: SetOfFiles, failure: string, outcome: BatchRow['outcome'] = 'up-to-date'): Partial<BatchRow> {
  const row = { sidecarFile, report: sidecar.report }
  return failure === '' ? { ...row, outcome } : { ...row, outcome: 'failed', error: { kind: 'verify', message: failure } }
}

/** Where even the plan fails, the bake will say why. */
async function weigh(setup: BakeSetup, { jobs, signal }: BatchOptions): Promise<number> {
  try {
    const plan = await runJob(jobs, { kind: 'plan', model: setup.model, options: roughOptions(setup.options) }, signal)
    return await estimateMemory(setup.model, plan)
  } catch {
    return 0
  }
}

/** Runs one job of a queue that a signal cancels. */
async function runJob<Kind extends JobRequest['kind']>(
  jobs: Jobs,
  request: Extract<JobRequest, { kind: Kind }>,
  signal: AbortSignal,
  onEvent: Parameters<ReturnType<Jobs['submit']>['onEvent']>[0] = () => {},
): Promise<JobResults[Kind]> {
  const job = jobs.submit<Kind>(request)
  job.onEvent(onEvent)
  signal.addEventListener('abort', job.cancel)
  if (signal.aborted) job.cancel()
  try {
    return await job.result
  } finally {
    signal.removeEventListener('abort', job.cancel)
  }
}

function limitText({ sidecar }: BakeResult, { options }: BakeSetup): string {
  const { position } = sidecar.report
  const figures = ({ maxMillimetres, maxPercent }: { maxMillimetres: number; maxPercent: number }) =>
    `${Number(maxMillimetres.toPrecision(3))} mm (${Number(maxPercent.toPrecision(3))} % of the size)`
  return (
    `It misses its limit of ${options.maxError}: the worst vertex is ${figures(position)} off at the samples and ` +
    `${figures(position.betweenSamples)} between them. Use a more exact encoding, more frames or a higher limit.`
  )
}

function totalsOf(rows: BatchRow[]): BatchReport['totals'] {
  const count = (outcome: BatchRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  return {
    baked: count('baked'),
    upToDate: count('up-to-date'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    leftOut: count('left-out'),
  }
}
