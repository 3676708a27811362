import { z } from 'zod'
import { bakeOptions, flags } from '../bake/options.ts'
import { jobRequest, type JobRequest } from '../jobs/contract.ts'

const options: Record<string, z.ZodType> = bakeOptions.shape

/** `[flag]`: the argument that a flag of the command line is here. */
const argumentNames = new Map(Object.entries(bakeOptions.shape).map(([key, schema]) => [flags.get(schema)!.long, key]))

/** Help and error messages name the flags of the command line; here they are arguments. */
export function inArguments(text: string): string {
  return text.replace(/--([a-z]+(?:-[a-z]+)*)/g, (flag, long: string) => argumentNames.get(long) ?? flag)
}

export type ObjectSchema = { type: 'object'; properties?: Record<string, { description?: string }> } & Record<string, unknown>

/** JSON Schema of the arguments of a tool; those that are options of a bake are explained as the command line explains them. */
export function inputSchemaOf(schema: z.ZodObject): ObjectSchema {
  const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as ObjectSchema
  for (const [key, property] of Object.entries(json.properties ?? {})) {
    if (!(key in options)) continue
    const absent = flags.get(options[key] as (typeof bakeOptions.shape)['anim'])?.absent
    property.description = inArguments(`${property.description ?? options[key].description}${absent ? ` (default: ${absent})` : ''}`)
  }
  return json
}

/** JSON Schema of what a tool answers. */
export function outputSchemaOf(schema: z.ZodType): ObjectSchema {
  return { ...(z.toJSONSchema(schema, { io: 'output', target: 'draft-7', reused: 'ref' }) as object), type: 'object' }
}

/** What a kind of job is told, as the one contract of all faces has it. */
export function argumentsOf(kind: JobRequest['kind']): Record<string, z.ZodType> {
  const schema = jobRequest.options.find((option) => option.shape.kind.value === kind)!
  const { kind: _, ...shape } = schema.shape
  return shape
}
