import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer, Order } from './runner.ts'

/** What every case has to keep to. */
const MOST_SECONDS = 5
const MOST_MEGABYTES = 500
/** A case that has not ended by then hangs, however busy the machine is. */
const PATIENCE = 30_000
/** A process is replaced after so many cases, so that its memory tells of few of them. */
const CASES_A_PROCESS = 400
/** Faults after which it is no use to go on. */
const ENOUGH = 20

/**
 * Breaks files and bakes them until the time is over. Prints the faults, keeps their files, and makes them the exit status.
 *
 * @param args   --seconds 120, --seed 1, --case 17 (that one alone), --cases 5000
 * @param runner path of the compiled runner.ts
 */
export async function fuzz(args: string[], root: string, runner: string): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, case: { type: 'string' }, cases: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 2 ** 31)
  const first = Number(values.case ?? 0)
  const last = values.case === undefined ? Number(values.cases ?? Infinity) : first + 1
  const end = performance.now() + Number(values.seconds) * 1000
  console.log(`Seed ${seed}. A case again: npm run fuzz -- --seed ${seed} --case NUMBER`)

  const work = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const kept = join(tmpdir(), 'fuzz-faults')
  const outcomes = new Map<string, number>()
  let faults = 0
  let slowest = { seconds: 0, index: -1 }
  let largest = { megabytes: 0, index: -1 }
  let child: ChildProcess | null = null
  let cases = 0
  for (let index = first; index < last && performance.now() < end && faults < ENOUGH; index++) {
    if (cases++ % CASES_A_PROCESS === 0) child = restart(child, runner)
    const folder = join(work, 'case')
    const answer = await ask(child!, { seed, index, folder, root })
    if (answer.seconds > slowest.seconds) slowest = { seconds: answer.seconds, index }
    if (answer.megabytes > largest.megabytes) largest = { megabytes: answer.megabytes, index }
    const fault = faultOf(answer)
    const outcome = fault ? 'FAULT' : (answer as { kind: string }).kind
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (values.case !== undefined) console.log(answer)
    if (!fault) continue
    faults++
    const place = join(kept, `${seed}-${index}`)
    mkdirSync(kept, { recursive: true })
    rmSync(place, { recursive: true, force: true })
    cpSync(folder, place, { recursive: true, filter: (path) => !path.endsWith('pipe.bin') && !path.includes(join(folder, 'out')) })
    console.log(`\nFAULT in case ${index}: ${fault.slice(0, 2500)}\nIts files are kept in ${place}`)
    child = restart(child, runner)
    cases = 1
  }
  child?.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
  const shares = [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`)
  console.log(
    `${total} cases: ${shares.join(', ')}. Slowest: ${slowest.seconds.toFixed(1)} s (case ${slowest.index}). ` +
      `Largest process: ${largest.megabytes.toFixed(0)} MB (case ${largest.index}).`,
  )
  if (faults > 0) process.exitCode = 1
}

function restart(child: ChildProcess | null, runner: string): ChildProcess {
  child?.removeAllListeners()
  child?.kill('SIGKILL')
  return fork(runner, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

function faultOf(answer: Answer): string | null {
  if ('fault' in answer) return answer.fault
  if (answer.seconds > MOST_SECONDS) return `it took ${answer.seconds.toFixed(1)} s`
  if (answer.megabytes > MOST_MEGABYTES) return `it took ${answer.megabytes.toFixed(0)} MB`
  return null
}

/** A case and what the process says of it, or that it hangs or dies. */
function ask(child: ChildProcess, order: Order): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer) => {
      clearTimeout(patience)
      child.removeAllListeners()
      resolve(answer)
    }
    const failed = (fault: string) => end({ index: order.index, fault, megabytes: 0, seconds: 0 })
    const patience = setTimeout(() => failed('it hangs'), PATIENCE)
    child.on('message', (answer) => end(answer as Answer))
    child.on('exit', (status, signal) => failed(`its process died (${signal ?? status})`))
    child.on('error', (error) => failed(`its process died (${error.message})`))
    child.send(order)
  })
}
