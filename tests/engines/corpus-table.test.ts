import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'
import { finish } from './bake-corpus.ts'
import { SHARED } from './engine.ts'
import { printTable } from './print-table.ts'

const CORPUS = join(SHARED, 'corpus')

/** Largest error of a float bake at its samples, as a share of the size. */
const TOLERANCE = 1e-6

/** How many files of the corpus bake, and how many get a sentence: a file that changes sides has to be looked at. */
const EXPECTED = { baked: 105, refused: 99 }

describe.skipIf(!existsSync(CORPUS))('every model of the corpus', () => {
  const files = existsSync(CORPUS)
    ? readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(gltf|glb|fbx|babylon)$/i.test(name)).sort()
    : []
  const rows: string[][] = []
  const totals = { baked: 0, refused: 0 }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    printTable(['file', 'clip', 'vertices', 'frames', 'error / size', 'warnings, or the sentence'], rows)
    console.log(`${files.length} files: ${totals.baked} baked and verified, ${totals.refused} refused with a sentence`)
  })

  it.each(files)('%s bakes, or says why not', async (name) => {
    const output = join(folder, String(rows.length))
    try {
      const options = bakeOptions.parse({ anim: ['#0'], fps: 12, encoding: 'exr', output })
      const { sidecar } = await finish(bake(join(CORPUS, name), options))
      const [clip] = sidecar.clips
      const { maxPercent } = sidecar.report.position
      const warned = [...new Set(sidecar.warnings.map(({ code }) => code))].join(' ')
      rows.push([name, clip.name || '#0', String(sidecar.vertexCount), String(clip.frameCount), (maxPercent / 100).toExponential(1), warned])
      totals.baked++
      expect(maxPercent / 100).toBeLessThanOrEqual(TOLERANCE)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      rows.push([name, '', '', '', '', error.message])
      totals.refused++
      expect(['input', 'limit', 'usage']).toContain(error.kind)
      expect(error.message).toMatch(/^[^\n]{10,}\. [A-Z][^\n]+\.$/)
    }
  })

  it('bakes as many as before', () => {
    expect(totals).toEqual(EXPECTED)
  })
})
