import { z } from 'zod'
import { progress } from '../bake/contract.ts'
import { sidecar } from '../bake/sidecar.ts'

/** How a setup stands towards its last bake. */
export const SETUP_STATES = [
  'up-to-date',
  'model-changed',
  'settings-changed',
  'output-missing',
  'output-damaged',
  'source-missing',
  'failed',
] as const

export const setupState = z.enum(SETUP_STATES)
export type SetupState = z.output<typeof setupState>

/** What became of one setup of a batch. */
export const batchRow = z.strictObject({
  /** Project file, or the model where there is none. */
  file: z.string(),
  /** What was found before; null where nobody looked. */
  state: setupState.nullable(),
  /** Why it had to be baked, as part of a sentence. */
  detail: z.string(),
  /** left-out: the batch was over before its turn came. */
  outcome: z.enum(['baked', 'up-to-date', 'failed', 'cancelled', 'left-out']),
  /** Why it has failed: a kind of problem (or `internal`), and whole sentences. */
  error: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
  /** Path of the set's sidecar, of a bake that was made or is up to date. */
  sidecarFile: z.string().nullable(),
  /** How exact that set is. */
  report: sidecar.shape.report.nullable(),
  seconds: z.number(),
})

/** What became of a batch; the rows are in the order in which they were given. */
export const batchReport = z.strictObject({
  rows: z.array(batchRow),
  totals: z.strictObject({
    baked: z.int(),
    upToDate: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    leftOut: z.int(),
  }),
  seconds: z.number(),
})

/** What is told of a batch while it runs; `index` is that of the row. */
export const batchEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('started'), index: z.int(), file: z.string() }),
  z.strictObject({ type: z.literal('progress'), index: z.int(), progress }),
  z.strictObject({ type: z.literal('ended'), index: z.int(), row: batchRow }),
])

export type BatchRow = z.output<typeof batchRow>
export type BatchReport = z.output<typeof batchReport>
export type BatchEvent = z.output<typeof batchEvent>
