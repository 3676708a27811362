import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../../main/bake/options.ts'
import { sampleTimes } from '../../../main/bake/plan.ts'
import { createPose } from '../../../main/model/animated-model.ts'
import { createEvaluator } from '../../../main/model/evaluate.ts'
import { readModel } from '../../../main/readers/read-model.ts'
import { spaceMatrix } from '../../../main/targets/target.ts'
import { nodeChannel } from '../../../main/worker/channel.ts'
import type { BakePreview, ModelPreview } from '../../../main/worker/preview-contract.ts'
import { createGrants, servePreview } from '../../../main/worker/preview.ts'
import { createPositionDecoder, frameRow } from '../../../renderer/viewport/decode-frame.ts'
import { createErrorMap } from '../../../renderer/viewport/error-map.ts'
import { modelFacade } from '../../../renderer/viewport/model-facade.ts'
import { playheadAt } from '../../../renderer/viewport/playhead.ts'
import { createPreviewClient, type PreviewClient } from '../../../renderer/viewport/preview-client.ts'

const IDENTITY = spaceMatrix(['+x', '+y', '+z'], 1)
const sample = (name: string) => resolve('resources/samples', name)

let folder: string
let client: PreviewClient
const grants = createGrants(50)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'truth-'))
  const { port1, port2 } = new MessageChannel()
  servePreview(nodeChannel(port2), grants)
  client = createPreviewClient(port1 as unknown as Parameters<typeof createPreviewClient>[0])
})
afterAll(async () => {
  client.abandon()
  await rm(folder, { recursive: true })
})

function open(name: string): Promise<ModelPreview> {
  grants.add(name, sample(name))
  return client.open(name)
}

async function bakeAndOpen(model: string, options: BakeOptionsInput): Promise<BakePreview> {
  const work = bake(sample(model), bakeOptions.parse({ ...options, output: join(folder, String(Math.random())) }))
  for (;;) {
    const step = await work.next()
    if (!step.done) continue
    grants.add(step.value.sidecarFile, step.value.sidecarFile)
    return client.openBake(step.value.sidecarFile)
  }
}

describe('the vertices of the original', () => {
  test.each(['Fox.glb', 'RobotExpressive.glb', 'SimpleSkin.gltf', 'AnimatedMorphCube.glb'])('of %s are those of the core, to the bit', async (name) => {
    const { model } = await readModel(sample(name))
    const preview = await open(name)
    const meshes = model.meshes.map((_, index) => index)
    const core = createEvaluator(model, meshes, IDENTITY)
    const facade = createEvaluator(modelFacade(preview), meshes, IDENTITY)
    const wanted = { normals: true, tangents: true }
    const [expected, shown] = [core.createFrame(wanted), facade.createFrame(wanted)]
    const pose = createPose(model)
    for (const clip of model.clips) {
      const time = clip.start + (clip.end - clip.start) * 0.61
      model.pose(clip, time, pose)
      core.evaluate(pose, expected)
      facade.evaluate(await client.ask('pose', { model: preview.handle, clip: clip.index, time }), shown)
      expect(bytesOf(shown.positions).equals(bytesOf(expected.positions))).toBe(true)
      expect(bytesOf(shown.normals!).equals(bytesOf(expected.normals!))).toBe(true)
      expect(bytesOf(shown.tangents!).equals(bytesOf(expected.tangents!))).toBe(true)
    }
    expect(facade.turnedOver).toEqual(core.turnedOver)
  })

  test('cannot be posed without the service, which would be a stale pose', async () => {
    const facade = modelFacade(await open('SimpleSkin.gltf'))
    expect(() => facade.pose(facade.clips[0], 0, createPose(facade))).toThrow(RangeError)
  })
})

