import { describe, expect, test } from 'vitest'
import { GltfBuilder, skinnedTriangle, triangle } from '../build-gltf.ts'

const POINTS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]

/** A node with a mesh of one primitive with four vertices. */
function quad(primitive: object): GltfBuilder {
  const builder = new GltfBuilder({ nodes: [{ mesh: 0 }] })
  builder.json.meshes = [{ primitives: [{ attributes: { POSITION: builder.floats('VEC3', ...POINTS) }, ...primitive }] }]
  return builder
}

describe('which meshes there are', () => {
  test('one for each node and primitive, in the order of the nodes, then of the primitives', async () => {
    const builder = triangle()
    const [primitive] = builder.json.meshes[0].primitives
    builder.json.meshes = [{ primitives: [primitive, primitive] }, { primitives: [primitive] }]
    builder.json.nodes = [{ mesh: 1 }, { mesh: 0, children: [0] }, { mesh: 0 }]
    builder.json.scenes = [{ nodes: [2, 1] }]
    const { meshes } = await builder.model()
    expect(meshes.map(({ node, primitive }) => [node, primitive])).toEqual([[0, 0], [1, 0], [1, 1], [2, 0], [2, 1]])
  })

  test('those of the default scene', async () => {
    const builder = triangle()
    builder.json.nodes = [{ mesh: 0 }, { children: [2] }, { mesh: 0 }]
    builder.json.scenes = [{ nodes: [0] }, { nodes: [1] }]
    expect((await builder.model()).meshes.map(({ node }) => node)).toEqual([0])
    builder.json.scene = 1
    const model = await builder.model()
    expect(model.meshes.map(({ node }) => node)).toEqual([2])
    expect(model.nodes).toHaveLength(3)
  })

  test('all of them where there are no scenes', async () => {
    const builder = triangle()
    builder.json.nodes = [{ mesh: 0 }, { mesh: 0 }]
    expect((await builder.model()).meshes).toHaveLength(2)
  })

  test('nodes that show the same mesh share its arrays', async () => {
    const builder = skinnedTriangle()
    builder.json.nodes.push({ mesh: 0, skin: 0 })
    const { meshes } = await builder.model()
    expect(meshes).toHaveLength(2)
    expect(meshes[0].positions).toBe(meshes[1].positions)
    expect(meshes[0].indices).toBe(meshes[1].indices)
    expect(meshes[0].influences).toBe(meshes[1].influences)
  })

  test('an empty scene has none', async () => {
    const builder = triangle()
    builder.json.scenes = [{}]
    expect(await builder.model()).toMatchObject({ meshes: [], warnings: [] })
  })
})

describe('names', () => {
  test("are the mesh's, else the node's, else made up", async () => {
    const builder = triangle()
    const { primitives } = builder.json.meshes[0]
    builder.json.meshes = [{ name: 'Body', primitives }, { name: '', primitives }]
    builder.json.nodes = [{ name: 'a', mesh: 0 }, { name: 'b', mesh: 1 }, { mesh: 1 }]
    expect((await builder.model()).meshes.map(({ name }) => name)).toEqual(['Body', 'b', 'mesh_1'])
  })

  test('of nodes and skins are as in the file', async () => {
    const builder = skinnedTriangle()
    builder.json.nodes[1].name = 'Höhle / "1"'
    builder.json.skins[0].name = 'Rig'
    const model = await builder.model()
    expect(model.nodes).toEqual([{ name: '', parent: -1 }, { name: 'Höhle / "1"', parent: -1 }, { name: '', parent: 1 }])
    expect(model.skins).toEqual([{ name: 'Rig', joints: [1, 2] }])
  })
})

