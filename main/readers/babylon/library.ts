import type { AnimationGroup, Scene } from 'babylonjs'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import type { BabylonMesh, BabylonSource } from './source.ts'

type Library = typeof import('babylonjs')

/** What a .babylon file becomes in the engine that the format belongs to. Nothing of it is drawn. */
export interface BabylonScene {
  library: Library
  scene: Scene
  /** In the file's order. */
  groups: AnimationGroup[]
}

/** Everything else has to do with drawing, sound or physics; some of it would go to the network. */
const LOADED = ['producer', 'meshes', 'transformNodes', 'geometries', 'skeletons', 'morphTargetManagers', 'animationGroups']

/**
 * Lets Babylon build the nodes, meshes, skeletons and animations of a file, without a canvas, in double precision.
 *
 * @param file name of the file, for sentences
 * @throws Problem where Babylon cannot read it
 */
export async function loadBabylon(file: string, source: BabylonSource): Promise<BabylonScene> {
  const { default: library } = (await import('babylonjs')) as unknown as { default: Library }
  library.Logger.LogLevels = library.Logger.NoneLogLevel
  const engine = new library.NullEngine({
    renderWidth: 1,
    renderHeight: 1,
    textureSize: 1,
    deterministicLockstep: false,
    lockstepMaxSteps: 1,
    useHighPrecisionMatrix: true,
  })
  const scene = new library.Scene(engine)
  scene.animationsEnabled = false
  // Bones keep a matrix a key; between keys it would stand still otherwise.
  library.Animation.AllowMatricesInterpolation = true
  library.Animation.AllowMatrixDecomposeForInterpolation = true
  const whole = { ...source, meshes: source.meshes.map(withNormals) }
  const loaded = Object.fromEntries(Object.entries(whole).filter(([key]) => LOADED.includes(key)))
  try {
    const container = await library.LoadAssetContainerAsync(`data:${JSON.stringify(loaded)}`, scene, { pluginExtension: '.babylon' })
    container.addAllToScene()
    return { library, scene, groups: container.animationGroups }
  } catch (error) {
    const reason = shortened((error as Error).message.replace(/^.*: /s, '').replace(/\.$/, ''), 100)
    throw new Problem('input', `${file} cannot be read as a Babylon scene (${reason}). Export the model again.`)
  }
}

/** Babylon drops a mesh without normals; zeros stand for none. */
function withNormals(mesh: BabylonMesh): BabylonMesh {
  const { positions, normals } = mesh
  return Array.isArray(positions) && !normals ? { ...mesh, normals: positions.map(() => 0) } : mesh
}
