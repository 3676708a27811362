import { expect, test } from 'vitest'
import { bakeOptions } from '../../main/bake/options.ts'
import { tools } from '../../main/mcp/server.ts'
import { argumentsOf, inArguments, inputSchemaOf } from '../../main/mcp/wording.ts'

test('flags of the command line are called by the names of the arguments', () => {
  expect(inArguments('Choose one with --frame-range, --max-error or --anim.')).toBe('Choose one with frameRange, maxError or anim.')
  expect(inArguments('-- --no-such-flag')).toBe('-- --no-such-flag')
})

test('every argument of every tool is explained, with what counts where it is left out', () => {
  for (const { name, input } of tools) {
    for (const [key, { description }] of Object.entries(inputSchemaOf(input).properties ?? {})) {
      expect(description, `${key} of ${name}`).toMatch(/^\S.*\S$/)
    }
  }
  expect(inputSchemaOf(tools[0].input).properties!.maxSize.description).toMatch(/\(default: 8192 for any engine\)$/)
})

test('tools are told what their jobs are told', () => {
  expect(Object.keys(argumentsOf('verify'))).toEqual(expect.arrayContaining(['sidecar', 'model', 'maxError']))
  expect(Object.keys(tools[0].input.shape)).toEqual(expect.arrayContaining(Object.keys(bakeOptions.shape)))
})
