import { setTimeout as wait } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import type { Progress, Work } from '../../main/bake/contract.ts'
import { type JobEvent, jobEvent } from '../../main/jobs/contract.ts'
import { Problem } from '../../main/model/problem.ts'
import { type Channel, nodeChannel } from '../../main/worker/channel.ts'
import { serve } from '../../main/worker/serve.ts'
import type { Works } from '../../main/worker/works.ts'
import { requests, results } from '../jobs/samples.ts'

const step = (stage: Progress['stage'], done: number, total = 1000): Progress => ({ stage, done, total })

let near: Channel
afterEach(() => near.close())

/** Serves works that throw unless they are given, and collects what is told of them. */
function start(given: Partial<Works>) {
  const unexpected = () => {
    throw new Error('not expected to be called')
  }
  const { port1, port2 } = new MessageChannel()
  near = nodeChannel(port1)
  serve(nodeChannel(port2), { bake: unexpected, plan: unexpected, verify: unexpected, inspect: unexpected, picture: unexpected, ...given })
  const events: JobEvent[] = []
  let over: () => void
  const ended = new Promise<void>((resolve) => (over = resolve))
  near.onMessage((message) => {
    const event = jobEvent.parse(message)
    events.push(event)
    if (['finished', 'failed', 'cancelled'].includes(event.type)) over()
  })
  return { events, ended, post: near.post }
}

describe('a job that goes well', () => {
  test('is accepted, tells its progress and its files, and finishes with its result', async () => {
    const { events, ended, post } = start({
      async *bake(model, options, { staged, exported }) {
        expect(model).toBe('/models/Fox.glb')
        expect(options.anim).toEqual(['Run'])
        staged!('/project/out/.staging')
        yield step('measuring', 10)
        exported!({ role: 'position', file: '/project/out/Run_pos.png', bytes: 5 })
        return results.bake
      },
    })
    post({ type: 'start', job: '7', request: requests.bake })
    await ended
    expect(events).toEqual([
      { type: 'accepted', job: '7' },
      { type: 'staged', job: '7', folder: '/project/out/.staging' },
      { type: 'progress', job: '7', progress: step('measuring', 10) },
      { type: 'file.export', job: '7', role: 'position', file: '/project/out/Run_pos.png', bytes: 5 },
      { type: 'finished', job: '7', result: results.bake },
    ])
  })

  test.each(['plan', 'verify', 'inspect', 'picture'] as const)('%s reaches its own work', async (kind) => {
    const asked: unknown[] = []
    const { events, ended, post } = start({
      // eslint-disable-next-line require-yield
      async *[kind](...args: unknown[]) {
        asked.push(...args)
        return results[kind]
      },
    })
    post({ type: 'start', job: '1', request: { ...requests[kind], ...(kind === 'verify' ? { maxError: '0.5mm' } : {}) } })
    await ended
    expect(events.at(-1)).toEqual({ type: 'finished', job: '1', result: results[kind] })
    expect(asked).toEqual(
      {
        plan: ['/models/Fox.glb', requests.plan.options],
        verify: ['/project/out/Run.json', { model: '/models/Fox.glb', maxError: '0.5mm' }],
        inspect: ['/models/Fox.glb', {}],
        picture: ['/project/out/Run.json', { size: 256 }],
      }[kind],
    )
  })
})

describe('progress', () => {
  test('is told about 30 times a second, however many steps there are, and to the end', async () => {
    const steps = 3000
    const begin = performance.now()
    const { events, ended, post } = start({
      async *inspect() {
        for (let done = 1; done <= steps; done++) {
          const until = performance.now() + 0.1
          while (performance.now() < until);
          yield step('measuring', done, steps)
        }
        return results.inspect
      },
    })
    post({ type: 'start', job: '1', request: requests.inspect })
    await ended
    const seconds = (performance.now() - begin) / 1000
    const told = events.filter((event) => event.type === 'progress')
    expect(told.length).toBeLessThanOrEqual(seconds * 31 + 2)
    expect(told.length).toBeGreaterThan(3)
    expect(told.at(-1)!.progress.done).toBe(steps)
  })

  test('of every stage is told at once when the stage begins', async () => {
    const stages = ['reading', 'measuring', 'encoding', 'writing', 'verifying', 'publishing'] as const
    const { events, ended, post } = start({
      async *inspect() {
        for (const stage of stages) {
          yield step(stage, 0)
          yield step(stage, 1)
        }
        return results.inspect
      },
    })
    post({ type: 'start', job: '1', request: requests.inspect })
    await ended
    expect(new Set(events.flatMap((event) => (event.type === 'progress' ? [event.progress.stage] : [])))).toEqual(new Set(stages))
  })
})

