import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { encodeOctahedral, octahedralCoding } from '../codecs/octahedral.ts'
import { chooseCoding, chooseDirectionCoding, createTexelArray, encodeTexels, type TexelCoding, type TexelType } from '../codecs/texel.ts'
import { openTextureWriter, type TextureWriter } from '../codecs/texture-node.ts'
import { writeRestMesh } from '../meshes/glb.ts'
import type { RestMesh } from '../meshes/rest-mesh.ts'
import { createBox, growBox, uniteBox, type Box } from '../model/box.ts'
import type { Frame } from '../model/evaluate.ts'
import { Problem } from '../model/problem.ts'
import type { BakeEvents, BakeResult, Progress, Work } from './contract.ts'
import { GENERATOR } from './generator.ts'
import { isWithin } from './limit.ts'
import { measureErrors, type Unreported } from './measure.ts'
import type { BakeOptions, Encoding } from './options.ts'
import { indexUVs, sampleTimes } from './plan.ts'
import { prepareBake, type Preparation } from './prepare.ts'
import { evaluateRest, restSubmeshes } from './rest.ts'
import { sidecar as sidecarSchema, type Report, type SidecarTexture } from './sidecar.ts'
import { createStaging, refuseForeignFiles, refuseModel, type Staging } from './staging.ts'

const TEXEL_TYPES: Record<Encoding, TexelType> = { rgba8: 'unorm8', rgba16: 'unorm16', exr16: 'float16', exr: 'float32' }
const CHANNELS = 3

/**
 * Bakes a clip of a model: samples it, writes textures, rest mesh and sidecar, reads them back and measures how far they are
 * from the truth. The old files stay untouched until the new set is complete; stopping early leaves nothing behind.
 *
 * @param model path of the model
 * @throws Problem for anything that a person can mend
 */
export async function* bake(model: string, options: BakeOptions, events: BakeEvents = {}): Work<BakeResult> {
  const clock = startClock()
  yield { stage: 'reading', done: 0, total: 0 }
  const preparation = await prepareBake(model, options)
  const { files, evaluator, layout } = preparation
  const expected = [files.position, ...(files.normal ? [files.normal] : []), files.mesh, files.sidecar]
  const refuse = async (files: string[]) => {
    await refuseModel(options.output, files, model)
    if (!options.overwrite) await refuseForeignFiles(options.output, files, model)
  }
  clock.lap('reading')

  const staging = await createStaging(options.output, preparation.name)
  events.staged?.(staging.folder)
  let published = false
  try {
    await staging.alone(() => refuse(expected))
    const needsBounds = options.encoding !== 'exr'
    const passes = (needsBounds ? 1 : 0) + 1 + 2
    const track = createTracker(passes * layout.frameCount * evaluator.vertexCount)

    const rest = evaluateRest(preparation.loaded.model, preparation.meshes, preparation.evaluator, preparation.pose)
    const measured = needsBounds ? yield* measureBounds(preparation, options, rest, track) : null
    clock.lap('measuring')

    const codings = chooseCodings(options, measured)
    const { textures, bounds } = yield* encodeTextures(preparation, options, rest, codings, staging, track)
    clock.lap('encoding')

    yield track('writing', 0)
    const mesh = await writeMesh(preparation, rest, union(bounds), staging)
    const set = describeSet(preparation, options, bounds, textures, mesh)
    clock.lap('writing')

    const report = yield* verifySet(staging.folder, set, preparation, track)
    clock.lap('verifying')

    yield track('publishing', 0)
    const sidecar = sidecarSchema.parse({ ...set, report, warnings: preparation.warnings })
    await staging.write(files.sidecar, `${JSON.stringify(sidecar, null, 2)}\n`)
    const written = [
      ...textures.map(({ role, file }) => ({ role, file })),
      ...mesh.files.slice(1).map(({ file }) => ({ role: 'resource', file })),
      { role: 'mesh', file: files.mesh },
      { role: 'sidecar', file: files.sidecar },
    ]
    const sized = await Promise.all(
      written.map(async ({ role, file }) => ({ role, file: join(options.output, file), bytes: (await stat(staging.path(file))).size })),
    )
    const moved = written.map(({ file }) => file)
    await staging.publish(moved, () => refuse(moved))
    published = true
    for (const file of sized) events.exported?.(file)
    return {
      folder: options.output,
      sidecarFile: join(options.output, files.sidecar),
      sidecar,
      files: sized,
      seconds: clock.stop(),
      withinLimit: isWithin(report, options.maxError),
    }
  } finally {
    if (!published) await staging.discard()
  }
}

type Track = (stage: Progress['stage'], done: number) => Progress

/** Counts vertex-frames over all stages. */
function createTracker(total: number): Track {
  let sum = 0
  return (stage, done) => ({ stage, done: (sum += done), total })
}

