import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { JobEvent } from '../../main/jobs/contract.ts'
import { createJobs, type Job, type JobsOptions } from '../../main/jobs/jobs.ts'
import { Problem } from '../../main/model/problem.ts'
import { type Behaviour, fakeWorker, type FakeWorker } from './fake-worker.ts'
import { requests, results } from './samples.ts'

/** A queue whose workers behave as told, one behaviour a worker, the last one for all others. */
function start(behaviours: Behaviour[], options: Partial<JobsOptions> = {}) {
  const workers: FakeWorker[] = []
  const recovered: string[] = []
  const jobs = createJobs({
    startWorker() {
      const worker = fakeWorker(behaviours[Math.min(workers.length, behaviours.length - 1)])
      workers.push(worker)
      return worker
    },
    async recoverStaging(folder) {
      recovered.push(folder)
    },
    ...options,
  })
  return { jobs, workers, recovered }
}

function eventsOf(job: Job): JobEvent[] {
  const events: JobEvent[] = []
  job.onEvent((event) => events.push(event))
  return events
}

const types = (events: JobEvent[]) => events.map((event) => event.type)

/** Waits until a job has told something of a type. */
const told = (job: Job, type: JobEvent['type']) => new Promise<void>((resolve) => job.onEvent((event) => void (event.type === type && resolve())))

/** Serves every inspection at once. */
const quick: Behaviour = {
  // eslint-disable-next-line require-yield
  async *inspect() {
    return results.inspect
  },
}

/** Makes a staging folder and then neither works nor hears. */
const deaf: Behaviour = ({ type, job }, post) => {
  if (type !== 'start') return
  post({ type: 'accepted', job })
  post({ type: 'staged', job, folder: `/project/out/.staging-${job}` })
}

describe('a job', () => {
  test('gives its result and everything that happened on the way', async () => {
    const { jobs } = start([
      {
        async *bake(_model, _options, { staged, exported }) {
          staged!('/project/out/.staging')
          yield { stage: 'encoding', done: 1, total: 2 }
          exported!({ role: 'mesh', file: '/project/out/Run_mesh.glb', bytes: 3 })
          return results.bake
        },
      },
    ])
    const job = jobs.submit(requests.bake)
    const events = eventsOf(job)
    expect(await job.result).toEqual(results.bake)
    expect(types(events)).toEqual(['accepted', 'staged', 'progress', 'file.export', 'finished'])
  })

  test('that does not follow the contract is refused at once', () => {
    const { jobs, workers } = start([quick])
    const request = { ...requests.bake, options: { ...requests.bake.options, fps: -1 } }
    expect(() => jobs.submit(request)).toThrow(expect.objectContaining({ name: 'Problem', kind: 'usage', message: expect.stringContaining('options.fps') }))
    expect(workers).toHaveLength(0)
  })

  test('that fails rejects with a Problem of that kind and those words', async () => {
    const { jobs } = start([
      {
        // eslint-disable-next-line require-yield
        async *inspect() {
          throw new Problem('input', 'Fox.glb is empty. Export it again.')
        },
      },
    ])
    const job = jobs.submit(requests.inspect)
    const events = eventsOf(job)
    const error = await job.result.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Problem)
    expect(error).toMatchObject({ kind: 'input', message: 'Fox.glb is empty. Export it again.' })
    expect(types(events)).toEqual(['accepted', 'failed'])
  })

  test('that fails by a defect rejects with an error that keeps the stack of the worker', async () => {
    const { jobs } = start([
      {
        // eslint-disable-next-line require-yield
        async *inspect() {
          throw new TypeError('x is undefined')
        },
      },
    ])
    const error = (await jobs.submit(requests.inspect).result.catch((error: unknown) => error)) as Error
    expect(error).not.toBeInstanceOf(Problem)
    expect(error.message).toBe('VAT Studio failed: x is undefined.')
    expect(error.stack).toContain('jobs.test.ts')
  })
})

