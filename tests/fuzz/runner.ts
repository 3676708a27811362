import { readFileSync } from 'node:fs'
import { listWholeFiles, runCase } from './case.ts'
import { Fault } from './examine.ts'

/*
 * The process that runs cases one after the other, as it is told, until it is ended.
 */

export type Answer =
  | { index: number; kind: string; of: string; said: string[]; megabytes: number; seconds: number }
  | { index: number; fault: string; megabytes: number; seconds: number }

export interface Order {
  seed: number
  index: number
  folder: string
  root: string
}

let whole: ReturnType<typeof listWholeFiles> | undefined

process.on('message', ({ seed, index, folder, root }: Order) => {
  whole ??= listWholeFiles(root)
  const begin = processorSeconds()
  const usage = () => ({ megabytes: peakMegabytes(), seconds: processorSeconds() - begin })
  runCase(whole, seed, index, folder).then(
    (result) => tell({ index, ...result, ...usage() }),
    (error: Error) => tell({ index, fault: error instanceof Fault ? error.message : `the examination failed: ${error.stack}`, ...usage() }),
  )
})

function tell(answer: Answer): void {
  process.send!(answer)
}

/** Of all threads; unlike a clock's it does not tell of what else the machine does. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function peakMegabytes(): number {
  try {
    // On Linux the figure of getrusage also counts what the parent took when it started this process.
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))![1]) / 1000
  } catch {
    return process.resourceUsage().maxRSS / 1000
  }
}
