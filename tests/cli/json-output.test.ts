import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bakeResult, inspectResult, planResult, verifyResult } from '../../main/bake/contract.ts'
import { batchReport } from '../../main/project/batch-contract.ts'
import { projectFile } from '../../main/project/project-file.ts'
import { run } from './fake-shell.ts'

/*
 * What --json prints is documented, to the last member.
 */

const document = readFileSync(resolve('resources/docs/json-output.md'), 'utf8')

/** The text below a heading. */
function section(heading: string): string {
  return document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!
}

interface Json {
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
}

/** Names of all members, also of those inside of others, but for those of the sidecar, which has a specification of its own. */
function membersOf(json: Json): string[] {
  const inner = [json.items, ...(json.anyOf ?? [])].filter((one) => one !== undefined).flatMap(membersOf)
  const own = Object.entries(json.properties ?? {}).flatMap(([name, value]) => {
    return ['sidecar', 'report', 'layout', 'project', 'size', 'blend'].includes(name) ? [name] : [name, ...membersOf(value)]
  })
  return [...inner, ...own]
}

describe('every member is documented:', () => {
  test.each([
    ['bake', bakeResult],
    ['bake --dry-run', planResult],
    ['inspect', inspectResult],
    ['verify', verifyResult],
    ['init', z.object({ file: z.string(), project: projectFile })],
    ['batch', batchReport],
  ] as [string, z.ZodType][])('%s', (command, schema) => {
    // "as above" refers to what the section before has said.
    const text = section(command).includes('as above') ? section(command) + section('bake') + section('bake --dry-run') : section(command)
    const members = membersOf(z.toJSONSchema(schema) as Json)
    expect(members.length).toBeGreaterThan(1)
    for (const member of members) expect(text).toContain(`\`${member}\``)
  })
})

test('every command has --json, but for the server, whose output is the protocol, and the editor', async () => {
  const { stdout } = await run('--help')
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*\n/gm)].map(([, command]) => command)
  expect(commands).toEqual(expect.arrayContaining(['bake', 'inspect', 'verify', 'init', 'batch', 'watch', 'mcp']))
  for (const command of commands.filter((command) => !['mcp', 'open'].includes(command))) expect((await run([command, '--help'])).stdout, command).toContain('--json')
})
