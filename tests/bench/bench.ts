import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../engines/print-table.ts'
import { compareWithBlender, hasBlender, type Comparison, type Sides } from './against-blender.ts'
import { measureGrowth, measureSampling } from './sampling.ts'
import { writeTube } from './tube.ts'
import { measureWholeBakes, type WholeBake } from './whole-bakes.ts'

const ROBOT = 'resources/samples/RobotExpressive.glb'
/** What a process may take beside its textures. */
const CONSTANT = 250e6

/** What, our figure, what it is held against, their ratio, and what is expected of the ratio. */
type Row = [what: string, ours: string, against: string, ratio: string, expected: string]

/** Measures everything and prints one table. */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vat-bench-'))
  const begin = performance.now()
  try {
    const rows: Row[] = []
    rows.push(...(await measure('sampling', samplingRows)))
    rows.push(...(await measure('whole bakes against Blender', () => blenderRows(folder))))
    const exr = await measure('bakes of growing size, exr', () => measureWholeBakes(folder, 'exr'))
    const rgba16 = await measure('bakes of growing size, rgba16', () => measureWholeBakes(folder, 'rgba16'))
    rows.push(...[...exr, ...rgba16].map(memoryRow), ...growthRows(exr))
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, ${seconds} s in all\n`)
    printTable(['what', 'VAT Studio', 'against', 'ratio', 'expected'], rows)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Says on standard error what takes so long. */
async function measure<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  console.error(`Measuring ${what} …`)
  return run()
}

async function samplingRows(): Promise<Row[]> {
  const { label, ours, babylon, ratio } = await measureSampling()
  const growth = measureGrowth()
  return [
    [`sampling: ${label}`, ours.toFixed(2), `Babylon ${babylon.toFixed(2)}`, ratio.toFixed(2), '>= 8'],
    ...growth.map(({ label, nanoseconds }): Row => {
      const first = growth[0].nanoseconds
      return [`sampling: ${label}`, nanoseconds.toFixed(1), `1× ${first.toFixed(1)}`, (nanoseconds / first).toFixed(2), 'level']
    }),
  ]
}

async function blenderRows(folder: string): Promise<Row[]> {
  if (!hasBlender()) return [['whole bake against Blender', 'left out: no engines', '', '', '']]
  const tube = join(folder, 'tube.glb')
  await writeTube(tube, 50_000, 84)
  return [
    ...comparisonRows(await compareWithBlender('tube, 50000 vertices × 84 frames, against a loop over vertices', 'loop', tube, 'Swing', 1, folder)),
    ...comparisonRows(await compareWithBlender('the same tube, against numpy in bulk', 'bulk', tube, 'Swing', 3, folder)),
    ...comparisonRows(await compareWithBlender('RobotExpressive, Dance, against a loop over vertices', 'loop', ROBOT, 'Dance', 3, folder)),
    ...comparisonRows(await compareWithBlender('RobotExpressive, Dance, against numpy in bulk', 'bulk', ROBOT, 'Dance', 5, folder)),
  ]
}

function comparisonRows({ label, whole, processor, withoutItsStart, sameWork }: Comparison): Row[] {
  const row = (what: string, { ours, blender }: Sides, expected = ''): Row => {
    return [`${label}: ${what}`, `${ours.toFixed(2)} s`, `Blender ${blender.toFixed(2)} s`, (blender / ours).toFixed(2), expected]
  }
  return [
    row('whole process', whole, '>= 3'),
    row('processor time of the whole process', processor),
    row("without Blender's start", withoutItsStart),
    row('same work (no start, no verification)', sameWork),
  ]
}

function memoryRow({ encoding, vertexCount, frameCount, textureBytes, peakBytes }: WholeBake): Row {
  const limit = 2 * textureBytes + CONSTANT
  const what = `peak memory: ${encoding}, ${vertexCount} vertices × ${frameCount} frames, ${megabytes(textureBytes)} of textures`
  return [what, megabytes(peakBytes), `2 × textures + 250 MB = ${megabytes(limit)}`, (peakBytes / limit).toFixed(2), '<= 1']
}

function growthRows(bakes: WholeBake[]): Row[] {
  const cost = (bake: WholeBake, seconds: number) => (seconds / bake.vertexCount / bake.frameCount) * 1e9
  const rows = (what: string, secondsOf: (bake: WholeBake) => number) =>
    bakes.map((bake): Row => {
      const nanoseconds = cost(bake, secondsOf(bake))
      const first = cost(bakes[0], secondsOf(bakes[0]))
      const work = (bake.vertexCount * bake.frameCount) / bakes[0].vertexCount / bakes[0].frameCount
      const label = `whole bake, exr: ${what} a vertex and frame, ${work}× the work`
      return [label, `${nanoseconds.toFixed(0)} ns`, `1× ${first.toFixed(0)} ns`, (nanoseconds / first).toFixed(2), 'level']
    })
  return [...rows('time', ({ seconds }) => seconds), ...rows('processor time', ({ processorSeconds }) => processorSeconds)]
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
