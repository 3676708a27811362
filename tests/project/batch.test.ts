import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bakeOptions } from '../../main/bake/options.ts'
import { createJobs } from '../../main/jobs/jobs.ts'
import { Problem } from '../../main/model/problem.ts'
import { runBatch, type BatchOptions } from '../../main/project/batch.ts'
import type { BatchEvent } from '../../main/project/batch-contract.ts'
import type { FoundSetup } from '../../main/project/find-setups.ts'
import type { Works } from '../../main/worker/works.ts'
import { type FakeWorker, fakeWorker } from '../jobs/fake-worker.ts'
import { results } from '../jobs/samples.ts'

/*
 * The order of a batch, with workers that do nothing.
 */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batch-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Setups of models a, b, …; their files are there. */
function setups(count: number): FoundSetup[] {
  return Array.from({ length: count }, (_, i) => {
    const file = join(folder, `${'abcdefgh'[i]}.glb`)
    writeFileSync(file, '')
    return { file, read: async () => ({ file, model: file, options: bakeOptions.parse({ output: join(folder, 'out') }) }) }
  })
}

/** What bakes: tells how many did so at a time. */
function createWorks(fail: (model: string) => void = () => {}) {
  const seen = { baked: [] as string[], now: 0, most: 0 }
  const works: Partial<Works> = {
    async *plan() {
      yield { stage: 'reading', done: 0, total: 0 }
      return results.plan
    },
    async *bake(model) {
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      try {
        for (let step = 0; step < 5; step++) {
          await wait(4)
          yield { stage: 'encoding', done: step, total: 5 }
        }
        fail(model)
        seen.baked.push(model.at(-5)!)
        const sidecarFile = `${model}.json`
        writeFileSync(sidecarFile, JSON.stringify(results.bake.sidecar))
        return { ...results.bake, sidecarFile }
      } finally {
        seen.now--
      }
    },
  }
  return { works, seen }
}

function batch(found: FoundSetup[], works: Partial<Works>, options: Partial<BatchOptions> = {}, workers: FakeWorker[] = []) {
  const concurrency = options.concurrency ?? 2
  const startWorker = () => {
    workers.push(fakeWorker(works))
    return workers.at(-1)!
  }
  return runBatch(found, {
    jobs: createJobs({ startWorker, concurrency, recoverStaging: async () => {} }),
    concurrency,
    memory: 1e12,
    changed: false,
    keepGoing: false,
    signal: new AbortController().signal,
    onEvent() {},
    ...options,
  })
}

test('bakes as many at a time as it may, and tells of each', async () => {
  const { works, seen } = createWorks()
  const events: BatchEvent[] = []
  const { rows, totals } = await batch(setups(5), works, { concurrency: 3, onEvent: (event) => events.push(event) })
  expect(totals).toEqual({ baked: 5, upToDate: 0, failed: 0, cancelled: 0, leftOut: 0 })
  expect(rows.map(({ file }) => file.at(-5))).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(seen.most).toBe(3)
  for (let index = 0; index < 5; index++) {
    const types = events.filter((event) => event.index === index).map(({ type }) => type)
    expect([types[0], types[1], types.at(-1)]).toEqual(['started', 'progress', 'ended'])
  }
})

test('bakes one at a time where the memory allows no more', async () => {
  const { works, seen } = createWorks()
  await batch(setups(4), works, { concurrency: 4, memory: 200e6 })
  expect(seen).toMatchObject({ most: 1, now: 0 })
  expect(seen.baked).toHaveLength(4)
})

describe('one that fails', () => {
  const fail = (model: string) => {
    if (model.endsWith('b.glb')) throw new Problem('input', 'b.glb is broken.')
  }

  test('stops those that have not begun', async () => {
    const { works } = createWorks(fail)
    const { rows } = await batch(setups(6), works)
    const outcomes = rows.map(({ outcome }) => outcome)
    // Row a was running, or just over, and then c was.
    expect(outcomes.slice(0, 2)).toEqual(['baked', 'failed'])
    expect(outcomes[2]).toBeOneOf(['baked', 'left-out'])
    expect(outcomes.slice(3)).toEqual(['left-out', 'left-out', 'left-out'])
    expect(rows[1]).toMatchObject({ error: { kind: 'input', message: 'b.glb is broken.' }, state: expect.any(String) as string })
  })

  test('stops none with keepGoing', async () => {
    const { works, seen } = createWorks(fail)
    const { totals } = await batch(setups(6), works, { keepGoing: true })
    expect(totals).toMatchObject({ baked: 5, failed: 1 })
    expect(seen.baked.sort()).toEqual(['a', 'c', 'd', 'e', 'f'])
  })

  test('fails by being above its limit, too', async () => {
    const { works } = createWorks()
    const bake: Works['bake'] = async function* (...args) {
      return { ...(yield* works.bake!(...args)), withinLimit: false }
    }
    const { rows } = await batch(setups(1), { ...works, bake })
    expect(rows[0]).toMatchObject({ outcome: 'failed', error: { kind: 'verify', message: expect.stringMatching(/^It misses its limit of .*: the worst vertex is 1\.47 mm/) as string } })
    expect(rows[0].report).not.toBeNull()
  })
})

test('a worker that dies takes only its own row with it', async () => {
  const { works } = createWorks()
  const workers: FakeWorker[] = []
  let isDead = false
  const { rows } = await batch(setups(4), works, {
    keepGoing: true,
    onEvent(event) {
      if (event.type !== 'progress' || event.index !== 1 || isDead) return
      isDead = true
      // Row a has the first worker or the second; the other one is that of row b.
      workers[1].die({ error: new Error('its process was ended by SIGKILL') })
    },
  }, workers)
  expect(rows.filter(({ outcome }) => outcome === 'failed').map(({ error }) => error!.message)).toEqual([
    expect.stringMatching(/^The bake of [ab]\.glb stopped unexpectedly: its process was ended by SIGKILL\.$/),
  ])
  expect(rows.filter(({ outcome }) => outcome === 'baked')).toHaveLength(3)
})

test('two that write the same set are told so, instead of taking turns for ever', async () => {
  const { works } = createWorks()
  const sidecarFile = join(folder, 'Shared.json')
  writeFileSync(sidecarFile, '{}')
  const bake: Works['bake'] = async function* (...args) {
    return { ...(yield* works.bake!(...args)), sidecarFile }
  }
  const { rows } = await batch(setups(2), { ...works, bake }, { concurrency: 1 })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['baked', 'failed'])
  expect(rows[1].error!.message).toBe(`${sidecarFile} is also what ${rows[0].file} is baked into. Give one of them another name or output folder.`)
})

test('that is called off cancels what runs and leaves out the rest', async () => {
  const { works, seen } = createWorks()
  const controller = new AbortController()
  const { rows } = await batch(setups(5), works, {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'progress') controller.abort()
    },
  })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled', 'left-out', 'left-out', 'left-out'])
  expect(seen.now).toBe(0)
})
