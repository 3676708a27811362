import { relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'
import { Problem } from '../model/problem.ts'
import { type BatchOptions, runBatch } from './batch.ts'
import type { FoundSetup } from './find-setups.ts'

/** Milliseconds without a change before anything is read: programs save in several steps, and people save twice. */
const QUIET = 250

export interface WatchOptions extends Omit<BatchOptions, 'changed' | 'keepGoing'> {
  /** What there is to bake at that moment. */
  find(): Promise<FoundSetup[]>
}

/**
 * Bakes what is not up to date in a folder, and again whenever something in it changes, until it is told to stop. What is found
 * while a bake runs is looked at afterwards: the last content of every file is what is baked in the end.
 *
 * @throws Problem where the folder cannot be watched
 */
export async function watchFolder(folder: string, { find, ...batch }: WatchOptions): Promise<void> {
  const { signal } = batch
  let changedAt = -Infinity
  let isSeen = false
  let wake = () => {}
  const note = () => {
    changedAt = performance.now()
    isSeen = false
    wake()
  }
  const watcher = startWatching(folder, note)
  const broken = new Promise<never>((_, reject) => {
    watcher.on('error', (error) => reject(unwatchable(folder, error as NodeJS.ErrnoException)))
  })
  broken.catch(() => {})
  signal.addEventListener('abort', () => wake())

  try {
    while (!signal.aborted) {
      if (isSeen) {
        await Promise.race([broken, new Promise<void>((resolve) => (wake = resolve))])
        continue
      }
      const quietFor = performance.now() - changedAt
      if (quietFor < QUIET) {
        await wait(QUIET - quietFor)
        continue
      }
      isSeen = true
      await runBatch(await find(), { ...batch, changed: true, keepGoing: true })
    }
  } finally {
    await watcher.close()
  }
}

/** Node's own watcher loses a file that another one was renamed over, which is how careful programs save. */
function startWatching(folder: string, note: () => void): FSWatcher {
  // What is hidden is never baked; bakes keep there what they have not finished.
  const isHidden = (path: string) => /(^|[/\\])\./.test(relative(folder, path))
  return watch(folder, { ignored: isHidden, ignoreInitial: true }).on('all', note).on('ready', note)
}

function unwatchable(folder: string, { code, message }: NodeJS.ErrnoException): Problem {
  const limit = code === 'ENOSPC' || code === 'EMFILE'
  const advice = limit ? 'Watch a smaller folder, or raise the limit of the system.' : 'Check the path and its permissions.'
  return new Problem('input', `${folder} cannot be watched (${code ?? message}). ${advice}`)
}