/** Evaluates every frame of every clip in order. */
function* frames({ loaded, evaluator, pose, clips }: Preparation, frame: Frame): Generator<{ clip: number; index: number }, void, void> {
  for (const [clipIndex, clip] of clips.entries()) {
    const times = sampleTimes(clip)
    for (let index = 0; index < times.length; index++) {
      loaded.model.pose(loaded.model.clips[clip.index], times[index], pose)
      evaluator.evaluate(pose, frame)
      if (!areFinite(frame.positions)) {
        throw new Problem(
          'input',
          `${basename(loaded.file)} leaves the range of numbers in frame ${index} of "${clip.name}". ` +
            'Bake it with a smaller --scale, or repair the transforms of its nodes.',
        )
      }
      yield { clip: clipIndex, index }
    }
  }
}

/** Pass 1: the box around what the position texture will hold. */
async function* measureBounds(
  preparation: Preparation,
  options: BakeOptions,
  rest: Frame,
  track: Track,
): AsyncGenerator<Progress, Box, void> {
  const { evaluator } = preparation
  const frame = evaluator.createFrame({ normals: false, tangents: false })
  const values = createBox()
  for (const _ of frames(preparation, frame)) {
    if (options.content === 'offset') subtract(frame.positions, rest.positions)
    growBox(values, frame.positions)
    yield track('measuring', evaluator.vertexCount)
  }
  return values
}

interface Codings {
  position: TexelCoding
  normal: TexelCoding
}

/** How values become texels. Normals always span -1 to 1, so that they need no pass of their own. */
function chooseCodings(options: BakeOptions, values: Box | null): Codings {
  const type = TEXEL_TYPES[options.encoding]
  const position = chooseCoding(type, values?.min ?? [0, 0, 0], values?.max ?? [0, 0, 0])
  return { position, normal: options.normals === 'octahedral' ? octahedralCoding(type) : chooseDirectionCoding(type, CHANNELS) }
}

/** Pass 2: every frame becomes a row block of each texture. Also measures each clip's box of positions. */
async function* encodeTextures(
  preparation: Preparation,
  options: BakeOptions,
  rest: Frame,
  codings: Codings,
  staging: Staging,
  track: Track,
): AsyncGenerator<Progress, { textures: SidecarTexture[]; bounds: Box[] }, void> {
  const { evaluator, layout, files, clips } = preparation
  const { width, height, columnCount } = layout
  const type = TEXEL_TYPES[options.encoding]
  const bounds = clips.map(createBox)
  const frame = evaluator.createFrame({ normals: files.normal !== null, tangents: false })
  const writers: TextureWriter[] = []
  const open = async (file: string) => {
    const writer = await openTextureWriter(staging.path(file), { width, height, channels: CHANNELS, type })
    writers.push(writer)
    return writer
  }
  try {
    const positionWriter = await open(files.position)
    const normalWriter = files.normal ? await open(files.normal) : null
    const blockLength = width * layout.rowsPerFrame * CHANNELS
    for (const { clip } of frames(preparation, frame)) {
      growBox(bounds[clip], frame.positions)
      if (options.content === 'offset') subtract(frame.positions, rest.positions)
      // Each block has memory of its own: a writer keeps it until its rows are compressed. Texels of no column stay 0.
      const block = createTexelArray(type, blockLength)
      encodeTexels(codings.position, frame.positions, columnCount, block, 0)
      await positionWriter.write(block)
      if (normalWriter) {
        const normalBlock = createTexelArray(type, blockLength)
        if (options.normals === 'octahedral') encodeOctahedral(codings.normal, frame.normals!, columnCount, normalBlock, 0, CHANNELS)
        else encodeTexels(codings.normal, frame.normals!, columnCount, normalBlock, 0)
        await normalWriter.write(normalBlock)
      }
      yield track('encoding', evaluator.vertexCount)
    }
    yield track('writing', 0)
    const textures: SidecarTexture[] = []
    const describe = (role: SidecarTexture['role'], file: string, sha256: string, content: SidecarTexture['content'], coding: TexelCoding) => ({
      role,
      file,
      sha256,
      width,
      height,
      baseRow: 0,
      channels: coding.scale.length === 2 ? ('rg' as const) : ('rgb' as const),
      type,
      content,
      scale: coding.scale,
      offset: coding.offset,
    })
    const { sha256 } = await positionWriter.close()
    textures.push(describe('position', files.position, sha256, options.content, codings.position))
    if (normalWriter && files.normal) {
      yield track('writing', 0)
      const { sha256 } = await normalWriter.close()
      textures.push(describe('normal', files.normal, sha256, options.normals === 'octahedral' ? 'octahedral' : 'xyz', codings.normal))
    }
    writers.length = 0
    return { textures, bounds }
  } finally {
    for (const writer of writers) await writer.abort()
  }
}

