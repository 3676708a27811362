/**
 * The recipe of resources/docs/layouts.md: the layout of the classic Unity tutorial, read pixel by pixel as that page describes it,
 * without the sidecar.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { BakeOptionsInput } from '../../main/bake/options.ts'
import { bakeFlags, bakeValues } from '../../main/cli/flags.ts'
import { bakery, sample } from './bakes.ts'
import { readExr } from './read-exr.ts'
import { readTruth } from './truth.ts'

const { bake } = bakery()

/** The command of the recipe, as it stands on the page. */
async function recipe(): Promise<{ model: string, options: BakeOptionsInput }> {
  const page = await readFile(join(import.meta.dirname, '../../resources/docs/layouts.md'), 'utf8')
  const [, model, line] = /vat-studio bake (\S+) (.*)/.exec(page)!
  const command = new Command()
  for (const flag of bakeFlags()) command.addOption(flag)
  command.parse(line.split(' '), { from: 'user' })
  return { model, options: bakeValues(command.opts()) }
}

describe('the recipe', () => {
  it('is the one of the tutorial', async () => {
    expect(await recipe()).toEqual({
      model: 'Fox.glb',
      options: { anim: ['Run'], orientation: 'frames-x', stack: true, normals: 'xyz', tangents: true, loop: 'off', frames: 32, encoding: 'exr' },
    })
  })

  it.each([
    { file: 'Fox.glb', clip: 'Run', index: 2, hasTangents: false },
    { file: 'AnimatedMorphCube.glb', clip: 'Square', index: 0, hasTangents: true },
  ])('holds every number of $file where the page says', async ({ file, clip, index, hasTangents }) => {
    const { options } = await recipe()
    const { sidecarFile, sidecar } = await bake(sample(file), { ...options, anim: [clip] })
    const image = readExr(await readFile(join(dirname(sidecarFile), `${clip}_vat.exr`)))
    const truth = readTruth(sample(file))
    const { start, duration, index: found } = sidecar.clips[0]
    expect(found).toBe(index)
    const frames = 32
    const { length: V } = truth(index, start).positions
    expect([image.width, image.height]).toEqual([frames, 3 * V])
    const channels = ['R', 'G', 'B', 'A'].map((name) => image.channels.get(name)!.values)
    const pixel = (x: number, y: number) => channels.map((plane) => plane[y * frames + x])

    const diagonal = Math.hypot(...sidecar.bounds.max.map((high, axis) => high - sidecar.bounds.min[axis]))
    let [position, normal, tangent, handedness] = [0, 0, 0, 0]
    for (let x = 0; x < frames; x++) {
      const { positions, normals, tangents } = truth(index, start + x / (frames - 1) * duration)
      for (let vertex = 0; vertex < V; vertex++) {
        const apart = (found: number[], expected: number[]) => Math.hypot(...[0, 1, 2].map((axis) => found[axis] - expected[axis]))
        position = Math.max(position, apart(pixel(x, vertex), positions[vertex]))
        normal = Math.max(normal, apart(pixel(x, V + vertex), normals[vertex]))
        tangent = Math.max(tangent, apart(pixel(x, 2 * V + vertex), tangents[vertex]))
        if (pixel(x, 2 * V + vertex)[3] !== tangents[vertex][3]) handedness++
        // There is nothing in the alpha of positions and normals.
        if (pixel(x, vertex)[3] !== 0 || pixel(x, V + vertex)[3] !== 0) handedness++
      }
    }
    expect(position / diagonal).toBeLessThan(1e-7)
    expect([normal, tangent].every((most) => most < 2e-7), `${normal} ${tangent}`).toBe(true)
    expect(handedness).toBe(0)
    expect(sidecar.warnings.some(({ code }) => code === 'no-tangents')).toBe(!hasTangents)
  })
})