describe('the queue', () => {
  /** Notes what begins and ends, in order. */
  function noting(): { order: string[]; behaviour: Behaviour } {
    const order: string[] = []
    return {
      order,
      behaviour: {
        async *inspect(model) {
          order.push(`+${model}`)
          for (let done = 0; done < 3; done++) {
            await wait(2)
            yield { stage: 'measuring', done, total: 3 }
          }
          order.push(`-${model}`)
          return results.inspect
        },
      },
    }
  }

  test('runs one job after the other, in the order in which they came, in one worker', async () => {
    const { order, behaviour } = noting()
    const { jobs, workers } = start([behaviour])
    const all = ['a', 'b', 'c'].map((model) => jobs.submit({ kind: 'inspect', model }))
    expect(all.map((job) => job.id)).toEqual(['1', '2', '3'])
    await Promise.all(all.map((job) => job.result))
    expect(order).toEqual(['+a', '-a', '+b', '-b', '+c', '-c'])
    expect(workers).toHaveLength(1)
  })

  test('runs as many at the same time as it is told, each in a worker of its own', async () => {
    const { order, behaviour } = noting()
    const { jobs, workers } = start([behaviour], { concurrency: 2 })
    await Promise.all(['a', 'b', 'c'].map((model) => jobs.submit({ kind: 'inspect', model }).result))
    expect(order.slice(0, 2)).toEqual(['+a', '+b'])
    expect(order.indexOf('+c')).toBeGreaterThan(Math.min(order.indexOf('-a'), order.indexOf('-b')))
    expect(workers).toHaveLength(2)
  })

  test('goes on after a job that failed', async () => {
    let count = 0
    const { jobs } = start([
      {
        // eslint-disable-next-line require-yield
        async *inspect() {
          if (++count === 1) throw new Problem('input', 'No.')
          return results.inspect
        },
      },
    ])
    const [first, second] = [jobs.submit(requests.inspect), jobs.submit(requests.inspect)]
    await expect(first.result).rejects.toThrow('No.')
    expect(await second.result).toEqual(results.inspect)
  })

  test('ends its workers when it is closed, after cancelling what is open', async () => {
    const { jobs, workers } = start([deaf], { patience: 10 })
    const [running, waiting] = [jobs.submit(requests.bake), jobs.submit(requests.bake)]
    await told(running, 'staged')
    await jobs.close()
    await expect(running.result).rejects.toMatchObject({ kind: 'cancelled' })
    await expect(waiting.result).rejects.toMatchObject({ kind: 'cancelled' })
    expect(workers.map((worker) => worker.killed)).toEqual([true])
  })

  test('ends a worker that waits for work when it is closed', async () => {
    const { jobs, workers } = start([quick])
    await jobs.submit(requests.inspect).result
    expect(workers[0].killed).toBe(false)
    await jobs.close()
    expect(workers[0].killed).toBe(true)
  })
})

describe('cancelling', () => {
  test('a waiting job takes it out of the queue', async () => {
    const { jobs, workers } = start([deaf], { patience: 10 })
    const running = jobs.submit(requests.bake)
    const waiting = jobs.submit(requests.bake)
    const events = eventsOf(waiting)
    await told(running, 'staged')
    waiting.cancel()
    await expect(waiting.result).rejects.toMatchObject({ name: 'Problem', kind: 'cancelled', message: 'The bake of Fox.glb was cancelled.' })
    expect(types(events)).toEqual(['cancelled'])
    expect(workers[0].told).toEqual(['start 1'])
    await jobs.close()
  })

  test('a job before it has begun never starts a worker', async () => {
    const { jobs, workers } = start([quick])
    const job = jobs.submit(requests.inspect)
    job.cancel()
    await expect(job.result).rejects.toMatchObject({ kind: 'cancelled' })
    expect(workers).toHaveLength(0)
  })

  test('a running job asks the worker, which lives on when it answers', async () => {
    let cleaned = false
    const { jobs, workers, recovered } = start([
      {
        ...(quick as object),
        async *bake(_model, _options, { staged }) {
          staged!('/project/out/.staging')
          try {
            for (;;) {
              await wait(1)
              yield { stage: 'encoding', done: 0, total: 1 }
            }
          } finally {
            cleaned = true
          }
        },
      },
    ])
    const job = jobs.submit(requests.bake)
    const events = eventsOf(job)
    await told(job, 'progress')
    job.cancel()
    job.cancel()
    await expect(job.result).rejects.toMatchObject({ kind: 'cancelled' })
    expect(cleaned).toBe(true)
    expect(types(events).filter((type) => type === 'cancelled')).toHaveLength(1)
    expect(workers[0].told).toEqual(['start 1', 'cancel 1'])
    expect(workers[0].killed).toBe(false)
    expect(recovered).toEqual([])
    await jobs.submit(requests.inspect).result
    expect(workers).toHaveLength(1)
  })

  test('kills a worker that does not answer, clears up its folders, and then says so', async () => {
    const { jobs, workers, recovered } = start([deaf, quick], { patience: 30 })
    const job = jobs.submit(requests.bake)
    const events = eventsOf(job)
    await told(job, 'staged')
    const asked = performance.now()
    job.cancel()
    let clearedFirst = false
    job.onEvent((event) => {
      if (event.type === 'cancelled') clearedFirst = recovered.length === 1
    })
    await expect(job.result).rejects.toMatchObject({ kind: 'cancelled' })
    expect(performance.now() - asked).toBeGreaterThanOrEqual(29)
    expect(workers[0].killed).toBe(true)
    expect(recovered).toEqual(['/project/out/.staging-1'])
    expect(clearedFirst).toBe(true)
    expect(types(events)).toEqual(['accepted', 'staged', 'cancelled'])
    // The next job has a fresh worker.
    expect(await jobs.submit(requests.inspect).result).toEqual(results.inspect)
    expect(workers).toHaveLength(2)
  })

  test('that cannot clear up is a failure', async () => {
    const { jobs } = start([deaf], {
      patience: 5,
      recoverStaging: () => Promise.reject(new Error('the disk is read-only')),
    })
    const job = jobs.submit(requests.bake)
    await told(job, 'staged')
    job.cancel()
    await expect(job.result).rejects.toMatchObject({ kind: 'output', message: expect.stringContaining('the disk is read-only') })
  })

  test('comes too late for a job that is done first', async () => {
    const { jobs } = start([
      ({ type, job }, post) => {
        if (type === 'start') post({ type: 'accepted', job })
        else post({ type: 'finished', job, result: results.inspect })
      },
    ])
    const job = jobs.submit(requests.inspect)
    await told(job, 'accepted')
    job.cancel()
    expect(await job.result).toEqual(results.inspect)
  })

  test('a job that is over does nothing', async () => {
    const { jobs, workers } = start([quick])
    const job = jobs.submit(requests.inspect)
    const events = eventsOf(job)
    await job.result
    job.cancel()
    await wait(5)
    expect(types(events)).toEqual(['accepted', 'finished'])
    expect(workers[0].told).toEqual(['start 1'])
  })
})

