import type { PlanResult } from '../../main/bake/contract.ts'
import type { WindowJobEvent, WindowJobInput } from '../../preload/api.ts'
import { vatStudio } from '../vat-studio.ts'

type WantedPlan = Omit<Extract<WindowJobInput, { kind: 'plan' }>, 'kind'>

/** Asks the worker to plan a bake: what only the model itself can tell. Null where it cannot be planned. */
export async function askPlan(wanted: WantedPlan): Promise<PlanResult | null> {
  const early: WindowJobEvent[] = []
  let listener = (event: WindowJobEvent) => void early.push(event)
  const stop = vatStudio().jobs.onEvent((event) => listener(event))
  try {
    const id = await vatStudio().jobs.submit({ kind: 'plan', ...wanted })
    return await new Promise<PlanResult | null>((resolve) => {
      listener = (event) => {
        if (event.job !== id) return
        if (event.type === 'finished') resolve(event.result as PlanResult)
        if (event.type === 'failed' || event.type === 'cancelled') resolve(null)
      }
      early.forEach((event) => listener(event))
    })
  } catch {
    return null
  } finally {
    stop()
  }
}
