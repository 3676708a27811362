import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeProgram, launch, type Program } from './launch.ts'
import { bake, chooseClip, chooseOption, isEnabled, openModel, openSample, pressBake, setNumber } from './steps.ts'

/** What a person sees of a bake that does not end well, and of a file that cannot be opened. */
describeProgram('the bake panel', () => {
  let program: Program
  let output: string

  const pinned = () => program.page.locator('.pinned')
  const queue = () => program.page.locator('.queue li')
  const written = () => (existsSync(output) ? readdirSync(output) : [])

  beforeAll(async () => {
    program = await launch()
    await program.answerQuestions('Close')
  })
  afterAll(() => program.end())

  /** Starts a bake of many seconds, and waits until it writes. */
  async function startLongBake(): Promise<void> {
    await setNumber(program, 'Frame count', 1500)
    await pressBake(program)
    await expect.poll(() => pinned().locator('[aria-current="step"]').innerText({ timeout: 1000 }).catch(String), { timeout: 20_000 }).toBe('Encoding')
    await expect.poll(written).not.toEqual([])
  }

  /** The panel takes the next bake as if nothing had been. */
  async function bakesAgain(): Promise<void> {
    await expect.poll(() => isEnabled(program, 'bake.start')).toBe(true)
    await setNumber(program, 'Frame count', 12)
    await bake(program, 'Dance of RobotExpressive')
    expect(written().toSorted()).toEqual(['Dance.json', 'Dance_mesh.glb', 'Dance_nrm.exr', 'Dance_pos.exr'])
    const sidecar = JSON.parse(readFileSync(join(output, 'Dance.json'), 'utf8')) as { frameCount: number }
    expect(sidecar.frameCount).toBe(12)
    expect(program.errors).toEqual([])
  }

  test('follows what is chosen', async () => {
    output = join(await openSample(program, 'RobotExpressive.glb'), 'vat')
    await chooseClip(program, 'Dance')
    await chooseOption(program, 'Encoding', 'EXR float')
    await chooseOption(program, 'Normals', 'Vector')
    await setNumber(program, 'Frame count', 1500)
    await expect.poll(() => pinned().locator('.consequences').innerText()).toContain('1,500')
  })

  test('cancels half-way by its own button, leaves nothing in the folder, and is ready again', async () => {
    await startLongBake()
    await pinned().getByRole('button', { name: /^Cancel/ }).click()
    const begin = performance.now()
    await expect.poll(() => queue().first().innerText({ timeout: 500 }).catch(String)).toContain('Cancelled. The old output is untouched.')
    expect(performance.now() - begin).toBeLessThan(2000)
    expect(written()).toEqual([])
    expect(await pinned().locator('.running').count()).toBe(0)
    await bakesAgain()
  })

  test('says in its row that the worker died, leaves the old output whole, and bakes again', async () => {
    const before = readFileSync(join(output, 'Dance.json'))
    await startLongBake()
    const [worker] = await program.app.evaluate(({ app }) => app.getAppMetrics().filter(({ name }) => name === 'VAT Studio bakes'))
    process.kill(worker.pid, 'SIGKILL')
    const row = queue().filter({ hasText: 'stopped unexpectedly' })
    await expect.poll(() => row.innerText({ timeout: 500 }).catch(String)).toMatch(
      /Stopped at frame \d+ of 1,?500\. The bake of RobotExpressive\.glb stopped unexpectedly\. Nothing was written\./,
    )
    expect(await row.getAttribute('role')).toBe('alert')
    expect(written().toSorted()).toEqual(['Dance.json', 'Dance_mesh.glb', 'Dance_nrm.exr', 'Dance_pos.exr'])
    expect(readFileSync(join(output, 'Dance.json'))).toEqual(before)
    await bakesAgain()
    expect(await program.questions()).toEqual([])
  })

  test('says of a bad file in one sentence what is wrong, without a dialog, and keeps the model that is open', async () => {
    const whole = readFileSync(resolve('resources/samples/Fox.glb'))
    const files = {
      'Cut.glb': whole.subarray(0, 50_000),
      'Empty.glb': new Uint8Array(),
      'Text.gltf': 'no model',
    }
    for (const [name, content] of Object.entries(files)) {
      const file = join(program.folder, name)
      writeFileSync(file, content)
      await program.answerOpenDialog(file)
      await program.choose('file.open')
      const alert = program.page.locator('.viewport [role="alert"]')
      await expect.poll(() => alert.innerText({ timeout: 500 }).catch(String)).toContain(name)
      expect(await alert.count()).toBe(1)
      const headline = await alert.locator('.headline').innerText()
      expect(headline).toMatch(/^[^.]*\S+\.gl(b|tf)\b.*\.$/)
      expect(await alert.innerText()).toContain('RobotExpressive.glb is still open.')
      console.log(`${name}: ${(await alert.locator('p').allInnerTexts()).join(' ')}`)
    }
    expect(await program.questions()).toEqual([])
    expect(await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    expect(program.errors).toEqual([])

    // The next good file is opened, and takes the sentence away.
    await openModel(program, resolve('resources/samples/Fox.glb'), 'Fox.glb')
    expect(await program.page.locator('.viewport [role="alert"]').count()).toBe(0)
  })
})