describe('cancelling', () => {
  /** Never ends by itself and never leaves the thread; says whether it cleaned up. */
  function endless(cleaned: () => void): Works['inspect'] {
    return async function* (): Work<never> {
      try {
        for (let done = 0; ; done++) yield step('measuring', done)
      } finally {
        await wait(1)
        cleaned()
      }
    }
  }

  test('is heard while work keeps the thread busy, and lets the work clean up first', async () => {
    let cleaned = false
    const { events, ended, post } = start({ inspect: endless(() => (cleaned = true)) })
    post({ type: 'start', job: '1', request: requests.inspect })
    await wait(40)
    const asked = performance.now()
    post({ type: 'cancel', job: '1' })
    await ended
    expect(performance.now() - asked).toBeLessThan(500)
    expect(events.at(-1)).toEqual({ type: 'cancelled', job: '1' })
    expect(cleaned).toBe(true)
  })

  test('reaches only the job that it names', async () => {
    const { events, ended, post } = start({ inspect: endless(() => {}) })
    post({ type: 'start', job: '1', request: requests.inspect })
    post({ type: 'cancel', job: '2' })
    await wait(60)
    expect(events.some((event) => event.type === 'cancelled')).toBe(false)
    post({ type: 'cancel', job: '1' })
    await ended
  })

  test('happens by itself when the other end of the channel is gone', async () => {
    const cleaned = new Promise<void>((resolve) => {
      const { post } = start({ inspect: endless(resolve) })
      post({ type: 'start', job: '1', request: requests.inspect })
    })
    await wait(40)
    near.close()
    await cleaned
  })

  test('a failing clean-up is a failure', async () => {
    const { events, ended, post } = start({
      async *inspect() {
        try {
          for (;;) yield step('measuring', 0)
        } finally {
          // eslint-disable-next-line no-unsafe-finally
          throw new Problem('output', 'The folder cannot be removed.')
        }
      },
    })
    post({ type: 'start', job: '1', request: requests.inspect })
    await wait(20)
    post({ type: 'cancel', job: '1' })
    await ended
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'output', message: 'The folder cannot be removed.' })
  })
})

describe('a job that fails', () => {
  const failing = async (thrown: unknown) => {
    const { events, ended, post } = start({
      // eslint-disable-next-line require-yield
      async *inspect() {
        throw thrown
      },
    })
    post({ type: 'start', job: '1', request: requests.inspect })
    await ended
    return events.at(-1)
  }

  test('with a Problem keeps its kind and its words', async () => {
    const message = 'Fox.glb has no animation. Export it with its animation.'
    expect(await failing(new Problem('input', message))).toMatchObject({ type: 'failed', job: '1', kind: 'input', message })
  })

  test('with anything else is a defect, told in a sentence, with its stack', async () => {
    const event = await failing(new TypeError('x is undefined'))
    expect(event).toMatchObject({ kind: 'internal', message: 'VAT Studio failed: x is undefined.' })
    expect((event as { stack: string }).stack).toContain('serve.test.ts')
    expect(await failing('a string')).toMatchObject({ kind: 'internal', message: 'VAT Studio failed: a string.' })
  })

  test.each([() => new Float64Array(2 ** 48), () => new ArrayBuffer(2 ** 48)])('for lack of memory says so', async (allocate) => {
    let thrown: unknown
    try {
      allocate()
    } catch (error) {
      thrown = error
    }
    expect(await failing(thrown)).toMatchObject({ kind: 'limit', message: expect.stringContaining('not enough memory') })
  })
})

describe('a message that is not part of the contract', () => {
  test('fails the job that it names', async () => {
    const { events, ended, post } = start({})
    post({ type: 'start', job: '3', request: { ...requests.bake, options: { ...requests.bake.options, fps: -1 } } })
    await ended
    expect(events).toEqual([expect.objectContaining({ type: 'failed', job: '3', kind: 'internal', message: expect.stringContaining('fps') })])
  })

  test('is let lie where it names none', async () => {
    const { events, ended, post } = start({
      // eslint-disable-next-line require-yield
      async *inspect() {
        return results.inspect
      },
    })
    post('hello')
    post(null)
    post({ type: 'start', job: '1', request: requests.inspect })
    await ended
    expect(events.map((event) => event.type)).toEqual(['accepted', 'finished'])
  })
})
