import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectResult, type InspectResult, type Progress, type Work } from '../../main/bake/contract.ts'
import { inspect } from '../../main/bake/inspect.ts'
import { bakeOptions, ENCODINGS } from '../../main/bake/options.ts'
import { planBake } from '../../main/bake/plan-bake.ts'

const sample = (name: string) => resolve('resources/samples', name)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vat-inspect-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run<Result>(work: Work<Result>, steps: Progress[] = []): Promise<Result> {
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
    steps.push(step.value)
  }
}

const inspectFile = async (file: string, steps?: Progress[]): Promise<InspectResult> => inspectResult.parse(await run(inspect(file), steps))

/**
 * A glTF of one node that shows one right-angled triangle of 3 × 4 metres.
 *
 * @param mode     of the primitive: 4 is triangles, 0 is points
 * @param duration seconds that the node moves along x; no animation where it is null
 */
function writeTriangle(name: string, mode: number, duration: number | null): string {
  const floats = new Float32Array([0, 0, 0, 3, 0, 0, 0, 4, 0, 0, duration ?? 0, 0, 0, 0, 5, 0, 0])
  const accessor = (byteOffset: number, count: number, type: string, limits = {}) => ({
    bufferView: 0,
    byteOffset,
    componentType: 5126,
    count,
    type,
    ...limits,
  })
  const positions = accessor(0, 3, 'VEC3', { min: [0, 0, 0], max: [3, 4, 0] })
  const times = accessor(36, 2, 'SCALAR', { min: [0], max: [duration ?? 0] })
  const translations = accessor(44, 2, 'VEC3')
  const animation = {
    name: 'drift',
    samplers: [{ input: 1, output: 2 }],
    channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
  }
  const file = join(folder, `${name}.gltf`)
  writeFileSync(
    file,
    JSON.stringify({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'holder', mesh: 0 }],
      meshes: [{ name: 'sail', primitives: [{ mode, attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [{ name: 'cloth' }],
      buffers: [{ byteLength: floats.byteLength, uri: `data:application/octet-stream;base64,${Buffer.from(floats.buffer).toString('base64')}` }],
      bufferViews: [{ buffer: 0, byteLength: floats.byteLength }],
      accessors: [positions, times, translations],
      ...(duration === null ? {} : { animations: [animation] }),
    }),
  )
  return file
}

describe('the inspection of the Fox', () => {
  test('tells its mesh, its skin and its material', async () => {
    const result = await inspectFile(sample('Fox.glb'))
    expect(result).toMatchObject({
      file: sample('Fox.glb'),
      sha256: createHash('sha256').update(readFileSync(sample('Fox.glb'))).digest('hex'),
      vertexCount: 1728,
      triangleCount: 576,
      skins: [{ joints: 24 }],
      materials: ['fox_material'],
      warnings: [],
    })
    expect(result.meshes).toEqual([
      {
        index: 0,
        name: 'fox1',
        node: 'fox',
        material: 'fox_material',
        vertexCount: 1728,
        triangleCount: 576,
        movedBy: 'skin',
        influences: 4,
        morphTargets: 0,
        hasNormals: false,
      },
    ])
  })

  test('tells its clips with their times', async () => {
    const { clips } = await inspectFile(sample('Fox.glb'))
    expect(clips.map(({ index, name }) => `${index} ${name}`)).toEqual(['0 Survey', '1 Walk', '2 Run'])
    for (const { start, end, duration } of clips) expect(duration).toBeCloseTo(end - start, 12)
    expect(clips[2].end).toBeCloseTo(1.158, 3)
  })
})

describe('what a bake of a clip would take', () => {
  test.each([
    ['Fox.glb', ['Survey', 'Walk', 'Run']],
    ['SimpleSkin.gltf', ['#0']],
    ['AnimatedMorphCube.glb', ['Square']],
  ])('is what the plan of that bake says: %s', async (file, names) => {
    const { clips } = await inspectFile(sample(file))
    expect(clips).toHaveLength(names.length)
    for (const [index, name] of names.entries()) {
      expect(clips[index].encodings.map(({ encoding }) => encoding)).toEqual([...ENCODINGS])
      for (const { encoding, bytes, problem } of clips[index].encodings) {
        const plan = await run(planBake(sample(file), bakeOptions.parse({ anim: [name], encoding })))
        expect(clips[index].frameCount).toBe(plan.clips[0].frameCount)
        expect(bytes).toBe(plan.textures[0].bytes)
        expect(problem).toBeNull()
      }
    }
  })

  test('is told as a problem, with what would fit, where it does not fit', async () => {
    const { clips } = await inspectFile(writeTriangle('endless', 4, 300))
    expect(clips[0].frameCount).toBe(9001)
    for (const { bytes, problem } of clips[0].encodings) {
      expect(bytes).toBeNull()
      expect(problem).toContain('"drift" does not fit')
      expect(problem).toContain('--max-size')
    }
  })
})

describe('a model', () => {
  test('has the size of its rest pose', async () => {
    const { size, meshes } = await inspectFile(writeTriangle('sail', 4, 2))
    expect(size).toEqual([3, 4, 0])
    expect(meshes[0]).toMatchObject({ name: 'sail', node: 'holder', material: 'cloth', movedBy: 'node', influences: 0, triangleCount: 1 })
  })

  test('with morph targets and skins tells them for each mesh', async () => {
    const { meshes } = await inspectFile(sample('RobotExpressive.glb'))
    expect(meshes).toHaveLength(19)
    expect(meshes.filter(({ morphTargets }) => morphTargets === 3).map(({ name }) => name)).toEqual(['Head', 'Head', 'Head'])
    expect(meshes.filter(({ movedBy }) => movedBy === 'skin')).toHaveLength(4)
  })

  test('without clips has none to bake', async () => {
    expect((await inspectFile(writeTriangle('still', 4, null))).clips).toEqual([])
  })

  test('without triangles has no size, and a clip of it says why it cannot be baked', async () => {
    const result = await inspectFile(writeTriangle('dust', 0, 2))
    expect(result).toMatchObject({ vertexCount: 0, triangleCount: 0, size: null, meshes: [] })
    expect(result.warnings.map(({ code }) => code)).toContain('primitive-skipped')
    expect(result.clips[0].encodings).toEqual(ENCODINGS.map((encoding) => ({ encoding, bytes: null, problem: 'There are no triangles to bake.' })))
  })

  test('that is not there is a fault of the input', async () => {
    await expect(inspectFile(join(folder, 'nothing.glb'))).rejects.toMatchObject({ name: 'Problem', kind: 'input' })
  })
})

test('progress counts vertex-frames, two frames a clip', async () => {
  const steps: Progress[] = []
  await inspectFile(sample('Fox.glb'), steps)
  expect(steps[0].stage).toBe('reading')
  const measuring = steps.filter(({ stage }) => stage === 'measuring')
  expect(measuring.map(({ done, total }) => `${done}/${total}`)).toEqual(['0/10368', '3456/10368', '6912/10368'])
})
