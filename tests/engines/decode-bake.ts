import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import { decode as decodePng } from 'fast-png'
import type { Sidecar, SidecarTexture } from '../../main/bake/sidecar.ts'
import { openTextureReader } from '../../main/codecs/texture-node.ts'

/** What a player gets out of the files of a bake of one clip. */
export interface DecodedBake {
  sidecar: Sidecar
  /** Vertices of each sub-mesh of the written mesh. */
  vertexCounts: number[]
  /** `[frame][vertex][xyz]` */
  positions: Float64Array
  /** `[frame][vertex][xyz]`, unit length; null where none were baked. */
  normals: Float64Array | null
}

/**
 * Decodes a bake as the format's specification says, through the index UV of the written mesh. Written without the product's
 * own verification, on purpose; PNG is read by another library, too.
 */
export async function decodeBake(sidecarFile: string): Promise<DecodedBake> {
  const folder = dirname(sidecarFile)
  const sidecar = JSON.parse(await readFile(sidecarFile, 'utf8')) as Sidecar
  const submeshes = await readIndexUVs(join(folder, sidecar.meshes[0].file), sidecar.meshes[0].indexUV)
  const indexUVs = submeshes.flatMap((uvs) => [...uvs])
  const layer = async (role: SidecarTexture['role']) => {
    const texture = sidecar.textures.find((each) => each.role === role)
    return texture ? decodeLayer(folder, sidecar, texture, indexUVs) : null
  }
  const positions = await layer('position')
  if (!positions) throw new Error(`${sidecarFile} has no position texture`)
  return { sidecar, vertexCounts: submeshes.map((uvs) => uvs.length / 2), positions, normals: await layer('normal') }
}

/** Index UV of each sub-mesh, `[vertex][uv]`. */
async function readIndexUVs(file: string, semantic: string): Promise<Float32Array[]> {
  const document = await new NodeIO().registerExtensions(ALL_EXTENSIONS).read(file)
  const primitives = document.getRoot().listMeshes().flatMap((mesh) => mesh.listPrimitives())
  return primitives.map((primitive) => {
    const accessor = primitive.getAttribute(semantic)
    if (accessor?.getComponentType() !== 5126) throw new Error(`${file} has no float ${semantic}`)
    return accessor.getArray() as Float32Array
  })
}

async function decodeLayer(folder: string, sidecar: Sidecar, texture: SidecarTexture, indexUVs: number[]): Promise<Float64Array> {
  const { columnsPerRow: W, rowsPerFrame: R } = sidecar.layout
  const image = await readImage(join(folder, texture.file), texture)
  const frameCount = sidecar.clips[0].frameCount
  const vertexCount = indexUVs.length / 2
  const out = new Float64Array(frameCount * vertexCount * 3)
  for (let frame = 0, to = 0; frame < frameCount; frame++) {
    for (let vertex = 0; vertex < vertexCount; vertex++, to += 3) {
      const x = Math.floor(indexUVs[vertex * 2] * W)
      const r = Math.floor(indexUVs[vertex * 2 + 1] * R)
      const pixel = (texture.baseRow + sidecar.clips[0].firstRow + frame * R + r) * texture.width + x
      const value = (channel: number) => image.texel(pixel, channel) * texture.scale[channel] + texture.offset[channel]
      if (texture.content === 'octahedral') {
        out.set(unfold(value(0), value(1)), to)
      } else {
        const vector = [value(0), value(1), value(2)]
        const length = texture.role === 'normal' ? Math.hypot(...vector) : 1
        for (let i = 0; i < 3; i++) out[to + i] = vector[i] / length
      }
    }
  }
  return out
}

interface Image {
  /** What a sampler returns for a channel of a pixel, counted from the first scanline. */
  texel(pixel: number, channel: number): number
}

async function readImage(file: string, { width, height, type }: SidecarTexture): Promise<Image> {
  if (type === 'unorm8' || type === 'unorm16') {
    const image = decodePng(await readFile(file))
    const steps = type === 'unorm8' ? 255 : 65535
    if (image.width !== width || image.height !== height || 2 ** image.depth - 1 !== steps) {
      throw new Error(`${file} is ${image.width} x ${image.height} with ${image.depth} bits`)
    }
    return { texel: (pixel, channel) => image.data[pixel * image.channels + channel] / steps }
  }
  const reader = await openTextureReader(file)
  try {
    if (reader.width !== width || reader.height !== height || reader.type !== 'float32') {
      throw new Error(`${file} is ${reader.width} x ${reader.height} of ${reader.type}`)
    }
    const rows = await reader.readRows(0, height)
    return { texel: (pixel, channel) => rows[pixel * reader.channels + channel] }
  } finally {
    await reader.close()
  }
}

/** Octahedral coordinates to a unit vector. */
function unfold(u: number, v: number): number[] {
  const z = 1 - Math.abs(u) - Math.abs(v)
  const fold = Math.max(-z, 0)
  const vector = [u - Math.sign(u) * fold, v - Math.sign(v) * fold, z]
  return vector.map((component) => component / Math.hypot(...vector))
}