describe('the vertices of a bake', () => {
  test.each<[string, BakeOptionsInput]>([
    ['Fox.glb', { anim: ['Run'], encoding: 'exr' }],
    ['Fox.glb', { anim: ['Walk'], encoding: 'exr', content: 'offset', maxSize: 300 }],
    ['RobotExpressive.glb', { anim: ['Jump'], encoding: 'exr', maxSize: 1000 }],
  ])('of %s with %o are the truth at every sample', async (name, options) => {
    const [bake, preview] = [await bakeAndOpen(name, options), await open(name)]
    const [clip] = bake.sidecar.clips
    const facade = modelFacade(preview)
    const evaluator = createEvaluator(facade, bake.sidecar.source.meshes, IDENTITY)
    const truth = evaluator.createFrame({ normals: false, tangents: false })
    const decoder = createPositionDecoder(bake)
    const decoded = new Float64Array(decoder.vertexCount * 3)
    expect(decoder.vertexCount).toBe(bake.sidecar.vertexCount)
    for (const [frame, time] of sampleTimes(clip).entries()) {
      if (frame % 5 !== 0) continue
      evaluator.evaluate(await client.ask('pose', { model: preview.handle, clip: clip.index, time }), truth)
      decoder.decode(0, { first: frame, second: frame, blend: 0 }, decoded)
      const distances = decoded.map((value, i) => Math.abs(value - truth.positions[i]))
      // Offsets are rounded to floats once more than positions are.
      expect(Math.max(...distances)).toBeLessThanOrEqual('content' in options ? 1e-5 : 0)
    }
  })

  test('lie transposed in a bake whose frames run along x', async () => {
    const bake = await bakeAndOpen('Fox.glb', { anim: ['Walk'], encoding: 'exr', maxSize: 300 })
    const decoder = createPositionDecoder(bake)
    const [plain, turned] = [new Float64Array(decoder.vertexCount * 3), new Float64Array(decoder.vertexCount * 3)]
    const playhead = { first: 3, second: 4, blend: 0.25 }
    decoder.decode(0, playhead, plain)
    createPositionDecoder(transpose(bake)).decode(0, playhead, turned)
    expect(turned).toEqual(plain)
    expect(new Set(plain).size).toBeGreaterThan(8)
  })

  test('begin at the clip, then at the frame, or where equal frames are kept', () => {
    const sidecar = { layout: { rowsPerFrame: 3 }, clips: [{ firstRow: 0, frameRows: [9, 9, 12] }, { firstRow: 40 }] } as BakePreview['sidecar']
    expect(frameRow(sidecar, 1, 7)).toBe(40 + 21)
    expect(frameRow(sidecar, 0, 1)).toBe(9)
  })
})

describe('the error map', () => {
  test('measures what the report says, at the worst frame of each kind', async () => {
    const [bake, preview] = [await bakeAndOpen('RobotExpressive.glb', { anim: ['Wave'], encoding: 'rgba8' }), await open('RobotExpressive.glb')]
    const [clip] = bake.sidecar.clips
    const map = createErrorMap(modelFacade(preview), bake)
    const { position } = bake.sidecar.report
    for (const figures of [position, position.betweenSamples]) {
      const seconds = figures.worst.frame / clip.fps
      const pose = await client.ask('pose', { model: preview.handle, clip: clip.index, time: clip.start + seconds })
      const { maxMillimetres, vertex } = map.measure(0, seconds, pose)
      expect(maxMillimetres).toBeCloseTo(figures.maxMillimetres, 3)
      expect(map.millimetres[vertex]).toBeCloseTo(maxMillimetres, 4)
      expect(map.millimetres[figures.worst.vertex]).toBeCloseTo(figures.maxMillimetres, 3)
    }
  })

  test('knows where a decoded vertex is at any moment', async () => {
    const [bake, preview] = [await bakeAndOpen('Fox.glb', { anim: ['Run'], encoding: 'rgba16', content: 'offset' }), await open('Fox.glb')]
    const map = createErrorMap(modelFacade(preview), bake)
    const decoder = createPositionDecoder(bake)
    const decoded = new Float64Array(decoder.vertexCount * 3)
    decoder.decode(0, playheadAt(bake.sidecar.clips[0], 0.3), decoded)
    expect(map.positionAt(0, 0.3, 77)).toEqual([...decoded.subarray(231, 234)])
  })
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength)

/** The same bake with x and y of its textures exchanged. */
function transpose(bake: BakePreview): BakePreview {
  const textures = bake.textures.map((texture) => {
    const { width, height, channels, texels } = texture
    const turned = texels.slice()
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = (y * width + x) * channels
        turned.set(texels.subarray(from, from + channels), (x * height + y) * channels)
      }
    }
    return { ...texture, width: height, height: width, texels: turned }
  })
  return { ...bake, textures, sidecar: { ...bake.sidecar, layout: { ...bake.sidecar.layout, orientation: 'frames-x' } } }
}
