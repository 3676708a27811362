import { type Color3, type Mesh, PBRMaterial, type Scene } from 'babylonjs'
import { type VatPlayback, VatPlugin } from './vat-plugin.ts'

/** The edges of meshes, drawn over them. They move as the meshes do. */
export interface Wire {
  setEnabled(enabled: boolean): void
  setColour(colour: Color3): void
  dispose(): void
}

/** @param playback of the player whose meshes these are; null where the vertices themselves are moved */
export function createWire(scene: Scene, meshes: Mesh[], colour: Color3, playback: VatPlayback | null): Wire {
  const material = new PBRMaterial('wire', scene)
  material.unlit = true
  material.wireframe = true
  material.albedoColor = colour.toLinearSpace()
  if (playback) new VatPlugin(material, playback)
  const lines = meshes.map((mesh) => {
    // A clone draws the same vertex buffers.
    const clone = mesh.clone(`${mesh.name} edges`, mesh.parent, true)
    clone.material = material
    clone.layerMask = mesh.layerMask
    clone.isPickable = false
    clone.alwaysSelectAsActiveMesh = true
    return clone
  })
  return {
    setEnabled: (enabled) => lines.forEach((line) => line.setEnabled(enabled)),
    setColour: (colour) => void (material.albedoColor = colour.toLinearSpace()),
    dispose() {
      for (const line of lines) line.dispose(true)
      material.dispose()
    },
  }
}
