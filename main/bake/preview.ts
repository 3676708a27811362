import { basename, dirname, extname, join } from 'node:path'
import type { TexelArray } from '../codecs/texel.ts'
import type { TextureImage } from '../codecs/texture-node.ts'
import { readFbx } from '../meshes/fbx/fbx-node.ts'
import { encodeRestMesh, packRestMesh } from '../meshes/glb.ts'
import { readMeshFile } from '../meshes/mesh-file.ts'
import type { ReadSubmesh } from '../meshes/rest-mesh.ts'
import { type Pose } from '../model/animated-model.ts'
import { createBox, growBox, type Box } from '../model/box.ts'
import { Problem } from '../model/problem.ts'
import type { LoadedModel } from '../readers/loaded-model.ts'
import { readModel } from '../readers/read-model.ts'
import { spaceMatrix } from '../targets/target.ts'
import { measureErrors, type FrameError } from './measure.ts'
import { createRestFrame, evaluateRest, restSubmeshes } from './rest.ts'
import { openTexture } from './layers.ts'
import { movePart } from './mesh-space.ts'
import type { Sidecar, SidecarTexture } from './sidecar.ts'
import { createSubject } from './subject.ts'
import { truthOf } from './truth.ts'
import { findDamage, readSidecar } from './verify.ts'

/** A model that was read for being looked at. */
export interface LookedAtModel {
  loaded: LoadedModel
  restPose: Pose
  /** Box around the model at rest; null where it has no vertices. */
  bounds: Box | null
  /** GLB of the model at rest in its own space, primitive i is mesh i; empty where it has no meshes. */
  restMesh: Uint8Array<ArrayBuffer>
}

/**
 * Reads a model and brings it to rest. One without clips, or without meshes, is fine: it can be looked at.
 *
 * @throws Problem that says why the file cannot be read
 */
export async function lookAtModel(file: string): Promise<LookedAtModel> {
  const loaded = await readModel(file)
  const { model } = loaded
  const meshes = model.meshes.map((_, index) => index)
  const subject = createSubject(model, meshes, spaceMatrix(['+x', '+y', '+z'], 1))
  const { evaluator, pose: restPose } = subject
  const rest = createRestFrame(subject)
  evaluateRest(subject, { rest: 'rest', clips: [] }, rest)
  if (meshes.length === 0) return { loaded, restPose, bounds: null, restMesh: new Uint8Array() }
  const bounds = createBox()
  growBox(bounds, rest.positions)
  const submeshes = restSubmeshes(subject, rest, new Float32Array(evaluator.vertexCount * 2))
  const restMesh = await encodeRestMesh({ name: basename(file), submeshes, bounds, extras: {} }, loaded.appearance)
  return { loaded, restPose, bounds, restMesh }
}

/** A texture of a bake with everything that is in it. */
export interface LookedAtTexture extends TextureImage {
  /** Index of the first layer in the same file: its own, or that of an earlier one, which then has the texels. */
  sameAs: number
  /** `[row][x][channel]` as stored */
  texels: TexelArray
}

/** A bake that was read for being looked at. */
export interface LookedAtBake {
  sidecar: Sidecar
  textures: LookedAtTexture[]
  submeshes: ReadSubmesh[]
  restMesh: Uint8Array<ArrayBuffer>
}

/**
 * Reads a bake from the files that were written.
 *
 * @throws Problem where the set is not whole: a player must not play a torn one
 */
export async function lookAtBake(sidecarFile: string): Promise<LookedAtBake> {
  const sidecar = await readSidecar(sidecarFile)
  const folder = dirname(sidecarFile)
  const [damage] = await findDamage(folder, sidecar)
  if (damage) throw new Problem('input', `${damage.file} of this bake ${damage.problem}. Bake the model again.`)
  const [mesh] = sidecar.meshes
  const textures: LookedAtTexture[] = []
  for (const [index, layer] of sidecar.textures.entries()) {
    const sameAs = sidecar.textures.findIndex((texture) => texture.file === layer.file)
    if (sameAs < index) textures.push({ ...textures[sameAs], sameAs, texels: textures[sameAs].texels.slice(0, 0) })
    else textures.push({ sameAs, ...(await readTexture(folder, layer)) })
  }
  return { sidecar, textures, ...(await readMesh(join(folder, mesh.file), sidecar)) }
}

/** The mesh in the space of the bake, and as GLB, whatever its file is. */
async function readMesh(file: string, sidecar: Sidecar): Promise<Pick<LookedAtBake, 'submeshes' | 'restMesh'>> {
  const { space: bakeSpace, bounds, meshes: [{ indexUV, space }] } = sidecar
  if (extname(file) !== '.fbx') return { ...(await readMeshFile(file, indexUV)), restMesh: await packRestMesh(file) }
  const { submeshes: read } = await readFbx(file, indexUV)
  const submeshes = read.map((part) => ({ ...part, ...(space ? movePart(part, space, bakeSpace) : {}) }))
  const { appearance } = await readModel(file)
  return { submeshes, restMesh: await encodeRestMesh({ name: basename(file), submeshes, bounds, extras: {} }, appearance) }
}

async function readTexture(folder: string, layer: SidecarTexture): Promise<Omit<LookedAtTexture, 'sameAs'>> {
  const reader = await openTexture(folder, layer)
  try {
    const { width, height, channels, type } = reader
    return { width, height, channels, type, texels: await reader.readRows(0, height) }
  } finally {
    await reader.close()
  }
}

/**
 * Compares one clip of a written bake with its model, frame by frame.
 *
 * Yields the errors that were measured since the last time.
 *
 * @param clip index into the sidecar's clips
 * @throws Problem where the model is not the one that was baked
 */
export async function* measureClipErrors(
  sidecarFile: string,
  sidecar: Sidecar,
  clip: number,
  loaded: LoadedModel,
): AsyncGenerator<FrameError[], void, void> {
  const truth = truthOf(loaded, sidecar)
  if (!truth || !sidecar.clips[clip]) {
    throw new Problem('verify', `${basename(loaded.file)} is not the ${sidecar.source.file} that was baked. Bake it again.`)
  }
  let measured: FrameError[] = []
  const observe = (error: FrameError) => measured.push(error)
  for await (const _ of measureErrors(dirname(sidecarFile), sidecar, truth, { only: clip, observe })) {
    yield measured
    measured = []
  }
}
