import {
  type AbstractEngine,
  type AbstractMesh,
  type BaseTexture,
  type Material,
  type MaterialDefines,
  MaterialPluginBase,
  type Mesh,
  type Scene,
  type SubMesh,
  type UniformBuffer,
} from 'babylonjs'
import type { SidecarTexture } from '../../main/bake/sidecar.ts'

/** A layer of a bake that is on the GPU. */
export interface VatLayer {
  layer: SidecarTexture
  texture: BaseTexture
}

/** What the materials of one player share; it is changed in place from frame to frame. */
export interface VatPlayback {
  position: VatLayer
  normal: VatLayer | null
  /** The frames run along x. */
  transposed: boolean
  /** Where every frame of every clip begins, one behind the other: instances look it up by themselves. */
  rowTable: BaseTexture
  /** Rows, counted from the layer's `baseRow`, of the two frames that are shown, and how much of the second one. */
  rows: { first: number; second: number; blend: number }
  /** Seconds, for instances, each of which plays by itself. */
  crowdSeconds: number
}

/** Name of the vertex buffer with the texel of each vertex inside a frame, `[vertex][x, r]`. */
export const TEXEL_ATTRIBUTE = 'vatTexel'
/** Name of the instance buffer: `[instance][seconds ahead, place of its clip in the row table, frames, frames a second]`. */
export const INSTANCE_ATTRIBUTE = 'vatInstance'
/** Entries of a row of the row table: 2 to the power of this. */
export const ROW_TABLE_BITS = 10

const DEFINES = [
  'VAT',
  'VAT_CROWD',
  'VAT_TRANSPOSED',
  'VAT_OFFSET',
  'VAT_POSITION_INTEGER',
  'VAT_NORMAL',
  'VAT_NORMAL_INTEGER',
  'VAT_NORMAL_OCTAHEDRAL',
  'VAT_NORMAL_PACKED',
] as const

/** Kinds of texels that are on the GPU as integers of 16 bits, whatever they are in the file. */
const INTEGERS: SidecarTexture['type'][] = ['unorm16', 'unorm8x2']

/**
 * Moves the vertices of a material to where a bake has them, in the vertex shader, by the rules of resources/docs/vat-format.md
 * (sections 4 to 7). One instance may play for all, or each by itself.
 */
export class VatPlugin extends MaterialPluginBase {
  constructor(
    material: Material,
    private readonly playback: VatPlayback,
  ) {
    super(material, 'Vat', 200, Object.fromEntries(DEFINES.map((name) => [name, false])))
    this._enable(true)
  }

  override getClassName(): string {
    return 'VatPlugin'
  }

  override prepareDefines(defines: MaterialDefines, _scene: Scene, mesh: AbstractMesh): void {
    const { position, normal, transposed } = this.playback
    const values: Record<(typeof DEFINES)[number], boolean> = {
      VAT: mesh.isVerticesDataPresent(TEXEL_ATTRIBUTE),
      VAT_CROWD: (mesh as Mesh).hasThinInstances,
      VAT_TRANSPOSED: transposed,
      VAT_OFFSET: position.layer.content === 'offset',
      VAT_POSITION_INTEGER: INTEGERS.includes(position.layer.type),
      VAT_NORMAL: normal !== null,
      VAT_NORMAL_INTEGER: normal !== null && INTEGERS.includes(normal.layer.type),
      VAT_NORMAL_OCTAHEDRAL: normal?.layer.content === 'octahedral',
      VAT_NORMAL_PACKED: normal !== null && packedBits(normal.layer) !== null,
    }
    Object.assign(defines, values)
  }

  override getAttributes(attributes: string[], _scene: Scene, mesh: AbstractMesh): void {
    attributes.push(TEXEL_ATTRIBUTE)
    if ((mesh as Mesh).hasThinInstances) attributes.push(INSTANCE_ATTRIBUTE)
  }

  override getSamplers(samplers: string[]): void {
    samplers.push('vatPositionMap', 'vatRowTable')
    if (this.playback.normal) samplers.push('vatNormalMap')
  }

  override getUniforms(): { ubo: { name: string; size: number; type: string }[] } {
    const vectors = ['vatRows', 'vatCrowd', 'vatPositionScale', 'vatPositionOffset', 'vatNormalScale', 'vatNormalOffset']
    return { ubo: vectors.map((name) => ({ name, size: 4, type: 'vec4' })) }
  }

  override bindForSubMesh(uniforms: UniformBuffer, _scene: Scene, _engine: AbstractEngine, _subMesh: SubMesh): void {
    const { rows, crowdSeconds, rowTable, position, normal } = this.playback
    uniforms.updateFloat4('vatRows', rows.first, rows.second, rows.blend, 0)
    uniforms.updateFloat4('vatCrowd', crowdSeconds, 0, 0, 0)
    uniforms.setTexture('vatRowTable', rowTable)
    bindLayer(uniforms, 'vatPosition', position)
    if (normal) bindLayer(uniforms, 'vatNormal', normal)
  }

  override hasTexture(texture: BaseTexture): boolean {
    const { position, normal, rowTable } = this.playback
    return [position.texture, normal?.texture, rowTable].includes(texture)
  }

