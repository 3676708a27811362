import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { bake, bakeRun, contents, fox, inParallel, namedFiles, randomMoments, remains, run, start, tally, temporaryFolder, tornFiles } from './program.ts'
import { bakeTwoSets, NEW, OLD, type TwoSets } from './two-sets.ts'

/*
 * What a bake leaves that is killed, and whether the next one clears it up.
 */

const KILLS = 20

const folder = temporaryFolder()
let sets: TwoSets
beforeAll(async () => {
  sets = await bakeTwoSets(folder)
})

/** A copy of the old set in a folder of its own. */
function copyOfOld(name: string): string {
  const output = join(folder, name)
  cpSync(sets.old.folder, output, { recursive: true })
  return output
}

/** What a reader finds in a folder: no set, a whole one, or one whose sidecar tells that it is torn. Then `verify` has to tell, too. */
async function stateOf(output: string, name = 'Run'): Promise<'no set' | 'whole' | 'torn'> {
  if (!existsSync(join(output, `${name}.json`))) return 'no set'
  const torn = tornFiles(output, name)
  if (torn.length === 0) return 'whole'
  const { status, stderr } = await run(['verify', join(output, `${name}.json`), '--model', fox])
  expect(status).toBe(1)
  for (const file of torn) expect(stderr).toContain(file)
  return 'torn'
}

/** The same where a new set was to replace the old one. Whole is only what is byte for byte one of them. */
async function replacementOf(output: string, fresh = sets.fresh.files): Promise<'the old set' | 'the new set' | 'torn'> {
  const state = await stateOf(output)
  if (state === 'torn') return state
  const found = contents(output)
  const isOld = found['Run.json'] === sets.old.files['Run.json']
  expect(found).toMatchObject(isOld ? sets.old.files : fresh)
  return isOld ? 'the old set' : 'the new set'
}

test(`killed at ${KILLS} random moments, it leaves a set that is whole or tellable as torn, and the next bake clears up`, async () => {
  // So many frames that half of the time goes into files.
  const options = [...NEW, '--frames', '100']
  const begin = performance.now()
  const [long] = await Promise.all(['long', 'too'].map((name) => bake(join(folder, name), options).then(() => contents(join(folder, name)))))
  const duration = performance.now() - begin

  const { seed, moments } = randomMoments(KILLS, duration)
  const outcomes: string[] = []
  await inParallel(moments, async (moment) => {
    const output = copyOfOld(`killed at ${moment}`)
    const { child, ended } = start(bakeRun(output, options))
    await wait(moment)
    child.kill('SIGKILL')
    const { status } = await ended
    const left = remains(output).length > 0 ? 'with remains' : 'without remains'
    const state = await replacementOf(output, long)
    outcomes.push(`${state} ${status === 0 ? 'since it was over' : left}`)

    // Where it was killed before it had begun to write, there is nothing to clear up.
    if (state !== 'the old set' || left === 'with remains') await bake(output, OLD)
    expect(contents(output)).toEqual(sets.old.files)
  })
  console.log(`Killed at ${KILLS} moments within ${Math.round(duration)} ms (SEED=${seed}): ${tally(outcomes)}.`)
}, 120_000)

describe('killed right after a change to the disk', () => {
  async function killAfter(change: number, output: string, options: string[]): Promise<void> {
    const { status, signal } = await run(bakeRun(output, options), { disk: { kill: change } })
    // Windows knows no signals.
    expect(signal ?? status).toBe(process.platform === 'win32' ? 1 : 'SIGKILL')
  }

  /** Numbers of the changes in a range that others can see the effect of. */
  const visible = (changes: string[], from: number, to: number) =>
    [...changes.keys()].slice(from, to).filter((i) => !/lock-|publish.json.part/.test(changes[i])).map((i) => i + 1)

  test('at any step of putting its set in the place of another one', async () => {
    const log = join(folder, 'replacing.log')
    await bake(copyOfOld('replaced'), NEW, { disk: { log } })
    const changes = readFileSync(log, 'utf8').trimEnd().split('\n')
    const begin = changes.lastIndexOf('mkdtemp lock-')
    expect(changes.slice(begin).filter((change) => /^rename Run/.test(change))).toHaveLength(Object.keys(sets.fresh.files).length)

    const first = changes.indexOf('rename Run_pos.png') + 1
    const last = changes.indexOf('rename Run.json') + 1
    const outcomes: string[] = []
    await inParallel(visible(changes, begin, changes.length), async (change) => {
      const output = copyOfOld(`replacing, ${change}`)
      await killAfter(change, output, NEW)
      const outcome = await replacementOf(output)
      expect(outcome, `after ${changes[change - 1]}`).toBe(change < first ? 'the old set' : change < last ? 'torn' : 'the new set')
      outcomes.push(outcome)

      await bake(output, NEW)
      expect(contents(output), `after ${changes[change - 1]}`).toEqual(sets.fresh.files)
    })
    console.log(`Killed at ${outcomes.length} steps of replacing a set: ${tally(outcomes)}.`)
  }, 120_000)

  test('where there was no set before, and a bake of another name clears up', async () => {
    const { changes } = sets.fresh
    const all = join(folder, 'all that is left')
    mkdirSync(all)
    const outcomes: string[] = []
    const moments = [
      ...visible(changes, 0, changes.indexOf('open Run_pos.png')),
      ...['rename publish.json', 'rename Run_pos.png', 'rename Run.json'].map((change) => changes.indexOf(change) + 1),
    ]
    await inParallel(moments, async (change) => {
      const output = join(folder, `first, ${change}`)
      const name = `Run${change}`
      await killAfter(change, output, [...NEW, '--name', name])
      const state = await stateOf(output, name)
      expect(state, `after ${changes[change - 1]}`).toBe(changes[change - 1] === 'rename Run.json' ? 'whole' : 'no set')
      outcomes.push(state)
      cpSync(output, all, { recursive: true })
    })
    console.log(`Killed at ${outcomes.length} steps of a first bake: ${tally(outcomes)}.`)
    expect(remains(all).length).toBeGreaterThanOrEqual(moments.length - 1)

    await bake(all, [...NEW, '--name', 'Other'])
    const names = readdirSync(all).filter((file) => file.endsWith('.json')).map((file) => file.replace('.json', ''))
    // The three whose files were all there, and its own.
    expect(names).toHaveLength(4)
    for (const name of names) expect(tornFiles(all, name), name).toEqual([])
    const named = names.flatMap((name) => [`${name}.json`, ...namedFiles(all, name).map(({ file }) => file)])
    expect(Object.keys(contents(all)).sort()).toEqual(named.sort())
  }, 120_000)
})

test('killed while it moves its files, it does not mix with a bake that waits to move its own', async () => {
  const output = join(folder, 'mixed')
  const held = join(folder, 'held')
  const waiting = start(bakeRun(output, OLD), { disk: { hold: { after: sets.old.changes.indexOf('writeFile Run.json') + 1, file: held } } })
  while (!existsSync(held)) await wait(5)
  await run(bakeRun(output, NEW), { disk: { kill: sets.fresh.changes.indexOf('rename Run_pos.png') + 1 } })
  expect(contents(output)['Run_pos.png']).toBe(sets.fresh.files['Run_pos.png'])

  rmSync(held)
  expect(await waiting.ended).toMatchObject({ status: 0, stderr: '' })
  expect(contents(output)).toEqual(sets.old.files)
})
