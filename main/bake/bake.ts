import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeMeshFile } from '../meshes/mesh-file.ts'
import type { RestMesh } from '../meshes/rest-mesh.ts'
import type { Surfaces } from '../meshes/surface-materials.ts'
import { createBox, uniteBox, type Box } from '../model/box.ts'
import type { BakeResult, Progress, Work } from './contract.ts'
import { encodeTextures, measureBounds, type Track } from './encode.ts'
import { GENERATOR } from './generator.ts'
import type { BakeMeans } from './lane.ts'
import { isWithin } from './limit.ts'
import { measureErrors, type Lane } from './measure.ts'
import { meshSpaceOf, moveBox, subjectIn, type Space } from './mesh-space.ts'
import type { BakeOptions } from './options.ts'
import { indexUVs } from './plan.ts'
import { prepareBake, sidecarLayout, type Preparation } from './prepare.ts'
import { createRestFrame, evaluateRest, restSubmeshes } from './rest.ts'
import { measureWay } from './root-motion.ts'
import { sidecar as sidecarSchema, type Report, type SidecarClip, type SidecarTexture, type Unreported } from './sidecar.ts'
import { packagesOf, writePackage } from './package.ts'
import { createStaging, refuseForeignFiles, refuseModel, type Staging } from './staging.ts'

/**
 * Bakes a clip of a model: samples it, writes textures, rest mesh and sidecar, reads them back and measures how far they are
 * from the truth. The old files stay untouched until the new set is complete; stopping early leaves nothing behind.
 *
 * @param model path of the model
 * @throws Problem for anything that a person can mend
 */
export async function* bake(model: string, options: BakeOptions, { startLane, ...events }: BakeMeans = {}): Work<BakeResult> {
  const clock = startClock()
  yield { stage: 'reading', done: 0, total: 0 }
  const preparation = yield* prepareBake(model, options)
  const { files, folder, evaluator, encoding } = preparation
  const expected = [...files.textures, ...(files.rootMotion ? [files.rootMotion] : []), files.mesh, files.sidecar]
  const refuse = async (files: string[]) => {
    await refuseModel(folder, files, preparation.loaded.file)
    if (!options.overwrite) await refuseForeignFiles(folder, files, preparation.loaded.file)
  }
  clock.lap('reading')

  const staging = await createStaging(folder, preparation.name)
  events.staged?.(staging.folder)
  let published = false
  const laneModel = { model, limit: options.limit, sequenceRate: preparation.loaded.sequenceRate }
  const lane = isWorthLane(preparation) ? (startLane?.(laneModel) ?? null) : null
  try {
    await staging.alone(() => refuse(expected))
    const needsBounds = encoding !== 'exr'
    const passes = (needsBounds ? 1 : 0) + 1
    const frameCount = preparation.clips.reduce((sum, clip) => sum + clip.frameCount, 0)
    const track = createTracker((passes * preparation.blocks.length + 2 * frameCount) * evaluator.vertexCount)

    const measured = needsBounds ? yield* measureBounds(preparation, options.content, track) : null
    clock.lap('measuring')

    const { textures, bounds } = yield* encodeTextures(preparation, measured, staging, track)
    clock.lap('encoding')

    yield track('writing', 0)
    const mesh = await writeMesh(preparation, options, union(bounds), staging)
    const ways = await writeRootMotion(preparation, options, staging)
    const described = describeSet(preparation, options, bounds, textures, mesh, ways)
    const extras = await writePackage(packagesOf(preparation.target, options.players), described, mesh.surfaces, staging)
    const set = extras.length > 0 ? { ...described, package: extras } : described
    clock.lap('writing')

    const report = yield* verifySet(staging.folder, set, preparation, lane, track)
    await lane?.close()
    clock.lap('verifying')

    yield track('publishing', 0)
    const sidecar = sidecarSchema.parse({ ...set, report, warnings: preparation.warnings })
    await staging.write(files.sidecar, `${JSON.stringify(sidecar, null, 2)}\n`)
    const written = [
      ...preparation.textures.map(({ role }, index) => ({ role, file: files.textures[index] })),
      ...(files.rootMotion ? [{ role: 'root-motion', file: files.rootMotion }] : []),
      ...mesh.files.slice(1).map(({ file }) => ({ role: 'resource', file })),
      ...extras.map(({ file }) => ({ role: 'package', file })),
      { role: 'mesh', file: files.mesh },
      { role: 'sidecar', file: files.sidecar },
    ]
    const sized = await Promise.all(
      written.map(async ({ role, file }) => ({ role, file: join(folder, file), bytes: (await stat(staging.path(file))).size })),
    )
    const moved = written.map(({ file }) => file)
    await staging.publish(moved, () => refuse(moved))
    published = true
    for (const file of sized) events.exported?.(file)
    return {
      folder,
      sidecarFile: join(folder, files.sidecar),
      sidecar,
      files: sized,
      external: preparation.loaded.external ?? [],
      seconds: clock.stop(),
      waste: preparation.waste,
      choices: preparation.choices,
      withinLimit: isWithin(
        report,
        options.maxError,
        preparation.clips.flatMap(({ holdsBetween }, index) => (holdsBetween ? [index] : [])),
      ),
    }
  } finally {
    await lane?.close()
    if (!published) await staging.discard()
  }
}

/** Vertex-frames from which on a second thread saves more than it takes to start, and vertices up to which it may hold the model, too. */
const LANE = { vertexFrames: 1_500_000, vertices: 250_000 }

/**
 * Whether frames are to be measured in a second thread, too. A PNG is decoded as a whole, and so is a texture in whose rows every
 * frame is: there each thread would do that for itself.
 */
