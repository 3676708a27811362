import { type AbstractMesh, type Material, type MaterialDefines, MaterialPluginBase, type Scene, type UniformBuffer } from 'babylonjs'
import type { Shading } from './view.ts'

/** Colours of the error ramp from none to the largest, sRGB; the stops of `--heat-ramp` in the styles. */
const HEAT = ['#3a2f86', '#842f92', '#d34170', '#fa8a3f', '#fceea6']

const SHADING_NUMBERS: Record<Shading, number> = { lit: 0, clay: 1, unlit: 2, normals: 3 }

/** What all surfaces of the viewport have in common, whatever moves them. */
export interface SurfaceLook {
  shading: Shading
  /** Millimetres at the top of the ramp; null where the error is not shown. */
  errorScale: number | null
}

/** Name of the vertex buffer with the error of each vertex in millimetres. */
export const ERROR_ATTRIBUTE = 'vatError'

/** Draws a material as itself, as clay, without light, as normals, or coloured by the error of its vertices. */
export class SurfacePlugin extends MaterialPluginBase {
  constructor(
    material: Material,
    private readonly look: SurfaceLook,
  ) {
    super(material, 'Surface', 300, { SURFACE_SHADING: 0, SURFACE_ERROR: false })
    this._enable(true)
  }

  override getClassName(): string {
    return 'SurfacePlugin'
  }

  override prepareDefines(defines: MaterialDefines, _scene: Scene, mesh: AbstractMesh): void {
    defines.SURFACE_SHADING = SHADING_NUMBERS[this.look.shading]
    defines.SURFACE_ERROR = this.look.errorScale !== null && mesh.isVerticesDataPresent(ERROR_ATTRIBUTE)
  }

  override getAttributes(attributes: string[], _scene: Scene, mesh: AbstractMesh): void {
    if (this.look.errorScale !== null && mesh.isVerticesDataPresent(ERROR_ATTRIBUTE)) attributes.push(ERROR_ATTRIBUTE)
  }

  override getUniforms(): { ubo: { name: string; size: number; type: string }[] } {
    return { ubo: [{ name: 'surfaceErrorScale', size: 1, type: 'float' }] }
  }

  override bindForSubMesh(uniforms: UniformBuffer): void {
    uniforms.updateFloat('surfaceErrorScale', this.look.errorScale ? 1 / this.look.errorScale : 0)
  }

  override getCustomCode(shader: string): Record<string, string> | null {
    if (shader === 'vertex') {
      return {
        CUSTOM_VERTEX_DEFINITIONS: `
          #ifdef SURFACE_ERROR
            attribute float ${ERROR_ATTRIBUTE};
            varying float vSurfaceError;
          #endif`,
        CUSTOM_VERTEX_MAIN_END: `
          #ifdef SURFACE_ERROR
            vSurfaceError = ${ERROR_ATTRIBUTE} * surfaceErrorScale;
          #endif`,
      }
    }
    const stops = HEAT.map((colour) => `vec3(${[1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(4)).join(', ')})`)
    return {
      CUSTOM_FRAGMENT_DEFINITIONS: `
        #ifdef SURFACE_ERROR
          varying float vSurfaceError;
          vec3 surfaceHeat(float error) {
            float t = clamp(error, 0.0, 1.0) * ${(HEAT.length - 1).toFixed(1)};
            vec3 colour = ${stops[0]};
            ${stops.slice(1).map((stop, i) => `colour = mix(colour, ${stop}, clamp(t - ${i.toFixed(1)}, 0.0, 1.0));`).join('\n')}
            return colour;
          }
        #endif`,
      CUSTOM_FRAGMENT_UPDATE_ALBEDO: `
        #if SURFACE_SHADING == 1
          surfaceAlbedo = vec3(0.45);
        #endif`,
      CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR: `
        #ifdef SURFACE_ERROR
          #ifdef NORMAL
            float surfaceShade = 0.8 + 0.2 * clamp(dot(normalW, viewDirectionW), 0.0, 1.0);
          #else
            float surfaceShade = 1.0;
          #endif
          finalColor.rgb = surfaceHeat(vSurfaceError) * surfaceShade;
        #elif SURFACE_SHADING == 2
          finalColor.rgb = toGammaSpace(surfaceAlbedo);
        #elif SURFACE_SHADING == 3
          finalColor.rgb = normalW * 0.5 + 0.5;
        #endif`,
    }
  }
}
