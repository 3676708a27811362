/**
 * Faults that people reported of other programs of this kind, as tests: what a baker of animations gets wrong most easily. Each
 * model is baked, read back by the player of tests/player, and compared with the second evaluation of glTF that is there.
 *
 * Reports about FBX files are tests of the FBX reader; those about what an engine makes of a package are tests of its target.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPose } from '../../main/model/animated-model.ts'
import { readModel } from '../../main/readers/read-model.ts'
import { bakery, sample } from '../player/bakes.ts'
import { expectExact, keeping } from '../player/exact.ts'
import { measure, normalError, toBake } from '../player/measure.ts'
import { loadSet, position, type VatSet } from '../player/player.ts'
import { readTruth, cross, dot } from '../player/truth.ts'
import { GltfBuilder, skinnedTriangle, triangle } from '../readers/build-gltf.ts'

const fixture = (file: string) => join(import.meta.dirname, '../fixtures/models', file)
const { bake, write } = bakery()

type Options = Parameters<typeof bake>[1]

/** Bakes a model and reads the files that were written. */
async function baked(model: string, options: Options = {}): Promise<VatSet> {
  return loadSet((await bake(model, { encoding: 'exr', fps: 10, ...options })).sidecarFile)
}

/** Bakes a model, and expects every vertex of every frame where the model has it. */
async function exact(model: string, options: Options = {}): Promise<VatSet> {
  const set = await baked(model, options)
  expectExact(set, keeping(readTruth(model)))
  return set
}

/** A triangle that slides by (2, 0, 0) in the given times, and perhaps other clips. */
function sliding(times: number[], more: { name: string; times: number[] }[] = []): Uint8Array {
  const builder = triangle()
  builder.json.scenes = [{ nodes: [0] }]
  builder.json.animations = [{ name: 'Slide', times }, ...more].map(({ name, times }) => {
    const animation = { name }
    builder.channel(animation, { node: 0, path: 'translation' }, times, times.flatMap((_, i) => [times.length === 1 ? 5 : (2 * i) / (times.length - 1), 0, 0]))
    return animation
  })
  return builder.glb()
}

describe('reports about reading', () => {
  test('A1, three.js 15319: hands distort where the weights of a skin do not sum to 1', async () => {
    const set = await exact(sample('RobotExpressive.glb'), { anim: ['Dance'], frames: 2 })
    expect(set.sidecar.warnings.map(({ code }) => code)).toContain('weights-scaled')
  })

  test.each([['skin_8inf_joints1.glb', 8], ['skin_12inf_joints2.glb', 12]])(
    'A2, three.js 26137: only the first four influences count (%s)',
    async (file, influences) => {
      const { model } = await readModel(fixture(file))
      expect(model.meshes[0].influences!.perVertex).toBe(influences)
      await exact(fixture(file))
    },
  )

  test('A3, glTF-Blender-IO 387: a clip whose keys start late gets a dead lead-in', async () => {
    const set = await exact(fixture('skin_clip_starts_at_5s.glb'), { loop: 'off' })
    const [clip] = set.sidecar.clips
    expect([clip.start, clip.duration]).toEqual([5, 1])
    const truth = readTruth(fixture('skin_clip_starts_at_5s.glb'))(0, 5)
    set.rest.forEach((_, vertex) => expectNear(position(set, vertex, 0, 0), toBake(set, truth.positions[vertex])))
  })

  test('A7, Babylon.js 3931: a clip of one key divides by a range of zero', async () => {
    const set = await exact(await write('one-key.glb', sliding([1.5])))
    expect(set.sidecar.clips[0]).toMatchObject({ start: 1.5, duration: 0, frameCount: 1 })
    expect(position(set, 1, 0, 0)).toEqual([6, 0, 0])
  })

  test('A20, three.js 15087: of two nodes that share a name the wrong one moves', async () => {
    const builder = triangle()
    builder.json.nodes = [{ name: 'Twin', mesh: 0 }, { name: 'Twin', mesh: 0, translation: [0, 0, 9] }]
    builder.json.scenes = [{ nodes: [0, 1] }]
    builder.json.animations = [{}]
    builder.channel(builder.json.animations[0], { node: 1, path: 'translation' }, [0, 1], [0, 0, 9, 4, 0, 9])
    const set = await exact(await write('twins.glb', builder.glb()))
    const last = set.sidecar.frameCount - 1
    expect([position(set, 0, 0, last), position(set, 3, 0, last)]).toEqual([[0, 0, 0], [4, 0, 9]])
    // The bone and the mesh of this one share their name.
    await exact(sample('RobotExpressive.glb'), { anim: ['Wave'], frames: 2 })
  })

  test('A21, glTF-Transform 1404: spikes after the weights are quantised', async () => {
    const set = await exact(fixture('quantized_skin.glb'))
    const diagonal = Math.hypot(...set.sidecar.bounds.max.map((most, axis) => most - set.sidecar.bounds.min[axis]))
    expect(diagonal).toBeLessThan(10)
  })
})

