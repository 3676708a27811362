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
  /** Our own code in frames: what was asked for with requestAnimationFrame, with its calls of WebGL. */
  frames: { start: number; duration: number }[]
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
  const watched: Watched = { longTasks: [], gaps: [], frames: [], events: [] }
  const observer = new PerformanceObserver((list) => {
    watched.longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ start: startTime, duration })))
  })
  observer.observe({ entryTypes: ['longtask'] })
  // Registered after the window's own listener, so it comes last, in the same task.
  const stopListening = window.vatStudio.jobs.onEvent(({ type }) => watched.events.push({ type, at: performance.now() }))
  const { requestAnimationFrame } = window
  window.requestAnimationFrame = (callback) =>
    requestAnimationFrame((now) => {
      const start = performance.now()
      callback(now)
      watched.frames.push({ start, duration: performance.now() - start })
    })
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
    window.requestAnimationFrame = requestAnimationFrame
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

  /** Bakes from beginning to end. */
  async function bakeWhole(): Promise<void> {
    await pressBake(program)
    await program.page.locator('.topbar .bakes').waitFor({ state: 'detached', timeout: 240_000 })
  }

  /** What the page saw while something was done. */
  async function watchWhile(what: string, work: () => Promise<void>): Promise<Watched> {
    await program.page.evaluate(watch)
    await work()
    const watched = await program.page.evaluate(() => {
      window.stopWatching()
      return window.watched
    })
    const { gaps, frames, longTasks, events } = watched
    const told = (values: number[]) => [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1)).join(', ')
    const listed = longTasks.map((task) => `${Math.round(task.duration)} ms at ${Math.round(task.start)} (${contentOf(task, watched)})`)
    console.log(
      `${what}: ${events.length} events of the bake; ${gaps.length} frames; median, p99, max in ms of the gaps between them: ${told(gaps)}; ` +
        `of our own code in them: ${told(frames.map(({ duration }) => duration))}; ${longTasks.length} long tasks: ${listed.join(', ') || 'none'}`,
    )
    return watched
  }

  /** What of ours was done in a long task. */
  function contentOf({ start, duration }: Watched['longTasks'][number], { events, frames }: Watched): string {
    const isInside = (at: number) => at >= start && at <= start + duration
    const inside = events.filter(({ at }) => isInside(at)).map(({ type }) => type)
    const drawn = frames.filter((frame) => isInside(frame.start)).reduce((sum, frame) => sum + frame.duration, 0)
    return [...inside, ...(drawn > 0 ? [`a frame, ${drawn.toFixed(1)} ms of it our own code`] : [])].join(' and ') || 'no event and no frame'
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
    const still = await watchWhile('a bake while the model stands still', bakeWhole)
    expect(still.events.length).toBeGreaterThan(20)
    expect(causedByBake(still)).toEqual([])

    await page.waitForTimeout(3000)
    await program.choose('mode.original')
    await page.locator('.timeline .play').click()
    // How it is without a bake: where frames are drawn by a processor, most of a gap is their drawing.
    await watchWhile('no bake while the model plays', () => page.waitForTimeout(4000))
    const playing = await watchWhile('a bake while the model plays', bakeWhole)
    expect(causedByBake(playing)).toEqual([])
    expect(program.errors).toEqual([])
  }, 600_000)
})
