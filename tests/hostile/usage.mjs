/*
 * Loaded into a process before its program: when that ends, it writes what it took to the file USAGE_FILE, as JSON. `kilobytes`
 * is the most memory at a time, `seconds` the processor time of all threads.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(process.env.USAGE_FILE, JSON.stringify({ kilobytes: peak(), seconds: (userCPUTime + systemCPUTime) / 1e6 }))
  })
}

function peak() {
  try {
    // On Linux the figure of getrusage also counts what the parent took when it started this process.
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}
