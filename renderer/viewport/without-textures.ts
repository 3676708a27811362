const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8

interface Gltf {
  materials?: unknown[]
  textures?: unknown
  images?: unknown
  samplers?: unknown
  extensionsUsed?: string[]
  extensionsRequired?: string[]
}

/**
 * A GLB (glTF 2.0, section 4.4) whose materials have no textures any more. What is in its binary chunk stays, so that nothing
 * else changes.
 */
export function withoutTextures(glb: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength)
  const jsonEnd = HEADER_BYTES + CHUNK_HEADER_BYTES + view.getUint32(HEADER_BYTES, true)
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(HEADER_BYTES + CHUNK_HEADER_BYTES, jsonEnd))) as Gltf
  for (const material of json.materials ?? []) dropTextures(material)
  for (const key of ['textures', 'images', 'samplers'] as const) delete json[key]
  for (const key of ['extensionsUsed', 'extensionsRequired'] as const) {
    const kept = json[key]?.filter((name) => !/^(KHR|EXT)_texture_/.test(name)) ?? []
    if (kept.length > 0) json[key] = kept
    else delete json[key]
  }

  const text = new TextEncoder().encode(JSON.stringify(json))
  const length = Math.ceil(text.length / 4) * 4
  const rest = glb.subarray(jsonEnd)
  const out = new Uint8Array(HEADER_BYTES + CHUNK_HEADER_BYTES + length + rest.length)
  out.set(glb.subarray(0, HEADER_BYTES + CHUNK_HEADER_BYTES))
  const outView = new DataView(out.buffer)
  outView.setUint32(8, out.length, true)
  outView.setUint32(HEADER_BYTES, length, true)
  out.fill(0x20, HEADER_BYTES + CHUNK_HEADER_BYTES, HEADER_BYTES + CHUNK_HEADER_BYTES + length)
  out.set(text, HEADER_BYTES + CHUNK_HEADER_BYTES)
  out.set(rest, HEADER_BYTES + CHUNK_HEADER_BYTES + length)
  return out
}

/** Takes every `…Texture` out of an object and of what is in it, extensions of materials too. */
function dropTextures(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const fields = part as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    if (key.endsWith('Texture')) delete fields[key]
    else dropTextures(fields[key])
  }
}
