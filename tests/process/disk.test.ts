import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bakeRun, contents, type Ended, fox, inParallel, run, type Start, temporaryFolder } from './program.ts'
import { bakeTwoSets, NEW, type TwoSets } from './two-sets.ts'

/*
 * Places that cannot be written to. Each has to be told in plain words, and what was there has to stay.
 */

const folder = temporaryFolder()
let sets: TwoSets
beforeAll(async () => {
  sets = await bakeTwoSets(folder)
})

/** One line for a person: what is wrong and what to do, without the ways of a program. */
function expectFailure({ status, stdout, stderr }: Ended, words: RegExp): void {
  expect(stderr).toMatch(/^error: [^\n]+\.\n$/)
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/VAT Studio failed|--debug| at /)
  expect(stdout).toBe('')
  expect(status).toBe(1)
}

describe('an output folder', () => {
  test('that is a file', async () => {
    const output = join(folder, 'file')
    writeFileSync(output, 'mine')
    expectFailure(await run(bakeRun(output, [])), /a file of that name is in the way\. .* -o/)
    expectFailure(await run(bakeRun(join(output, 'below'), [])), /part of the path is a file\. .* -o/)
    expect(readFileSync(output, 'utf8')).toBe('mine')
  })

  test('that holds the bake of another model, or files of somebody else', async () => {
    const output = join(folder, 'foreign')
    cpSync(sets.old.folder, output, { recursive: true })
    writeFileSync(join(output, 'Mine_mesh.glb'), 'mine')
    const before = contents(output)
    const other = join(folder, 'Wolf.glb')
    cpSync(fox, other)
    expectFailure(await run(['bake', other, '--anim', 'Run', '-o', output]), /Run\.json belongs to a bake of another model, Fox\.glb\. .*--overwrite/)
    expectFailure(await run(bakeRun(output, ['--name', 'Mine'])), /Mine_mesh\.glb exists and does not belong to a bake\. .*--overwrite/)
    expect(contents(output)).toEqual(before)
  })

  // Who may write everywhere gives that up for the test; Windows has no such folders.
  const isRoot = process.getuid?.() === 0
  const setpriv = ['setpriv', '--bounding-set=-dac_override']
  const humble: Start = isRoot ? { through: setpriv } : {}
  const canBeRefused = process.platform !== 'win32' && (!isRoot || spawnSync(setpriv[0], [setpriv[1], 'true']).status === 0)
  test.skipIf(!canBeRefused)('that is read-only (needs a system where this user can be refused)', async () => {
    const output = join(folder, 'read-only')
    cpSync(sets.old.folder, output, { recursive: true })
    chmodSync(output, 0o555)
    const [onto, below] = await Promise.all([output, join(output, 'new')].map((place) => run(bakeRun(place, NEW), humble)))
    chmodSync(output, 0o755)
    expectFailure(onto, /Cannot write into .*read-only: permission is denied\. .* -o/)
    expectFailure(below, /Cannot make the folder .*new: permission is denied\. .* -o/)
    expect(contents(output)).toEqual(sets.old.files)
  })
})

describe('a disk that is full', () => {
  test('at any step of a bake', async () => {
    const { changes } = sets.fresh
    const steps = ['mkdir new', 'writeFile owner.json', 'mkdtemp lock-', 'open Run_pos.png', 'writeFile Run_mesh.gltf', 'writeFile Run.json', 'writeFile publish.json.part']
    const makes = [changes.findIndex((change) => change.startsWith('mkdtemp ')), ...steps.map((step) => changes.indexOf(step))].map((i) => i + 1)
    expect(Math.min(...makes)).toBe(1)
    await inParallel(makes, async (change) => {
      const outer = join(folder, `full, ${change}`)
      const output = join(outer, 'out')
      mkdirSync(outer)
      if (change > 1) cpSync(sets.old.folder, output, { recursive: true })
      // A folder that is there is not made: every later step comes one earlier.
      const full = change > 1 ? change - 1 : 1
      expectFailure(await run(bakeRun(output, NEW), { disk: { full } }), /the disk is full|ENOSPC/)
      if (change > 1) expect(contents(output), `full at ${changes[change - 1]}`).toEqual(sets.old.files)
      else expect(contents(outer)).toEqual({})
    })
  })

  test('leaves no new folder', async () => {
    const made = join(folder, 'made')
    expectFailure(await run(bakeRun(join(made, 'out'), NEW), { disk: { full: 3 } }), /the disk is full/)
    expect(existsSync(made)).toBe(false)
  })

  const unshare = ['unshare', process.getuid?.() === 0 ? '-m' : '-rm']
  const mount = (place: string) => spawnSync(unshare[0], [unshare[1], 'mount', '-t', 'tmpfs', 'tmpfs', place]).status === 0
  test.skipIf(!mount(folder))('in truth: a small one (needs a system that lets this user mount one)', async () => {
    const [disk, result] = [join(folder, 'small'), join(folder, 'result')]
    mkdirSync(disk)
    mkdirSync(result)
    // Seen by nobody else, and gone with its process; so what is on it is copied out.
    const script = 'mount -t tmpfs -o size=200k tmpfs "$1" && cp "$2"/* "$1" && cd / && "${@:4}"; status=$?; cp -r "$1"/. "$3"; exit $status'
    const through = [...unshare, 'bash', '-c', script, 'bash', disk, sets.old.folder, result]
    expectFailure(await run(bakeRun(disk, ['--encoding', 'exr', '--frames', '35']), { through }), /Run_pos\.exr cannot be written: the disk is full\. /)
    expect(contents(result)).toEqual(sets.old.files)
  })
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be printed (needs /dev/full)', async () => {
  const through = ['sh', '-c', '"$@" > /dev/full', 'sh']
  expectFailure(await run(['inspect', fox], { through }), /The output cannot be written: .*no space left/)
  const output = join(folder, 'unprinted')
  expectFailure(await run(['bake', fox, '--anim', 'Run', '--json', '-o', output], { through }), /The output cannot be written/)
  expect(existsSync(join(output, 'Run.json'))).toBe(true)
})
