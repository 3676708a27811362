import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions, ENCODINGS, TARGETS } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'

/** What the README calls the types of texels. */
const STORED: Record<string, string> = {
  unorm8: 'PNG, 8 bits a channel',
  unorm16: 'PNG, 16 bits a channel',
  unorm8x2: 'PNG, 8 bits a channel: high bytes above low ones',
  float16: 'OpenEXR, half float, centred and scaled',
  float32: 'OpenEXR, float',
}

let output: string
beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'readme-'))
})
afterAll(() => rm(output, { recursive: true }))

/** The row of an encoding for a target, from a real bake; null where there is no such target yet. */
async function rowOf(encoding: (typeof ENCODINGS)[number], target: (typeof TARGETS)[number]): Promise<string | null> {
  const work = bake('resources/samples/Fox.glb', bakeOptions.parse({ anim: ['Run'], target, encoding, output: join(output, target, encoding) }))
  const row = (stored: string, error: string) => `| \`${encoding}\` | \`${target}\` | ${stored} | ${error} |`
  try {
    let step = await work.next()
    while (!step.done) step = await work.next()
    const { textures, report } = step.value.sidecar
    const percent = report.position.maxPercent
    return row(STORED[textures[0].type], percent === 0 ? 'none' : `${percent.toPrecision(2)} %`)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'usage')) throw error
    return error.message.includes('is not available yet') ? null : row('refused', '')
  }
}

it("says of every encoding for every target what is stored, and how exact that is, as a bake of the Fox's Run does", async () => {
  const rows: string[] = []
  for (const target of TARGETS) {
    for (const encoding of ENCODINGS) rows.push((await rowOf(encoding, target)) ?? '')
  }
  const readme = await readFile('README.md', 'utf8')
  // A row for each target of those that share one.
  const table = [...readme.matchAll(/^(\| `(?:rgba8|rgba16|exr16|exr)` \| )((?:`\w+`(?:, )?)+)( \| .* \|)$/gm)].flatMap(([, before, targets, after]) =>
    targets.split(', ').map((target) => before + target + after),
  )
  expect(table.toSorted()).toEqual(rows.filter((row) => row !== '').toSorted())
})
