import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'
import { bakeClips, expectedClips, finish, meshesOf, truthJobOf, type ExpectedClip } from './bake-corpus.ts'
import { compareNormals, comparePositions } from './compare.ts'
import { UNBAKEABLE, bakeableModels, corpusModels } from './corpus.ts'
import { describeWithEngines } from './engine.ts'
import { printTable } from './print-table.ts'

/** Samples a second: enough to meet every curve between its keys as well. */
const FPS = 12
/** Largest error of a position, as a share of the diagonal of the box around all frames. */
const TOLERANCE = 1e-6
/** Largest error of a float normal, in degrees. */
const NORMAL_TOLERANCE = 0.001

describeWithEngines('float EXR of every clip of the corpus', () => {
  const models = bakeableModels()
  let expected: Map<string, ExpectedClip[]>
  const rows: string[][] = []

  beforeAll(async () => {
    expected = await expectedClips(models, { fps: FPS })
  })
  afterAll(() => printTable(['file', 'clip', 'vertices', 'frames', 'error m', 'error / diagonal', 'normals °'], rows))

  it.each(models.map((model) => [model.name, model] as const))('%s', async (_, model) => {
    const baked = await bakeClips(model, { fps: FPS, encoding: 'exr', normals: 'xyz' })
    const clips = expected.get(model.name)!
    expect(baked).toHaveLength(model.clips)
    expect(baked.map(truthJobOf)).toEqual(clips.map(({ job }) => job))
    for (const [i, clip] of baked.entries()) {
      const { truth } = clips[i]
      const { vertexCount, clips: [{ name, index, frameCount }] } = clip.decoded.sidecar
      expect(meshesOf(clip).map(({ key, vertexCount }) => [key, vertexCount])).toEqual(
        [...truth].map(([key, { positions }]) => [key, positions.length / 3 / frameCount]),
      )
      const { error, diagonal } = comparePositions(clip, truth)
      const { degrees } = compareNormals(clip, truth)
      rows.push([
        model.name,
        name || `#${index}`,
        String(vertexCount),
        String(frameCount),
        error.toExponential(2),
        (error / diagonal).toExponential(2),
        degrees.toExponential(2),
      ])
      expect(error).toBeLessThanOrEqual(TOLERANCE * diagonal)
      expect(degrees).toBeLessThanOrEqual(NORMAL_TOLERANCE)
    }
  })

  it.each(Object.entries(UNBAKEABLE))('%s is refused: %s', async (name, sentence) => {
    const { file } = corpusModels().find((model) => model.name === name)!
    const error = await finish(bake(file, bakeOptions.parse({ output: join(tmpdir(), 'never') }))).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Problem)
    expect((error as Problem).message).toMatch(sentence)
  })
})
