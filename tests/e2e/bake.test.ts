import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Grant, WindowJobEvent, WindowJobInput } from '../../preload/api.ts'
import { describeProgram, launch, type Program } from './launch.ts'

declare global {
  interface Window {
    /** Every event of a job since the test began, in order. */
    jobEvents: WindowJobEvent[]
  }
}

let program: Program
/** A new folder, chosen as the output. */
let output: Grant
/** The sample of this name. */
let sample: (name: string) => Promise<Grant>

const submit = (job: WindowJobInput) => program.page.evaluate((job) => window.vatStudio.jobs.submit(job), job)
const eventsOf = (id: string) => program.page.evaluate((id) => window.jobEvents.filter(({ job }) => job === id), id)
const cancel = (id: string) => program.page.evaluate((id) => window.vatStudio.jobs.cancel(id), id)

/** Waits until an event of a job has come, and answers with it. */
async function waitFor<Type extends WindowJobEvent['type']>(id: string, ...types: Type[]): Promise<Extract<WindowJobEvent, { type: Type }>> {
  const arrived = await program.page.waitForFunction(
    ([id, types]) => window.jobEvents.find(({ job, type }) => job === id && types.includes(type)),
    [id, types] as [string, string[]],
    { polling: 20 },
  )
  return (await arrived.jsonValue()) as Extract<WindowJobEvent, { type: Type }>
}

/** A bake of a few seconds. */
const longBake = async (): Promise<WindowJobInput> => ({
  kind: 'bake',
  model: (await sample('RobotExpressive.glb')).token,
  output: output.token,
  options: { anim: ['Dance'], frames: 1500, encoding: 'exr', normals: 'xyz' },
})

beforeEach(async () => {
  program = await launch()
  const { page, folder } = program
  await page.evaluate(() => {
    window.jobEvents = []
    window.vatStudio.jobs.onEvent((event) => window.jobEvents.push(event))
  })
  mkdirSync(join(folder, 'out'))
  await program.answerOpenDialog(join(folder, 'out'))
  output = (await page.evaluate(() => window.vatStudio.folders.choose()))!
  sample = async (name) => (await page.evaluate(() => window.vatStudio.models.samples())).find((grant) => grant.name === name)!
})
afterEach(() => program.end())

