import { Document, NodeIO } from '@gltf-transform/core'
import type { AnimatedModel, Pose } from '../../main/model/animated-model.ts'
import { composeTRS, identity, MATRIX_SIZE, TRS_SIZE } from '../../main/model/matrix.ts'

export const BONES = 60
/** Keys and samples a second. */
export const RATE = 30

/** A tube of 1 m with a bone every few rings, each vertex held by the four bones next to it. */
export function createTube(vertexCount: number): AnimatedModel {
  const around = 50
  const rings = Math.round(vertexCount / around)
  const positions = new Float32Array(rings * around * 3)
  const normals = new Float32Array(positions.length)
  const joints = new Uint32Array(rings * around * 4)
  const weights = new Float64Array(joints.length)
  const indices: number[] = []
  for (let vertex = 0; vertex < rings * around; vertex++) {
    const ring = Math.floor(vertex / around)
    const next = ring * around + ((vertex + 1) % around)
    const angle = (vertex / around) * 2 * Math.PI
    const height = ring / rings
    positions.set([0.1 * Math.cos(angle), height, 0.1 * Math.sin(angle)], vertex * 3)
    normals.set([Math.cos(angle), 0, Math.sin(angle)], vertex * 3)
    if (ring + 1 < rings) indices.push(vertex, vertex + around, next, next, vertex + around, next + around)
    const along = 1 + height * (BONES - 4)
    const fraction = along % 1
    // Cubic B-spline: four positive weights that sum to 1.
    const spline = [(1 - fraction) ** 3 / 6, 0, 0, fraction ** 3 / 6]
    spline[1] = (3 * fraction ** 3 - 6 * fraction ** 2 + 4) / 6
    spline[2] = 1 - spline[0] - spline[1] - spline[3]
    joints.set([-1, 0, 1, 2].map((step) => Math.floor(along) + step), vertex * 4)
    weights.set(spline, vertex * 4)
  }
  return {
    meshes: [
      {
        name: 'tube',
        node: 0,
        primitive: 0,
        material: -1,
        vertexCount: rings * around,
        positions,
        normals,
        tangents: null,
        attributes: [],
        indices: Uint32Array.from(indices),
        indexed: true,
        morphTargets: [],
        morphSet: -1,
        skin: 0,
        influences: { perVertex: 4, joints, weights },
      },
    ],
    nodes: [{ name: 'tube', parent: -1 }],
    skins: [{ name: 'bones', joints: Array.from({ length: BONES }, () => 0) }],
    morphSets: [],
    materials: [],
    clips: [],
    pose: poseTube,
    warnings: [],
  }
}

/** A wave runs along the tube: each bone swings a little later than the one before it. */
function boneAt(bone: number, time: number): { translation: number[]; rotation: number[] } {
  const phase = 2 * time - bone / BONES
  const angle = 0.3 * Math.sin(phase)
  return { translation: [0.1 * Math.sin(phase), 0, 0.1 * Math.cos(phase)], rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }
}

function poseTube(_clip: unknown, time: number, out: Pose): void {
  out.worldMatrices.set(identity())
  const trs = new Float64Array(TRS_SIZE).fill(1)
  for (let bone = 0; bone < BONES; bone++) {
    const { translation, rotation } = boneAt(bone, time)
    trs.set([...translation, ...rotation])
    composeTRS(out.palettes[0], bone * MATRIX_SIZE, trs, 0)
  }
}

/**
 * Writes the tube with one clip, "Swing", as a GLB. Every frame of the clip is a key, so that programs which go from key to
 * key in different ways agree on what the frames are.
 *
 * @param frameCount frames at {@link RATE} a second, both ends included
 */
export async function writeTube(file: string, vertexCount: number, frameCount: number): Promise<void> {
  const { positions, normals, indices, influences } = createTube(vertexCount).meshes[0]
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4', array: Float32Array | Uint32Array | Uint8Array) =>
    document.createAccessor().setBuffer(buffer).setType(type).setArray(array)
  const times = Array.from({ length: frameCount }, (_, frame) => frame / RATE)
  const input = accessor('SCALAR', Float32Array.from(times))
  const clip = document.createAnimation('Swing')
  const skin = document.createSkin('bones')
  const root = document.createNode('rig')
  for (let bone = 0; bone < BONES; bone++) {
    const joint = document.createNode(`bone ${bone}`)
    root.addChild(joint)
    skin.addJoint(joint)
    for (const path of ['translation', 'rotation'] as const) {
      const values = Float32Array.from(times.flatMap((time) => boneAt(bone, time)[path]))
      const sampler = document.createAnimationSampler().setInput(input).setOutput(accessor(path === 'rotation' ? 'VEC4' : 'VEC3', values))
      clip.addSampler(sampler).addChannel(document.createAnimationChannel().setTargetNode(joint).setTargetPath(path).setSampler(sampler))
    }
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', positions))
    .setAttribute('NORMAL', accessor('VEC3', normals!))
    .setAttribute('JOINTS_0', accessor('VEC4', Uint8Array.from(influences!.joints)))
    .setAttribute('WEIGHTS_0', accessor('VEC4', Float32Array.from(influences!.weights)))
    .setIndices(accessor('SCALAR', indices))
  root.addChild(document.createNode('tube').setMesh(document.createMesh('tube').addPrimitive(primitive)).setSkin(skin))
  document.createScene().addChild(root)
  await new NodeIO().write(file, document)
}
