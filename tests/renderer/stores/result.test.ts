// @vitest-environment happy-dom
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createPinia, setActivePinia } from 'pinia'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions } from '../../../main/bake/options.ts'
import type { BakeJob } from '../../../renderer/stores/jobs.ts'
import { useModelStore } from '../../../renderer/stores/model.ts'
import { useResultStore } from '../../../renderer/stores/result.ts'
import { useViewStore } from '../../../renderer/stores/view.ts'
import { createTestApi, fillBrowser } from '../open-window.ts'
import { SAMPLES } from '../fake-api.ts'

const [FOX] = SAMPLES
let folder: string
let grant: (token: string, file: string) => void
let jobs = 0

/** A bake of some clips of the fox, as the queue tells of it when it is over. */
async function finish(anim: string[], name: string): Promise<BakeJob> {
  const options = bakeOptions.parse({ anim, name, frames: 3, output: join(folder, 'vat'), overwrite: true })
  const work = bake(resolve(import.meta.dirname, '../../../resources/samples/Fox.glb'), options)
  let step = await work.next()
  while (!step.done) step = await work.next()
  const result = step.value
  const key = ++jobs
  const token = `sidecar:${key}`
  grant(token, result.sidecarFile)
  const output = { token: 'folder', kind: 'folder' as const, name: 'vat', path: options.output }
  const sidecar = { token, kind: 'sidecar' as const, name: `${name}.json`, path: result.sidecarFile }
  return {
    key, id: String(key), model: FOX, folder: output, options, clips: anim, frames: 3, vertices: 1728,
    state: 'done', pace: null, message: null, result, written: { sidecar, folder: output },
  }
}

beforeAll(async () => {
  fillBrowser()
  folder = await mkdtemp(join(tmpdir(), 'vat-result-'))
})
afterAll(() => rm(folder, { recursive: true }))

beforeEach(async () => {
  window.vatStudio = createTestApi({ first: FOX }, (grants) => (grant = grants.add))
  setActivePinia(createPinia())
  await useModelStore().open(FOX)
})

describe('the result of a bake of several clips', () => {
  it('is shown for each of them, with its own errors and its own curve', async () => {
    const model = useModelStore()
    const result = useResultStore()
    model.chooseClip(2, false)
    const job = await finish(['Survey', 'Run'], 'Both')
    result.show(job)
    await vi.waitFor(() => expect(result.curve?.frames.length).toBeGreaterThan(0))
    const { report } = job.result!.sidecar
    const shown = () => ({ clip: result.clip!.name, max: Math.max(...pick(result.curve!.maxMillimetres, result.curve!.frames)) })
    const pick = (values: Float64Array, frames: Float64Array) => [...values].filter((_, point) => Number.isInteger(frames[point]))
    expect(result.clipErrors).toEqual(report.position.clips[1])
    expect(shown()).toEqual({ clip: 'Run', max: report.position.clips[1].maxMillimetres })
    expect(useViewStore().mode).toBe('side-by-side')

    const { files } = result
    model.chooseClip(0, false)
    expect(result.curve).toBeNull()
    await vi.waitFor(() => expect(result.curve).not.toBeNull())
    expect(shown()).toEqual({ clip: 'Survey', max: report.position.clips[0].maxMillimetres })
    // The same files: nothing was read again.
    expect(result.files).toBe(files)

    model.chooseClip(1, false)
    expect([result.job, result.clip, result.verifiedAt]).toEqual([null, null, null])
  })

  it('is the newest of each clip, and gone where other clips were written over its files', async () => {
    const result = useResultStore()
    const both = await finish(['Survey', 'Run'], 'Both')
    const run = await finish(['Run'], 'Run')
    result.show(both)
    result.show(run)
    expect([...result.baked].map(([index, { key }]) => [index, key])).toEqual([[0, both.key], [2, run.key]])
    const other = await finish(['Walk', 'Run'], 'Both')
    result.show(other)
    expect([...result.baked].map(([index, { key }]) => [index, key]).sort()).toEqual([[1, other.key], [2, other.key]])
  })
})
