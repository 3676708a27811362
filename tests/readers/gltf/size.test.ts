import { describe, expect, test } from 'vitest'
import { limitsOf } from '../../../main/model/limits.ts'
import { gltf } from '../../../main/readers/gltf/schema.ts'
import { checkSize, listUsedAccessors } from '../../../main/readers/gltf/size.ts'
import type { Json } from '../build-gltf.ts'

/** Two triangles of four vertices with a morph target, shown by two nodes, one of them on a skin of three joints; two animations. */
function whole(): Json {
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1, 2] }],
    nodes: [{ mesh: 0 }, { mesh: 0, skin: 0 }, { children: [3] }, {}],
    skins: [{ joints: [2, 3, 3], inverseBindMatrices: 4 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, targets: [{ POSITION: 0 }] }] }],
    animations: [
      { samplers: [{ input: 2, output: 3 }], channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }] },
      { samplers: [{ input: 2, output: 3 }], channels: [] },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' }, // 0 positions
      { bufferView: 0, componentType: 5121, count: 6, type: 'SCALAR' }, // 1 indices
      { bufferView: 0, componentType: 5126, count: 10, type: 'SCALAR' }, // 2 key times
      { bufferView: 0, componentType: 5126, count: 10, type: 'SCALAR' }, // 3 weights
      { bufferView: 0, componentType: 5126, count: 3, type: 'MAT4' }, // 4 inverse bind matrices
      { componentType: 5126, count: 4e9, type: 'MAT4' }, // 5 nobody's
    ],
    bufferViews: [{ buffer: 0, byteLength: 1000 }],
    buffers: [{ byteLength: 1000 }],
  }
}

function check(json: Json, ...limits: string[]): void {
  checkSize('model.glb', gltf.parse(json), limitsOf(limits))
}

test.each([
  ['nodes', 4],
  ['joints', 3],
  ['meshes', 2],
  ['vertices', 8],
  ['triangles', 4],
  ['morphs', 200],
  ['clips', 2],
  ['keys', 10],
])('%s are counted: %d', (name, count) => {
  expect(() => check(whole(), `${name}=${count}`)).not.toThrow()
  expect(() => check(whole(), `${name}=${count - 1}`)).toThrow(expect.objectContaining({ kind: 'limit' }))
  expect(() => check(whole(), `${name}=${count - 1}`)).toThrow(new RegExp(`^model\\.glb has ${count} .*at most ${count - 1} are allowed.*--limit ${name}=${count}\\.$`))
})

test('what the scene does not show does not count', () => {
  const json = whole()
  json.scenes[0].nodes = [2]
  expect(() => check(json, 'meshes=0', 'vertices=0', 'triangles=0')).not.toThrow()
})

test('points and lines have neither vertices nor triangles to bake', () => {
  const json = whole()
  json.meshes[0].primitives[0].mode = 1
  expect(() => check(json, 'vertices=0', 'triangles=0')).not.toThrow()
})

test('strips and fans have a triangle for each corner but two', () => {
  for (const mode of [5, 6]) {
    const json = whole()
    json.meshes[0].primitives[0].mode = mode
    expect(() => check(json, 'triangles=7')).toThrow('has 8 triangles')
  }
})

describe('memory', () => {
  test('numbers that come from nowhere are refused when they are too many', () => {
    const json = whole()
    json.accessors[0] = { componentType: 5126, count: 1_000_000, type: 'VEC3' }
    expect(() => check(json, 'memory=12')).not.toThrow()
    expect(() => check(json, 'memory=11')).toThrow(/has 12 megabytes of numbers and images beyond what its buffers can account for/)
  })

  test('integers take the room of the floats that they become as well', () => {
    const json = whole()
    json.accessors[0] = { componentType: 5121, count: 1_000_000, type: 'VEC3' }
    expect(() => check(json, 'memory=15')).not.toThrow()
    expect(() => check(json, 'memory=14')).toThrow('has 15 megabytes')
  })

  test('so are many accessors of the same bytes', () => {
    const json = whole()
    json.bufferViews[0].byteLength = json.buffers[0].byteLength = 2 ** 24
    json.meshes[0].primitives[0].targets = Array.from({ length: 60 }, () => ({
      POSITION: json.accessors.push({ bufferView: 0, componentType: 5126, count: 1_000_000, type: 'VEC3' }) - 1,
    }))
    expect(() => check(json)).toThrow(/has 5\d\d megabytes/)
  })

  test('a face of five hundred sparse morph targets is not', () => {
    const json = whole()
    json.accessors[0].count = 50_000
    json.meshes[0].primitives[0].targets = Array.from({ length: 500 }, () => ({
      POSITION: json.accessors.push({ componentType: 5126, count: 50_000, type: 'VEC3' }) - 1,
    }))
    json.scenes[0].nodes = [0]
    expect(() => check(json)).not.toThrow()
  })

  test('a buffer that is a placeholder accounts for nothing', () => {
    const json = whole()
    json.accessors[0] = { componentType: 5126, count: 1_000_000, type: 'VEC3' }
    json.buffers.push({ byteLength: 4e12, extensions: { EXT_meshopt_compression: { fallback: true } } })
    expect(() => check(json, 'memory=11')).toThrow('has 12 megabytes')
  })

  test('images in one buffer view count each', () => {
    const json = whole()
    json.images = Array.from({ length: 10_000 }, () => ({ bufferView: 0 }))
    expect(() => check(json, 'memory=9')).toThrow('has 10 megabytes')
  })
})

test('only what is used is unpacked', () => {
  expect([...listUsedAccessors(gltf.parse(whole()))].sort()).toEqual([0, 1, 2, 3, 4])
  const json = whole()
  json.scenes[0].nodes = [2]
  json.animations = []
  expect([...listUsedAccessors(gltf.parse(json))]).toEqual([4])
})