describe('reports about sampling', () => {
  test('A6, Cesium 7387: playback stops one frame short of the end', async () => {
    const file = fixture('rigid_shear_hierarchy.glb')
    const set = await exact(file, { loop: 'off' })
    const truth = readTruth(file)(0, 1)
    const last = set.sidecar.frameCount - 1
    set.rest.forEach((_, vertex) => expectNear(position(set, vertex, 0, last), toBake(set, truth.positions[vertex])))
    // A loop does not repeat its start at its end: 1 s at 10 fps is 10 frames, else 11.
    expect(set.sidecar.frameCount).toBe(11)
    expect((await exact(file, { loop: 'on' })).sidecar.frameCount).toBe(10)
  })

  test('A12, godot 102119 and A23, glTFast 301: what moves out of its rest bounds is culled', async () => {
    const builder = skinnedTriangle()
    builder.json.scenes = [{ nodes: [0, 1] }]
    builder.json.animations = [{}]
    builder.channel(builder.json.animations[0], { node: 1, path: 'translation' }, [0, 1], [0, 0, 0, 5, 0, 0])
    const set = await exact(await write('far.glb', builder.glb()))
    // The third vertex hangs on the second joint, which is 1 further on.
    expect(set.sidecar.bounds).toEqual({ min: [0, 0, 0], max: [7, 1, 0] })
    expect(set.sidecar.clips[0]).toMatchObject({ bounds: { min: [0, 0, 0], max: [7, 1, 0] } })
  })
})

describe('reports about textures', () => {
  test('A9, openvat 49: normals are addressed with a wrong offset, or not at all', async () => {
    const file = fixture('joint_nonuniform_scale_normals.glb')
    for (const options of [{ encoding: 'rgba16', normals: 'xyz' }, { encoding: 'rgba16', normals: 'xyz', stack: true }, { encoding: 'rgba16', normals: 'packed' }] as const) {
      const set = await baked(file, { anim: ['squash'], ...options })
      const { max } = measure(set, keeping(readTruth(file)), normalError, 'samples')
      expect(max).toBeLessThan(1)
      expect(set.restNormals.every((normal) => Math.abs(Math.hypot(...normal) - 1) < 1e-3)).toBe(true)
    }
  })

  test('A8, openvat 52: cloth is upside down and squashed in an engine until axes and import settings are changed by hand', async () => {
    const { sidecar, sidecarFile } = await bake(fixture('skin_4inf.glb'), { target: 'godot', encoding: 'exr', name: 'Cloth' })
    expectExact(await loadSet(sidecarFile), keeping(readTruth(fixture('skin_4inf.glb'))))
    const settings = sidecar.textures.map(({ file }) => readFileSync(join(dirname(sidecarFile), `${file}.import`), 'utf8'))
    expect(settings).not.toEqual([])
    for (const text of settings) expect(text).toMatch(/compress\/mode=0\n[^]*mipmaps\/generate=false\n/)
  })

  test('A11, godot 40214 and 37220: an engine cuts images of 16 bits down to 8', async () => {
    // Each number of 16 bits is stored as two of 8, which survive that.
    const file = fixture('skin_4inf.glb')
    const result = await bake(file, { target: 'godot', encoding: 'rgba16', fps: 10 })
    const png = (name: string) => readFileSync(join(dirname(result.sidecarFile), name))
    const images = result.files.map(({ file: path }) => basename(path)).filter((name) => name.endsWith('.png'))
    expect(images).not.toEqual([])
    for (const name of images) expect(png(name)[24]).toBe(8)
    expectExact(await loadSet(result.sidecarFile), keeping(readTruth(file)))
  })

  test('A10, QtMeshEditor 640: the last frame is mixed with what lies beside it', async () => {
    await exact(fixture('skin_4inf.glb'), { encoding: 'rgba16', normals: 'xyz', stack: true, loop: 'off' })
    await exact(fixture('skin_4inf.glb'), { encoding: 'rgba16', normals: 'packed', loop: 'off' })
  })

  test('A13, Animation-Texture-Baker 5: an engine puts the vertices into another order', async () => {
    // The address of a vertex is in its own UV, so that any order shows the same.
    const set = await exact(fixture('skin_4inf.glb'))
    expect(set.sidecar.meshes[0].indexUV).toMatch(/^TEXCOORD_[1-9]$/)
    expect(set.columns.map(({ x, r }) => r * set.sidecar.layout.columnsPerRow + x)).toEqual(set.rest.map((_, vertex) => vertex))
  })

  test('A14, Unity-AlembicToVAT 7: negative values are lost', async () => {
    const set = await exact(fixture('skin_root_nonuniform_scale.glb'), { encoding: 'rgba16' })
    expect(Math.min(...set.sidecar.bounds.min)).toBeLessThan(0)
    // What is stored is between 0 and 1, whatever the sign of the position.
    expect(set.position.layer.type).toBe('unorm16')
    expect(set.position.layer.offset).toEqual(set.sidecar.bounds.min)
  })

  test.each(['joint_nonuniform_scale_normals.glb', 'skin_4inf.glb'])(
    'A15, GameDevelopmentToolset 23: offsets are cut off at a range from the wrong box (%s)',
    async (file) => {
      const set = await exact(fixture(file), { anim: ['#0'], encoding: 'rgba16', content: 'offset' })
      for (const [axis, plane] of set.position.texels.slice(0, 3).entries()) {
        const extremes = Array.from(plane).filter((texel) => texel === 0 || texel === 1)
        const isFlat = set.position.layer.scale[axis] === 0
        // The least and the greatest are there, and hardly anything else ends at the ends.
        if (!isFlat) expect([Math.min(...Array.from(plane)), Math.max(...Array.from(plane))]).toEqual([0, 1])
        if (!isFlat) expect(extremes.length).toBeLessThan(plane.length / 2)
      }
    },
  )

  test.each([64, 65, 129])('A16, openvat 4: smear where %d vertices are a little more than a row of 64', async (count) => {
    const set = await exact(await write(`wide-${count}.glb`, wide(count)), { maxSize: 64, frames: 4 })
    const { layout, textures: [texture] } = set.sidecar
    expect(layout.rowsPerFrame).toBe(Math.ceil(count / 64))
    expect([texture.width, texture.height]).toEqual([Math.ceil(count / layout.rowsPerFrame), layout.rowsPerFrame * 4])
    expect(set.columns.every(({ x, r }) => r * layout.columnsPerRow + x < count)).toBe(true)
  })

  test('A16: what does not fit is refused with the numbers', async () => {
    const file = await write('too-wide.glb', wide(200))
    await expect(bake(file, { maxSize: 16, frames: 4 })).rejects.toThrow(/200 vertices in 4 frames need \d+ × 52 pixels, and a side may have 16\./)
  })

  test('A17, sharp 3809: 16 bits are written as 8 in silence', async () => {
    const set = await exact(fixture('skin_4inf.glb'), { encoding: 'rgba16' })
    // The player's own PNG reader takes the depth from the file: numbers that 8 bits cannot hold came back.
    const texels = set.position.texels.flatMap((plane) => Array.from(plane))
    expect(Math.max(...texels)).toBe(1)
    expect(texels.filter((texel) => Math.round(texel * 65_535) % 257 !== 0).length).toBeGreaterThan(texels.length / 2)
  })
})

