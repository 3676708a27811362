import type { BakeResult, InspectResult, PictureResult, PlanResult, VerifyResult, Work } from '../bake/contract.ts'
import type { BakeOptions } from '../bake/options.ts'
import type { BakeMeans } from '../bake/lane.ts'
import { startLane } from './lane-thread.ts'

/** What a worker can do, one entry a kind of request. */
export interface Works {
  bake(model: string, options: BakeOptions, means: BakeMeans): Work<BakeResult>
  plan(model: string, options: BakeOptions): Work<PlanResult>
  verify(sidecar: string, options: { model?: string; maxError?: string; limit?: string[] }): Work<VerifyResult>
  inspect(model: string, options?: { limit?: string[] }): Work<InspectResult>
  picture(sidecar: string, options: { size: number }): Work<PictureResult>
}

/**
 * The works of the core with a second thread beside the worker's, where one is worth it.
 *
 * @param entry the compiled main/worker/entry.ts
 */
export function worksBeside(entry: URL): Works {
  return { ...works, bake: (model, options, means) => works.bake(model, options, { ...means, startLane: (of) => startLane(entry, of) }) }
}

/** The works of the core. Each is loaded when it is first asked for: an inspection needs no image library. */
export const works: Works = {
  async *bake(model, options, events) {
    const { bake } = await import('../bake/bake.ts')
    return yield* bake(model, options, events)
  },
  async *plan(model, options) {
    const { planBake } = await import('../bake/plan-bake.ts')
    return yield* planBake(model, options)
  },
  async *verify(sidecar, options) {
    const { verify } = await import('../bake/verify.ts')
    return yield* verify(sidecar, options)
  },
  async *inspect(model, options) {
    const { inspect } = await import('../bake/inspect.ts')
    return yield* inspect(model, options)
  },
  async *picture(sidecar, options) {
    const { picture } = await import('../bake/picture.ts')
    return yield* picture(sidecar, options)
  },
}
