import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { createPose } from '../../../main/model/animated-model.ts'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { openFbx } from '../../../main/readers/fbx/library.ts'
import { readFbx } from '../../../main/readers/fbx/read-fbx.ts'
import { buildFbx, type FbxSource } from './build-fbx.ts'

const require = createRequire(import.meta.url)

/** Two joints of a Mixamo-like rig: neither inherits scale the usual way, and the second has a single key that is not its rest. */
const RIG: FbxSource = {
  settings: { UnitScaleFactor: 100 },
  models: [
    { name: 'Hips', type: 'LimbNode', properties: { InheritType: 0 } },
    { name: 'Thumb', type: 'LimbNode', parent: 'Hips', properties: { InheritType: 0, 'Lcl Translation': [0, 1, 0] } },
    {
      name: 'Body',
      mesh: {
        points: [0, 0, 0, 1, 0, 0, 0, 1, 0],
        polygons: [[0, 1, 2]],
        skin: { clusters: [{ bone: 'Hips', points: [0, 1], weights: [1, 1] }, { bone: 'Thumb', points: [2], weights: [1] }] },
      },
    },
  ],
  takes: [
    {
      name: 'mixamo.com',
      curves: [
        { target: 'Hips', property: 'Lcl Rotation', keys: { X: [[0, 0], [2, 90]], Y: [[0, 0], [2, 45]] } },
        { target: 'Thumb', property: 'Lcl Rotation', keys: { Z: [[0, 90]] } },
      ],
    },
  ],
}

describe('the FBX library', () => {
  it('is the version whose inner members were measured', () => {
    const versions = ['babylonjs', 'babylonjs-loaders'].map((name) => (require(`${name}/package.json`) as { version: string }).version)
    expect(versions).toEqual(['9.28.0', '9.28.0'])
  })

  it('has the members that are used of it', async () => {
    const { library, document, scene } = await openFbx('rig.fbx', buildFbx(RIG))
    expect(document.version).toBe(7400)
    expect(document.nodes.map(({ name }) => name)).toContain('Connections')
    expect(Object.keys(scene)).toEqual(expect.arrayContaining(['rootModels', 'materials', 'skins', 'blendShapes', 'animations', 'constraints', 'unitScaleFactor', 'frameRate']))
    const [hips] = scene.rootModels
    expect(hips).toMatchObject({ name: 'Hips', inheritType: 0, rotationOrder: 0, preRotation: [0, 0, 0], geometricScaling: [1, 1, 1] })
    const [stack] = scene.animations
    const curves = stack.curveNodes.filter(({ targetModelId }) => targetModelId === hips.id)
    const [key] = curves[0].curves[0].keys
    expect(Object.keys(key)).toEqual(expect.arrayContaining(['time', 'value', 'leftDx', 'leftDy', 'rightDx', 'rightDy']))
    library._activeLayers = stack.layers
    expect(library._sampleModelTRS(hips, curves, 1)).toEqual({ translation: [0, 0, 0], rotation: [45, 22.5, 0], scale: [1, 1, 1] })
  })

  it('is not asked for its own animations, which multiply keys and drop tracks of a single key on such rigs', async () => {
    const { model } = await readFbx('/nowhere/rig.fbx', 'rig.fbx', buildFbx(RIG), { file: 'rig.fbx', limits: DEFAULT_LIMITS, spent: 0 })
    const pose = createPose(model)
    const thumb = model.nodes.findIndex(({ name }) => name === 'Thumb') * 16
    model.pose(model.clips[0], 0, pose)
    const [xx, xy] = pose.worldMatrices.subarray(thumb, thumb + 2)
    expect([xx, xy]).toEqual([expect.closeTo(0), expect.closeTo(1)])
  })
})
