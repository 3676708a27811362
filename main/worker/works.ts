import type { BakeEvents, BakeResult, InspectResult, PlanResult, VerifyResult, Work } from '../bake/contract.ts'
import type { BakeOptions } from '../bake/options.ts'

/** What a worker can do, one entry a kind of request. */
export interface Works {
  bake(model: string, options: BakeOptions, events: BakeEvents): Work<BakeResult>
  plan(model: string, options: BakeOptions): Work<PlanResult>
  verify(sidecar: string, options: { model?: string; maxError?: string }): Work<VerifyResult>
  inspect(model: string): Work<InspectResult>
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
  async *inspect(model) {
    const { inspect } = await import('../bake/inspect.ts')
    return yield* inspect(model)
  },
}
