import { broken, labelOf } from './broken.ts'
import type { Gltf } from './schema.ts'

/** Readers of the component types that may be indices. */
const READ: Record<number, { bytes: number; read(view: DataView, at: number): number }> = {
  5121: { bytes: 1, read: (view, at) => view.getUint8(at) },
  5123: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
}

/**
 * Checks that the values that a sparse accessor replaces are there (glTF 2.0, section 3.6.2.3). The library would put up with
 * others in silence. The accessor must have passed `checkGltf`.
 *
 * @throws Problem that names the index
 */
export function checkSparse(file: string, json: Gltf, index: number, buffers: Uint8Array[]): void {
  const { sparse, count, name } = json.accessors[index]
  if (!sparse) return
  const view = json.bufferViews[sparse.indices.bufferView]
  const { buffer, byteOffset, byteLength } = buffers[view.buffer]
  const bytes = new DataView(buffer, byteOffset, byteLength)
  const { bytes: size, read } = READ[sparse.indices.componentType]
  const first = (view.byteOffset ?? 0) + (sparse.indices.byteOffset ?? 0)
  for (let i = 0; i < sparse.count; i++) {
    const replaced = read(bytes, first + i * (view.byteStride || size))
    if (replaced < count) continue
    throw broken(file, `${labelOf('accessor', index, name)} replaces value ${replaced}, but has only ${count}`)
  }
}
