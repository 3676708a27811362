import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { createLane } from '../../main/bake/lane.ts'
import { measureErrors, type Lane } from '../../main/bake/measure.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import type { Report } from '../../main/bake/sidecar.ts'
import { truthOf } from '../../main/bake/truth.ts'
import { readModel } from '../../main/readers/read-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'lane-'))
afterAll(() => rmSync(folder, { recursive: true }))
const model = 'resources/samples/Fox.glb'

async function bakeFox() {
  const options = bakeOptions.parse({ all: true, encoding: 'exr16', normals: 'octahedral', output: folder, overwrite: true })
  const work = bake(model, options)
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

/** Measures a bake again, with a lane; also tells the counts that it yields. */
async function measure(lane: Lane | null): Promise<{ report: Report; counted: number }> {
  const { sidecar, sidecarFile } = await baked
  const measuring = measureErrors(dirname(sidecarFile), sidecar, truthOf(await readModel(model), sidecar)!, { lane })
  let counted = 0
  for (;;) {
    const step = await measuring.next()
    if (step.done) return { report: step.value, counted }
    counted += step.value
  }
}

const baked = bakeFox()

describe('a lane', () => {
  it('measures its share of the frames, and the report is the same', async () => {
    const { sidecar } = await baked
    const lane = createLane({ model, limit: [] })
    const taken: number[] = []
    const { report, counted } = await measure({
      measure(folder, set, stretch) {
        taken.push(stretch.to - stretch.from)
        return lane.measure(folder, set, stretch)
      },
    })
    await lane.close()
    expect(taken.length).toBeGreaterThan(0)
    expect(report).toEqual(sidecar.report)
    expect(counted).toBe(sidecar.vertexCount * sidecar.frameCount * 2)
  })

  it('that fails leaves its frames to the thread of the bake', async () => {
    const { sidecar } = await baked
    let asked = 0
    const { report, counted } = await measure({
      measure() {
        asked++
        return Promise.reject(new Error('gone'))
      },
    })
    expect(asked).toBe(1)
    expect(report).toEqual(sidecar.report)
    expect(counted).toBe(sidecar.vertexCount * sidecar.frameCount * 2)
  })

  it('of another model cannot measure', async () => {
    const { sidecar, sidecarFile } = await baked
    const lane = createLane({ model: 'resources/samples/RobotExpressive.glb', limit: [] })
    await expect(lane.measure(dirname(sidecarFile), { ...sidecar, source: { ...sidecar.source, meshes: [99] } }, { clip: 0, from: 0, to: 1 })).rejects.toThrow(/not the one/)
  })
})