describe('a worker that dies', () => {
  test('fails its job in a sentence and clears up; the next job has a fresh worker', async () => {
    const { jobs, workers, recovered } = start([deaf, quick])
    const job = jobs.submit(requests.bake)
    const next = jobs.submit(requests.inspect)
    await told(job, 'staged')
    workers[0].die({ error: new Error('Illegal instruction') })
    await expect(job.result).rejects.toThrow('The bake of Fox.glb stopped unexpectedly: Illegal instruction.')
    expect(recovered).toEqual(['/project/out/.staging-1'])
    expect(await next.result).toEqual(results.inspect)
    expect(workers).toHaveLength(2)
  })

  test('without a reason is told without one', async () => {
    const { jobs, workers } = start([deaf])
    const job = jobs.submit(requests.bake)
    await told(job, 'staged')
    workers[0].die()
    await expect(job.result).rejects.toThrow(/^The bake of Fox\.glb stopped unexpectedly\.$/)
  })

  test('of lack of memory is told so', async () => {
    const { jobs, workers } = start([deaf])
    const job = jobs.submit(requests.bake)
    await told(job, 'staged')
    workers[0].die({ outOfMemory: true })
    await expect(job.result).rejects.toMatchObject({ kind: 'limit', message: expect.stringMatching(/^The bake of Fox\.glb ran out of memory\./) })
  })

  test('while it waits for work hurts nobody', async () => {
    const { jobs, workers } = start([quick])
    await jobs.submit(requests.inspect).result
    workers[0].die()
    await wait(5)
    expect(await jobs.submit(requests.inspect).result).toEqual(results.inspect)
    expect(workers).toHaveLength(2)
  })

  test('before it was born fails its job', async () => {
    let attempts = 0
    const { jobs } = start([], {
      startWorker() {
        if (++attempts === 1) throw new Error('worker.js is missing')
        return fakeWorker(quick)
      },
    })
    await expect(jobs.submit(requests.inspect).result).rejects.toThrow('The inspection of Fox.glb could not be started: worker.js is missing.')
    expect(await jobs.submit(requests.inspect).result).toEqual(results.inspect)
  })
})

describe('a worker that breaks the contract', () => {
  test.each([
    ['an unknown event', { type: 'hello', job: '1' }],
    ['an event with a field too many', { type: 'accepted', job: '1', more: true }],
    ["another kind's result", { type: 'finished', job: '1', result: results.plan }],
    ['no object', 42],
  ])('by %s is killed, and its job fails', async (_what, answer) => {
    const { jobs, workers, recovered } = start([
      ({ job }, post) => {
        post({ type: 'staged', job, folder: '/project/out/.staging' })
        post(answer)
      },
      quick,
    ])
    await expect(jobs.submit(requests.bake).result).rejects.toThrow('not part of the contract')
    expect(workers[0].killed).toBe(true)
    expect(recovered).toEqual(['/project/out/.staging'])
    expect(await jobs.submit(requests.inspect).result).toEqual(results.inspect)
  })

  test('by telling of a job that is not running is not heard', async () => {
    const { jobs } = start([
      ({ job }, post) => {
        post({ type: 'finished', job: '99', result: results.inspect })
        post({ type: 'finished', job, result: results.inspect })
      },
    ])
    const job = jobs.submit(requests.inspect)
    const events = eventsOf(job)
    await job.result
    expect(events).toEqual([{ type: 'finished', job: '1', result: results.inspect }])
  })
})
