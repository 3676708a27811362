import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, limitsOf } from '../../../main/model/limits.ts'
import { isGlb, openContainer } from '../../../main/readers/gltf/container.ts'
import { WarningList } from '../../../main/readers/warnings.ts'
import { chunkOf, glbOf } from '../build-gltf.ts'

const JSON_TEXT = '{"asset":{"version":"2.0"},"nodes":[{"name":"höher"}]}'
const BINARY = Uint8Array.of(1, 2, 3, 4)

function open(bytes: Uint8Array) {
  const warnings = new WarningList()
  const container = openContainer('model.glb', bytes, DEFAULT_LIMITS, warnings)
  return { ...container, warnings: warnings.list().map(({ code }) => code) }
}

function openText(text: string) {
  return open(new TextEncoder().encode(text))
}

/** A GLB whose header says another length. */
function withLength(bytes: Uint8Array, length: number): Uint8Array {
  const out = bytes.slice()
  new DataView(out.buffer).setUint32(8, length, true)
  return out
}

test('JSON of more values than allowed is not parsed', () => {
  const text = '{"asset":{"version":"2.0"},"nodes":[{},{}]}'
  expect(() => openContainer('model.gltf', new TextEncoder().encode(text), limitsOf(['json=4']), new WarningList())).toThrow(
    expect.objectContaining({ kind: 'limit', message: expect.stringMatching(/^model\.gltf has \d+ values in its JSON, and at most 4 are allowed\./) }),
  )
})

