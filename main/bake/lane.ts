import { limitsOf } from '../model/limits.ts'
import { readModel } from '../readers/read-model.ts'
import type { BakeEvents } from './contract.ts'
import { openMeasuring, type FrameErrors, type Lane, type Stretch } from './measure.ts'
import type { Unreported } from './sidecar.ts'
import { truthOf } from './truth.ts'

/** A lane that holds files open. */
export interface StartedLane extends Lane {
  /** Lets go of all files; some systems cannot move them before. */
  close(): Promise<void>
}

/** What a lane works on. */
export interface LaneModel {
  /** Path of the model. */
  model: string
  /** As in the options of a bake. */
  limit: string[]
  sequenceRate?: number
}

/** What a bake is given by those who ask for it. */
export interface BakeMeans extends BakeEvents {
  /** Starts another thread that measures beside this one, where that can be. */
  startLane?(model: LaneModel): StartedLane | null
}

/**
 * What a lane does, in its own thread: it reads the model for itself, at once, and then measures what it is asked to.
 * Its answers are those that the thread of the bake would find: which of them measures a frame changes nothing.
 */
export function createLane({ model, limit, sequenceRate }: LaneModel): StartedLane {
  const loading = readModel(model, limitsOf(limit), sequenceRate)
  // Whoever asks first hears of a failure; nobody may ever ask.
  loading.catch(() => {})
  let open: Awaited<ReturnType<typeof openMeasuring>> | null = null
  return {
    async measure(folder: string, set: Unreported, stretch: Stretch): Promise<FrameErrors[]> {
      if (open === null) {
        const truth = truthOf(await loading, set)
        if (truth === null) throw new Error('the model is not the one that is being baked')
        open = await openMeasuring(folder, set, truth, false)
      }
      const found: FrameErrors[] = []
      for await (const errors of open.measure(stretch)) found.push(...errors)
      return found
    },
    async close() {
      await open?.close()
      open = null
    },
  }
}
