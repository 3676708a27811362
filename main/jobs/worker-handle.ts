import type { Channel } from '../worker/channel.ts'

/** How a worker ended. */
export interface WorkerExit {
  /** It is known to have died of its memory limit. */
  outOfMemory: boolean
  /** What was thrown and not caught, where that is known. */
  error?: Error
}

/** A worker that was started: a thread here, a process of its own in the desktop editor. */
export interface WorkerHandle {
  channel: Channel
  /** Ends it as soon as the system can, whatever it is doing. */
  kill(): void
  /** Called once, when it has ended, killed or not, and touches no file any more. */
  onExit(listener: (exit: WorkerExit) => void): void
}