describe('triangles', () => {
  test('of a mesh without indices are counted through', async () => {
    expect((await triangle().model()).meshes[0]).toMatchObject({ indexed: false, indices: Uint32Array.of(0, 1, 2) })
  })

  test('of a mesh with indices are as in the file', async () => {
    const builder = quad({})
    builder.json.meshes[0].primitives[0].indices = builder.accessor('SCALAR', Uint8Array.of(0, 1, 2, 2, 1, 3))
    expect((await builder.model()).meshes[0]).toMatchObject({ indexed: true, indices: Uint32Array.of(0, 1, 2, 2, 1, 3) })
  })

  test('of strips and fans are spelled out', async () => {
    expect((await quad({ mode: 5 }).model()).meshes[0].indices).toEqual(Uint32Array.of(0, 1, 2, 1, 3, 2))
    expect((await quad({ mode: 6 }).model()).meshes[0].indices).toEqual(Uint32Array.of(1, 2, 0, 2, 3, 0))
  })

  test.each([0, 1, 2, 3])('points and lines (mode %i) are left out and counted', async (mode) => {
    const model = await quad({ mode }).model()
    expect(model.meshes).toEqual([])
    expect(model.warnings).toMatchObject([{ code: 'primitive-skipped', count: 1 }])
  })

  test('primitives that show nothing are left out and counted, and the others keep their numbers', async () => {
    const builder = triangle()
    const [whole] = builder.json.meshes[0].primitives
    const few = { attributes: { POSITION: builder.floats('VEC3', 0, 0, 0, 1, 0, 0) } }
    builder.json.meshes[0].primitives = [{ attributes: {} }, few, whole]
    const model = await builder.model()
    expect(model.meshes.map(({ primitive }) => primitive)).toEqual([2])
    expect(model.warnings).toMatchObject([{ code: 'primitive-empty', count: 2 }])
  })

  test('that name a vertex that is not there are refused', async () => {
    const builder = triangle()
    builder.json.meshes[0].primitives[0].indices = builder.accessor('SCALAR', Uint8Array.of(0, 1, 3))
    await expect(builder.read()).rejects.toThrow('model.glb is broken: primitive 0 of mesh 0 has index 3, but only 3 vertices')
  })
})

