import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bake, bakeRun, contents, type Ended, fox, inParallel, run, start, temporaryFolder, tornFiles } from './program.ts'

/*
 * What the command line promises, word for word.
 */

const folder = temporaryFolder()
// As in a clone, so that the command of the README can be run as it stands there.
mkdirSync(join(folder, 'resources/samples'), { recursive: true })
cpSync(fox, join(folder, 'resources/samples/Fox.glb'))

const PROMISED = 'bake resources/samples/Fox.glb --anim Run --fps 30 --encoding rgba16 --normals -o out/'.split(' ')
const out = join(folder, 'out')
let promised: Ended
beforeAll(async () => {
  promised = await run(PROMISED, { folder })
})

describe('the promised command', () => {
  test('writes the promised files, and succeeds', () => {
    expect(promised).toMatchObject({ status: 0, stderr: '' })
    expect(Object.keys(contents(out)).sort()).toEqual(['Run.json', 'Run_mesh.glb', 'Run_nrm.png', 'Run_pos.png'])
    expect(tornFiles(out, 'Run')).toEqual([])
  })

  test('prints what was baked, how large it is, how long it took, and how far it is from the truth', () => {
    // How it says so is the matter of main/cli; here the figures count.
    expect(promised.stdout).toMatch(/^Baked Run from Fox\.glb in \d+(\.\d+)? s\.$/m)
    expect(promised.stdout).toMatch(/\bRun +35 frames +30\.2 fps +1\.16 s +loops/)
    expect(promised.stdout).toMatch(/1,728 vertices/)
    for (const role of ['position', 'normal']) expect(promised.stdout).toMatch(new RegExp(`${role} +1,728 × 35 px +rgba16 .*484 kB .* \\d+ kB on disk`))
    expect(promised.stdout).toMatch(/ 1\.46 mm .*0\.000752 % /)
    expect(promised.stdout).toMatch(/Normals .*°/)
    for (const file of Object.keys(contents(out))) expect(promised.stdout).toMatch(new RegExp(`out[/\\\\]${file} +[\\d.]+ kB`))
  })

  test.each(['Run_pos.png', 'Run_nrm.png'])('writes 16 bits a channel into %s', (file) => {
    const png = readFileSync(join(out, file))
    expect(png.subarray(12, 16).toString('latin1')).toBe('IHDR')
    const [width, height, bits] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24]]
    expect({ width, height, bits }).toEqual({ width: 1728, height: 35, bits: 16 })
  })

  test('writes the same bytes a second time, from another folder and into the old files', async () => {
    const before = contents(out)
    const again = join(folder, 'again')
    await run(['bake', fox, ...PROMISED.slice(2, -1), again])
    expect(contents(again)).toEqual(before)
    expect(await run(PROMISED, { folder })).toMatchObject({ status: 0 })
    expect(contents(out)).toEqual(before)
  })
})

test('a mesh as .gltf with its own files is the same the second time, too', async () => {
  const [first, second] = [join(folder, 'first gltf'), join(folder, 'second gltf')]
  const options = ['--encoding', 'exr', '--normals', 'octahedral', '--mesh-format', 'gltf']
  await Promise.all([bake(first, options), bake(second, options)])
  const files = contents(first)
  expect(Object.keys(files).sort()).toEqual(['Run.json', 'Run_mesh.bin', 'Run_mesh.gltf', 'Run_mesh_image.png', 'Run_nrm.exr', 'Run_pos.exr'])
  expect(contents(second)).toEqual(files)
})

describe('failures', () => {
  const cases: [args: string[], status: number, kind: string, message: RegExp][] = [
    [['bake', 'Wolf.glb'], 1, 'input', /Wolf\.glb/],
    [['inspect', 'Wolf.glb'], 1, 'input', /Wolf\.glb/],
    [['verify', 'Wolf.json'], 1, 'input', /Wolf\.json does not exist/],
    [['bake', fox, '--anim', 'Fly'], 2, 'usage', /no clip "Fly"\. It has "Survey", "Walk" and "Run"/],
    [['bake', fox, '--dry-run'], 2, 'usage', /3 clips/],
    [['bake', fox, '--anmi', 'Run'], 2, 'usage', /Unknown option '--anmi'\. Did you mean --anim\?/],
    [['bake', fox, '--encoding', 'rgba12'], 2, 'usage', /--encoding must be one of/],
    [['inspect', fox, '--quite'], 2, 'usage', /Did you mean --quiet\?/],
    [['verify', 'out/Run.json', '--modle', fox], 2, 'usage', /Did you mean --model\?/],
    [['bkae', fox], 2, 'usage', /Did you mean bake\?/],
    [['bake'], 2, 'usage', /Missing required argument 'model'/],
    [['bake', fox, '--anim', 'Run', '--max-size', '16'], 1, 'limit', /16/],
  ]

  test('are one line for a person, and one JSON document for a program', async () => {
    await inParallel(cases, async ([args, status, kind, message]) => {
      const ended = await run([...args, '--json'], { folder })
      const name = args.join(' ')
      expect(ended.status, name).toBe(status)
      expect(ended.stderr, name).toMatch(/^error: [^\n]+[.?]\n$/)
      expect(ended.stderr, name).toMatch(message)
      expect(ended.stderr, name).not.toMatch(/\.js:\d|\bat .*:\d+:\d+/)
      const document = JSON.parse(ended.stdout) as { error: { kind: string; message: string } }
      expect(document, name).toEqual({ error: { kind, message: ended.stderr.slice('error: '.length, -1) } })
    })
    expect(Object.keys(contents(folder))).not.toContain('vat')
  })

  test('are told without JSON on standard error alone', async () => {
    expect(await run(['bake', 'Wolf.glb', '--quiet'], { folder })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: [^\n]*Wolf\.glb[^\n]*\.\n$/),
    })
  })
})

