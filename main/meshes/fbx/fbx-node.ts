import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import type { Document } from '@gltf-transform/core'
import { Problem } from '../../model/problem.ts'
import { buildRestMesh, type WrittenRestMesh } from '../glb.ts'
import type { RestMesh } from '../rest-mesh.ts'
import { saveFiles } from '../save-files.ts'
import { describeSurfaces } from '../surface-materials.ts'
import { encodeRestMesh, joinSurfaces } from './encode-rest-mesh.ts'
import { countLeftOut } from './materials.ts'
import { parseRestMesh, type ParsedSubmesh } from './parse-rest-mesh.ts'
import type { FbxSpace } from './space.ts'

/** What floats leave of a double compresses at any level; the lowest one is many times faster than the others. */
const LEVEL = 1

/**
 * Writes a rest mesh as binary FBX, and the images of its materials beside it. Its index UV has the same number as in glTF.
 *
 * @param rest       in the file's space
 * @param appearance document whose materials `Submesh.material` counts; it is not changed
 * @param file       absolute path
 * @throws Problem `output` when a file cannot be written, `limit` when the mesh is too large for the format
 */
export async function writeFbx(rest: RestMesh, appearance: Document, file: string, space: FbxSpace): Promise<WrittenRestMesh> {
  const { document, indexUV, warnings } = buildRestMesh(rest, appearance)
  const surfaces = describeSurfaces(document, basename(file, extname(file)))
  const left = rest.submeshes.flatMap(({ attributes }) => attributes.filter(({ semantic }) => semantic.startsWith('_')))
  if (left.length > 0) {
    const semantics = [...new Set(left.map(({ semantic }) => semantic))].join(', ')
    const message = `${left.length} vertex attribute(s) that FBX has no place for are left out of the rest mesh: ${semantics}.`
    warnings.push({ code: 'attribute-left-out', message, count: left.length })
  }
  const maps = countLeftOut(surfaces.materials)
  if (maps > 0) {
    const message = `${maps} texture(s) of roughness, metalness or occlusion lie beside the mesh, where FBX materials have no place for them.`
    warnings.push({ code: 'texture-left-out', message, count: maps })
  }
  const indexChannel = Number(indexUV.slice('TEXCOORD_'.length))
  const joined = joinSurfaces(rest, surfaces.materials)
  const data = encodeRestMesh(rest, joined, indexChannel, space, (bytes) => deflateSync(bytes, { level: LEVEL }))
  const files = await saveFiles(dirname(file), [{ file: basename(file), data }, ...surfaces.images])
  return { files, indexUV, surfaces: { ...surfaces, materials: joined.materials }, warnings }
}

/**
 * Reads back a rest mesh that {@link writeFbx} wrote.
 *
 * @param indexUV texture coordinate set that holds the index UV, as the sidecar names it
 * @throws Problem `input` when the file is not such a mesh
 */
export async function readFbx(file: string, indexUV: string): Promise<{ submeshes: ParsedSubmesh[] }> {
  try {
    const inflate = (bytes: Uint8Array, size: number) => inflateSync(bytes, { maxOutputLength: Math.max(size, 1) })
    return { submeshes: parseRestMesh(await readFile(file), indexUV, inflate) }
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '')
    throw new Problem('input', `"${basename(file)}" cannot be read as a rest mesh (${reason}). Bake the model again to replace it.`)
  }
}
