import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bakeResult, inspectResult, planResult, verifyResult } from '../../main/bake/contract.ts'
import { works } from '../../main/worker/works.ts'
import { run } from './fake-shell.ts'

/*
 * The commands with the true works behind them, on a sample.
 */

const model = resolve('resources/samples/SimpleSkin.gltf')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vat-cli-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const command = (...args: string[]) => run(args, works)

describe('bake', () => {
  test('writes its files and says where they are; verify finds them whole', async () => {
    const output = join(folder, 'baked')
    const baked = await command('bake', model, '--encoding', 'rgba16', '--normals', '-o', output, '--max-error', '0.1%')
    expect(baked).toMatchObject({ status: 0, stderr: '' })
    const files = ['SimpleSkin.json', 'SimpleSkin_mesh.glb', 'SimpleSkin_nrm.png', 'SimpleSkin_pos.png']
    expect(readdirSync(output).sort()).toEqual(files)
    for (const file of files) expect(baked.stdout).toContain(join(output, file))

    const verified = await command('verify', join(output, 'SimpleSkin.json'), '--model', model)
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    expect(verified.stdout).toContain('3 files are as baked')
    const maxError = (text: string) => /Max error +at samples +(.+)/.exec(text)![1]
    expect(maxError(verified.stdout)).toBe(maxError(baked.stdout))
  })

  test('answers in JSON as the contract says', async () => {
    const output = join(folder, 'json')
    const baked = await command('bake', model, '-o', output, '--json')
    expect(bakeResult.parse(JSON.parse(baked.stdout)).sidecarFile).toBe(join(output, 'SimpleSkin.json'))
    const verified = await command('verify', join(output, 'SimpleSkin.json'), '--model', model, '--json')
    expect(verifyResult.parse(JSON.parse(verified.stdout)).damaged).toEqual([])
  })

  test('that exceeds its limit fails', async () => {
    const { status, stderr } = await command('bake', model, '-o', join(folder, 'limit'), '--max-error', '0.0001mm')
    expect(stderr).toContain('above the limit of 0.0001mm')
    expect(status).toBe(1)
  })

  test('with --dry-run writes nothing', async () => {
    const output = join(folder, 'dry')
    const planned = await command('bake', model, '-o', output, '--dry-run', '--json')
    expect(planResult.parse(JSON.parse(planned.stdout))).toMatchObject({ folder: output, vertexCount: 10 })
    expect(existsSync(output)).toBe(false)
  })

  test('for an engine that could not read it is refused', async () => {
    const { status, stderr } = await command('bake', model, '-o', join(folder, 'unity'), '--target', 'unity', '--mesh-format', 'glb')
    expect(stderr).toMatch(/^error: Unity imports no glb files by itself\./)
    expect(status).toBe(2)
  })
})

test('inspect answers in JSON as the contract says', async () => {
  const { status, stdout } = await command('inspect', model, '--json')
  expect(inspectResult.parse(JSON.parse(stdout))).toMatchObject({ file: model, vertexCount: 10 })
  expect(status).toBe(0)
})
