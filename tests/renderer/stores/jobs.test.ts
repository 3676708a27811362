// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BakeResult } from '../../../main/bake/contract.ts'
import { bakeOptions } from '../../../main/bake/options.ts'
import { useJobsStore, type WantedBake } from '../../../renderer/stores/jobs.ts'
import { jobOutcome, jobTitle } from '../../../renderer/words/job-text.ts'
import { createFakeApi, type FakeApi, sample } from '../fake-api.ts'

let api: FakeApi
let jobs: ReturnType<typeof useJobsStore>

const wanted = (clip: string, maxError?: string): WantedBake => ({
  model: sample('Fox.glb'),
  folder: { token: 'folder', kind: 'folder', name: 'vat', path: '/vat' },
  options: bakeOptions.parse({ anim: [clip], output: '/vat', maxError }),
  clips: [clip],
  frames: 35,
  vertices: 1728,
})
const result = (withinLimit: boolean) =>
  ({
    withinLimit,
    files: [],
    seconds: { total: 0.41 },
    sidecar: { space: { unit: 'metre' }, report: { position: { maxMillimetres: 3.9, maxPercent: 0.2 } } },
  }) as unknown as BakeResult
const row = (index: number) => jobs.jobs[index]

beforeEach(() => {
  api = createFakeApi({ preview: () => Promise.reject(new Error('no previews here')) })
  window.vatStudio = api
  setActivePinia(createPinia())
  jobs = useJobsStore()
  api.jobs.onEvent(jobs.receive)
})

describe('the queue', () => {
  it('asks for a bake with tokens in place of paths', async () => {
    await jobs.add(wanted('Run'))
    const [, job] = api.asked.find(([name]) => name === 'jobs.submit')!
    expect(job).toMatchObject({ kind: 'bake', model: 'model:Fox.glb', output: 'folder', options: { anim: ['Run'] } })
    expect((job as { options: object }).options).not.toHaveProperty('output')
  })

  it('goes from waiting through running to done', async () => {
    await jobs.add(wanted('Run'))
    await jobs.add(wanted('Walk'))
    expect(jobs.waiting).toHaveLength(2)
    api.fire.job({ type: 'accepted', job: '1' })
    expect([row(0).state, row(1).state]).toEqual(['running', 'waiting'])
    expect(jobOutcome(row(1))).toBe('EXR half, 35 frames')
    api.fire.job({ type: 'progress', job: '1', progress: { stage: 'encoding', done: 2 * 35 * 1728, total: 4 * 35 * 1728 } })
    expect(row(0).pace).toMatchObject({ share: 0.5, pass: 'encoding', frame: 35 })
    api.fire.job({ type: 'finished', job: '1', result: result(true) })
    expect(row(0).state).toBe('done')
    expect(jobOutcome(row(0)).replaceAll('\u00a0', ' ')).toBe('Done in 0.41 s, max error 3.9 mm')
    expect(jobs.running).toBeNull()
    expect(jobTitle(row(0))).toBe('Run of Fox')
  })

  it('tells a bake over its limit from a failed one', async () => {
    await jobs.add(wanted('Run', '0.5mm'))
    api.fire.job({ type: 'finished', job: '1', result: result(false) })
    expect(row(0).state).toBe('over-limit')
    expect(jobOutcome(row(0)).replaceAll('\u00a0', ' ')).toBe('3.9 mm is over the limit of 0.5 mm')
  })

  it('says where a bake stopped, that nothing was written, and makes it again', async () => {
    await jobs.add(wanted('Run'))
    api.fire.job({ type: 'accepted', job: '1' })
    api.fire.job({ type: 'progress', job: '1', progress: { stage: 'measuring', done: 10 * 1728, total: 4 * 35 * 1728 } })
    api.fire.job({ type: 'failed', job: '1', kind: 'limit', message: 'The bake of Fox.glb ran out of memory.' })
    expect(jobOutcome(row(0))).toBe('Stopped at frame 10 of 35. The bake of Fox.glb ran out of memory. Nothing was written.')
    await jobs.retry(row(0))
    expect(jobs.jobs).toHaveLength(1)
    expect(row(0)).toMatchObject({ state: 'waiting', id: '2', pace: null, message: null })
  })

  it('cancels the running bake at once in words, and waiting ones too', async () => {
    for (const clip of ['Run', 'Walk', 'Survey']) await jobs.add(wanted(clip))
    api.fire.job({ type: 'accepted', job: '1' })
    jobs.cancel(row(0))
    expect(row(0).state).toBe('cancelling')
    jobs.cancelWaiting()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(jobs.jobs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(api.asked.filter(([name]) => name === 'jobs.cancel').map(([, id]) => id)).toEqual(['1', '2', '3'])
  })

  it('keeps the sentence of a request that was refused', async () => {
    api.jobs.submit = () => Promise.reject(new Error("Error invoking remote method 'jobs.submit': Error: That folder was not chosen."))
    await jobs.add(wanted('Run'))
    expect(row(0)).toMatchObject({ state: 'failed', message: 'That folder was not chosen.' })
  })

  it('passes over events of jobs that are not its own', () => {
    api.fire.job({ type: 'accepted', job: '99' })
    expect(jobs.jobs).toEqual([])
  })

  it('keeps the last twenty rows that are over', async () => {
    for (let i = 1; i <= 25; i++) {
      await jobs.add(wanted('Run'))
      api.fire.job({ type: 'cancelled', job: String(i) })
    }
    expect(jobs.over).toHaveLength(20)
    expect(jobs.over[0].id).toBe('25')
  })
})
