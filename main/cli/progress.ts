import type { SingleBar } from 'cli-progress'
import type { Progress } from '../bake/contract.ts'
import { formatTimeLeft } from './format.ts'
import type { TextStream } from './shell.ts'

/** Each stage as a heading. */
export const stages: Record<Progress['stage'], string> = {
  choosing: 'Choosing',
  reading: 'Reading the model',
  measuring: 'Measuring the bounds',
  encoding: 'Encoding the textures',
  writing: 'Writing the files',
  verifying: 'Verifying',
  publishing: 'Moving the files into place',
}

/** Work that is over before this many milliseconds shows nothing. */
const DELAY = 300
const BAR = 24

/** The line of a terminal that says how far a job is. */
export interface ProgressLine {
  show(progress: Progress): void
  cancelling(): void
  /** Takes the line away. */
  end(): void
}

/** Starts a progress line, which shows nothing where the stream is not a terminal. */
export function startProgress(stream: TextStream): ProgressLine {
  if (!stream.isTTY) return { show() {}, cancelling() {}, end() {} }
  let bar: SingleBar | null = null
  let ended = false
  let stage = 'Starting'
  const estimate = createEstimate()
  let progress: Progress | null = null
  const text = () => progressText(stage, progress, progress && estimate.left(progress, performance.now()), stream.columns || 80)

  const begin = async () => {
    const { default: cliProgress } = await import('cli-progress')
    if (ended) return
    bar = new cliProgress.SingleBar({ stream, format: text, clearOnComplete: true, linewrap: true, forceRedraw: true, gracefulExit: false })
    bar.start(1, 0)
  }
  const delay = setTimeout(() => void begin(), DELAY)

  return {
    show(next) {
      if (stage !== 'Cancelling…') stage = stages[next.stage]
      progress = next
      estimate.note(next, performance.now())
    },
    cancelling() {
      stage = 'Cancelling…'
    },
    end() {
      ended = true
      clearTimeout(delay)
      bar?.stop()
    },
  }
}

/** Guesses what is left from the mean speed since the first vertex-frame was counted. */
export function createEstimate() {
  let start: { done: number; time: number } | null = null
  return {
    note({ done, total }: Progress, now: number) {
      if (total > 0) start ??= { done, time: now }
    },
    /** Seconds, or null while too little has been seen to tell. */
    left({ done, total }: Progress, now: number): number | null {
      if (!start || done <= start.done || now - start.time < 500) return null
      const seconds = (now - start.time) / 1000
      return (seconds / (done - start.done)) * (total - done)
    },
  }
}

/** `Encoding the textures        ████████░░░░  42 %  0:07 left`, as wide as the terminal at most. */
export function progressText(stage: string, progress: Progress | null, left: number | null, columns: number): string {
  const words = stage.padEnd(Math.max(...Object.values(stages).map((stage) => stage.length)))
  if (!progress || progress.total === 0) return words.slice(0, columns - 1)
  const share = Math.min(1, progress.done / progress.total)
  const full = Math.floor(share * BAR)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`
  return [words, bar, percent, left === null ? '' : formatTimeLeft(left)].join('  ').trimEnd().slice(0, columns - 1)
}
