import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../../main/bake/options.ts'
import { createRestFrame, evaluateRest } from '../../../main/bake/rest.ts'
import { createSubject } from '../../../main/bake/subject.ts'
import { readModel } from '../../../main/readers/read-model.ts'
import { spaceMatrix } from '../../../main/targets/target.ts'
import { finish } from '../bake-corpus.ts'
import { evaluateHlsl, indexUV, texturesOf, type Call } from '../hlsl/evaluate.ts'

const FOX = 'resources/samples/Fox.glb'
const FRAMES = 5

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unity-decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A texture as Unity has it: the bottom row of the image is the first one. */
function upsideDown(name: string, height: number): string {
  return `struct Upside${name} {
    float4 Load(int3 at) const { return ${name}.Load(int3(at.x, ${height} - 1 - at.y, at.z)); }
  } upside${name};\n`
}

/** What the include does by itself: not what the engine hands to it. */
function playedBy(include: string): string {
  const [, body] = include.split('// First row, frames')
  const [data, rest] = body.slice(body.indexOf('\n') + 1).split('// A vertex as the mesh has it.')
  const [animate] = rest.slice(rest.indexOf('// A vertex where')).split('// The same with all')
  return `${data}${animate}`.replace(/_Vat(\w+)\.Load/g, 'upside_Vat$1.Load')
}

describe("the include of a package for Unity, read as C++ over the bake's own files", () => {
  it.each<[string, BakeOptionsInput]>([
    ['rows of halves', { encoding: 'exr16', normals: 'xyz' }],
    ['offsets across, of 16 bits', { encoding: 'rgba16', normals: 'octahedral', content: 'offset', orientation: 'frames-x' }],
    ['frames of several rows, one texture', { encoding: 'exr', normals: 'xyz', stack: true, maxSize: 512 }],
  ])('puts every vertex of every frame where the model has it: %s', async (_, options) => {
    const baking = bake(FOX, bakeOptions.parse({ target: 'unity', anim: ['Run', 'Walk'], frames: FRAMES, name: 'Fox', output: folder, ...options }))
    const { sidecar, sidecarFile } = await finish(baking)
    const textures = texturesOf(sidecarFile, sidecar, (role) => `_Vat${role[0].toUpperCase()}${role.slice(1)}`)
    const heights = new Map(sidecar.textures.map(({ file, height }) => [file, height]))
    const upside = Object.entries(textures).map(([name, file]) => upsideDown(name, heights.get(file.split('/').at(-1)!)!))
    // Layers in one file have it under the name of the first.
    const shared = sidecar.textures.flatMap(({ role, file }) => {
      const [name] = Object.entries(textures).find(([, path]) => path.endsWith(file))!
      const own = `_Vat${role[0].toUpperCase()}${role.slice(1)}`
      return own === name ? [] : [`#define upside${own} upside${name}\n`]
    })

    const { model } = await readModel(FOX)
    const subject = createSubject(model, [0], spaceMatrix(sidecar.space.axesFromGltf, 1))
    const rest = createRestFrame(subject)
    evaluateRest(subject, { rest: 'rest', clips: [] }, rest)
    const frame = subject.evaluator.createFrame({ normals: true, tangents: false })
    const calls: Call[] = []
    const expected: { position: number[]; normal: number[] }[] = []
    sidecar.clips.forEach((clip, index) => {
      for (let i = 0; i < FRAMES; i++) {
        subject.sampler.sample({ index: clip.index, start: clip.start, duration: clip.duration }, clip.start + i / clip.fps, frame)
        for (let vertex = 0; vertex < sidecar.vertexCount; vertex++) {
          const of = (values: Float32Array) => Array.from(values.subarray(vertex * 3, vertex * 3 + 3))
          const [u, v] = indexUV(vertex, sidecar.layout)
          calls.push({ rest_position: of(rest.positions), index_uv: [u, 1 - v], playback: [index, i / clip.fps, 0, 0], fade: [0, 0, 0, 1] })
          expected.push({ position: of(frame.positions), normal: of(frame.normals!) })
        }
      }
    })
    const body = `
      VatVertex posed = vat_animate(rest_position, float3(0.0, 0.0, 1.0), float4(1.0, 0.0, 0.0, 1.0), index_uv, playback, fade, 7.0);
      posed_normal = posed.normal;
      return posed.position;`
    const include = await readFile(sidecarFile.replace(/\.json$/, '_vat.hlsl'), 'utf8')
    const before = [...upside, ...shared, playedBy(include)].join('')
    const found = await evaluateHlsl(folder, { before, body, textures, outputs: ['posed_normal'] }, calls)
    let [worst, cosine] = [0, 1]
    found.forEach(([x, y, z, ...normal], call) => {
      worst = Math.max(worst, Math.hypot(...[x, y, z].map((value, axis) => value - expected[call].position[axis])))
      cosine = Math.min(cosine, normal.reduce((sum, value, axis) => sum + value * expected[call].normal[axis], 0))
    })
    expect(found).toHaveLength(sidecar.vertexCount * FRAMES * 2)
    // What the program measured of its own files, and the rounding of times to frames.
    expect(worst * 1000).toBeLessThan(sidecar.report.position.maxMillimetres * 1.001 + 0.05)
    expect((Math.acos(Math.min(cosine, 1)) * 180) / Math.PI).toBeLessThan(sidecar.report.normal!.maxDegrees + 0.05)
  })
})
