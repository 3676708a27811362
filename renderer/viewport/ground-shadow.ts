import { Color3, Constants, Matrix, type Mesh, PBRMaterial, type Scene, TransformNode, type Vector3 } from 'babylonjs'
import { type VatPlayback, VatPlugin } from './vat-plugin.ts'

/** The shadow of meshes on the ground, y = 0: the same vertices, pressed flat along the light. It moves as they do. */
export interface GroundShadow {
  setEnabled(enabled: boolean): void
  dispose(): void
}

/**
 * @param light     direction of the sunlight
 * @param root      what the meshes hang on, e.g. the turn from a bake's space to the model's; null for the world itself
 * @param playback  of the player whose meshes these are; null where the vertices themselves are moved
 */
export function createGroundShadow(
  scene: Scene,
  meshes: Mesh[],
  light: Vector3,
  root: Matrix | null,
  playback: VatPlayback | null,
): GroundShadow {
  const material = new PBRMaterial('shadow', scene)
  material.unlit = true
  material.albedoColor = Color3.Black()
  material.alpha = 0.28
  material.backFaceCulling = false
  material.disableDepthWrite = true
  // Each pixel once, however many triangles lie on it.
  material.stencil.enabled = true
  material.stencil.func = Constants.NOTEQUAL
  material.stencil.funcRef = 1
  material.stencil.opStencilDepthPass = Constants.REPLACE
  if (playback) new VatPlugin(material, playback)

  // x and z move on by as much as it takes for y to become 0.
  const flat = Matrix.FromValues(1, 0, 0, 0, -light.x / light.y, 0, -light.z / light.y, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const ground = new TransformNode('ground', scene)
  ground.freezeWorldMatrix(root ? root.multiply(flat) : flat)
  const shadows = meshes.map((mesh) => {
    const shadow = mesh.clone(`${mesh.name} shadow`, ground, true)
    shadow.material = material
    shadow.layerMask = mesh.layerMask
    shadow.isPickable = false
    shadow.alwaysSelectAsActiveMesh = true
    return shadow
  })
  return {
    setEnabled: (enabled) => shadows.forEach((shadow) => shadow.setEnabled(enabled)),
    dispose() {
      for (const shadow of shadows) shadow.dispose(true)
      ground.dispose()
      material.dispose()
    },
  }
}
