/** How many vertices and triangles a Draco mesh announces. */
export interface DracoCounts {
  vertices: number
  triangles: number
}

const TRIANGULAR_MESH = 1
const METADATA_FLAG = 0x8000
/** Metadata may hold metadata. Nobody nests them any deeper. */
const DEEPEST_METADATA = 8

/**
 * Reads the first numbers of a Draco bitstream of version 2.2 (the one that KHR_draco_mesh_compression demands), which stand
 * there uncompressed: the decoder would take memory for whatever they say.
 *
 * @throws Error that says why not
 */
export function readDracoCounts(data: Uint8Array): DracoCounts {
  let at = 0
  const byte = (): number => {
    if (at >= data.length) throw new Error('it ends inside its header')
    return data[at++]
  }
  const varint = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const next = byte()
      value += (next & 0x7f) * shift
      if (next < 128) return value
    }
  }
  const skip = (length: number): void => {
    at += length
  }
  const skipMetadata = (depth: number): void => {
    if (depth > DEEPEST_METADATA) throw new Error('its metadata are nested too deep')
    for (let entries = varint(); entries > 0; entries--) {
      skip(byte())
      skip(varint())
    }
    for (let inner = varint(); inner > 0; inner--) {
      skip(byte())
      skipMetadata(depth + 1)
    }
  }

  if (String.fromCharCode(byte(), byte(), byte(), byte(), byte()) !== 'DRACO') throw new Error('it is no Draco data')
  const [major, minor] = [byte(), byte()]
  if (major !== 2 || minor !== 2) throw new Error(`it is version ${major}.${minor} of Draco's format, and only 2.2 can be read`)
  if (byte() !== TRIANGULAR_MESH) throw new Error('it holds no triangles')
  const isSequential = byte() === 0
  if ((byte() | (byte() << 8)) & METADATA_FLAG) {
    for (let attributes = varint(); attributes > 0; attributes--) {
      varint()
      skipMetadata(0)
    }
    skipMetadata(0)
  }
  if (isSequential) {
    const triangles = varint()
    return { triangles, vertices: varint() }
  }
  byte()
  const vertices = varint()
  return { vertices, triangles: varint() }
}
