import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { openTextureReader } from '../../main/codecs/texture-node.ts'
import { boxDiagonal, createBox, growBox, type Box } from '../../main/model/box.ts'
import { bakeWhole, planOf, type Job } from './bake-process.ts'
import { median } from './median.ts'
import { runProcess } from './run-process.ts'
import { RATE } from './tube.ts'

const ENGINE = resolve('../shared/tools/engine')
const ENGINES_ROOT = process.env.ENGINES_ROOT ?? join(homedir(), '.cache/vat-tools/engines')

/** Whether Blender can be run. */
export function hasBlender(): boolean {
  return existsSync(ENGINE) && existsSync(join(ENGINES_ROOT, '.ready'))
}

/** Medians of what either side took, in seconds. */
export interface Sides {
  ours: number
  blender: number
}

export interface Comparison {
  label: string
  /** From the start of a process to its end. */
  whole: Sides
  /** Processor time of all threads of the whole process. */
  processor: Sides
  /** Our whole process, and Blender without its start. */
  withoutItsStart: Sides
  /** What both do: neither starts, nor do we read back and measure. */
  sameWork: Sides
}

/**
 * The whole process of a bake, which also reads back and measures what it wrote, against a loop in Blender that evaluates the
 * same model at the same times and writes the same textures. Rounds of both take turns.
 *
 * @param reading how the script in Blender takes the numbers: whole arrays through numpy, or vertex by vertex
 * @param folder for the files
 * @throws Error where Blender's positions are not ours, so that like is compared with like
 */
export async function compareWithBlender(
  label: string,
  reading: 'bulk' | 'loop',
  model: string,
  clip: string,
  rounds: number,
  folder: string,
): Promise<Comparison> {
  const job: Job = { model: resolve(model), clip, encoding: 'exr' }
  const { layout, clips } = await planOf(job, RATE)
  const { start, fps, frameCount } = clips[0]
  const times = Array.from({ length: frameCount }, (_, frame) => String(start + frame / fps))
  const blenderFiles = join(folder, 'blender')
  const options = ['-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '--python', resolve('tests/bench/blender_bake.py')]
  const args = [reading, job.model, clip, String(RATE), String(layout.columnsPerRow), blenderFiles, ...times]
  const env = { ENGINE_MOUNTS: folder }

  const ours: { seconds: number; processor: number; sameWork: number }[] = []
  const blender: { seconds: number; processor: number; script: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const { seconds, processorSeconds, result } = await bakeWhole(job, RATE, folder)
    ours.push({ seconds, processor: processorSeconds, sameWork: result.seconds.total - result.seconds.verifying })
    const run = await runProcess(ENGINE, ['blender', ...options, '--', ...args], env)
    const [inScript, processor] = /^SPENT (\S+) (\S+)$/m.exec(run.output)!.slice(1).map(Number)
    blender.push({ seconds: run.seconds, processor, script: inScript })
    if (round > 0) continue
    const { bounds, vertexCount } = result.sidecar
    const difference = distance(bounds, await boxOf(`${blenderFiles}_pos.exr`, vertexCount, layout)) / boxDiagonal(bounds)
    if (!(difference < 0.01)) throw new Error(`Blender's ${label} is not ours: their boxes differ by ${difference} of the size.`)
  }
  const whole = { ours: median(ours.map((run) => run.seconds)), blender: median(blender.map((run) => run.seconds)) }
  const script = median(blender.map((run) => run.script))
  return {
    label,
    whole,
    processor: { ours: median(ours.map((run) => run.processor)), blender: median(blender.map((run) => run.processor)) },
    withoutItsStart: { ours: whole.ours, blender: script },
    sameWork: { ours: median(ours.map((run) => run.sameWork)), blender: script },
  }
}

/** The box around the positions in a texture. */
async function boxOf(file: string, vertexCount: number, { rowsPerFrame }: { rowsPerFrame: number }): Promise<Box> {
  const box = createBox()
  const reader = await openTextureReader(file)
  try {
    for (let row = 0; row < reader.height; row += rowsPerFrame) {
      const texels = (await reader.readRows(row, rowsPerFrame)) as Float32Array
      growBox(box, texels.subarray(0, vertexCount * reader.channels))
    }
  } finally {
    await reader.close()
  }
  return box
}

/** The largest difference between two boxes in any number. */
function distance(a: Box, b: Box): number {
  return Math.max(...(['min', 'max'] as const).flatMap((end) => a[end].map((value, axis) => Math.abs(value - b[end][axis]))))
}
