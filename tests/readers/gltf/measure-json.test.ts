import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureJson } from '../../../main/readers/gltf/measure-json.ts'

const measure = (text: string) => measureJson(new TextEncoder().encode(text))

/** What a parsed document takes, the slow and obvious way: each value, and one more for each empty list or object. */
function measureParsed(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
  const inner = Object.values(value).map(measureParsed)
  return {
    values: 1 + Math.max(1, inner.reduce((sum, { values }) => sum + values, 0)),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

test.each([
  ['1', 1, 0],
  ['[]', 2, 1],
  ['[1,2,3]', 4, 1],
  ['{"a":[1,{"b":2}]}', 5, 3],
  ['"[[[[,,,"', 1, 0],
  [String.raw`["\"[,", "\\", ","]`, 4, 1],
  ['"no end [[', 1, 0],
])('%s', (text, values, depth) => {
  expect(measure(text)).toEqual({ values, depth })
})

test('any document is measured as it will be parsed', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    expect(measure(JSON.stringify(value))).toEqual(measureParsed(JSON.parse(JSON.stringify(value))))
  }))
})
