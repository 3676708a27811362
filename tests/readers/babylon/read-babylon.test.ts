import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../main/model/limits.ts'
import { readBabylon } from '../../../main/readers/babylon/read-babylon.ts'
import { positionsAt, rounded } from '../positions-at.ts'

const read = (json: unknown) => {
  const bytes = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json))
  return readBabylon('/nowhere/model.babylon', 'model.babylon', bytes, { file: 'model.babylon', limits: DEFAULT_LIMITS, spent: 0 })
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const moved = (x: number, y = 0, z = 0) => [...IDENTITY.slice(0, 12), x, y, z, 1]

/** A triangle whose front is towards -Z, as Babylon's left-handed space has it: clockwise. */
const TRIANGLE = {
  name: 'Box',
  id: 'box',
  position: [0, 0, 0],
  rotation: [0, 0, 0],
  scaling: [1, 1, 1],
  isVisible: true,
  isEnabled: true,
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
  normals: [0, 0, -1, 0, 0, -1, 0, 0, -1],
  uvs: [0, 0, 1, 0, 0, 1],
  indices: [0, 1, 2],
}

const animation = (property: string, dataType: number, keys: [number, number[]][], name = property) => ({
  name,
  property,
  framePerSecond: 10,
  dataType,
  loopBehavior: 1,
  keys: keys.map(([frame, values]) => ({ frame, values })),
})
const FLOAT = 0
const VECTOR = 1
const MATRIX = 3

describe('the space of a .babylon file', () => {
  it('becomes right-handed: X is mirrored, fronts stay fronts, V is counted from the top', async () => {
    const { model } = await read({ meshes: [{ ...TRIANGLE, position: [5, 6, 7] }] })
    expect(positionsAt(model, null)).toEqual([[-5, 6, 7], [-6, 6, 7], [-5, 7, 7]])
    const [mesh] = model.meshes
    expect([...mesh.normals!.subarray(0, 3)].map(rounded)).toEqual([0, 0, -1])
    const [a, b, c] = [...mesh.indices].map((vertex) => [...mesh.positions.subarray(vertex * 3, vertex * 3 + 2)])
    const counterClockwise = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    expect(Math.sign(counterClockwise)).toBe(-1)
    expect([...mesh.attributes[0].array]).toEqual([0, 1, 1, 1, 0, 0])
  })

  it('turns the other way round', async () => {
    const { model } = await read({ meshes: [{ ...TRIANGLE, rotation: [0, 0, Math.PI / 2] }] })
    expect(positionsAt(model, null)).toEqual([[0, 0, 0], [0, 1, 0], [1, 0, 0]])
  })

  it('keeps the places of parents and of instances', async () => {
    const instance = { name: 'Copy', id: 'copy', position: [0, 3, 0], rotation: [0, 0, 0], scaling: [2, 2, 2] }
    const meshes = [{ ...TRIANGLE, id: 'top', name: 'Top', position: [0, 0, 4] }, { ...TRIANGLE, parentId: 'top', instances: [instance] }]
    const { model } = await read({ meshes })
    expect(model.meshes.map(({ name }) => name)).toEqual(expect.arrayContaining(['Top', 'Box', 'Copy']))
    const copy = model.meshes.findIndex(({ name }) => name === 'Copy')
    expect(positionsAt(model, null).slice(copy * 3, copy * 3 + 3)).toEqual([[0, 3, 0], [-2, 3, 0], [0, 5, 0]])
  })
})

