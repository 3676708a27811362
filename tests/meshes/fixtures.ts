import { Document, Logger } from '@gltf-transform/core'
import type { Primitive } from '@gltf-transform/core'
import { encode } from 'fast-png'
import type { RestMesh, Submesh } from '../../main/meshes/rest-mesh.ts'

/** A PNG of one pixel. */
export function onePixel(red: number, green: number, blue: number): Uint8Array {
  return encode({ width: 1, height: 1, channels: 3, data: new Uint8Array([red, green, blue]) })
}

export function emptyAppearance(): Document {
  return new Document().setLogger(new Logger(Logger.Verbosity.SILENT))
}

/** A sub-mesh of a few vertices on a line, of which the first three make a triangle. */
export function submesh(vertexCount: number, over: Partial<Submesh> = {}): Submesh {
  return {
    name: 'Body',
    material: -1,
    positions: Float32Array.from({ length: vertexCount * 3 }, (_, i) => Math.fround((i * i) / 7 - 1)),
    normals: null,
    tangents: null,
    indexUV: Float32Array.from({ length: vertexCount * 2 }, (_, i) => (i % 2 === 0 ? (i / 2 + 0.5) / vertexCount : 0.5)),
    attributes: [],
    indices: Uint32Array.of(0, 1, 2),
    ...over,
  }
}

export function restMesh(submeshes: Submesh[]): RestMesh {
  return { name: 'Run', submeshes, bounds: { min: [-1, -2, -3], max: [1, 2, 3] }, extras: { vat: { sidecar: 'Run.json' } } }
}

/** Every triangle mesh of a document where its node stands, without skinning and morphing. */
export function restMeshOf(document: Document): RestMesh {
  const root = document.getRoot()
  const submeshes = root.listNodes().flatMap((node) =>
    (node.getMesh()?.listPrimitives() ?? []).map((primitive, number) => {
      const count = primitive.getAttribute('POSITION')!.getCount()
      const material = primitive.getMaterial()
      return submesh(count, {
        name: `${node.getMesh()!.getName()}.${number}`,
        material: material ? root.listMaterials().indexOf(material) : -1,
        positions: moved(elements(primitive, 'POSITION', 3), node.getWorldMatrix()),
        normals: primitive.getAttribute('NORMAL') && normalised(elements(primitive, 'NORMAL', 3)),
        attributes: primitive
          .listSemantics()
          .filter((semantic) => /^(TEXCOORD|COLOR|_)/.test(semantic))
          .map((semantic) => {
            const accessor = primitive.getAttribute(semantic)!
            return {
              semantic,
              itemSize: accessor.getElementSize() as 2 | 3 | 4,
              normalized: accessor.getNormalized(),
              array: accessor.getArray() as Float32Array,
            }
          }),
        indices: Uint32Array.from(primitive.getIndices()?.getArray() ?? Array.from({ length: count }, (_, i) => i)),
      })
    }),
  )
  return restMesh(submeshes)
}

function elements(primitive: Primitive, semantic: string, itemSize: number): Float32Array {
  const accessor = primitive.getAttribute(semantic)!
  const element: number[] = []
  const all = new Float32Array(accessor.getCount() * itemSize)
  for (let i = 0; i < accessor.getCount(); i++) all.set(accessor.getElement(i, element), i * itemSize)
  return all
}

function moved(positions: Float32Array, matrix: number[]): Float32Array {
  return positions.map((_, i) => {
    const [x, y, z] = positions.subarray(i - (i % 3))
    const row = i % 3
    return matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row]
  })
}

function normalised(normals: Float32Array): Float32Array {
  return normals.map((value, i) => value / Math.hypot(...normals.subarray(i - (i % 3), i - (i % 3) + 3)))
}
