import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../../main/bake/options.ts'
import type { Sidecar, SidecarClip } from '../../../main/bake/sidecar.ts'
import { bakeClips, finish, meshesOf, truthJobOf, type BakedClip } from '../bake-corpus.ts'
import { evaluateTruth, type Truth } from '../corpus.ts'
import type { GodotProject, Shot } from './project.ts'

/** A model in a project of Godot's, with its truth. */
export interface Subject {
  file: string
  /** Clips, each baked without loss for any engine: for its normals, and for the order of its meshes. */
  clips: BakedClip[]
  /** What the oracle says of each clip at its samples. */
  truths: Truth[]
}

export async function readSubject(file: string): Promise<Subject> {
  const clips = await bakeClips({ name: basename(file), file, clips: 0, hasNormals: true }, { encoding: 'exr', normals: 'xyz' })
  return { file, clips, truths: await evaluateTruth(clips.map(truthJobOf)) }
}

/** Bakes all clips of a model for Godot into a folder of the project. */
export async function bakePackage(project: GodotProject, file: string, folder: string, options: BakeOptionsInput): Promise<Sidecar> {
  const output = join(project.folder, folder)
  const work = bake(file, bakeOptions.parse({ all: true, name: 'model', target: 'godot', normals: 'xyz', output, ...options }))
  return (await finish(work)).sidecar
}

/** The eight frames of a clip that are looked at; fewer where it has fewer. */
export function framesOf({ frameCount }: SidecarClip): number[] {
  const count = Math.min(8, frameCount)
  return Array.from({ length: count }, (_, i) => Math.floor((i * frameCount) / count))
}

/** Positions of a frame as the oracle has them, `[vertex][xyz]`, vertices in the order of the bake. */
export function truePositions({ clips, truths }: Subject, clip: number, frame: number): Float32Array {
  const meshes = meshesOf(clips[clip])
  const positions = new Float32Array(meshes.reduce((sum, { vertexCount }) => sum + vertexCount * 3, 0))
  for (const { key, firstVertex, vertexCount } of meshes) {
    const length = vertexCount * 3
    positions.set(truths[clip].get(key)!.positions.subarray(frame * length, (frame + 1) * length), firstVertex * 3)
  }
  return positions
}

/** Normals of a frame, `[vertex][xyz]`, unit length: of the bake without loss, since not every model has its own. */
export function normalsOf({ clips }: Subject, clip: number, frame: number): Float32Array {
  const { normals, vertexCounts } = clips[clip].decoded
  const stride = vertexCounts.reduce((sum, count) => sum + count, 0) * 3
  return Float32Array.from(normals!.subarray(frame * stride, (frame + 1) * stride))
}

/** A picture of a mesh whose vertices stand where the oracle says that they are in a frame of a clip. */
export function referenceShot(project: GodotProject, subject: Subject, clip: number, frame: number, original: string): Promise<Omit<Shot, 'out'>> {
  const vertices = { positions: truePositions(subject, clip, frame), normals: normalsOf(subject, clip, frame) }
  return meshShot(project, subject, `${clip}-${frame}`, vertices, original)
}

/** Vertices as a player has them between frames: positions and normals of the two, mixed. */
export function verticesAt(subject: Subject, clip: number, seconds: number): Vertices {
  const { fps, frameCount } = subject.clips[clip].decoded.sidecar.clips[0]
  const moment = (seconds * fps) % frameCount
  const frame = Math.floor(moment)
  const both = [frame, (frame + 1) % frameCount]
  const [one, other] = both.map((each) => ({ positions: truePositions(subject, clip, each), normals: normalsOf(subject, clip, each) }))
  return mixVertices(one, other, moment - frame)
}

interface Vertices {
  positions: Float32Array
  normals: Float32Array
}

/** So much of the other. */
export function mixVertices(one: Vertices, other: Vertices, share: number): Vertices {
  const mix = (a: Float32Array, b: Float32Array) => a.map((value, i) => value * (1 - share) + b[i] * share)
  const normals = mix(one.normals, other.normals)
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2])
    for (let axis = 0; axis < 3; axis++) normals[i + axis] /= length
  }
  return { positions: mix(one.positions, other.positions), normals }
}

/**
 * A picture of a model's mesh with these vertices.
 *
 * @param tangents `[vertex][xyzw]`; only for models of one mesh
 */
export async function meshShot(
  project: GodotProject,
  subject: Subject,
  title: string,
  { positions, normals }: Vertices,
  original: string,
  tangents?: Float32Array,
): Promise<Omit<Shot, 'out'>> {
  const mesh = await readMesh(subject)
  const pieces: Buffer[] = []
  let vertex = 0
  for (const { vertexCount, uvs, colors, indices } of mesh) {
    const range = [vertex * 3, (vertex + vertexCount) * 3] as const
    for (const array of [positions.slice(...range), normals.slice(...range), tangents ?? [], ...uvs, colors ?? [], indices]) {
      if (ArrayBuffer.isView(array)) pieces.push(Buffer.from(array.buffer, array.byteOffset, array.byteLength))
    }
    vertex += vertexCount
  }
  const name = `reference/${basename(subject.file, extname(subject.file))}-${title}.bin`
  await mkdir(dirname(join(project.folder, name)), { recursive: true })
  await writeFile(join(project.folder, name), Buffer.concat(pieces))
  const surfaces = mesh.map(({ vertexCount, uvs, colors, indices, material }) => ({
    vertices: vertexCount,
    uvs: uvs.length,
    tangents: tangents !== undefined,
    colors: colors !== null,
    indices: indices.length,
    material,
  }))
  return { kind: 'reference', original, vertices: `res://${name}`, surfaces }
}

interface Surface {
  vertexCount: number
  /** One or two sets, `[vertex][uv]`. */
  uvs: Float32Array[]
  /** `[vertex][rgba]` */
  colors: Float32Array | null
  indices: Int32Array
  material: string
}

const meshes = new Map<Subject, Surface[]>()

/** What does not move of a model: from the model itself, in the order of its bake. */
async function readMesh(subject: Subject): Promise<Surface[]> {
  const known = meshes.get(subject)
  if (known) return known
  const root = (await new NodeIO().registerExtensions(ALL_EXTENSIONS).read(subject.file)).getRoot()
  const surfaces = meshesOf(subject.clips[0]).map(({ key, vertexCount }) => {
    const [, node, index] = /^node(\d+)\/prim(\d+)$/.exec(key)!.map(Number)
    const primitive = root.listNodes()[node].getMesh()!.listPrimitives()[index]
    const array = (semantic: string) => primitive.getAttribute(semantic)?.getArray() ?? null
    const second = array('TEXCOORD_1')
    const colors = array('COLOR_0')
    const empty = new Float32Array(vertexCount * 2)
    return {
      vertexCount,
      uvs: [Float32Array.from(array('TEXCOORD_0') ?? empty), ...(second ? [Float32Array.from(second)] : [])],
      colors: colors ? Float32Array.from(colors) : null,
      indices: Int32Array.from(primitive.getIndices()?.getArray() ?? Array.from({ length: vertexCount }).keys()),
      material: primitive.getMaterial()?.getName() ?? '',
    }
  })
  meshes.set(subject, surfaces)
  return surfaces
}