  /** The code must not depend on the playback: Babylon asks for it while the plugin is still being made. */
  override getCustomCode(shader: string): Record<string, string> | null {
    if (shader !== 'vertex') return null
    return {
      CUSTOM_VERTEX_DEFINITIONS: `
        #ifdef VAT
          attribute vec2 ${TEXEL_ATTRIBUTE};
          #ifdef VAT_CROWD
            attribute vec4 ${INSTANCE_ATTRIBUTE};
            uniform highp sampler2D vatRowTable;
            float vatRowOf(float frame) {
              int entry = int(${INSTANCE_ATTRIBUTE}.y + frame + 0.5);
              return texelFetch(vatRowTable, ivec2(entry & ${(1 << ROW_TABLE_BITS) - 1}, entry >> ${ROW_TABLE_BITS}), 0).r;
            }
          #endif
          ivec2 vatPixel(vec2 base) {
            ivec2 pixel = ivec2(${TEXEL_ATTRIBUTE} + base + 0.5);
            #ifdef VAT_TRANSPOSED
              pixel = pixel.yx;
            #endif
            return pixel;
          }
          vec3 vatOctahedral(vec2 uv) {
            vec3 direction = vec3(uv, 1.0 - abs(uv.x) - abs(uv.y));
            vec2 signs = vec2(uv.x < 0.0 ? -1.0 : 1.0, uv.y < 0.0 ? -1.0 : 1.0);
            if (direction.z < 0.0) direction.xy = (1.0 - abs(uv.yx)) * signs;
            return normalize(direction);
          }
          ${decoder('vatPosition', 'VAT_POSITION')}
          #ifdef VAT_NORMAL
            ${decoder('vatNormal', 'VAT_NORMAL')}
          #endif
        #endif`,
      CUSTOM_VERTEX_MAIN_BEGIN: `
        #ifdef VAT
          vec3 vatPlayed = vatRows.xyz;
          #ifdef VAT_CROWD
            float vatFrames = abs(${INSTANCE_ATTRIBUTE}.z);
            float vatMoment = mod((vatCrowd.x + ${INSTANCE_ATTRIBUTE}.x) * ${INSTANCE_ATTRIBUTE}.w, vatFrames);
            float vatFirst = min(floor(vatMoment), vatFrames - 1.0);
            float vatSecond = ${INSTANCE_ATTRIBUTE}.z > 0.0 ? mod(vatFirst + 1.0, vatFrames) : min(vatFirst + 1.0, vatFrames - 1.0);
            vatPlayed = vec3(vatRowOf(vatFirst), vatRowOf(vatSecond), vatMoment - vatFirst);
          #endif
        #endif`,
      CUSTOM_VERTEX_UPDATE_POSITION: `
        #ifdef VAT
          vec3 vatPosition = mix(vatPositionAt(vatPlayed.x), vatPositionAt(vatPlayed.y), vatPlayed.z);
          #ifdef VAT_OFFSET
            vatPosition += position;
          #endif
          positionUpdated = vatPosition;
        #endif`,
      CUSTOM_VERTEX_UPDATE_NORMAL: `
        #if defined(VAT) && defined(VAT_NORMAL) && defined(NORMAL)
          normalUpdated = normalize(mix(vatNormalAt(vatPlayed.x), vatNormalAt(vatPlayed.y), vatPlayed.z));
        #endif`,
    }
  }
}

function bindLayer(uniforms: UniformBuffer, name: string, { layer, texture }: VatLayer): void {
  const { scale, offset, baseRow, baseColumn } = layer
  const bits = packedBits(layer)
  // Of a single packed value the other two places are free for how it is taken apart.
  const [y, z] = bits === null ? [offset[1], offset[2] ?? 0] : [2 ** (bits - 1) - 1, 2 ** bits]
  uniforms.updateFloat4(`${name}Scale`, scale[0], scale[1] ?? 0, scale[2] ?? 0, baseRow)
  uniforms.updateFloat4(`${name}Offset`, offset[0], y, z, baseColumn)
  uniforms.setTexture(`${name}Map`, texture)
}

/** Bits of each of the two numbers that a normal in one channel is packed of; null where it is not. */
function packedBits({ content }: SidecarTexture): number | null {
  return content === 'octahedral8' ? 8 : content === 'octahedral12' ? 12 : null
}

/** The sampler of a layer, and a function `${name}At(row)` that answers its value. */
function decoder(name: string, define: string): string {
  const texel = `texelFetch(${name}Map, vatPixel(vec2(${name}Offset.w, row + ${name}Scale.w)), 0)`
  return `
    #ifdef ${define}_INTEGER
      uniform highp usampler2D ${name}Map;
    #else
      uniform highp sampler2D ${name}Map;
    #endif
    vec3 ${name}At(float row) {
      #ifdef ${define}_INTEGER
        vec4 texel = vec4(${texel}) / 65535.0;
      #else
        vec4 texel = ${texel};
      #endif
      #ifdef ${define}_PACKED
        // Numbers from 2^23 on have no halves: a half more would be rounded to the next one.
        float packed = floor(texel.a * ${name}Scale.x + ${name}Offset.x + 0.25);
        float upper = floor(packed / ${name}Offset.z);
        return vatOctahedral(vec2(upper, packed - upper * ${name}Offset.z) / ${name}Offset.y - 1.0);
      #else
        vec3 value = texel.rgb * ${name}Scale.xyz + ${name}Offset.xyz;
        #ifdef ${define}_OCTAHEDRAL
          value = vatOctahedral(value.xy);
        #endif
        return value;
      #endif
    }`
}
