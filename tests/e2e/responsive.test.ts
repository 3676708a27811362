import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTube } from '../bench/tube.ts'
import { describeProgram, launch, type Program } from './launch.ts'
import { isEnabled, openModel, pressBake } from './steps.ts'

/** What the page saw while it watched, in milliseconds. */
interface Watched {
  longTasks: { start: number; duration: number }[]
  /** Between two frames. */
  gaps: number[]
  /** Events of the bake, and when they had been dealt with. */
  events: { type: string; at: number }[]
}

declare global {
  interface Window {
    watched: Watched
    stopWatching(): void
  }
}

const VERTICES = 50_000
const FRAMES = 300

/** Watches the page from now on. */
function watch(): void {
  const watched: Watched = { longTasks: [], gaps: [], events: [] }
  const observer = new PerformanceObserver((list) => {
    watched.longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ start: startTime, duration })))
  })
  observer.observe({ entryTypes: ['longtask'] })
  // Registered after the window's own listener, so it comes last, in the same task.
  const stopListening = window.vatStudio.jobs.onEvent(({ type }) => watched.events.push({ type, at: performance.now() }))
  let last = performance.now()
  let request = requestAnimationFrame(function next(now) {
    watched.gaps.push(now - last)
    last = now
    request = requestAnimationFrame(next)
  })
  window.watched = watched
  window.stopWatching = () => {
    observer.disconnect()
    stopListening()
    cancelAnimationFrame(request)
  }
}

function quantile(values: number[], share: number): number {
  const at = Math.min(values.length - 1, Math.floor(values.length * share))
  return values.toSorted((a, b) => a - b)[at] ?? 0
}

describeProgram(`while ${VERTICES} vertices in ${FRAMES} frames are baked`, () => {
  let program: Program
  beforeAll(async () => {
    program = await launch()
    await writeTube(join(program.folder, 'tube.glb'), VERTICES, FRAMES)
  })
  afterAll(() => program.end())

  /** Bakes from beginning to end, and answers with what the page saw meanwhile. */
  async function watchBake(what: string): Promise<Watched> {
    await program.page.evaluate(watch)
    await pressBake(program)
    await program.page.locator('.topbar .bakes').waitFor({ state: 'detached', timeout: 240_000 })
    const watched = await program.page.evaluate(() => {
      window.stopWatching()
      return window.watched
    })
    const { gaps, longTasks, events } = watched
    const cost = (await program.page.locator('footer').innerText()).split('\n').find((line) => line.includes('fps')) ?? 'none drawn'
    const listed = longTasks.map(({ start, duration }) => `${Math.round(duration)} ms at ${Math.round(start)}`).join(', ')
    console.log(
      `${what}: ${events.length} events of the bake; ${gaps.length} frames, gaps: median ${quantile(gaps, 0.5).toFixed(1)} ms, ` +
        `p99 ${quantile(gaps, 0.99).toFixed(1)} ms, max ${quantile(gaps, 1).toFixed(1)} ms; our own work: ${cost}; ${longTasks.length} long tasks: ${listed || 'none'}`,
    )
    return watched
  }

  /**
   * Long tasks in which events of the running bake were dealt with; frames are drawn in tasks of their own. The last event is
   * another matter: with it the panel changes over to the result, once.
   */
  function causedByBake({ longTasks, events }: Watched): string[] {
    return longTasks.flatMap(({ start, duration }) => {
      const inside = events.filter(({ at }) => at >= start && at <= start + duration).map(({ type }) => type)
      if (inside.length === 0) return []
      const told = `${Math.round(duration)} ms with ${inside.join(', ')}`
      if (!inside.includes('finished')) return told
      console.log(`the change to the result: ${told}`)
      return duration > 500 ? told : []
    })
  }

  test('the window is not held up by what the bake tells it, standing still or playing', async () => {
    await openModel(program, join(program.folder, 'tube.glb'), 'tube.glb')
    await expect.poll(() => isEnabled(program, 'bake.start'), { timeout: 20_000 }).toBe(true)
    const { page } = program
    await expect.poll(() => page.locator('.consequences').innerText(), { timeout: 60_000 }).toContain('mm')

    await page.locator('.timeline .play').click()
    const still = await watchBake('standing still')
    expect(still.events.length).toBeGreaterThan(20)
    expect(causedByBake(still)).toEqual([])

    await page.waitForTimeout(3000)
    await program.choose('mode.original')
    await page.locator('.timeline .play').click()
    const playing = await watchBake('playing')
    expect(causedByBake(playing)).toEqual([])
    expect(program.errors).toEqual([])
  }, 600_000)
})