describe('vertices', () => {
  test('keep texture coordinates, colours and attributes of applications as they are', async () => {
    const builder = triangle()
    Object.assign(builder.json.meshes[0].primitives[0].attributes, {
      TEXCOORD_0: builder.accessor('VEC2', Uint16Array.of(0, 1, 2, 3, 4, 65535), { normalized: true }),
      COLOR_0: builder.floats('VEC4', 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1),
      _WIND: builder.accessor('SCALAR', Uint8Array.of(7, 8, 9)),
    })
    expect((await builder.model()).meshes[0].attributes).toEqual([
      { semantic: 'TEXCOORD_0', itemSize: 2, normalized: true, array: Uint16Array.of(0, 1, 2, 3, 4, 65535) },
      { semantic: 'COLOR_0', itemSize: 4, normalized: false, array: Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1) },
      { semantic: '_WIND', itemSize: 1, normalized: false, array: Uint8Array.of(7, 8, 9) },
    ])
  })

  test('lose attributes that have no standing or do not fit, which are counted', async () => {
    const builder = triangle()
    Object.assign(builder.json.meshes[0].primitives[0].attributes, {
      BATCHID: builder.floats('SCALAR', 1, 2, 3),
      _MATRIX: builder.accessor('MAT4', new Float32Array(48)),
      _DOUBLE: builder.accessor('SCALAR', new Float64Array(3)),
    })
    const { meshes, warnings } = await builder.model()
    expect(meshes[0].attributes).toEqual([])
    expect(warnings).toMatchObject([{ code: 'attribute-skipped', count: 3, message: expect.stringContaining('BATCHID, _MATRIX, _DOUBLE') }])
  })

  test('have normals and tangents, decoded where they are integers', async () => {
    const builder = triangle()
    Object.assign(builder.json.meshes[0].primitives[0].attributes, {
      NORMAL: builder.accessor('VEC3', Int8Array.of(0, 0, 127, 0, 0, 127, 0, -127, 0), { normalized: true }),
      TANGENT: builder.floats('VEC4', 1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, 1),
    })
    const [{ normals, tangents }] = (await builder.model()).meshes
    expect(normals).toEqual(Float32Array.of(0, 0, 1, 0, 0, 1, 0, -1, 0))
    expect(tangents).toEqual(Float32Array.of(1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, 1))
  })

  test('have no tangents where there are no normals, as the specification demands', async () => {
    const builder = triangle()
    builder.json.meshes[0].primitives[0].attributes.TANGENT = builder.floats('VEC4', 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1)
    expect((await builder.model()).meshes[0]).toMatchObject({ normals: null, tangents: null })
  })

  test('are refused where a position is no number', async () => {
    for (const fault of [NaN, Infinity]) {
      const builder = triangle()
      builder.json.meshes[0].name = 'Body'
      builder.json.meshes[0].primitives[0].attributes.POSITION = builder.floats('VEC3', 0, 0, fault, 1, fault, 0, 0, 1, 0)
      await expect(builder.read()).rejects.toThrow('the positions of primitive 0 of mesh 0 ("Body") have 2 not finite numbers')
    }
  })

  test('have normals of 0 where they are no numbers, which are counted', async () => {
    const builder = triangle()
    builder.json.meshes[0].primitives[0].attributes.NORMAL = builder.floats('VEC3', NaN, NaN, NaN, 0, 0, 1, 0, 0, 1)
    const { meshes, warnings } = await builder.model()
    expect(meshes[0].normals).toEqual(Float32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 1))
    expect(warnings).toMatchObject([{ code: 'direction-repaired', count: 3 }])
  })

  test('have attributes of 0 where they are no numbers, which are counted; the accessor stays as it is for others', async () => {
    const builder = triangle()
    const [{ attributes }] = builder.json.meshes[0].primitives
    attributes.TEXCOORD_0 = builder.floats('VEC2', NaN, 1, 2, Infinity, 3, 4)
    attributes._WIND = builder.accessor('SCALAR', Uint8Array.of(1, 2, 3))
    builder.json.nodes.push({ mesh: 0 })
    const { meshes, warnings } = await builder.model()
    expect(meshes.map((mesh) => [...mesh.attributes[0].array])).toEqual([[0, 1, 2, 0, 3, 4], [0, 1, 2, 0, 3, 4]])
    expect(warnings).toEqual([
      { code: 'attribute-repaired', count: 2, message: 'Set 2 numbers of vertex attributes to 0 for not being finite: TEXCOORD_0.' },
    ])
  })

  test('of integers are decoded once for all that share them', async () => {
    const builder = triangle()
    const [primitive] = builder.json.meshes[0].primitives
    const deltas = builder.accessor('VEC3', new Int8Array(9).fill(1))
    primitive.targets = [{ POSITION: deltas }, { POSITION: deltas }]
    const { meshes: [{ morphTargets: [first, second] }] } = await builder.model()
    expect(first.positions).toBe(second.positions)
    expect(first.positions).toEqual(new Float32Array(9).fill(1))
  })

  test('that nobody shows are not looked at', async () => {
    const builder = triangle()
    const attributes = { POSITION: builder.floats('VEC3', NaN, 0, 0, 1, 0, 0, 0, 1, 0) }
    builder.json.meshes.push({ primitives: [{ attributes }] })
    expect((await builder.model()).meshes).toHaveLength(1)
  })
})