test('JSON that is nested deeper than a hundred is not parsed', () => {
  const nested = (depth: number) => `{"asset":{"version":"2.0"},"extras":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect(() => openText(nested(99))).not.toThrow()
  expect(() => openText(nested(100))).toThrow('its JSON is nested 101 deep, and 100 is more than glTF needs')
})

describe('GLB', () => {
  test('is told from everything else by its first four bytes', () => {
    expect(isGlb(glbOf(JSON_TEXT))).toBe(true)
    expect(isGlb(Uint8Array.of(0x67, 0x6c, 0x54))).toBe(false)
    expect(isGlb(new TextEncoder().encode(JSON_TEXT))).toBe(false)
  })

  test('has JSON and a binary chunk', () => {
    const { json, binary, warnings } = open(glbOf(JSON_TEXT, BINARY))
    expect(json.nodes[0].name).toBe('höher')
    expect(binary).toEqual(BINARY)
    expect(warnings).toEqual([])
  })

  test('may have no binary chunk', () => {
    expect(open(glbOf(JSON_TEXT)).binary).toBeNull()
  })

  test('may stand anywhere in a larger array', () => {
    const glb = glbOf(JSON_TEXT, BINARY)
    const larger = Uint8Array.of(9, 9, 9, ...glb, 9)
    expect(open(larger.subarray(3, 3 + glb.length)).binary).toEqual(BINARY)
  })

  test('chunks of unknown kinds are passed over', () => {
    const glb = Uint8Array.of(...glbOf(JSON_TEXT), ...chunkOf(0x58585858, Uint8Array.of(7, 7, 7, 7)), ...chunkOf(0x004e4942, BINARY))
    expect(open(withLength(glb, glb.length))).toMatchObject({ binary: BINARY, warnings: [] })
  })

  test.each([
    ['too much', 2 ** 31],
    ['too little', 20],
  ])('a header that says %s does no harm as long as the chunks are whole', (_, length) => {
    expect(open(withLength(glbOf(JSON_TEXT, BINARY), length))).toMatchObject({ binary: BINARY, warnings: ['glb-length'] })
  })

  test('bytes behind the end do no harm', () => {
    expect(open(Uint8Array.of(...glbOf(JSON_TEXT, BINARY), 1, 2, 3))).toMatchObject({ binary: BINARY, warnings: ['glb-length'] })
  })

  test('one that is cut off is refused, with the numbers', () => {
    const glb = glbOf(JSON_TEXT, BINARY)
    expect(() => open(glb.subarray(0, glb.length - 3))).toThrow(/model\.glb is broken: the chunk at byte \d+ should have 4 bytes, but only 1 are there/)
    expect(() => open(glb.subarray(0, 15))).toThrow('ends after 15 bytes, inside the header')
  })

  test('a chunk that claims 4 GB is refused without being allocated', () => {
    const glb = glbOf(JSON_TEXT)
    new DataView(glb.buffer).setUint32(12, 0xffffffff, true)
    expect(() => open(glb)).toThrow('should have 4294967295 bytes')
  })

  test('the first chunk has to be JSON', () => {
    const glb = glbOf(JSON_TEXT)
    new DataView(glb.buffer).setUint32(16, 0x004e4942, true)
    expect(() => open(glb)).toThrow('its first chunk is not JSON')
  })

  test('version 1 is refused by name', () => {
    const glb = glbOf(JSON_TEXT)
    new DataView(glb.buffer).setUint32(4, 1, true)
    expect(() => open(glb)).toThrow('model.glb is GLB version 1, and only version 2.0 can be read')
  })
})

describe('JSON', () => {
  test('may begin with a byte order mark', () => {
    expect(openText(`\uFEFF${JSON_TEXT}`).json.nodes).toHaveLength(1)
  })

  test('lists that are not there are empty', () => {
    expect(openText('{"asset":{"version":"2.0"}}').json).toMatchObject({ meshes: [], animations: [], accessors: [], images: [] })
  })

  test('what the reader does not know passes through', () => {
    const text = '{"asset":{"version":"2.0","copyright":"me"},"materials":[{"pbrMetallicRoughness":{"metallicFactor":0.5}}]}'
    expect(openText(text).json).toMatchObject({ asset: { copyright: 'me' }, materials: [{ pbrMetallicRoughness: { metallicFactor: 0.5 } }] })
  })

  test.each(['2.0', '2.1', '2.17'])('version %s is read', (version) => {
    expect(openText(JSON.stringify({ asset: { version } })).json.asset.version).toBe(version)
  })

  test.each([
    ['{"asset":{"version":"1.0"}}', 'model.glb is glTF 1.0'],
    ['{"asset":{"version":"2.1","minVersion":"2.1"}}', 'model.glb is glTF 2.1'],
    ['{"asset":{}}', 'model.glb is broken: its JSON names no version of glTF'],
    ['{"meshes":[]}', 'has no "asset"'],
    ['null', 'has no "asset"'],
    ['[]', 'has no "asset"'],
    ['{"asset":', 'its JSON cannot be read'],
    ['not JSON at all', 'its JSON cannot be read'],
    ['{"asset":{"version":"2.0"},"meshes":{}}', 'meshes is wrong'],
    ['{"asset":{"version":"2.0"},"nodes":[{"mesh":-1}]}', 'nodes.0.mesh is wrong'],
    ['{"asset":{"version":"2.0"},"nodes":[{"mesh":0.5}]}', 'nodes.0.mesh is wrong'],
    ['{"asset":{"version":"2.0"},"nodes":[{"scale":[1,1]}]}', 'nodes.0.scale is wrong'],
    ['{"asset":{"version":"2.0"},"nodes":[{"translation":[1e999,0,0]}]}', 'nodes.0.translation.0 is wrong'],
    ['{"asset":{"version":"2.0"},"skins":[{"joints":[]}]}', 'skins.0.joints is wrong'],
    ['{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{},"mode":7}]}]}', 'meshes.0.primitives.0.mode is wrong'],
  ])('%s is refused with a sentence', (text, sentence) => {
    expect(() => openText(text)).toThrow(sentence)
  })

  test('bytes that are no UTF-8 are refused', () => {
    expect(() => open(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d))).toThrow('its JSON cannot be read')
  })
})
