import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Mesh, Pose } from '../../main/model/animated-model.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { influencesOf, meshOf, modelOf, poseOf, product, randomNumbers, rotation, scaling, targetOf, translation } from './build-model.ts'
import { at, blendedMatrix, cross, degrees, dot, inverseTranspose, referenceNormal, referencePosition } from './reference.ts'

const unchanged = scaling(1, 1, 1)
/** To Z up and left-handed, in centimetres. */
const mirrored = [100, 0, 0, 0, 0, 0, 100, 0, 0, 100, 0, 0, 0, 0, 0, 1]

/** All meshes (or the chosen ones) of a model in a pose; the frame holds nothing but what evaluating wrote. */
function evaluate(meshes: Mesh[], pose: Pose, options: { space?: number[]; rest?: Pose; chosen?: number[] } = {}) {
  const { space = unchanged, rest = pose, chosen = [...meshes.keys()] } = options
  const evaluator = createEvaluator(modelOf(meshes, rest), chosen, Float64Array.from(space))
  const frame = evaluator.createFrame({ normals: true, tangents: true })
  const { positions, normals, tangents } = { positions: frame.positions, normals: frame.normals!, tangents: frame.tangents! }
  for (const array of [positions, normals, tangents]) array.fill(NaN)
  evaluator.evaluate(pose, frame)
  return { evaluator, positions, normals, tangents }
}

/** Says that a vector is the expected one, but for one rounding to Float32. */
function expectRounded(actual: number[], expected: number[], size: number): void {
  for (const axis of [0, 1, 2]) {
    const halfStep = Math.abs(expected[axis]) * 2 ** -24
    expect(Math.abs(actual[axis] - expected[axis])).toBeLessThanOrEqual(halfStep + size * 1e-14)
  }
}

/** A mesh with nothing regular about it; with a skin, about every eighth vertex has no weights. */
function randomMesh(shape: { vertexCount: number; perVertex: number; targets: number }, random: () => number): Mesh {
  const { vertexCount, perVertex, targets } = shape
  const vectors = (size: number) => Float32Array.from({ length: vertexCount * 3 }, () => (random() - 0.5) * size)
  const influences = Array.from({ length: vertexCount }, () => {
    const weights = Array.from({ length: perVertex }, random).map((weight) => (weight < 0.3 ? 0 : weight))
    const sum = random() < 0.125 ? Infinity : weights.reduce((a, b) => a + b, 0)
    return { joints: weights.map(() => Math.floor(random() * 5)), weights: weights.map((weight) => weight / (sum || 1)) }
  })
  return meshOf({
    positions: vectors(2),
    normals: vectors(2),
    morphTargets: Array.from({ length: targets }, () => targetOf({ positions: vectors(0.2), normals: vectors(0.2) })),
    morphSet: targets > 0 ? 0 : -1,
    skin: perVertex > 0 ? 0 : -1,
    influences: perVertex > 0 ? influencesOf(influences) : null,
  })
}

function randomPose(targets: number, random: () => number): Pose {
  const matrix = () =>
    product(
      translation(random(), random(), random()),
      rotation('x', random() * 6),
      rotation('y', random() * 6),
      scaling(random() + 0.5, random() < 0.3 ? -1 : 1, random() * 3 + 0.1),
      rotation('z', random() * 6),
    )
  return poseOf({
    nodes: [matrix()],
    palettes: [Array.from({ length: 5 }, matrix)],
    morphWeights: [Array.from({ length: targets }, () => (random() < 0.3 ? 0 : random() * 2 - 0.5))],
  })
}

const shapes = fc.record({
  vertexCount: fc.oneof(fc.constantFrom(1, 127, 128, 129, 256), fc.integer({ min: 1, max: 300 })),
  perVertex: fc.integer({ min: 0, max: 12 }),
  targets: fc.integer({ min: 0, max: 3 }),
})