describe('morph targets', () => {
  function morphing(): GltfBuilder {
    const builder = triangle()
    builder.json.meshes[0].primitives[0].attributes.NORMAL = builder.floats('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1)
    builder.json.meshes[0].primitives[0].targets = [
      { POSITION: builder.floats('VEC3', 0, 0, 1, 0, 0, 2, 0, 0, 3) },
      { NORMAL: builder.floats('VEC3', 1, 0, 0, 1, 0, 0, 1, 0, 0), TANGENT: builder.floats('VEC3', 0, 1, 0, 0, 1, 0, 0, 1, 0) },
    ]
    return builder
  }

  test('hold differences, and null where they leave an attribute alone', async () => {
    const model = await morphing().model()
    const up = Float32Array.of(0, 0, 1, 0, 0, 2, 0, 0, 3)
    expect(model.meshes[0].morphTargets).toEqual([
      { name: 'target_0', positions: up, normals: null, tangents: null },
      { name: 'target_1', positions: null, normals: Float32Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0), tangents: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0) },
    ])
  })

  test('are named as exporters do it', async () => {
    const builder = morphing()
    builder.json.meshes[0].extras = { targetNames: ['smile', 5] }
    const { meshes, morphSets } = await builder.model()
    expect(meshes[0].morphTargets.map(({ name }) => name)).toEqual(['smile', 'target_1'])
    expect(morphSets).toEqual([{ node: 0, targets: ['smile', 'target_1'] }])
  })

  test('make one set of weights a node, however many primitives there are', async () => {
    const builder = morphing()
    const [primitive] = builder.json.meshes[0].primitives
    builder.json.meshes[0].primitives = [primitive, primitive]
    builder.json.meshes.push({ primitives: [{ attributes: primitive.attributes }] })
    builder.json.nodes = [{ mesh: 1 }, { mesh: 0 }, { mesh: 0 }]
    const { meshes, morphSets } = await builder.model()
    expect(meshes.map(({ morphSet }) => morphSet)).toEqual([-1, 0, 0, 1, 1])
    expect(morphSets.map(({ node }) => node)).toEqual([1, 2])
  })

  test('are refused where a difference is no number', async () => {
    const builder = morphing()
    builder.json.meshes[0].primitives[0].targets[1].NORMAL = builder.floats('VEC3', 0, NaN, 0, 0, 0, 0, 0, 0, 0)
    await expect(builder.read()).rejects.toThrow('the NORMAL deltas of morph target 1 of primitive 0 of mesh 0 have 1 not finite number')
  })

  test('that move texture coordinates or colours are counted', async () => {
    const builder = morphing()
    builder.json.meshes[0].primitives[0].targets[0].TEXCOORD_0 = builder.floats('VEC2', 0, 0, 0, 0, 0, 0)
    expect((await builder.model()).warnings).toMatchObject([{ code: 'morph-attribute-ignored', count: 1 }])
  })
})

describe('skins', () => {
  test('move the meshes of nodes that name one', async () => {
    const [mesh] = (await skinnedTriangle().model()).meshes
    expect(mesh.skin).toBe(0)
    expect(mesh.influences).toEqual({ perVertex: 1, joints: Uint32Array.of(0, 1, 1), weights: Float64Array.of(1, 1, 1) })
    expect(mesh.attributes).toEqual([])
  })

  test('do not move a mesh of a node that names none, nor a primitive without joints', async () => {
    const builder = skinnedTriangle()
    builder.json.meshes[0].primitives.push({ attributes: { POSITION: builder.json.meshes[0].primitives[0].attributes.POSITION } })
    builder.json.nodes.push({ mesh: 0 })
    const { meshes } = await builder.model()
    expect(meshes.map(({ node, primitive, skin, influences }) => [node, primitive, skin, influences !== null])).toEqual([
      [0, 0, 0, true],
      [0, 1, -1, false],
      [3, 0, -1, false],
      [3, 1, -1, false],
    ])
  })

  test('are refused where a vertex follows a joint that the skin does not have, even if another skin has it', async () => {
    const builder = skinnedTriangle()
    builder.json.skins.push({ name: 'Small', joints: [1] })
    builder.json.nodes.push({ mesh: 0, skin: 1 })
    await expect(builder.read()).rejects.toThrow('primitive 0 of mesh 0 follows joint 1, but skin 1 ("Small") has 1 joint')
  })

  test('repairs of weights are counted', async () => {
    const builder = skinnedTriangle()
    builder.json.meshes[0].primitives[0].attributes.WEIGHTS_0 = builder.floats('VEC4', NaN, 0, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0)
    const { warnings } = await builder.model()
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([['weights-repaired', 1], ['weights-scaled', 1], ['weights-zero', 1]])
  })
})