describe('--json', () => {
  test('prints one document for each command', async () => {
    const output = join(folder, 'json')
    const documents: Record<string, object> = {}
    const commands = {
      bake: ['bake', fox, '--anim', 'Run', '-o', output],
      plan: ['bake', fox, '--anim', 'Run', '-o', output, '--dry-run'],
      inspect: ['inspect', fox],
      verify: ['verify', join(out, 'Run.json'), '--model', fox],
    }
    await inParallel(Object.entries(commands), async ([name, args]) => {
      const { status, stdout, stderr } = await run([...args, '--json'])
      expect({ status, stderr }, name).toEqual({ status: 0, stderr: '' })
      documents[name] = JSON.parse(stdout) as object
    })
    expect(documents.bake).toMatchObject({ folder: output, withinLimit: true, sidecar: JSON.parse(readFileSync(join(output, 'Run.json'), 'utf8')) as object })
    expect(documents.plan).toMatchObject({ name: 'Run', textures: [{ width: 1728 }] })
    expect(documents.inspect).toMatchObject({ vertexCount: 1728, clips: [{ name: 'Survey' }, { name: 'Walk' }, { name: 'Run' }] })
    expect(documents.verify).toMatchObject({ damaged: [], modelChanged: false })
  })

  test('is one document for a damaged bake, which names the file', async () => {
    const output = join(folder, 'damaged')
    cpSync(out, output, { recursive: true })
    writeFileSync(join(output, 'Run_pos.png'), 'no image')
    rmSync(join(output, 'Run_mesh.glb'))
    const { status, stdout, stderr } = await run(['verify', join(output, 'Run.json'), '--json'])
    expect((JSON.parse(stdout) as { damaged: object[] }).damaged.map((entry) => (entry as { file: string }).file)).toEqual(['Run_pos.png', 'Run_mesh.glb'])
    expect(stderr).toMatch(/^error: [^\n]*Run_pos\.png [^\n]*Run_mesh\.glb is missing[^\n]*\.\n$/)
    expect(status).toBe(1)
  })
})

test('--quiet prints nothing', async () => {
  const output = join(folder, 'quiet')
  const commands = [bakeRun(output, []), bakeRun(output, ['--dry-run']), ['inspect', fox, '--quiet'], ['verify', join(out, 'Run.json'), '--quiet']]
  await inParallel(commands, async (args) => {
    expect(await run(args), args.join(' ')).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
  })
})

test('a limit that is exceeded fails the bake, whose files are there all the same', async () => {
  const output = join(folder, 'limit')
  const { status, stdout, stderr } = await run(['bake', fox, '--anim', 'Run', '--encoding', 'rgba8', '--max-error', '0.01mm', '-o', output])
  expect(stderr).toMatch(/^error: The largest error at the samples is [\d.,]+ mm .* above the limit of 0\.01mm\. [^\n]*\n$/)
  expect(stdout).toContain('Baked Run')
  expect(status).toBe(1)
  expect(Object.keys(contents(output)).sort()).toEqual(['Run.json', 'Run_mesh.glb', 'Run_pos.png'])
  expect(tornFiles(output, 'Run')).toEqual([])
})

test('somebody who stops reading stops nothing', async () => {
  const output = join(folder, 'unread')
  const { child, ended } = start(['bake', fox, '--anim', 'Run', '-o', output])
  child.stdout.destroy()
  child.stderr.destroy()
  expect((await ended).status).toBe(0)
  expect(tornFiles(output, 'Run')).toEqual([])
  expect(existsSync(join(output, 'Run_pos.exr'))).toBe(true)
})