describe('a vertex', () => {
  test('is space × Σ weight × matrix × morphed position, rounded once, and its normal goes with it', () => {
    fc.assert(
      fc.property(shapes, fc.constantFrom(unchanged, mirrored), fc.integer({ min: 1 }), (shape, space, seed) => {
        const random = randomNumbers(seed)
        const mesh = randomMesh(shape, random)
        const pose = randomPose(shape.targets, random)
        const { positions, normals } = evaluate([mesh], pose, { space })
        for (let vertex = 0; vertex < shape.vertexCount; vertex++) {
          expectRounded(at(positions, vertex), referencePosition(mesh, vertex, pose, space), 100)
          expect(Math.hypot(...at(normals, vertex))).toBeCloseTo(1, 6)
          // Blends of matrices that cancel each other out have no inverse to compare with.
          const [x, y, z] = blendedMatrix(mesh, vertex, pose, space)
          if (Math.abs(dot(x, cross(y, z))) > 1e-3 * Math.hypot(...x, ...y, ...z) ** 3) {
            expect(degrees(at(normals, vertex), referenceNormal(mesh, vertex, pose, space))).toBeLessThan(1e-4)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  test('is exact where huge numbers in the file are scaled down', () => {
    const random = randomNumbers(5)
    const mesh = randomMesh({ vertexCount: 200, perVertex: 4, targets: 0 }, random)
    mesh.positions.forEach((number, index) => (mesh.positions[index] = number * 1e4 + 5e4))
    const toMetres = product(scaling(1e-4, 1e-4, 1e-4), translation(-5e4, -5e4, -5e4))
    const bones = Array.from({ length: 5 }, () => product(rotation('z', random()), toMetres))
    const pose = poseOf({ nodes: [bones[0]], palettes: [bones] })
    const { positions } = evaluate([mesh], pose)
    for (let vertex = 0; vertex < 200; vertex++) {
      expectRounded(at(positions, vertex), referencePosition(mesh, vertex, pose, unchanged), 100)
    }
  })

  test('of a skinned mesh ignores the node, but for vertices without weights, which follow it', () => {
    const mesh = meshOf({
      positions: Float32Array.from([1, 0, 0, 1, 0, 0]),
      skin: 0,
      influences: influencesOf([{ joints: [0, 0], weights: [1, 0] }, { joints: [0, 0], weights: [0, 0] }]),
    })
    const pose = poseOf({ nodes: [translation(0, 10, 0)], palettes: [[translation(0, 0, 5)]] })
    expect(Array.from(evaluate([mesh], pose).positions)).toEqual([1, 0, 5, 1, 10, 0])
  })

  test('of a mesh without a skin follows its own node', () => {
    const pose = poseOf({ nodes: [translation(9, 9, 9), product(translation(0, 2, 0), scaling(3, 3, 3))] })
    const mesh = meshOf({ node: 1, positions: Float32Array.from([1, 1, 1]) })
    expect(Array.from(evaluate([mesh], pose).positions)).toEqual([3, 5, 3])
  })

  test('does not depend on the frames evaluated before', () => {
    const random = randomNumbers(6)
    const meshes = [4, 0, 6].map((perVertex) => randomMesh({ vertexCount: 150, perVertex, targets: 2 }, random))
    meshes[1].normals = null
    const [first, second] = [randomPose(2, random), randomPose(2, random)]
    const evaluator = createEvaluator(modelOf(meshes, first), [0, 1, 2], Float64Array.from(mirrored))
    const [before, after] = [0, 1].map(() => evaluator.createFrame({ normals: true, tangents: true }))
    evaluator.evaluate(second, before)
    evaluator.evaluate(first, after)
    evaluator.evaluate(second, after)
    expect(after).toEqual(before)
  })

  test('leaves the model as it is', () => {
    const random = randomNumbers(7)
    const pose = randomPose(2, random)
    const meshes = [4, 0].map((perVertex) => randomMesh({ vertexCount: 50, perVertex, targets: 2 }, random))
    const before = structuredClone([meshes, pose])
    evaluate(meshes, pose, { space: mirrored })
    expect([meshes, pose]).toEqual(before)
  })
})

describe('several meshes', () => {
  test('lie one behind the other in the order chosen, each moved by its own skin, node and morph weights', () => {
    const random = randomNumbers(8)
    const meshes = [3, 130, 7, 40].map((vertexCount) => randomMesh({ vertexCount, perVertex: 4, targets: 2 }, random))
    meshes[1] = { ...meshes[1], skin: 1, node: 1, morphSet: 1 }
    meshes[2] = { ...meshes[2], skin: -1, influences: null, node: 1 }
    meshes[3] = { ...meshes[3], normals: null }
    const [a, b] = [randomPose(2, random), randomPose(2, random)]
    const pose: Pose = {
      worldMatrices: Float64Array.from([...a.worldMatrices, ...b.worldMatrices]),
      palettes: [...a.palettes, ...b.palettes],
      morphWeights: [...a.morphWeights, ...b.morphWeights],
    }
    const chosen = [2, 1, 3, 1]

    const { evaluator, positions } = evaluate(meshes, pose, { chosen })

    expect(evaluator.vertexCount).toBe(7 + 130 + 40 + 130)
    expect(evaluator.firstVertices).toEqual([0, 7, 137, 177])
    expect(positions.length).toBe(evaluator.vertexCount * 3)
    chosen.forEach((index, place) => {
      for (let vertex = 0; vertex < meshes[index].vertexCount; vertex++) {
        const row = evaluator.firstVertices[place] + vertex
        expectRounded(at(positions, row), referencePosition(meshes[index], vertex, pose, unchanged), 100)
      }
    })
  })

  test('may be none', () => {
    expect(evaluate([], poseOf({})).evaluator).toMatchObject({ vertexCount: 0, firstVertices: [], indices: [] })
  })
})

describe('a frame', () => {
  test('has only what is wanted', () => {
    const pose = poseOf({})
    const mesh = meshOf({ positions: new Float32Array(6) })
    const evaluator = createEvaluator(modelOf([mesh], pose), [0], Float64Array.from(unchanged))
    const frame = evaluator.createFrame({ normals: false, tangents: false })
    expect(frame).toEqual({ positions: new Float32Array(6), normals: null, tangents: null })
    evaluator.evaluate(pose, frame)
    expect(frame.normals).toBeNull()
    expect(evaluator.createFrame({ normals: true, tangents: true })).toEqual({
      positions: new Float32Array(6),
      normals: new Float32Array(6),
      tangents: new Float32Array(8),
    })
  })
})

/** A box of 2 × 2 × 2 with hard edges: triangles counter-clockwise seen from outside, normals or none. */
function box(parts: Partial<Mesh> & { smooth?: boolean } = {}): Mesh {
  const { smooth = false, ...rest } = parts
  const corners = Array.from({ length: 8 }, (_, index) => [index & 1 ? 1 : -1, index & 2 ? 1 : -1, index & 4 ? 1 : -1])
  const sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
  const outward = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
  if (smooth) {
    const indices = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])
    return meshOf({ positions: Float32Array.from(corners.flat()), indices: Uint32Array.from(indices), ...rest })
  }
  return meshOf({
    positions: Float32Array.from(sides.flatMap((side) => side.flatMap((corner) => corners[corner]))),
    normals: Float32Array.from(outward.flatMap((normal) => [normal, normal, normal, normal].flat())),
    indices: Uint32Array.from(sides.flatMap((_, side) => [0, 1, 2, 0, 2, 3].map((corner) => side * 4 + corner))),
    ...rest,
  })
}

/** Angles between each triangle's own normal, as its indices turn, and the normals of its vertices. */
function anglesToFaces(indices: Uint32Array, positions: Float32Array, normals: Float32Array): number[] {
  const angles: number[] = []
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => at(positions, indices[i + corner]))
    const edge = (to: number[]) => to.map((number, axis) => number - a[axis])
    const face = cross(edge(b), edge(c))
    for (const corner of [0, 1, 2]) angles.push(degrees(face, at(normals, indices[i + corner])))
  }
  return angles
}

const transforms: [string, number[], boolean][] = [
  ['nothing', unchanged, false],
  ['a rotation', rotation('x', 2), false],
  ['non-uniform scale', product(rotation('z', 1), scaling(1, 4, 0.3), rotation('y', 1)), false],
  ['a mirror', scaling(-1, 1, 1), true],
  ['a mirrored shear', product(scaling(1, -4, 1), rotation('y', 1), scaling(2, 1, 1)), true],
  ['two mirrored axes', scaling(-1, -1, 1), false],
]

describe('triangles', () => {
  describe.each([
    ['unchanged', unchanged, false],
    ['mirrored', mirrored, true],
  ] as [string, number[], boolean][])('in a space that is %s', (_, space, spaceMirrors) => {
    test.each(transforms)('of a mesh whose node has %s show their fronts, with normals from the file', (_, matrix, mirrors) => {
      const { evaluator, positions, normals } = evaluate([box()], poseOf({ nodes: [matrix] }), { space })
      expect(evaluator.turnedOver).toEqual([mirrors !== spaceMirrors])
      expect(Math.max(...anglesToFaces(evaluator.indices[0], positions, normals))).toBeLessThan(1e-3)
    })

    test.each(transforms)('of a mesh whose bones have %s show their fronts, with computed normals', (_, matrix, mirrors) => {
      const influences = influencesOf(Array.from({ length: 24 }, () => ({ joints: [0, 1], weights: [0.5, 0.5] })))
      const mesh = box({ normals: null, skin: 0, influences })
      const pose = poseOf({ palettes: [[matrix, product(translation(0, 1, 0), matrix)]] })
      const { evaluator, positions, normals } = evaluate([mesh], pose, { space })
      expect(evaluator.turnedOver).toEqual([mirrors !== spaceMirrors])
      expect(Math.max(...anglesToFaces(evaluator.indices[0], positions, normals))).toBeLessThan(1e-3)
    })

    test('of a mesh that is flat at rest are turned as the space asks', () => {
      const { evaluator } = evaluate([box()], poseOf({ nodes: [scaling(0, 0, 0)] }), { space })
      expect(evaluator.turnedOver).toEqual([spaceMirrors])
    })
  })

  test('change nothing but their direction', () => {
    const { evaluator } = evaluate([box(), box()], poseOf({ nodes: [scaling(1, 1, -1)] }))
    const before = Array.from(box().indices)
    const after = Array.from(evaluator.indices[0])
    for (let i = 0; i < before.length; i += 3) {
      expect(after.slice(i, i + 3)).toEqual([before[i], before[i + 2], before[i + 1]])
    }
  })

  test('are turned for how the mesh is at rest, whatever the animation does later', () => {
    const { evaluator } = evaluate([box()], poseOf({ nodes: [scaling(-1, 1, 1)] }), { rest: poseOf({}) })
    expect(evaluator.turnedOver).toEqual([false])
  })

  test('are turned where most of their corners are mirrored, for each mesh by itself', () => {
    const held = (mirroredSides: number) =>
      influencesOf(Array.from({ length: 24 }, (_, vertex) => ({ joints: [vertex < mirroredSides * 4 ? 1 : 0], weights: [1] })))
    const meshes = [2, 4].map((sides) => box({ skin: 0, influences: held(sides) }))
    const { evaluator } = evaluate(meshes, poseOf({ palettes: [[unchanged, scaling(-1, 1, 1)]] }))
    expect(evaluator.turnedOver).toEqual([false, true])
  })
})

describe('a mesh without normals', () => {
  test('says that they are computed', () => {
    const { evaluator } = evaluate([box(), box({ normals: null })], poseOf({}))
    expect(evaluator.computedNormals).toEqual([false, true])
  })

  test('gets those of the posed shape', () => {
    // Scaled to twice the height, the sides of a tent rise steeper: their normals are those of the steeper tent.
    const positions = Float32Array.from([0, 0, 1, 0, 0, -1, 1, -1, 1, 1, -1, -1])
    const tent = meshOf({ positions, indices: Uint32Array.from([0, 2, 1, 1, 2, 3]) })
    const { normals } = evaluate([tent], poseOf({ nodes: [scaling(1, 2, 1)] }))
    for (const vertex of [0, 1, 2, 3]) expect(degrees(at(normals, vertex), [2, 1, 0])).toBeLessThan(1e-4)
  })

  test('that collapses in a frame keeps the normals it has at rest', () => {
    const mesh = box({ smooth: true })
    const atRest = evaluate([mesh], poseOf({})).normals
    const { normals, positions } = evaluate([mesh], poseOf({ nodes: [scaling(0, 0, 0)] }), { rest: poseOf({}) })
    expect(normals).toEqual(atRest)
    expect(positions).toEqual(new Float32Array(24))
  })

  test('that is collapsed at rest, too, gets +Y', () => {
    const { normals } = evaluate([box({ smooth: true })], poseOf({ nodes: [scaling(0, 0, 0)] }))
    for (let vertex = 0; vertex < 8; vertex++) expect(at(normals, vertex)).toEqual([0, 1, 0])
  })

  test('does not morph normals that are not there', () => {
    const target = targetOf({ normals: new Float32Array(24).fill(5) })
    const mesh = box({ smooth: true, morphTargets: [target], morphSet: 0 })
    const plain = evaluate([box({ smooth: true })], poseOf({})).normals
    expect(evaluate([mesh], poseOf({ morphWeights: [[1]] })).normals).toEqual(plain)
  })

  test('has them from unrounded positions: a tiny part far away is as smooth as near', () => {
    const mesh = box({ smooth: true })
    const tiny = product(scaling(1e-4, 1e-4, 1e-4), rotation('x', 1))
    const near = evaluate([mesh], poseOf({ nodes: [tiny] })).normals
    const far = evaluate([mesh], poseOf({ nodes: [product(translation(1000, 1000, 1000), tiny)] })).normals
    for (let vertex = 0; vertex < 8; vertex++) expect(degrees(at(near, vertex), at(far, vertex))).toBeLessThan(1e-3)
  })
})

describe('tangents', () => {
  const vertex = {
    positions: Float32Array.from([0, 0, 0]),
    normals: Float32Array.from([0, 0, 1]),
    tangents: Float32Array.from([1, 0, 0, -1]),
  }

  test('are morphed, moved and brought to unit length; a mirror turns their handedness', () => {
    const mesh = meshOf({ ...vertex, morphTargets: [targetOf({ tangents: Float32Array.from([0, 2, 0]) })], morphSet: 0 })
    const pose = poseOf({ nodes: [scaling(-3, 1, 1)], morphWeights: [[0.5]] })
    const { tangents } = evaluate([mesh], pose)
    expect(degrees(at(tangents, 0), [-3, 1, 0])).toBeLessThan(1e-4)
    expect(tangents[3]).toBe(1)
  })

  test('a mirrored space turns their handedness', () => {
    expect(evaluate([meshOf(vertex)], poseOf({}), { space: mirrored }).tangents[3]).toBe(1)
  })

  test('are 1 0 0 1 for a mesh without any, and for one without normals', () => {
    const meshes = [meshOf({ ...vertex, tangents: null }), meshOf(vertex), meshOf({ ...vertex, normals: null })]
    expect(Array.from(evaluate(meshes, poseOf({})).tangents)).toEqual([1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1])
  })
})

describe('normals from the file', () => {
  test('are morphed before they are moved', () => {
    const target = targetOf({ normals: Float32Array.from([1, -1, 0]) })
    const mesh = meshOf({
      positions: new Float32Array(3),
      normals: Float32Array.from([0, 1, 0]),
      morphTargets: [targetOf({}), target],
      morphSet: 0,
    })
    const matrix = product(rotation('z', 0.5), scaling(1, 3, 1))
    const { normals } = evaluate([mesh], poseOf({ nodes: [matrix], morphWeights: [[1, 0.25]] }))
    const rows = [0, 1, 2].map((row) => [matrix[row], matrix[4 + row], matrix[8 + row]])
    expect(degrees(at(normals, 0), inverseTranspose(rows, [0.25, 0.75, 0]))).toBeLessThan(1e-4)
  })
})

test('whatever the bones do, positions are finite, and normals and tangents have unit length', () => {
  const scale = fc.constantFrom(0, 1, -1, 1e-12, -1e-7, 1e4)
  const bone = fc
    .tuple(scale, scale, scale, fc.constantFrom(0, 1, 2.5))
    .map(([x, y, z, angle]) => product(rotation('x', angle), scaling(x, y, z), rotation('y', angle)))
  const palettes = fc.array(bone, { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(palettes, fc.boolean(), fc.constantFrom(unchanged, mirrored), (bones, computed, space) => {
      const random = randomNumbers(9)
      const mesh = randomMesh({ vertexCount: 20, perVertex: 4, targets: 0 }, random)
      const indices = Uint32Array.from({ length: 60 }, () => Math.floor(random() * 20))
      const tangents = Float32Array.from({ length: 80 }, () => 1)
      const complete = { ...mesh, indices, tangents, normals: computed ? null : mesh.normals }
      const frame = evaluate([complete], poseOf({ palettes: [bones] }), { space })
      expect(frame.positions.every(Number.isFinite)).toBe(true)
      for (let vertex = 0; vertex < 20; vertex++) {
        expect(Math.hypot(...at(frame.normals, vertex))).toBeCloseTo(1, 6)
        expect(Math.hypot(...at(frame.tangents, vertex, 4))).toBeCloseTo(1, 6)
      }
    }),
  )
})
