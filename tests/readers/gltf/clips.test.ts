import { describe, expect, test } from 'vitest'
import { skinnedTriangle, triangle, type GltfBuilder, type Json } from '../build-gltf.ts'

/** A file with one animation of these channels: target, key times, values, interpolation. */
function animated(builder: GltfBuilder, ...channels: [Json, number[], number[], string?][]): GltfBuilder {
  const animation = { name: 'Walk' }
  for (const [target, times, values, interpolation] of channels) builder.channel(animation, target, times, values, interpolation)
  builder.json.animations = [...(builder.json.animations ?? []), animation]
  return builder
}

/** Values of a vector at two keys. */
const TWO = [0, 0, 0, 1, 1, 1]

async function rangeOf(builder: GltfBuilder): Promise<[number, number]> {
  const [{ start, end }] = (await builder.model()).clips
  return [start, end]
}

async function codesOf(builder: GltfBuilder): Promise<[string, number][]> {
  return (await builder.model()).warnings.map(({ code, count }) => [code, count])
}

describe('clips', () => {
  test("are the file's animations, in its order, with its names", async () => {
    const builder = triangle()
    animated(builder, [{ node: 0, path: 'translation' }, [0, 1], TWO])
    animated(builder, [{ node: 0, path: 'scale' }, [0, 2], TWO])
    builder.json.animations[1].name = ''
    builder.json.animations.push({ samplers: [], channels: [] }, {})
    expect((await builder.model()).clips).toEqual([
      { name: 'Walk', index: 0, start: 0, end: 1 },
      { name: '', index: 1, start: 0, end: 2 },
      { name: '', index: 2, start: 0, end: 0 },
      { name: '', index: 3, start: 0, end: 0 },
    ])
  })

  test('last from the first key of any channel to the last', async () => {
    expect(
      await rangeOf(animated(triangle(), [{ node: 0, path: 'translation' }, [5, 6], TWO], [{ node: 0, path: 'scale' }, [5.5, 8], TWO])),
    ).toEqual([5, 8])
  })

  test('of one key begin and end with it', async () => {
    expect(await rangeOf(animated(triangle(), [{ node: 0, path: 'translation' }, [3], [1, 2, 3]]))).toEqual([3, 3])
  })

  test('are no longer than what moves a mesh: joints, their ancestors, nodes of meshes and theirs', async () => {
    const builder = skinnedTriangle()
    // 0 mesh on skin, 1 joint, 2 joint below it; 3 above 1; 4 a camera.
    builder.json.nodes.push({ children: [1] }, {})
    const range = (node: number) => rangeOf(
      animated(skinnedLike(builder), [{ node: 2, path: 'translation' }, [1, 2], TWO], [{ node, path: 'scale' }, [0, 9], TWO]),
    )
    expect(await range(1)).toEqual([0, 9])
    expect(await range(3)).toEqual([0, 9])
    expect(await range(4)).toEqual([1, 2])
    // The own transform of a skinned mesh's node counts for nothing.
    expect(await range(0)).toEqual([1, 2])
  })

  /** The same file again, without animations. */
  function skinnedLike(builder: GltfBuilder): GltfBuilder {
    builder.json.animations = []
    return builder
  }

  test('the node of a skinned mesh counts where a vertex follows no joint', async () => {
    const builder = skinnedTriangle()
    builder.json.meshes[0].primitives[0].attributes.WEIGHTS_0 = builder.floats('VEC4', 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
    animated(builder, [{ node: 1, path: 'translation' }, [1, 2], TWO], [{ node: 0, path: 'scale' }, [0, 9], TWO])
    expect(await rangeOf(builder)).toEqual([0, 9])
  })

  test('that move no mesh at all last as long as their channels', async () => {
    const builder = triangle()
    builder.json.nodes.push({ camera: 0 })
    builder.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 1 } }]
    expect(await rangeOf(animated(builder, [{ node: 1, path: 'translation' }, [1, 4], TWO]))).toEqual([1, 4])
  })
})

describe('channels that are left out are counted', () => {
  test.each<[string, Json, number[], number[]]>([
    ['channel-pointer', { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/materials/0/x' } } }, [0, 1], TWO],
    ['channel-without-node', { path: 'translation' }, [0, 1], TWO],
    ['channel-unknown', { node: 0, path: 'visibility' }, [0, 1], TWO],
    ['channel-without-morph', { node: 0, path: 'weights' }, [0, 1], [0, 1]],
    ['channel-empty', { node: 0, path: 'translation' }, [], []],
  ])('%s', async (code, target, times, values) => {
    const builder = animated(triangle(), [target, times, values])
    expect(await codesOf(builder)).toEqual([[code, 1]])
    expect(await rangeOf(builder)).toEqual([0, 0])
  })

  test('of several for the same property the last one counts', async () => {
    const builder = animated(
      triangle(),
      [{ node: 0, path: 'translation' }, [0, 9], TWO],
      [{ node: 0, path: 'scale' }, [0, 1], TWO],
      [{ node: 0, path: 'translation' }, [0, 1], TWO],
    )
    expect(await codesOf(builder)).toEqual([['channel-duplicate', 1]])
    expect(await rangeOf(builder)).toEqual([0, 1])
  })
})

describe('keys', () => {
  test.each([
    ['that go back in time', [0, 1, 0.5], 'key 2 of animation 0 ("Walk") is at 0.5 s, before key 1 at 1 s'],
    ['with a time that is no number', [0, NaN, 1], 'key 1 of animation 0 ("Walk") has a time that is not finite'],
    ['that never come', [0, 1, Infinity], 'key 2 of animation 0 ("Walk") has a time that is not finite'],
  ])('%s are refused', async (_, times, sentence) => {
    await expect(animated(triangle(), [{ node: 0, path: 'translation' }, times, [...TWO, 2, 2, 2]]).read()).rejects.toThrow(sentence)
  })

  test('whose value is no number are refused', async () => {
    const builder = animated(triangle(), [{ node: 0, path: 'translation' }, [0, 1], [0, 0, 0, NaN, Infinity, 1]])
    await expect(builder.read()).rejects.toThrow('the keys of animation 0 ("Walk") have 2 not finite numbers')
  })

  test('at the same time are a jump, which is counted once for all channels that share the times', async () => {
    const builder = animated(triangle(), [{ node: 0, path: 'translation' }, [0, 1, 1], [...TWO, 2, 2, 2]])
    const [animation] = builder.json.animations
    animation.samplers.push({ ...animation.samplers[0] })
    animation.channels.push({ sampler: 1, target: { node: 0, path: 'scale' } })
    expect(await codesOf(builder)).toEqual([['key-times-equal', 1]])
  })

  test('before 0 s are kept, which glTF forbids and which is counted', async () => {
    const builder = animated(triangle(), [{ node: 0, path: 'scale' }, [-2, -1, 0], [1, 1, 1, 2, 2, 2, 3, 3, 3]])
    expect(await codesOf(builder)).toEqual([['key-times-negative', 2]])
    expect((await builder.model()).clips[0]).toMatchObject({ start: -2, end: 0 })
  })

  test('of rotation with length zero are no rotation, which is counted', async () => {
    const builder = animated(triangle(), [{ node: 0, path: 'rotation' }, [0, 1], [0, 0, 0, 0, 0, 0, 0, 1]])
    expect(await codesOf(builder)).toEqual([['rotation-repaired', 1]])
  })
})