describe('the clips of a .babylon file', () => {
  const slide = animation('position', VECTOR, [[0, [0, 0, 0]], [10, [1, 0, 0]]])

  it('are its animation groups', async () => {
    const group = (name: string, from: number, to: number) => ({
      name,
      from,
      to,
      targetedAnimations: [{ targetId: 'box', animation: slide }],
    })
    const { model } = await read({ meshes: [TRIANGLE], animationGroups: [group('Near', 0, 5), group('Far', 5, 10)] })
    expect(model.clips).toEqual([
      { name: 'Near', index: 0, start: 0, end: 0.5 },
      { name: 'Far', index: 1, start: 0.5, end: 1 },
    ])
    expect(positionsAt(model, model.clips[0], 0.25)[0]).toEqual([-0.25, 0, 0])
    expect(positionsAt(model, model.clips[1], 9)[0]).toEqual([-1, 0, 0])
    expect(positionsAt(model, null)[0]).toEqual([0, 0, 0])
  })

  it('are all keys together in older files', async () => {
    const late = animation('scaling', VECTOR, [[2, [1, 1, 1]], [20, [3, 1, 1]]])
    const { model } = await read({ meshes: [{ ...TRIANGLE, animations: [slide, late] }] })
    expect(model.clips).toEqual([{ name: '', index: 0, start: 0, end: 2 }])
    expect(positionsAt(model, model.clips[0], 2)).toEqual([[-1, 0, 0], [-4, 0, 0], [-1, 1, 0]])
  })

  it('are the named ranges of older files', async () => {
    const ranges = [{ name: 'Idle', from: 0, to: 4 }, { name: 'Walk', from: 4, to: 10 }]
    const { model } = await read({ meshes: [{ ...TRIANGLE, animations: [slide], ranges }] })
    expect(model.clips.map(({ name, start, end }) => [name, start, end])).toEqual([['Idle', 0, 0.4], ['Walk', 0.4, 1]])
  })

  it('leave out what moves nothing, and say so', async () => {
    const { model } = await read({ meshes: [{ ...TRIANGLE, animations: [slide, animation('visibility', FLOAT, [[0, [1]], [5, [0]]])] }] })
    expect(model.warnings.map(({ message }) => message)).toEqual(['Ignored 1 animation of properties that move nothing: visibility.'])
  })
})

