import { describe, expect, test } from 'vitest'
import { createPose, type AnimatedModel, type Pose } from '../../../main/model/animated-model.ts'
import { skinnedTriangle, triangle, type GltfBuilder, type Json } from '../build-gltf.ts'

const HALF = Math.SQRT1_2

function animate(builder: GltfBuilder, target: Json, times: number[], values: number[], interpolation?: string): GltfBuilder {
  builder.json.animations ??= [{}]
  builder.channel(builder.json.animations[0], target, times, values, interpolation)
  return builder
}

/** The pose of the first clip at a time, or of the nodes at rest. Whatever was in it before must not matter. */
function poseAt(model: AnimatedModel, time: number | null, pose = createPose(model)): Pose {
  for (const array of [pose.worldMatrices, ...pose.palettes, ...pose.morphWeights]) array.fill(NaN)
  model.pose(time === null ? null : model.clips[0], time ?? 0, pose)
  return pose
}

function matrixOf(array: Float64Array, index: number): number[] {
  return [...array.subarray(index * 16, index * 16 + 16)]
}

/** Where a node is. */
function placeOf(pose: Pose, node: number): number[] {
  return matrixOf(pose.worldMatrices, node).slice(12, 15)
}

function expectClose(actual: number[], expected: number[]): void {
  expected.forEach((number, i) => expect(actual[i]).toBeCloseTo(number, 12))
}

describe('nodes at rest', () => {
  test('stand where translation, rotation and scale put them, below their parents', async () => {
    const builder = triangle()
    builder.json.nodes = [
      { mesh: 0, translation: [0, 0, 5] },
      { children: [2], translation: [1, 0, 0], rotation: [0, 0, HALF, HALF], scale: [2, 2, 2] },
      { children: [0], translation: [1, 0, 0] },
    ]
    const pose = poseAt(await builder.model(), null)
    // The parent of node 2 turns x to y and doubles it.
    expectClose(placeOf(pose, 2), [1, 2, 0])
    expectClose(placeOf(pose, 0), [1, 2, 10])
  })

  test('keep a matrix to the letter, shear included', async () => {
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, -1, 0, 7, 8, 9, 1]
    const builder = triangle()
    builder.json.nodes[0].matrix = matrix
    expect(matrixOf(poseAt(await builder.model(), null).worldMatrices, 0)).toEqual(matrix)
  })

  test('have rotations of unit length, and none where the file says nothing', async () => {
    const builder = triangle()
    builder.json.nodes = [{ mesh: 0, rotation: [0, 0, 3, 3] }, { name: 'Hip', rotation: [0, 0, 0, 0] }]
    const model = await builder.model()
    const pose = poseAt(model, null)
    expectClose(matrixOf(pose.worldMatrices, 0), [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    expectClose(matrixOf(pose.worldMatrices, 1), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    expect(model.warnings).toMatchObject([{ code: 'rotation-repaired', message: 'Read 1 rotation of length zero as none: node 1 ("Hip").' }])
  })

  test('may hang on one another a hundred thousand deep', async () => {
    const builder = triangle()
    builder.json.nodes = Array.from({ length: 100_000 }, (_, i) => ({ translation: [1, 0, 0], children: i > 0 ? [i - 1] : [] }))
    builder.json.nodes[0].mesh = 0
    expect(placeOf(poseAt(await builder.model(), null), 0)).toEqual([100_000, 0, 0])
  })
})

describe('clips', () => {
  test('move what they animate and leave the rest at rest', async () => {
    const builder = triangle()
    Object.assign(builder.json.nodes[0], { rotation: [0, 0, HALF, HALF], scale: [2, 3, 4] })
    builder.json.nodes.push({ translation: [4, 5, 6] })
    animate(builder, { node: 0, path: 'translation' }, [0, 2], [0, 0, 0, 2, 4, 6])
    const model = await builder.model()
    const pose = poseAt(model, 1)
    expectClose(matrixOf(pose.worldMatrices, 0), [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1])
    expect(placeOf(pose, 1)).toEqual([4, 5, 6])
    expect(placeOf(poseAt(model, null, pose), 0)).toEqual([0, 0, 0])
  })

  test('leave nothing behind for another clip', async () => {
    const builder = animate(triangle(), { node: 0, path: 'translation' }, [0], [9, 9, 9])
    const other = {}
    builder.channel(other, { node: 0, path: 'scale' }, [0], [2, 2, 2])
    builder.json.animations.push(other)
    const model = await builder.model()
    const pose = poseAt(model, 0)
    model.pose(model.clips[1], 0, pose)
    expect(matrixOf(pose.worldMatrices, 0)).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1])
  })

  test('hold each channel outside of its own keys, and the whole outside of the clip', async () => {
    const builder = triangle()
    builder.json.nodes.push({ translation: [0, 0, 0] })
    animate(builder, { node: 0, path: 'translation' }, [1, 2], [1, 0, 0, 2, 0, 0])
    animate(builder, { node: 0, path: 'scale' }, [0, 3], [1, 1, 1, 4, 4, 4])
    // Moves no mesh, and so does not make the clip longer.
    animate(builder, { node: 1, path: 'translation' }, [0, 10], [0, 0, 0, 10, 0, 0])
    const model = await builder.model()
    expect(placeOf(poseAt(model, 0.5), 0)).toEqual([1, 0, 0])
    expect(placeOf(poseAt(model, 2.5), 0)).toEqual([2, 0, 0])
    expect(matrixOf(poseAt(model, 99).worldMatrices, 0)[0]).toBe(4)
    expect(matrixOf(poseAt(model, -99).worldMatrices, 0)[0]).toBe(1)
    expect(placeOf(poseAt(model, 99), 1)).toEqual([3, 0, 0])
  })

  test('of a copy of the clip with another range move the same', async () => {
    const model = await animate(triangle(), { node: 0, path: 'translation' }, [0, 4], [0, 0, 0, 4, 0, 0]).model()
    const pose = createPose(model)
    model.pose({ ...model.clips[0], start: 1, end: 2 }, 3, pose)
    expect(placeOf(pose, 0)).toEqual([3, 0, 0])
  })

  test('replace parts of a matrix, which loses its shear', async () => {
    const builder = triangle()
    builder.json.nodes[0].matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]
    animate(builder, { node: 0, path: 'translation' }, [0], [1, 1, 1])
    expectClose(matrixOf(poseAt(await builder.model(), 0).worldMatrices, 0), [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 1])
  })

  test('move the node that a channel numbers, not one of the same name', async () => {
    const builder = triangle()
    builder.json.nodes = [{ name: 'twin', mesh: 0 }, { name: 'twin', mesh: 0 }]
    animate(builder, { node: 1, path: 'translation' }, [0], [1, 0, 0])
    const pose = poseAt(await builder.model(), 0)
    expect([placeOf(pose, 0), placeOf(pose, 1)]).toEqual([[0, 0, 0], [1, 0, 0]])
  })

  test('that have nothing to move are the model at rest', async () => {
    const builder = triangle()
    builder.json.nodes[0].translation = [1, 2, 3]
    builder.json.animations = [{}]
    expect(placeOf(poseAt(await builder.model(), 0), 0)).toEqual([1, 2, 3])
  })
})

