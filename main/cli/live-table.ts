import { basename } from 'node:path'
import type { Progress } from '../bake/contract.ts'
import type { BatchEvent } from '../project/batch-contract.ts'
import { stages } from './progress.ts'
import { printableLine, type TextStream } from './shell.ts'

/** Drawn at most this often, in milliseconds. */
const INTERVAL = 100
const NAME = 28
const BAR = 12

/** The rows that run, below the lines of those that are over. */
export interface LiveTable {
  tell(event: BatchEvent): void
  /** Takes the table away, lets lines be written, and draws it again below them. */
  aside(write: () => void): void
  end(): void
}

/** Starts a table at the end of a terminal; nothing is shown where there is none. */
export function startLiveTable(stream: TextStream, count: number, quiet: boolean): LiveTable {
  if (!stream.isTTY || quiet) return { tell() {}, aside: (write) => write(), end() {} }
  const running = new Map<number, { name: string; progress: Progress | null }>()
  let over = 0
  let failed = 0
  let height = 0

  const clear = () => {
    if (height > 0) stream.write(`\u001b[${height}A\u001b[J`)
    height = 0
  }
  const draw = () => {
    clear()
    const lines = tableLines([...running.values()], { over, failed, count }, stream.columns || 80)
    stream.write(lines.map((line) => `${line}\n`).join(''))
    height = lines.length
  }
  const timer = setInterval(draw, INTERVAL)

  return {
    tell(event) {
      if (event.type === 'started') running.set(event.index, { name: basename(event.file), progress: null })
      else if (event.type === 'progress') running.get(event.index)!.progress = event.progress
      else {
        running.delete(event.index)
        over++
        if (event.row.outcome === 'failed') failed++
      }
    },
    aside(write) {
      clear()
      write()
    },
    end() {
      clearInterval(timer)
      clear()
    },
  }
}

/** `Fox.vat.json   ████░░░░   42 %  Encoding the textures`, and below all of them how many are over. */
export function tableLines(
  running: { name: string; progress: Progress | null }[],
  { over, failed, count }: { over: number; failed: number; count: number },
  columns: number,
): string[] {
  const rows = running.map(({ name, progress }) => {
    const short = name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name.padEnd(NAME)
    const share = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0
    const bar = '█'.repeat(Math.floor(share * BAR)).padEnd(BAR, '░')
    const percent = `${Math.floor(share * 100)} %`.padStart(5)
    return printableLine(`${short}  ${bar}  ${percent}  ${progress ? stages[progress.stage] : 'Comparing'}`).slice(0, columns - 1)
  })
  const totals = `${over} of ${count} over${failed > 0 ? `, ${failed} failed` : ''}`
  return [...rows, totals.slice(0, columns - 1)]
}
