import type { Document } from '@gltf-transform/core'
import { KHRTextureTransform } from '@gltf-transform/extensions'
import type { RestMesh } from '../../../main/meshes/rest-mesh.ts'
import type { VertexAttribute } from '../../../main/model/animated-model.ts'
import { emptyAppearance, onePixel, restMesh, submesh } from '../fixtures.ts'

/** Numbers of any size that a float holds, the same at each run. */
function numbers(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin((i + 1) * 12.9898 + seed * 78.233) * 3)
}

function unit(values: Float32Array, size: number): Float32Array {
  for (let i = 0; i < values.length; i += size) {
    const length = Math.hypot(values[i], values[i + 1], values[i + 2])
    for (let k = 0; k < 3; k++) values[i + k] /= length
    if (size === 4) values[i + 3] = i % 8 === 0 ? 1 : -1
  }
  return values
}

/** Tangents that are perpendicular to the normals. */
function tangentsOf(normals: Float32Array): Float32Array {
  const tangents = new Float32Array((normals.length / 3) * 4)
  for (let i = 0; i < normals.length / 3; i++) tangents.set([normals[i * 3 + 1], -normals[i * 3], 0, 0], i * 4)
  return unit(tangents, 4)
}

const attribute = (semantic: string, itemSize: 2 | 3 | 4, array: VertexAttribute['array'], normalized = false): VertexAttribute => ({
  semantic, itemSize, normalized, array,
})

/** Three sub-meshes, two of one material; one has tangents, two sets of texture coordinates and colours; vertices without a triangle. */
export function dressedMesh(): { rest: RestMesh; appearance: Document } {
  const appearance = emptyAppearance()
  const texture = (name: string, image: Uint8Array) => appearance.createTexture(name).setImage(image).setMimeType('image/png')
  appearance.createMaterial('Unused')
  const fur = appearance.createMaterial('Fur').setBaseColorTexture(texture('Fur', onePixel(200, 80, 20))).setRoughnessFactor(0.3).setMetallicFactor(0.5)
  fur.setNormalTexture(texture('Bumps', onePixel(128, 128, 255))).setMetallicRoughnessTexture(texture('Rough', onePixel(0, 99, 0)))
  fur.setEmissiveTexture(texture('fur', onePixel(0, 0, 9))).setEmissiveFactor([0.5, 0.25, 0.125])
  const transform = appearance.createExtension(KHRTextureTransform).createTransform().setScale([2, 3]).setOffset([0.25, 0.125])
  fur.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', transform).setWrapS(33071)
  fur.getEmissiveTextureInfo()!.setTexCoord(1)
  appearance.createMaterial('Skin').setBaseColorFactor([0.1, 0.2, 0.3, 0.5]).setAlphaMode('BLEND')
  const normals = (count: number, seed: number) => unit(numbers(count * 3, seed), 3)
  const bodyNormals = normals(6, 1)
  const body = submesh(6, {
    material: 1,
    positions: numbers(18, 2),
    normals: bodyNormals,
    tangents: tangentsOf(bodyNormals),
    attributes: [
      attribute('TEXCOORD_0', 2, numbers(12, 3)),
      attribute('TEXCOORD_1', 2, numbers(12, 4)),
      attribute('COLOR_0', 3, Uint8Array.from({ length: 18 }, (_, i) => i * 14), true),
      attribute('_WIND', 2, numbers(12, 5)),
    ],
    indices: Uint32Array.of(0, 1, 2, 2, 1, 4),
  })
  const tail = submesh(4, { name: 'Tail', material: 2, positions: numbers(12, 6), normals: normals(4, 7), indices: Uint32Array.of(3, 1, 0) })
  const ears = submesh(3, { name: 'Ears', material: 1, positions: numbers(9, 8), normals: normals(3, 9) })
  return { rest: restMesh([body, tail, ears]), appearance }
}

/** What a mesh shows corner by corner, whatever its vertices are called. */
export function corners(values: ArrayLike<number>, size: number, indices: Uint32Array): number[][] {
  return Array.from(indices, (vertex) => Array.from({ length: size }, (_, i) => values[vertex * size + i]))
}
