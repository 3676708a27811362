import { brokenCache, type VertexCache } from './vertex-cache.ts'

const MAGIC = 'POINTCACHE2\0'
const HEADER_BYTES = 32
const POINT_BYTES = 12

/**
 * Reads a .pc2 file ("Point Cache 2", as 3ds Max and Blender write it): magic, version, number of points, first frame, frames a
 * sample, number of samples; then the samples as 32-bit floats, all little-endian.
 *
 * @param file name of the file, for sentences
 * @param rate frames a second
 * @throws Problem where the file is no such cache, or shorter than it says
 */
export function readPointCache(file: string, bytes: Uint8Array, rate: number): VertexCache {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw brokenCache(file, 'it does not begin as a point cache')
  }
  const points = view.getUint32(16, true)
  const [first, step] = [view.getFloat32(20, true), view.getFloat32(24, true)]
  const samples = view.getUint32(28, true)
  const size = HEADER_BYTES + samples * points * POINT_BYTES
  if (samples < 1 || points < 1 || size > bytes.length) {
    throw brokenCache(file, `${samples} samples of ${points} points take ${size} bytes, and it has ${bytes.length}`)
  }
  if (!Number.isFinite(first) || !(step > 0 && step < Infinity)) throw brokenCache(file, `its samples are ${step} frames apart from frame ${first} on`)
  const frames = Array.from({ length: samples }, (_, sample) => {
    const at = HEADER_BYTES + sample * points * POINT_BYTES
    return Float32Array.from({ length: points * 3 }, (_, i) => view.getFloat32(at + i * 4, true))
  })
  return { times: frames.map((_, sample) => (first + sample * step) / rate), frames }
}
