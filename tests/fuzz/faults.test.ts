import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { animated } from '../hostile/broken-files.ts'
import { listWholeFiles, placeFiles, runCase } from './case.ts'
import { examine, Fault, randomOptions } from './examine.ts'
import { mutate } from './mutate.ts'
import { createRandom } from './random.ts'

const root = join(import.meta.dirname, '../..')
const faults = join(root, 'tests/fixtures/faults')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every file that the fuzzing found a fault with, the options with which it did, and what is said of it now. */
const FOUND: Record<string, { options?: BakeOptionsInput; said: RegExp }> = {
  'colour-no-list.glb': { said: /materials\.0\.pbrMetallicRoughness\.baseColorFactor is wrong/ },
  'component-type-missing.glb': { said: /accessors\.1\.componentType is missing/ },
  'control-characters_1.obj': { said: /line 4 uses 9\uFFFD, but there are 3/ },
  'meshes-missing.babylon': { said: /meshes is missing/ },
  'offset-overflow.glb': { options: { content: 'offset', encoding: 'rgba8' }, said: /leaves the range of numbers/ },
  'texture-missing.glb': { said: /material 0 \("Skin"\) uses texture 0, but there are 0/ },
}

describe('a file that was once a fault keeps all promises', () => {
  test('all of them are here', () => {
    expect(readdirSync(faults).sort()).toEqual(Object.keys(FOUND).sort())
  })

  test.each(Object.entries(FOUND))('%s', async (name, { options, said }) => {
    const place = join(folder, name)
    mkdirSync(place)
    cpSync(join(faults, name), join(place, name))
    const outcome = await examine(join(place, name), place, { anim: ['#0'], ...options })
    expect(outcome.said[0]).toMatch(said)
  })
})

describe('the fuzzing itself', () => {
  const whole = listWholeFiles(root)

  test('the same seed and number make the same file and options, others make others', () => {
    const [{ bytes }] = whole
    const make = (seed: number, index: number) => {
      const random = createRandom(seed, index)
      return JSON.stringify([Buffer.from(mutate(bytes, random)).toString('base64'), randomOptions(random)])
    }
    expect(make(7, 3)).toBe(make(7, 3))
    expect(new Set([make(7, 3), make(7, 4), make(8, 3)]).size).toBe(3)
  })

  test('whole files bake, so that what is broken is broken on purpose', async () => {
    for (const [i, file] of whole.entries()) {
      const place = join(folder, `whole-${i}`)
      mkdirSync(place)
      expect(await examine(placeFiles(file, file.bytes, place), place, { anim: ['#0'], fps: 5 })).toMatchObject({ kind: 'baked' })
    }
  })

  test('some of the broken ones bake, and some do not', async () => {
    const kinds: string[] = []
    for (let index = 0; index < 60; index++) kinds.push((await runCase(whole, 1, index, join(folder, 'case'))).kind)
    expect(kinds).toContain('baked')
    expect(kinds).toContain('input')
  })

  test('what changes beside the output folder is a fault', async () => {
    const place = join(folder, 'changing')
    mkdirSync(place)
    writeFileSync(join(place, 'model.glb'), animated().glb())
    const looking = examine(join(place, 'model.glb'), place, { anim: ['#0'] })
    writeFileSync(join(place, 'stray.txt'), 'stray')
    await expect(looking).rejects.toThrow(Fault)
  })
})
