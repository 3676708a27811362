import { z } from 'zod'
import { sidecar } from '../main/bake/sidecar.ts'

/** Where the schema is committed, relative to the project. */
export const SCHEMA_FILE = 'resources/docs/vat.schema.json'

/** Text of the JSON Schema (draft 2020-12) of the sidecar, made from its one definition. */
export function sidecarSchemaText(): string {
  const schema = z.toJSONSchema(sidecar, {
    target: 'draft-2020-12',
    // As others read it: members that a later version 1 adds are no fault.
    io: 'input',
    override: ({ jsonSchema }) => {
      // Says only that zod counts in JavaScript's safe integers; no count of a bake comes near it.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  const { $schema, title, ...rest } = schema
  return JSON.stringify({ $schema, title, ...rest }, null, 2) + '\n'
}
