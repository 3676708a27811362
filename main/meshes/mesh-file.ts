import { extname } from 'node:path'
import type { Document } from '@gltf-transform/core'
import { readFbx, writeFbx } from './fbx/fbx-node.ts'
import type { FbxSpace } from './fbx/space.ts'
import { readRestMesh, writeRestMesh, type WrittenRestMesh } from './glb.ts'
import type { ReadSubmesh, RestMesh } from './rest-mesh.ts'

/**
 * Writes a rest mesh in the format that the file's extension names: glb, gltf or fbx.
 *
 * @param rest  in the space of the file
 * @param file  absolute path
 * @param space what an FBX file says of its space; glTF's is always the same
 * @throws Problem `output` when a file cannot be written, `limit` when the mesh is too large for the format
 */
export async function writeMeshFile(rest: RestMesh, appearance: Document, file: string, space: FbxSpace): Promise<WrittenRestMesh> {
  if (extname(file) === '.fbx') return writeFbx(rest, appearance, file, space)
  return writeRestMesh(rest, appearance, { format: extname(file) === '.gltf' ? 'gltf' : 'glb', file })
}

/**
 * Reads back a rest mesh that {@link writeMeshFile} wrote, in the space of the file.
 *
 * @throws Problem `input` when the file is not such a mesh
 */
export async function readMeshFile(file: string, indexUV: string): Promise<{ submeshes: ReadSubmesh[] }> {
  return extname(file).toLowerCase() === '.fbx' ? readFbx(file, indexUV) : readRestMesh(file, indexUV)
}
