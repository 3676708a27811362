import { type AssetContainer, LoadAssetContainerAsync, Mesh, type Scene } from 'babylonjs'
import 'babylonjs-loaders'
import { withoutTextures } from './without-textures.ts'

/** A GLB in the scene. */
export interface LoadedGlb {
  container: AssetContainer
  /** One a primitive, in the file's order. */
  meshes: Mesh[]
  /** A texture could not be decoded, so that it is shown without any. */
  texturesLeftOut: boolean
}

/**
 * Puts a GLB with one mesh into the scene, with Babylon's PBR materials. Everything comes from the bytes; images are decoded
 * by the browser. Where it cannot decode one (a damaged image, or KTX2, which takes a decoder), the mesh is shown without.
 */
export async function loadGlb(bytes: Uint8Array<ArrayBuffer>, scene: Scene): Promise<LoadedGlb> {
  let texturesLeftOut = false
  const container = await load(bytes, scene).catch(() => {
    texturesLeftOut = true
    return load(withoutTextures(bytes), scene)
  })
  container.addAllToScene()
  const meshes = container.meshes.filter((mesh): mesh is Mesh => mesh instanceof Mesh && mesh.getTotalVertices() > 0)
  return { container, meshes, texturesLeftOut }
}

const load = (bytes: Uint8Array<ArrayBuffer>, scene: Scene): Promise<AssetContainer> =>
  LoadAssetContainerAsync(bytes, scene, {
    pluginExtension: '.glb',
    // KTX2 would be decoded by a script from the network.
    pluginOptions: { gltf: { extensionOptions: { KHR_texture_basisu: { enabled: false } } } },
  })
