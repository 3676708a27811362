import { BoundingInfo, Constants, Matrix, RawTexture, type Scene, Texture, TransformNode, Vector3, VertexBuffer } from 'babylonjs'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import { Problem } from '../../main/model/problem.ts'
import { spaceMatrix } from '../../main/targets/target.ts'
import type { BakePreview } from '../../main/worker/preview-contract.ts'
import { textureBytes } from '../estimate/texture-bytes.ts'
import type { Crowd } from './crowd.ts'
import { frameRow, layerOf, texelAddresses } from './decode-frame.ts'
import { loadGlb, type LoadedGlb } from './load-glb.ts'
import { playheadAt } from './playhead.ts'
import { ERROR_ATTRIBUTE } from './surface-plugin.ts'
import { createTexelTexture } from './texel-texture.ts'
import { INSTANCE_ATTRIBUTE, ROW_TABLE_BITS, TEXEL_ATTRIBUTE, type VatLayer, type VatPlayback, VatPlugin } from './vat-plugin.ts'

/** A bake that plays from its textures. It stands where the model stands, whatever space it was baked in. */
export interface VatPlayer extends LoadedGlb {
  vertexCount: number
  /** Bytes of its textures on the GPU. */
  textureBytes: number
  /** Shows a moment of a clip (an index into the sidecar's). */
  show(clip: number, seconds: number): void
  /** Plays instances, each by itself, or the one bake again where it is null. */
  setCrowd(crowd: Crowd | null): void
  showCrowd(seconds: number): void
  /** Colours for the error map, in millimetres, `[vertex]`. */
  setErrors(millimetres: Float32Array): void
  /** The matrix from the bake's space to the model's. */
  space: Matrix
  /** A point of the bake's space in the model's, metres. */
  toModel(point: [number, number, number]): Vector3
  /** What a further material of these meshes needs to play in step with the others. */
  playback: VatPlayback
  dispose(): void
}

/** The contents of layers that can be shown, and the channels each is kept in. */
const CONTENTS: Record<'position' | 'normal', Record<string, string | undefined>> = {
  position: { position: 'rgb', offset: 'rgb' },
  normal: { xyz: 'rgb', octahedral: 'rg', octahedral8: 'a', octahedral12: 'a' },
}

/**
 * Loads a bake's own rest mesh and makes its materials play its textures.
 *
 * @throws Problem where this player cannot show it
 */