function isWorthLane({ evaluator, blocks, encoding, orientation }: Preparation): boolean {
  const streams = (encoding === 'exr' || encoding === 'exr16') && orientation === 'frames-y'
  return streams && evaluator.vertexCount <= LANE.vertices && evaluator.vertexCount * blocks.length >= LANE.vertexFrames
}

/** Counts vertex-frames over all stages. */
function createTracker(total: number): Track {
  let sum = 0
  return (stage, done) => ({ stage, done: (sum += done), total })
}

function union(boxes: Box[]): Box {
  const all = createBox()
  for (const box of boxes) uniteBox(all, box)
  return all
}

interface WrittenMesh {
  /** The mesh file first, then what it refers to. */
  files: { file: string; bytes: number; sha256: string }[]
  /** Of the file, where it is not the bake's. */
  space?: Space
  indexUV: string
  surfaces: Surfaces
  submeshes: { name: string; material: string | null; vertexCount: number }[]
}

/** Writes the rest mesh with the index UV of every vertex. */
async function writeMesh(preparation: Preparation, options: BakeOptions, bounds: Box, staging: Staging): Promise<WrittenMesh> {
  const { loaded, model, meshes, columns, layout, name, files, target, fileSpace } = preparation
  const bakeSpace = { axesFromGltf: target.axesFromGltf, scale: preparation.scale }
  const space = meshSpaceOf(fileSpace, bakeSpace)
  const subject = subjectIn(space, preparation)
  const rest = space ? createRestFrame(subject) : preparation.rest
  if (space) evaluateRest(subject, { rest: options.rest, clips: preparation.clips }, rest)
  const restMesh: RestMesh = {
    name: target.meshName ?? name,
    submeshes: restSubmeshes(subject, rest, indexUVs(layout, columns.ofVertex)),
    bounds: moveBox(bounds, bakeSpace, fileSpace),
    extras: { vat: { format: 'vat-studio', sidecar: files.sidecar } },
  }
  const written = await writeMeshFile(restMesh, loaded.appearance, staging.path(files.mesh), fileSpace)
  const isMesh = ({ file }: { file: string }) => file === files.mesh
  preparation.warnings.push(...written.warnings)
  return {
    files: [...written.files.filter(isMesh), ...written.files.filter((file) => !isMesh(file))],
    space,
    indexUV: written.indexUV,
    surfaces: written.surfaces,
    submeshes: meshes.map((index) => {
      const mesh = model.meshes[index]
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
  ways: WrittenWay[],
): Unreported {
  const { loaded, target, scale, meshes, evaluator, encoding, clips, layout, name, files, warnings } = preparation
  const [meshFile, ...resources] = mesh.files
  return {
    format: 'vat-studio',
    version: 1,
    generator: GENERATOR,
    name,
    target: options.target,
    encoding,
    frameCount: clips.reduce((sum, clip) => sum + clip.frameCount, 0),
    vertexCount: evaluator.vertexCount,
    columnCount: layout.columnCount,
    fps: clips[0].fps,
    bounds: union(bounds),
    source: { file: basename(loaded.file), sha256: loaded.sha256, sequenceRate: loaded.sequenceRate, meshes },
    space: {
      handedness: target.handedness,
      up: target.up,
      unit: target.unit,
      uvOrigin: target.uvOrigin,
      axesFromGltf: target.axesFromGltf,
      scale,
    },
    layout: sidecarLayout(preparation, options),
    textures,
    clips: clips.map(({ name, index, start, firstRow, frameCount, fps, duration, loop, seam, frameRows, blend }, i) => ({
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
      ...(frameRows ? { frameRows } : {}),
      ...(blend ? { blend } : {}),
      ...(ways[i] ? { rootMotion: ways[i] } : {}),
    })),
    rest: options.rest,
    parts: [{ mode: 'vertex', meshes: [0] }],
    meshes: [
      {
        file: files.mesh,
        sha256: meshFile.sha256,
        resources: resources.map(({ file, sha256 }) => ({ file, sha256 })),
        ...(mesh.space ? { space: mesh.space } : {}),
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
  preparation: Preparation,
  lane: Lane | null,
  track: Track,
): AsyncGenerator<Progress, Report, void> {
  const measuring = measureErrors(folder, set, { ...preparation, isSameModel: true }, { lane })
  for (;;) {
    const step = await measuring.next()
    if (step.done) return step.value
    yield track('verifying', step.value)
  }
}

type WrittenWay = SidecarClip['rootMotion']

/** The way that was taken out of each clip; with `--root-motion extract` also frame by frame, and as a table in a file. */
async function writeRootMotion(preparation: Preparation, { rootMotion }: BakeOptions, staging: Staging): Promise<WrittenWay[]> {
  const { clips, files } = preparation
  if (clips.every((clip) => !clip.rootMotion)) return []
  const ways = clips.map((clip) => (clip.rootMotion ? measureWay(preparation, clip) : null))
  const described = (index: number) => ({ ...clips[index].rootMotion!, travel: ways[index]!.travel })
  if (rootMotion !== 'extract' || !files.rootMotion) return ways.map((way, index) => way ? described(index) : undefined)
  const rows = clips.flatMap(({ name }, index) =>
    (ways[index]?.path ?? []).map((point, frame) => [csvText(name), frame, ways[index]!.seconds[frame], ...point].join(',')),
  )
  const table = `clip,frame,seconds,x,y,z\n${rows.join('\n')}\n`
  await staging.write(files.rootMotion, table)
  const file = { file: files.rootMotion, sha256: createHash('sha256').update(table).digest('hex') }
  return ways.map((way, index) => way ? { ...described(index), path: way.path, ...file } : undefined)
}

/** A text as a cell of a table of comma-separated values (RFC 4180). */
function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
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
