import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Encoding } from '../../../main/bake/options.ts'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { SHARED, describeWithEngines } from '../engine.ts'
import { printTable } from '../print-table.ts'
import { writeWedge } from './models.ts'
import { addOriginal, comparePictures, createProject, type GodotProject, type Shot } from './project.ts'
import { bakePackage, framesOf, readSubject, referenceShot, truePositions, type Subject } from './reference.ts'

const ENCODINGS: Encoding[] = ['rgba16', 'exr16', 'exr']
const CORPUS = join(SHARED, 'corpus')
const MODELS: Record<string, (project: GodotProject) => Promise<string>> = {
  Fox: async () => resolve('resources/samples/Fox.glb'),
  CesiumMan: async () => join(CORPUS, 'gltf/CesiumMan.glb'),
  RobotExpressive: async () => resolve('resources/samples/RobotExpressive.glb'),
  // Without symmetry, and 5 m of way.
  wedge: writeWedge,
  // More vertices than a texture is wide.
  skin_8193_verts: async () => join(CORPUS, 'synth/skin_8193_verts.glb'),
}

/** A picture may differ from that of the truth by more than 8 of 255 in one of a thousand pixels. */
const LIMIT = 8
const SHARE = 0.001

describeWithEngines('a package in Godot', () => {
  let project: GodotProject
  let complaints: string[]
  const subjects = new Map<string, Subject>()
  const originals = new Map<string, string>()
  const sidecars = new Map<string, Sidecar>()
  const rows: string[][] = []

  beforeAll(async () => {
    project = await createProject()
    for (const [model, find] of Object.entries(MODELS)) {
      const file = await find(project)
      subjects.set(model, await readSubject(file))
      originals.set(model, await addOriginal(project, file))
      for (const encoding of ENCODINGS) sidecars.set(`${model}_${encoding}`, await bakePackage(project, file, `${model}_${encoding}`, { encoding }))
    }
    complaints = await project.import()
  })
  afterAll(async () => {
    printTable(['model', 'encoding', 'pictures', 'worst share of pixels', 'error of positions / bound'], rows)
    await project?.remove()
  })

  it('is imported without an error or a warning', () => {
    expect(complaints).toEqual([])
  })

  it.each(Object.keys(MODELS))('shows %s as a mesh of the true vertices looks, in every encoding', async (model) => {
    const subject = subjects.get(model)!
    const shots: Shot[] = []
    const pairs: { encoding: string; one: string; other: string }[] = []
    for (const [clip, description] of sidecars.get(`${model}_exr`)!.clips.entries()) {
      for (const frame of framesOf(description)) {
        const view = viewOf(description.bounds)
        const name = `${model}-${clip}-${frame}`
        shots.push({ ...(await referenceShot(project, subject, clip, frame, originals.get(model)!)), ...view, out: `${name}.png` })
        for (const encoding of ENCODINGS) {
          const time = frame / description.fps
          shots.push({ ...sceneShot(`${model}_${encoding}`, clip, time), ...view, out: `${name}-${encoding}.png` })
          pairs.push({ encoding, one: `${name}.png`, other: `${name}-${encoding}.png` })
        }
      }
    }
    await project.draw(shots)
    for (const encoding of ENCODINGS) {
      const ours = pairs.filter((pair) => pair.encoding === encoding)
      let worst = 0
      for (const { one, other } of ours) {
        const truth = await project.read(one)
        expect(comparePictures(truth, { ...truth, data: backdrop(truth) }, LIMIT).share, one).toBeGreaterThan(0.01)
        const { share } = comparePictures(truth, await project.read(other), LIMIT)
        worst = Math.max(worst, share)
      }
      rows.push([model, encoding, String(ours.length), `${(worst * 100).toFixed(4)} %`, await columnError(model, encoding)])
      expect(worst, encoding).toBeLessThanOrEqual(SHARE)
    }
  }, 900_000)

  /** Reads every column of every frame of the first clip back, and compares it with the oracle. */
  async function columnError(model: string, encoding: Encoding): Promise<string> {
    const sidecar = sidecars.get(`${model}_${encoding}`)!
    const { columnsPerRow, rowsPerFrame } = sidecar.layout
    const [{ frameCount }] = sidecar.clips
    const material = sidecar.package!.find(({ file }) => file.endsWith('.tres'))!.file
    const shot = { columns: 'position', material: `res://${model}_${encoding}/${material}`, clip: 0 }
    await project.draw([{ ...shot, width: columnsPerRow, height: frameCount * rowsPerFrame * 3, out: 'columns.bin' }])
    const bytes = await readFile(join(project.folder, 'columns.bin'))
    const read = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    const { scale, type } = sidecar.textures[0]
    const rounding = 2 ** -22 * Math.max(...sidecar.bounds.min.map(Math.abs), ...sidecar.bounds.max.map(Math.abs))
    const step = { float32: 0, float16: 1 / 4096, unorm8: 1 / 510, unorm16: 1 / 131_070, unorm8x2: 1 / 131_070 }[type]
    let worst = 0
    let farthest = 0
    for (let frame = 0; frame < frameCount; frame++) {
      const truth = truePositions(subjects.get(model)!, 0, frame)
      expect(truth.length / 3).toBe(sidecar.columnCount)
      for (let column = 0; column < sidecar.columnCount; column++) {
        let squared = 0
        for (let axis = 0; axis < 3; axis++) {
          const row = (frame * 3 + axis) * rowsPerFrame + Math.floor(column / columnsPerRow)
          const error = Math.abs(read[row * columnsPerRow + (column % columnsPerRow)] - truth[column * 3 + axis])
          worst = Math.max(worst, error / (step * scale[axis] + rounding))
          squared += error ** 2
        }
        farthest = Math.max(farthest, Math.sqrt(squared))
      }
    }
    expect(worst, `${model} ${encoding}`).toBeLessThanOrEqual(1)
    // What the bake reports is what Godot has.
    expect(farthest).toBeLessThanOrEqual(sidecar.report.position.clips[0].maxMillimetres / 1000 + 2 * rounding)
    return worst.toFixed(3)
  }
})

function sceneShot(folder: string, clip: number, time: number) {
  return { kind: 'scene', scene: `res://${folder}/model.tscn`, parameters: { vat_manual: true, vat_clip: clip, vat_time: time } }
}

/**
 * A view of a box from the side, in front and above, with a floor below it, that the model fills. Edges are not smoothed, and nothing
 * casts a shadow: in a shadow map, whose texels are coarser than pixels, one edge that falls to another texel changes many pixels.
 * Halves are then just within what is allowed; shadows are looked at by themselves.
 */
function viewOf({ min, max }: Sidecar['bounds']) {
  const size = max.map((value, axis) => value - min[axis])
  const target = min.map((value, axis) => value + size[axis] / 2)
  const distance = Math.hypot(...size) * 1.2 + 1e-3
  const eye = [0.6, 0.35, 0.72].map((way, axis) => target[axis] + way * distance)
  return { eye, target, floor: min[1], sun_casts: false }
}

/** A picture without anything in it, as far as that is known from its corner. */
function backdrop({ width, height, channels, data }: { width: number; height: number; channels: number; data: ArrayLike<number> }) {
  return Uint8Array.from({ length: width * height * channels }, (_, i) => data[i % channels])
}