export async function createVatPlayer(bake: BakePreview, scene: Scene): Promise<VatPlayer> {
  const { sidecar } = bake
  const textures = new Map<number, RawTexture>()
  const onGpu = async (role: 'position' | 'normal'): Promise<VatLayer | null> => {
    const found = layerOf(bake, role)
    if (!found) return null
    const { layer, texture } = found
    if (CONTENTS[role][layer.content] !== layer.channels) {
      const what = `${layer.content} in ${layer.channels}`
      throw new Problem('input', `The ${role} layer of this bake holds ${what}, which this view cannot show. Update VAT Studio.`)
    }
    const key = bake.textures.indexOf(texture)
    if (!textures.has(key)) textures.set(key, await createTexelTexture(texture, scene))
    return { layer, texture: textures.get(key)! }
  }
  const playback: VatPlayback = {
    position: (await onGpu('position'))!,
    normal: await onGpu('normal'),
    transposed: sidecar.layout.orientation === 'frames-x',
    rowTable: createRowTable(sidecar, scene),
    rows: { first: 0, second: 0, blend: 0 },
    crowdSeconds: 0,
  }

  const loaded = await loadGlb(bake.restMesh, scene)
  const { meshes, container } = loaded
  const isItsMesh = meshes.every((mesh, index) => mesh.getTotalVertices() * 3 === bake.submeshes[index]?.positions.length)
  if (meshes.length !== bake.submeshes.length || !isItsMesh) {
    container.dispose()
    throw new Problem('input', `${sidecar.meshes[0].file} has other vertices than its bake. Bake the model again.`)
  }
  const space = spaceMatrix(sidecar.space.axesFromGltf, sidecar.space.scale)
  const toModel = Matrix.FromArray(space).invert()
  const root = new TransformNode('bake', scene)
  root.freezeWorldMatrix(toModel)
  for (const node of container.rootNodes) node.parent = root

  const addresses = Float32Array.from(texelAddresses(bake))
  const { min, max } = sidecar.bounds
  const bounds = new BoundingInfo(Vector3.FromArray(min), Vector3.FromArray(max))
  let first = 0
  const parts = meshes.map((mesh, index) => {
    const { positions } = bake.submeshes[index]
    const count = positions.length / 3
    const part = { mesh, first, end: first + count }
    mesh.setVerticesData(TEXEL_ATTRIBUTE, addresses.slice(first * 2, part.end * 2), false, 2)
    mesh.setBoundingInfo(bounds)
    // Tangents at rest would turn the light the wrong way on a mesh that moves; without them the shader finds its own.
    mesh.removeVerticesData(VertexBuffer.TangentKind)
    first = part.end
    return part
  })
  for (const material of new Set(meshes.map((mesh) => mesh.material))) if (material) new VatPlugin(material, playback)

  return {
    ...loaded,
    vertexCount: first,
    textureBytes: textureBytes(sidecar),
    playback,
    space: toModel,
    show(clip, seconds) {
      const playhead = playheadAt(sidecar.clips[clip], seconds)
      playback.rows = {
        first: frameRow(sidecar, clip, playhead.first),
        second: frameRow(sidecar, clip, playhead.second),
        blend: playhead.blend,
      }
    },
    setCrowd(crowd) {
      for (const { mesh } of parts) {
        mesh.alwaysSelectAsActiveMesh = crowd !== null
        if (!crowd) {
          mesh.thinInstanceSetBuffer('matrix', null)
          continue
        }
        mesh.thinInstanceSetBuffer('matrix', inSpace(crowd.matrices, space), 16, true)
        mesh.thinInstanceSetBuffer(INSTANCE_ATTRIBUTE, crowd.playback, 4, true)
      }
    },
    showCrowd(seconds) {
      playback.crowdSeconds = seconds
    },
    setErrors(millimetres) {
      for (const { mesh, first, end } of parts) {
        const part = millimetres.slice(first, end)
        const buffer = mesh.getVertexBuffer(ERROR_ATTRIBUTE)
        if (buffer) buffer.update(part)
        else mesh.setVerticesData(ERROR_ATTRIBUTE, part, true, 1)
      }
    },
    toModel: (point) => Vector3.TransformCoordinates(Vector3.FromArray(point), toModel),
    dispose() {
      for (const texture of [...textures.values(), playback.rowTable]) texture.dispose()
      container.dispose()
      root.dispose()
    },
  }
}

/** The rows of all frames as a texture, which instances may index as they like. */
function createRowTable(sidecar: Sidecar, scene: Scene): RawTexture {
  const width = 1 << ROW_TABLE_BITS
  const rowsOf = (clip: number, length: number) => Array.from({ length }, (_, frame) => frameRow(sidecar, clip, frame))
  const rows = sidecar.clips.flatMap(({ frameCount }, clip) => rowsOf(clip, frameCount))
  const height = Math.ceil(rows.length / width)
  const texels = new Float32Array(width * height)
  texels.set(rows)
  const [format, type] = [Constants.TEXTUREFORMAT_RED, Constants.TEXTURETYPE_FLOAT]
  return new RawTexture(texels, width, height, format, scene, false, false, Texture.NEAREST_SAMPLINGMODE, type)
}

/** Instances are moved in the bake's space: the same places, by its axes and its unit. */
function inSpace(matrices: Float32Array, space: Float64Array): Float32Array {
  const moved = matrices.slice()
  for (let m = 0; m < moved.length; m += 16) {
    for (let axis = 0; axis < 3; axis++) {
      moved[m + 12 + axis] = space[axis] * matrices[m + 12] + space[4 + axis] * matrices[m + 13] + space[8 + axis] * matrices[m + 14]
    }
  }
  return moved
}