describe('the skins of a .babylon file', () => {
  const pack = (...joints: number[]) => joints.reduce((sum, joint, i) => sum | (joint << (i * 8)), 0)
  const bones = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `Bone${i}`, index: i, parentBoneIndex: i - 1, matrix: moved(i > 0 ? 1 : 0) }))
  const raised = animation('_matrix', MATRIX, [[0, moved(1)], [10, moved(1, 4)]])

  it('follow their bones, and divide by the sum of weights', async () => {
    const skeleton = { id: 0, name: 'Rig', bones: bones(2).map((bone, i) => (i === 1 ? { ...bone, animation: raised } : bone)) }
    const weights = { matricesIndices: [pack(0), pack(0, 1), pack(1)], matricesWeights: [1, 0, 0, 0, 0.5, 0.25, 0, 0, 0.1, 0, 0, 0] }
    const { model } = await read({ meshes: [{ ...TRIANGLE, skeletonId: 0, ...weights }], skeletons: [skeleton] })
    expect(model.skins[0].joints.map((joint) => model.nodes[joint].name)).toEqual(['Bone0', 'Bone1'])
    expect(positionsAt(model, model.clips[0], 1)).toEqual([[0, 0, 0], [-1, rounded(4 / 3), 0], [0, 5, 0]])
    expect(model.warnings).toContainEqual({
      code: 'weights-scaled',
      count: 2,
      message: 'Scaled the skin weights of 2 vertices to sum up to 1: Box.',
    })
  })

  it('count the influences beyond four', async () => {
    const eight = new Array<number>(12).fill(0.125)
    const mesh = {
      ...TRIANGLE,
      skeletonId: 0,
      numBoneInfluencers: 8,
      matricesIndices: [pack(0, 1, 2, 3), pack(0, 1, 2, 3), pack(0, 1, 2, 3)],
      matricesIndicesExtra: [pack(4, 5, 6, 7), pack(4, 5, 6, 7), pack(4, 5, 6, 7)],
      matricesWeights: eight,
      matricesWeightsExtra: eight,
    }
    const { model } = await read({ meshes: [mesh], skeletons: [{ id: 0, name: 'Rig', bones: bones(8) }] })
    expect(model.meshes[0].influences!.perVertex).toBe(8)
    expect([...model.meshes[0].influences!.joints.subarray(0, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('are refused where they follow a bone that is not there', async () => {
    const weights = { matricesIndices: [pack(9), pack(0), pack(0)], matricesWeights: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] }
    const broken = read({ meshes: [{ ...TRIANGLE, skeletonId: 0, ...weights }], skeletons: [{ id: 0, name: 'Rig', bones: bones(2) }] })
    await expect(broken).rejects.toThrow('model.babylon is broken: "Box" follows bone 9, but its skeleton has 2 bones')
  })
})

it('morphs with the influence of each target', async () => {
  const target = {
    name: 'Up',
    influence: 0,
    positions: [0, 0, 0, 1, 0, 0, 2, 3, 0],
    animations: [animation('influence', FLOAT, [[0, [0]], [10, [1]]])],
  }
  const { model } = await read({ meshes: [{ ...TRIANGLE, morphTargetManagerId: 0 }], morphTargetManagers: [{ id: 0, targets: [target] }] })
  expect(model.morphSets).toEqual([{ node: 0, targets: ['Up'] }])
  expect(positionsAt(model, model.clips[0], 0.5)[2]).toEqual([-1, 2, 0])
})

describe('the materials of a .babylon file', () => {
  it('come one a part, in the order of the file', async () => {
    const mesh = {
      ...TRIANGLE,
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
      normals: undefined,
      uvs: undefined,
      indices: [0, 1, 2, 2, 1, 3],
      materialId: 'both',
      subMeshes: [
        { materialIndex: 0, verticesStart: 0, verticesCount: 4, indexStart: 0, indexCount: 3 },
        { materialIndex: 1, verticesStart: 0, verticesCount: 4, indexStart: 3, indexCount: 3 },
      ],
    }
    const materials = [{ name: 'Red', id: 'r', diffuse: [1, 0, 0] }, { name: 'Blue', id: 'b', diffuse: [0, 0, 1], alpha: 0.5 }]
    const { model, appearance } = await read({ meshes: [mesh], materials, multiMaterials: [{ id: 'both', materials: ['b', 'r'] }] })
    expect(model.meshes.map(({ primitive, material, vertexCount }) => [primitive, material, vertexCount])).toEqual([[0, 1, 3], [1, 0, 3]])
    const [red, blue] = appearance.getRoot().listMaterials()
    expect([red.getName(), red.getBaseColorFactor()]).toEqual(['Red', [1, 0, 0, 1]])
    expect([blue.getBaseColorFactor(), blue.getAlphaMode()]).toEqual([[0, 0, 1, 0.5], 'BLEND'])
  })
})

describe('what is left out or refused', () => {
  it('says so of hidden meshes and lower levels of detail', async () => {
    const meshes = [{ ...TRIANGLE, lodMeshIds: ['low'] }, { ...TRIANGLE, id: 'low', name: 'Low' }, { ...TRIANGLE, id: 'h', name: 'Hull', isVisible: false }]
    const { model } = await read({ meshes })
    expect(model.meshes.map(({ name }) => name)).toEqual(['Box'])
    expect(model.warnings.map(({ message }) => message)).toEqual([
      'Left out 1 lower level of detail: Low.',
      'Left out 1 mesh that the file hides: Hull.',
    ])
  })

  it.each([
    ['no JSON', '{', 'model.babylon is broken: its JSON cannot be read'],
    ['a list', [], 'model.babylon is broken: its JSON is no scene'],
    ['an empty object', {}, 'model.babylon is broken: meshes is missing'],
    ['an index too high', { meshes: [{ ...TRIANGLE, indices: [0, 1, 9] }] }, '"Box" has index 9, but only 3 vertices'],
    ['numbers that are no numbers', { meshes: [{ ...TRIANGLE, positions: [0, 0, 0, 1, null, 'x', 0, 1, 0] }] }, 'not finite'],
    ['vertices in other files', { meshes: [{ name: 'A', delayLoadingFile: 'A.bin' }] }, 'keeps the vertices of 1 of its 1 meshes in other files (A.bin)'],
  ])('refuses %s', async (_, json, sentence) => {
    await expect(read(json)).rejects.toThrow(sentence)
  })
})
