import { stat } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import type { PlanResult } from '../bake/contract.ts'
import { type BakeOptions, bakeOptions } from '../bake/options.ts'

/** Bytes that a worker takes before it has read anything. */
const WORKER = 160e6
/** A model takes this many times the bytes of its file. */
const MODEL_FACTOR = 6
/** A texture takes this many times its own bytes while it is compressed. */
const TEXTURE_FACTOR = 2.5

/** Bytes that bakes may take together: half of what the machine, or the container that this runs in, has to give. */
export function memoryBudget(): number {
  // Electron's older Node does not know of containers.
  const constrained = (process as { constrainedMemory?: () => number }).constrainedMemory?.() ?? 0
  const most = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return most / 2
}

/** Bakes at a time if nobody says otherwise. */
export function defaultConcurrency(): number {
  return availableParallelism()
}

/** Roughly the bytes that a bake will take, as measured on the samples: 130 MB for four frames of the fox, 270 MB for 46 MB of textures. */
export async function estimateMemory(model: string, { external, textures }: PlanResult): Promise<number> {
  const sizes = await Promise.all([model, ...external.map(({ file }) => file)].map(sizeOf))
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  return WORKER + MODEL_FACTOR * sum(sizes) + TEXTURE_FACTOR * sum(textures.map(({ bytes }) => bytes))
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Options for a plan that only has to be roughly right: what is to be searched for has its default. */
export function roughOptions(options: BakeOptions): BakeOptions {
  const defaults = bakeOptions.parse({}) as Record<string, unknown>
  const entries = Object.entries(options).map(([key, value]) => [key, value === 'auto' ? defaults[key] : value])
  return bakeOptions.parse(Object.fromEntries(entries))
}
