import { z } from 'zod'
import { bakeOptions } from '../bake/options.ts'
import { bakeResult, inspectResult, pictureResult, planResult, progress, verifyResult } from '../bake/contract.ts'

/** As of a bake. */
const limit = bakeOptions.shape.limit.unwrap().optional()

/** Work that any face (command line, editor, MCP, batch) can ask for. Paths are absolute. */
export const jobRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bake'), model: z.string(), options: bakeOptions }),
  z.strictObject({ kind: z.literal('plan'), model: z.string(), options: bakeOptions }),
  z.strictObject({ kind: z.literal('verify'), sidecar: z.string(), model: z.string().optional(), maxError: bakeOptions.shape.maxError, limit }),
  z.strictObject({ kind: z.literal('inspect'), model: z.string(), limit }),
  /** Small pictures of a bake's textures; `size`: largest width and height in pixels. */
  z.strictObject({ kind: z.literal('picture'), sidecar: z.string(), size: z.int().min(1) }),
])

/**
 * What becomes of it, in this order: accepted, then progress and the two kinds of file events, then exactly one of finished,
 * failed and cancelled. A job that ends before a worker took it up has only the last of these.
 */
export const jobEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('accepted'), job: z.string() }),
  z.strictObject({ type: z.literal('progress'), job: z.string(), progress }),
  z.strictObject({ type: z.literal('staged'), job: z.string(), folder: z.string() }),
  z.strictObject({ type: z.literal('file.export'), job: z.string(), role: z.string(), file: z.string(), bytes: z.number() }),
  z.strictObject({ type: z.literal('finished'), job: z.string(), result: z.union([bakeResult, planResult, verifyResult, inspectResult, pictureResult]) }),
  z.strictObject({
    type: z.literal('failed'),
    job: z.string(),
    /** A `ProblemKind`, or `internal` for a defect of ours. */
    kind: z.string(),
    /** Whole sentences for a person. */
    message: z.string(),
    /** Stack trace, shown only where somebody asks for it. */
    stack: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('cancelled'), job: z.string() }),
])

/** What a worker is told: to take up a job, or to give one up. */
export const workerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), job: z.string(), request: jobRequest }),
  z.strictObject({ type: z.literal('cancel'), job: z.string() }),
])

export type WorkerMessage = z.output<typeof workerMessage>
export type JobRequest = z.output<typeof jobRequest>
export type JobEvent = z.output<typeof jobEvent>

export interface JobResults {
  bake: z.output<typeof bakeResult>
  plan: z.output<typeof planResult>
  verify: z.output<typeof verifyResult>
  inspect: z.output<typeof inspectResult>
  picture: z.output<typeof pictureResult>
}