describe('reports about the rest mesh', () => {
  test('A22, meshoptimizer 135: a mirrored node leaves the triangles inside out', async () => {
    const builder = new GltfBuilder({ scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, scale: [-1, 1, 1] }] })
    builder.json.meshes = [{
      primitives: [{ attributes: { POSITION: builder.floats('VEC3', 0, 0, 0, 1, 0, 0, 0, 1, 0), NORMAL: builder.floats('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1) } }],
    }]
    builder.json.animations = [{}]
    builder.channel(builder.json.animations[0], { node: 0, path: 'translation' }, [0, 1], [0, 0, 0, 1, 0, 0])
    for (const file of [await write('mirrored.glb', builder.glb()), fixture('skin_root_negative_scale.glb')]) {
      const set = await exact(file, { normals: 'xyz' })
      for (const corners of set.triangles) {
        const [a, b, c] = corners.map((vertex) => set.rest[vertex])
        const front = cross(b.map((value, i) => value - a[i]), c.map((value, i) => value - a[i]))
        expect(dot(front, set.restNormals[corners[0]])).toBeGreaterThan(0)
      }
    }
  })
})

function expectNear(a: number[], b: number[]): void {
  expect(Math.hypot(...a.map((value, i) => value - b[i]))).toBeLessThan(1e-5)
}

/** A model of so many vertices in a row that slides. */
function wide(count: number): Uint8Array {
  const builder = new GltfBuilder({ scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }] })
  const positions = builder.accessor('VEC3', Float32Array.from({ length: count * 3 }, (_, i) => (i % 3 === 0 ? i / 3 : (i % 7) / 3)))
  const indices = builder.accessor('SCALAR', Uint16Array.from({ length: (count - 2) * 3 }, (_, i) => Math.floor(i / 3) + (i % 3)))
  builder.json.meshes = [{ primitives: [{ attributes: { POSITION: positions }, indices }] }]
  builder.json.animations = [{ name: 'Slide' }]
  builder.channel(builder.json.animations[0], { node: 0, path: 'translation' }, [0, 1], [0, 0, 0, 3, 1, 0])
  return builder.glb()
}

test('a clip is posed to its own end, whatever the others are', async () => {
  const { model } = await readModel(await write('clips.glb', sliding([0, 1], [{ name: 'Long', times: [0, 3] }])))
  const pose = createPose(model)
  model.pose(model.clips[0], 3, pose)
  expect([...pose.worldMatrices.subarray(12, 15)]).toEqual([2, 0, 0])
})