describeProgram('a bake', () => {
  test('writes files that verify', async () => {
    const fox = await sample('Fox.glb')
    const bake = await submit({
      kind: 'bake',
      model: fox.token,
      output: output.token,
      options: { anim: ['Run'], encoding: 'rgba16', normals: 'octahedral' },
    })
    const { result, written } = await waitFor(bake, 'finished')
    const types = (await eventsOf(bake)).map(({ type }) => type)
    expect(types[0]).toBe('accepted')
    expect(types.at(-1)).toBe('finished')
    expect(types).toContain('progress')
    expect(types.filter((type) => type === 'file.export')).toHaveLength(4)
    expect(readdirSync(output.path).toSorted()).toEqual(['Run.json', 'Run_mesh.glb', 'Run_nrm.png', 'Run_pos.png'])
    expect(result).toMatchObject({ folder: output.path, withinLimit: true, sidecar: { source: { file: 'Fox.glb' }, frameCount: 35 } })

    const verification = await submit({ kind: 'verify', sidecar: written!.sidecar.token, model: fox.token, maxError: '0.01%' })
    expect((await waitFor(verification, 'finished')).result).toMatchObject({ damaged: [], modelChanged: false, withinLimit: true })
    expect(written!.folder).toEqual(output)
  })

  test('does not hold up an inspection or a plan', async () => {
    const bake = await submit(await longBake())
    await waitFor(bake, 'progress')
    const { token } = await sample('Fox.glb')
    const inspection = await waitFor(await submit({ kind: 'inspect', model: token }), 'finished')
    expect(inspection.result).toMatchObject({ vertexCount: 1728, clips: [{ name: 'Survey' }, { name: 'Walk' }, { name: 'Run' }] })
    const plan = await waitFor(await submit({ kind: 'plan', model: token, output: output.token, options: { anim: ['Walk'] } }), 'finished')
    expect(plan.result).toMatchObject({ name: 'Walk', folder: output.path })
    expect((await eventsOf(bake)).some(({ type }) => type === 'finished')).toBe(false)
  })

  test('fails with a sentence where the clip is not in the model', async () => {
    const { token } = await sample('Fox.glb')
    const failed = await waitFor(await submit({ kind: 'bake', model: token, output: output.token, options: { anim: ['Fly'] } }), 'failed')
    expect(failed).toMatchObject({ kind: 'usage' })
    expect(failed.message).toContain('Fly')
    expect(readdirSync(output.path)).toEqual([])
  })

  test('that is cancelled half-way leaves nothing, and the next one works', async () => {
    const bake = await submit(await longBake())
    await program.page.waitForFunction(() => window.jobEvents.some((event) => event.type === 'progress' && event.progress.stage === 'encoding'))
    expect(readdirSync(output.path)).not.toEqual([])
    const begin = performance.now()
    await cancel(bake)
    await waitFor(bake, 'cancelled')
    expect(performance.now() - begin).toBeLessThan(2000)
    expect(readdirSync(output.path)).toEqual([])

    const { token } = await sample('Fox.glb')
    await waitFor(await submit({ kind: 'bake', model: token, output: output.token, options: { anim: ['Run'] } }), 'finished')
    expect(existsSync(join(output.path, 'Run.json'))).toBe(true)
  })

  test('that waits can be cancelled too', async () => {
    const first = await submit(await longBake())
    const second = await submit(await longBake())
    await cancel(second)
    expect(await eventsOf(second)).toEqual([{ type: 'cancelled', job: second }])
    await cancel(first)
    await waitFor(first, 'cancelled')
  })

  test('whose process is killed has failed, says so, leaves nothing, and the next one works', async () => {
    const bake = await submit(await longBake())
    await program.page.waitForFunction(() => window.jobEvents.some((event) => event.type === 'progress' && event.progress.stage === 'encoding'))
    const workers = await program.app.evaluate(({ app }) => app.getAppMetrics().filter(({ name }) => name === 'VAT Studio bakes'))
    expect(workers).toHaveLength(1)
    process.kill(workers[0].pid, 'SIGKILL')
    const failed = await waitFor(bake, 'failed')
    expect(failed.message).toBe('The bake of RobotExpressive.glb stopped unexpectedly.')
    expect(readdirSync(output.path)).toEqual([])

    const { token } = await sample('Fox.glb')
    await waitFor(await submit({ kind: 'bake', model: token, output: output.token, options: { anim: ['Run'] } }), 'finished')
  })
})

describeProgram('quitting while a bake runs', () => {
  const close = () => program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].close())

  test('asks first; the bake goes on where it is kept, and leaves nothing where it is not', async () => {
    const bake = await submit(await longBake())
    await waitFor(bake, 'progress')
    await program.answerQuestions('Keep Baking')
    await close()
    await expect.poll(() => program.questions()).toEqual(['A bake is still running.'])
    await program.choose('file.quit')
    await expect.poll(() => program.questions()).toHaveLength(2)
    expect((await eventsOf(bake)).at(-1)!.type).toBe('progress')

    await program.answerQuestions('Cancel and Quit')
    const ended = program.app.waitForEvent('close')
    await close()
    await ended
    expect(readdirSync(output.path)).toEqual([])
  })

  test('asks nothing when no bake runs', async () => {
    await program.answerQuestions('Keep Baking')
    const ended = program.app.waitForEvent('close')
    await close()
    await ended
  })
})

describeProgram('unsaved changes', () => {
  test('are asked about before the window closes, and shown in its title', async () => {
    await program.page.evaluate(() => window.vatStudio.window.setDocument({ name: 'Fox.vat.json', unsaved: true }))
    const title = () => program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getTitle())
    expect(await title()).toBe('• Fox.vat.json – VAT Studio')
    await program.answerQuestions('Keep Editing')
    await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].close())
    await expect.poll(() => program.questions()).toEqual(['The changes to Fox.vat.json are not saved.'])
    await program.page.evaluate(() => window.vatStudio.window.setDocument({ name: null, unsaved: false }))
    expect(await title()).toBe('VAT Studio')
  })
})