describe('skins', () => {
  test("have a matrix for each joint: the joint's place times its inverse bind matrix", async () => {
    const builder = skinnedTriangle()
    const shift = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1]
    builder.json.skins[0].inverseBindMatrices = builder.floats('MAT4', ...shift(10), ...shift(20))
    builder.json.nodes[1].scale = [2, 2, 2]
    const { palettes } = poseAt(await builder.model(), null)
    expect(matrixOf(palettes[0], 0)).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 20, 0, 0, 1])
    expect(matrixOf(palettes[0], 1)).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 42, 0, 0, 1])
  })

  test('without inverse bind matrices take identities', async () => {
    const { palettes, worldMatrices } = poseAt(await skinnedTriangle().model(), null)
    expect(palettes).toEqual([worldMatrices.slice(16)])
  })

  test('may have more inverse bind matrices than joints, and joints outside of the scene', async () => {
    const builder = skinnedTriangle()
    builder.json.skins[0].inverseBindMatrices = builder.accessor('MAT4', new Float32Array(48).fill(1))
    builder.json.scenes = [{ nodes: [0] }]
    animate(builder, { node: 1, path: 'translation' }, [0], [5, 0, 0])
    const model = await builder.model()
    expect(poseAt(model, 0).palettes[0]).toHaveLength(32)
    expect(placeOf(poseAt(model, 0), 2)).toEqual([6, 0, 0])
  })

  test('are refused where an inverse bind matrix is no number', async () => {
    const builder = skinnedTriangle()
    builder.json.skins[0].inverseBindMatrices = builder.accessor('MAT4', new Float32Array(32).fill(NaN))
    await expect(builder.read()).rejects.toThrow('the inverse bind matrices of skin 0 have 32 not finite numbers')
  })
})

describe('morph weights', () => {
  function morphing(): GltfBuilder {
    const builder = triangle()
    const target = { POSITION: builder.floats('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1) }
    builder.json.meshes[0].primitives[0].targets = [target, target]
    return builder
  }

  test("at rest are the node's, else the mesh's, else 0", async () => {
    const builder = morphing()
    builder.json.meshes.push({ ...builder.json.meshes[0], weights: [0.25, 0.5] })
    builder.json.nodes = [{ mesh: 0 }, { mesh: 1 }, { mesh: 1, weights: [2, -3] }, { mesh: 1, weights: [1] }]
    expect(poseAt(await builder.model(), null).morphWeights.map((weights) => [...weights])).toEqual([[0, 0], [0.25, 0.5], [2, -3], [1, 0]])
  })

  test('are animated a node at a time, and may leave 0..1', async () => {
    const builder = morphing()
    builder.json.meshes[0].weights = [0.5, 0.5]
    builder.json.nodes = [{ mesh: 0 }, { mesh: 0 }]
    animate(builder, { node: 1, path: 'weights' }, [0, 1], [0, 1, 3, -1])
    const model = await builder.model()
    expect(model.clips[0]).toMatchObject({ start: 0, end: 1 })
    expect(poseAt(model, 0.5).morphWeights.map((weights) => [...weights])).toEqual([[0.5, 0.5], [1.5, 0]])
  })

  test('of CUBICSPLINE come as in-tangents, values and out-tangents of a whole key', async () => {
    const keys = [9, 9, 0.25, 0.5, 0, 0, 0, 0, 0.75, 1, 9, 9]
    const model = await animate(morphing(), { node: 0, path: 'weights' }, [0, 1], keys, 'CUBICSPLINE').model()
    expect([...poseAt(model, 0).morphWeights[0]]).toEqual([0.25, 0.5])
    expect([...poseAt(model, 0.5).morphWeights[0]]).toEqual([0.5, 0.75])
    expect([...poseAt(model, 1).morphWeights[0]]).toEqual([0.75, 1])
  })

  test('of integers are decoded', async () => {
    const builder = morphing()
    animate(builder, { node: 0, path: 'weights' }, [0], [0, 0])
    const output = builder.accessor('SCALAR', Uint8Array.of(51, 255), { normalized: true })
    builder.json.animations[0].samplers[0].output = output
    expect([...poseAt(await builder.model(), 0).morphWeights[0]]).toEqual([0.2, 1])
  })
})
