/** Small random models of known trajectories, as .glb: meshes moved by nodes, skins and morph targets, with several clips. */
import fc from 'fast-check'
import { randomNumbers } from '../model/build-model.ts'
import { GltfBuilder, type Json } from '../readers/build-gltf.ts'

/** What a random model is made of; the same choice is always the same file. */
export interface ModelChoice {
  seed: number
  meshes: { movedBy: 'node' | 'skin' | 'morph' | 'skin and morph', dress: 'bare' | 'normals' | 'tangents', mirrored: boolean, side: number }[]
  clips: { seconds: number, begins: number, returns: boolean }[]
}

export const anyModel: fc.Arbitrary<ModelChoice> = fc.record({
  seed: fc.nat(),
  meshes: fc.array(fc.record({
    movedBy: fc.constantFrom('node', 'skin', 'morph', 'skin and morph'),
    dress: fc.constantFrom('bare', 'normals', 'tangents'),
    mirrored: fc.boolean(),
    side: fc.integer({ min: 2, max: 4 }),
  }), { minLength: 1, maxLength: 3 }),
  clips: fc.array(fc.record({
    seconds: fc.constantFrom(0, 0.3, 0.5, 0.8),
    begins: fc.constantFrom(0, 0.25),
    returns: fc.boolean(),
  }), { minLength: 1, maxLength: 3 }),
})

const KEYS = 4

export function buildModel({ seed, meshes, clips }: ModelChoice): Uint8Array {
  const random = randomNumbers(seed)
  const between = (low: number, high: number) => low + random() * (high - low)
  const vector = (size: number) => [0, 1, 2].map(() => between(-size, size))
  const unit = (numbers: number[]) => numbers.map((value) => value / Math.hypot(...numbers))
  const quaternion = () => unit([...vector(0.6), 1])
  const list = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item)

  const builder = new GltfBuilder({ scene: 0, scenes: [{ nodes: [] }], nodes: [], meshes: [], skins: [], animations: [] })
  const { json } = builder
  const addNode = (node: Json, parent?: number): number => {
    const index = json.nodes.push(node) - 1
    if (parent === undefined) json.scenes[0].nodes.push(index)
    else json.nodes[parent].children = [...(json.nodes[parent].children ?? []), index]
    return index
  }
  const targets: { node: number, path: string, value: () => number[] }[] = []

  for (const { movedBy, dress, mirrored, side } of meshes) {
    const jittered = (point: number[]) => point.map((value) => value + between(-0.3, 0.3))
    const grid = Array.from({ length: side * side }, (_, i) => jittered([i % side, Math.floor(i / side), 0]))
    const isInside = (i: number) => i % side < side - 1 && i < side * (side - 1)
    const quads = [...grid.keys()].filter(isInside).flatMap((i) => [i, i + 1, i + side, i + 1, i + side + 1, i + side])
    // The last vertices are those of the first triangle once more, as at a seam of texture coordinates: they may share columns with
    // them. Of these, the last two only lie where the others lie, and go another way where they are morphed or skinned.
    const sources = [...grid.keys(), 0, 1, side]
    const goesAlong = (i: number) => i < sources.length - 2
    const normals = grid.map(() => unit([between(-0.3, 0.3), between(-0.3, 0.3), 1]))
    const tangents = grid.map(() => [...unit([1, between(-0.3, 0.3), between(-0.3, 0.3)]), random() < 0.5 ? -1 : 1])
    const all = (values: number[][]) => sources.flatMap((source) => values[source])
    const offsets = () => {
      const ofGrid = grid.map(() => vector(0.5))
      return sources.flatMap((source, i) => goesAlong(i) ? ofGrid[source] : vector(0.5))
    }

    const attributes: Json = { POSITION: builder.floats('VEC3', ...all(grid)) }
    if (dress !== 'bare') attributes.NORMAL = builder.floats('VEC3', ...all(normals))
    if (dress === 'tangents') attributes.TANGENT = builder.floats('VEC4', ...all(tangents))
    const primitive: Json = { attributes, indices: builder.accessor('SCALAR', Uint16Array.from([...quads, ...[0, 1, 2].map((i) => grid.length + i)])) }
    const mesh: Json = { name: `mesh ${json.meshes.length}`, primitives: [primitive] }
    json.meshes.push(mesh)
    const node: Json = { name: `node ${json.nodes.length}`, mesh: json.meshes.length - 1, translation: vector(2), rotation: quaternion() }
    node.scale = [mirrored ? -1.5 : 1.5, 0.7, 1]
    const index = addNode(node)
    targets.push({ node: index, path: 'translation', value: () => vector(2) }, { node: index, path: 'rotation', value: quaternion })

    if (movedBy.includes('morph')) {
      primitive.targets = list(2, () => ({
        POSITION: builder.floats('VEC3', ...offsets()),
        ...(dress === 'bare' ? {} : { NORMAL: builder.floats('VEC3', ...offsets()) }),
        ...(dress === 'tangents' ? { TANGENT: builder.floats('VEC3', ...offsets()) } : {}),
      }))
      mesh.weights = [0.25, 0]
      targets.push({ node: index, path: 'weights', value: () => [random(), random() - 0.5] })
    }
    if (movedBy.includes('skin')) {
      const joints = [addNode({ name: 'root', translation: vector(1) })]
      const scale = [1, 1.2, mirrored ? -1 : 1]
      for (let i = 1; i < 3; i++) joints.push(addNode({ translation: vector(1), rotation: quaternion(), scale }, joints[i - 1]))
      for (const joint of joints) targets.push({ node: joint, path: 'rotation', value: quaternion })
      targets.push({ node: joints[0], path: 'translation', value: () => vector(2) })
      const bind = joints.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...vector(1), 1])
      node.skin = json.skins.push({ joints, inverseBindMatrices: builder.floats('MAT4', ...bind) }) - 1
      // Joints of one handedness a vertex: where a blend of both is flattened, there is no normal to speak of.
      const ofGrid = grid.map(() => ({ joints: mirrored ? [1, 1] : random() < 0.5 ? [0, 0] : [1, 2], share: random() }))
      const others = mirrored ? [0, 0] : [2, 1]
      const influences = sources.map((source, i) => goesAlong(i) ? ofGrid[source] : { ...ofGrid[source], joints: others })
      attributes.JOINTS_0 = builder.accessor('VEC4', Uint8Array.from(influences.flatMap(({ joints }) => [...joints, 0, 0])))
      attributes.WEIGHTS_0 = builder.floats('VEC4', ...influences.flatMap(({ share }) => [share, 1 - share, 0, 0]))
    }
  }
  if (json.skins.length === 0) delete json.skins

  for (const [i, { seconds, begins, returns }] of clips.entries()) {
    const animation: Json = { name: `Clip ${i}` }
    const times = list(seconds === 0 ? 1 : KEYS, () => 0).map((_, key) => begins + seconds * key / (KEYS - 1))
    for (const { node, path, value } of targets) {
      const keys = times.map(() => value())
      if (returns) keys[keys.length - 1] = keys[0]
      builder.channel(animation, { node, path }, times, keys.flat())
    }
    json.animations.push(animation)
  }
  return builder.glb()
}
