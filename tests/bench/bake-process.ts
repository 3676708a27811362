import { join } from 'node:path'
import type { BakeResult, PlanResult } from '../../main/bake/contract.ts'
import type { BakeOptions } from '../../main/bake/options.ts'
import { runNode, type NodeSpent } from './run-process.ts'

const CLI = 'dist/cli/index.js'

/** A clip of a model and how it is to be baked, always with normals. */
export interface Job {
  model: string
  clip: string
  encoding: BakeOptions['encoding']
}

const flagsOf = ({ model, clip, encoding }: Job, rate: number) =>
  ['bake', model, '--anim', clip, '--fps', String(rate), '--encoding', encoding, '--normals', '--json']

/** What a bake would be: its times and its layout. */
export async function planOf(job: Job, rate: number): Promise<PlanResult> {
  const { output } = await runNode(CLI, [...flagsOf(job, rate), '--dry-run'])
  return JSON.parse(output) as PlanResult
}

/** Bakes as a person does, in a process of its own that reads, samples, writes, reads back and measures. */
export async function bakeWhole(job: Job, rate: number, folder: string): Promise<NodeSpent & { result: BakeResult }> {
  const spent = await runNode(CLI, [...flagsOf(job, rate), '-o', join(folder, 'baked'), '--overwrite'])
  return { ...spent, result: JSON.parse(spent.output) as BakeResult }
}