/** Whether all numbers are finite: one that is not makes the sum so. */
function areFinite(values: Float32Array): boolean {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] * 0
  return sum === 0
}

function subtract(values: Float32Array, base: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i] - base[i]
}

function union(boxes: Box[]): Box {
  const all = createBox()
  for (const box of boxes) uniteBox(all, box)
  return all
}

interface WrittenMesh {
  /** The mesh file first, then what it refers to. */
  files: { file: string; bytes: number; sha256: string }[]
  indexUV: string
  submeshes: { name: string; material: string | null; vertexCount: number }[]
}

/** Writes the rest mesh with the index UV of every vertex. */
async function writeMesh(preparation: Preparation, rest: Frame, bounds: Box, staging: Staging): Promise<WrittenMesh> {
  const { loaded, evaluator, meshes, layout, name, files } = preparation
  const submeshes = restSubmeshes(loaded.model, meshes, evaluator, rest, indexUVs(layout))
  const restMesh: RestMesh = { name, submeshes, bounds, extras: { vat: { format: 'vat-studio', sidecar: files.sidecar } } }
  const written = await writeRestMesh(restMesh, loaded.appearance, {
    format: files.mesh.endsWith('.gltf') ? 'gltf' : 'glb',
    file: staging.path(files.mesh),
  })
  const isMesh = ({ file }: { file: string }) => file === files.mesh
  preparation.warnings.push(...written.warnings)
  return {
    files: [...written.files.filter(isMesh), ...written.files.filter((file) => !isMesh(file))],
    indexUV: written.indexUV,
    submeshes: meshes.map((index) => {
      const mesh = loaded.model.meshes[index]
      return { name: mesh.name, material: loaded.model.materials[mesh.material] ?? null, vertexCount: mesh.vertexCount }
    }),
  }
}

function describeSet(
  preparation: Preparation,
  options: BakeOptions,
  bounds: Box[],
  textures: SidecarTexture[],
  mesh: WrittenMesh,
): Unreported {
  const { loaded, target, scale, meshes, evaluator, clips, layout, name, files, warnings } = preparation
  const [meshFile, ...resources] = mesh.files
  return {
    format: 'vat-studio',
    version: 1,
    generator: GENERATOR,
    name,
    target: options.target,
    encoding: options.encoding,
    frameCount: layout.frameCount,
    vertexCount: evaluator.vertexCount,
    columnCount: layout.columnCount,
    fps: clips[0].fps,
    bounds: union(bounds),
    source: { file: basename(loaded.file), sha256: loaded.sha256, meshes },
    space: {
      handedness: target.handedness,
      up: target.up,
      unit: target.unit,
      uvOrigin: target.uvOrigin,
      axesFromGltf: target.axesFromGltf,
      scale,
    },
    layout: { columnsPerRow: layout.columnsPerRow, rowsPerFrame: layout.rowsPerFrame, orientation: 'frames-y', guardRows: 0 },
    textures,
    clips: clips.map(({ name, index, start, firstRow, frameCount, fps, duration, loop, seam }, i) => ({
      name,
      index,
      start,
      firstRow,
      frameCount,
      fps,
      duration,
      loop,
      seam,
      bounds: bounds[i],
    })),
    parts: [{ mode: 'vertex', meshes: [0] }],
    meshes: [
      {
        file: files.mesh,
        sha256: meshFile.sha256,
        resources: resources.map(({ file, sha256 }) => ({ file, sha256 })),
        lod: 0,
        indexUV: mesh.indexUV,
        submeshes: mesh.submeshes,
      },
    ],
    warnings,
  }
}

async function* verifySet(
  folder: string,
  set: Unreported,
  { loaded, evaluator, pose }: Preparation,
  track: Track,
): AsyncGenerator<Progress, Report, void> {
  const measuring = measureErrors(folder, set, { model: loaded.model, evaluator, pose, isSameModel: true })
  for (;;) {
    const step = await measuring.next()
    if (step.done) return step.value
    yield track('verifying', step.value)
  }
}

/** Seconds since the last lap, by stage. */
function startClock() {
  const begin = performance.now()
  let last = begin
  const laps: Record<'reading' | 'measuring' | 'encoding' | 'writing' | 'verifying', number> = {
    reading: 0,
    measuring: 0,
    encoding: 0,
    writing: 0,
    verifying: 0,
  }
  return {
    lap(stage: keyof typeof laps) {
      const now = performance.now()
      laps[stage] += (now - last) / 1000
      last = now
    },
    stop: () => ({ ...laps, total: (performance.now() - begin) / 1000 }),
  }
}
