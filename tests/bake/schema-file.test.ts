import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SCHEMA_FILE, sidecarSchemaText } from '../../build/sidecar-schema.ts'

describe(SCHEMA_FILE, () => {
  it('is what the zod schema says (run `npm run schema` after a change)', () => {
    expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(sidecarSchemaText())
  })

  it('carries the draft, the title and the descriptions, and lets later versions add members', () => {
    const schema = JSON.parse(sidecarSchemaText())
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.title).toBe('VAT Studio sidecar, version 1')
    expect(JSON.stringify(schema)).not.toContain('additionalProperties')
    expect(schema.properties.clips.items.properties.start.description).toContain('start + i / fps')
    expect(schema.required).toContain('report')
  })
})
