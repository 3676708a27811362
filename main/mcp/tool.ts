import type { z } from 'zod'
import type { JobRequest, JobResults } from '../jobs/contract.ts'
import type { Roots } from './roots.ts'

/** One thing that an assistant can ask for. */
export interface Tool {
  name: string
  title: string
  description: string
  /** What it is told; what the client sends is checked against it. */
  input: z.ZodObject
  /** What it answers. */
  output: z.ZodType
  /** Whether it leaves everything as it is. */
  isReadOnly: boolean
  /**
   * @param values as the schema has made them, defaults filled in
   * @param given names of those that the client has sent
   * @throws Problem for anything that the assistant, or the person, can mend
   */
  call(values: Record<string, unknown>, given: string[], context: ToolContext): Promise<ToolAnswer>
}

export interface ToolContext {
  roots: Roots
  /** Runs a job in a process of its own; tells the client how far it is, and stops where the client calls it off. */
  run<Kind extends JobRequest['kind']>(request: Extract<JobRequest, { kind: Kind }>): Promise<JobResults[Kind]>
}

export interface ToolAnswer {
  /** The gist in whole sentences. */
  text: string
  result: Record<string, unknown>
  /** It was done, but it is not good enough; `text` says why. */
  isFailure?: boolean
  /** Path of the sidecar of a bake whose textures can be looked at, and their roles. */
  pictures?: { sidecarFile: string; roles: string[] }
}
