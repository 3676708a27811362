import { cpSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { bake, bakeRun, contents, inParallel, randomMoments, remains, start, tally, temporaryFolder } from './program.ts'
import { bakeTwoSets, NEW, OLD, type TwoSets } from './two-sets.ts'

/*
 * Ctrl-C, and the signal by which a system asks a process to end. Windows has none that one process could send to another: there
 * Node ends the process at once, as SIGKILL does (kill.test.ts).
 */

const folder = temporaryFolder()
let sets: TwoSets
beforeAll(async () => {
  sets = await bakeTwoSets(folder)
})

const CANCELLED = { status: 130, signal: null, stdout: '', stderr: 'error: The bake of Fox.glb was cancelled.\n' }

/** Waits for something on the disk. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It never came.')
    await wait(2)
  }
}

describe.skipIf(process.platform === 'win32')('a signal (Windows has none)', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a bake with status 130 and leaves nothing, nor the folders that were made', async (signal) => {
    const outer = join(folder, signal)
    const output = join(outer, 'a', 'b')
    const { child, ended } = start(bakeRun(output, ['--frames', '2000', '--encoding', 'exr']))
    await until(() => existsSync(output) && remains(output).length > 0)
    child.kill(signal)
    expect(await ended).toEqual(CANCELLED)
    expect(existsSync(outer)).toBe(false)
  })

  test('at any moment leaves the old set or the new one, and nothing else', async () => {
    const { seed, moments } = randomMoments(6, sets.duration)
    const outcomes: string[] = []
    await inParallel(moments, async (moment) => {
      const output = join(folder, `at ${moment}`)
      cpSync(sets.old.folder, output, { recursive: true })
      const { child, ended } = start(bakeRun(output, NEW))
      await wait(moment)
      child.kill('SIGINT')
      const { status, signal } = await ended
      // Before the program has begun, there is nobody to hear the signal but the system.
      expect(signal ?? status).toBeOneOf(['SIGINT', 130, 0])
      outcomes.push(String(signal ?? status))
      // It can come too late, when the files are being moved.
      expect(status === 0 ? [sets.fresh.files] : [sets.old.files, sets.fresh.files]).toContainEqual(contents(output))
    })
    console.log(`Interrupted at ${moments.length} moments (SEED=${seed}): ${tally(outcomes)}.`)
  })

  test('ends a bake that compresses a large image, too', async () => {
    const output = join(folder, 'image')
    const { child, ended } = start(bakeRun(output, ['--frames', '2000', '--encoding', 'rgba16']))
    const image = () => join(output, remains(output)[0] ?? '', 'Run_pos.png')
    // It is opened when the first frame comes, and written when the last one has come.
    await until(() => existsSync(output) && existsSync(image()) && statSync(image()).size > 0)
    child.kill('SIGINT')
    expect(await ended).toEqual(CANCELLED)
    expect(existsSync(output)).toBe(false)
  })

  /** Starts a bake in place of the old set that stands still after a change to the disk, and waits until it does. */
  async function standStill(name: string, change: string) {
    const output = join(folder, name)
    cpSync(sets.old.folder, output, { recursive: true })
    const file = join(folder, `${name} held`)
    const running = start(bakeRun(output, NEW), { disk: { hold: { after: sets.fresh.changes.indexOf(change) + 1, file } } })
    await until(() => existsSync(file))
    return { output, ...running }
  }

  test('ends a bake that does not hear, and clears up after it', async () => {
    const { output, child, ended } = await standStill('deaf', 'writeFile Run_mesh.gltf')
    child.kill('SIGINT')
    expect(await ended).toEqual(CANCELLED)
    expect(contents(output)).toEqual(sets.old.files)
  })

  test('while files are moved leaves none of the two sets torn', async () => {
    const { output, child, ended } = await standStill('moving', 'rename Run_nrm.png')
    child.kill('SIGINT')
    expect(await ended).toEqual(CANCELLED)
    expect(contents(output)).toEqual(sets.fresh.files)
  })

  test('that comes a second time ends it at once, and the next bake clears up', async () => {
    const { output, child, ended } = await standStill('impatient', 'writeFile Run_mesh.gltf')
    child.kill('SIGINT')
    await wait(600)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: null, signal: 'SIGINT' })
    expect(contents(output)).toMatchObject(sets.old.files)
    await bake(output, OLD)
    expect(contents(output)).toEqual(sets.old.files)
  })

  test('is told as JSON where JSON was asked for', async () => {
    const output = join(folder, 'json')
    const { child, ended } = start([...bakeRun(output, ['--frames', '2000', '--encoding', 'exr']), '--json'])
    await until(() => existsSync(output) && remains(output).length > 0)
    child.kill('SIGINT')
    const { status, stdout } = await ended
    expect(JSON.parse(stdout)).toEqual({ error: { kind: 'cancelled', message: 'The bake of Fox.glb was cancelled.' } })
    expect(status).toBe(130)
  })
})
