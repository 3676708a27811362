import { expect, test } from 'vitest'
import { triangle } from '../build-gltf.ts'

/** The triangle whose positions are replaced at those places. */
function replaced(indices: Uint8Array | Uint16Array | Uint32Array, componentType: number) {
  const builder = triangle()
  const { json } = builder
  const view = builder.view(indices)
  const values = builder.view(Float32Array.from({ length: indices.length * 3 }, (_, i) => 10 + i))
  json.accessors[0].sparse = { count: indices.length, indices: { bufferView: view, componentType }, values: { bufferView: values } }
  return builder
}

test.each<[string, Uint8Array | Uint16Array | Uint32Array, number]>([
  ['bytes', Uint8Array.of(0, 2), 5121],
  ['shorts', Uint16Array.of(0, 2), 5123],
  ['words', Uint32Array.of(0, 2), 5125],
])('values are replaced where %s say', async (_, indices, componentType) => {
  const { meshes } = await replaced(indices, componentType).model()
  expect([...meshes[0].positions]).toEqual([10, 11, 12, 1, 0, 0, 13, 14, 15])
})

test.each<[string, Uint8Array | Uint16Array | Uint32Array, number]>([
  ['bytes', Uint8Array.of(0, 3), 5121],
  ['shorts', Uint16Array.of(0, 3), 5123],
  ['words', Uint32Array.of(0, 3), 5125],
])('a value that is not there is refused (%s)', async (_, indices, componentType) => {
  await expect(replaced(indices, componentType).model()).rejects.toThrow('model.glb is broken: accessor 0 replaces value 3, but has only 3.')
})

test('an offset into the view counts', async () => {
  const builder = replaced(Uint16Array.of(99, 1), 5123)
  Object.assign(builder.json.accessors[0].sparse, { count: 1, indices: { ...builder.json.accessors[0].sparse.indices, byteOffset: 2 } })
  const { meshes } = await builder.model()
  expect([...meshes[0].positions]).toEqual([0, 0, 0, 10, 11, 12, 0, 1, 0])
})
