import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { Problem } from '../model/problem.ts'
import { isGlb } from './gltf/container.ts'
import { readGltf } from './gltf/read-gltf.ts'
import type { LoadedModel } from './loaded-model.ts'

const READABLE = 'glTF models (.glb and .gltf) can be read'

/** The most bytes that Node reads into one buffer. */
const LARGEST_FILE = 2 ** 31 - 1

/**
 * Reads a model. A GLB is known by its first bytes, everything else by the ending of its name.
 *
 * @throws Problem that says why the file cannot be read
 */
export async function readModel(path: string): Promise<LoadedModel> {
  const file = basename(path)
  const bytes = await readBytes(path, file)
  if (bytes.length === 0) throw new Problem('input', `${file} is empty. Export the model again.`)
  const ending = extname(file).toLowerCase()
  if (!isGlb(bytes) && ending !== '.gltf') throw unreadable(file, ending)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { file: path, sha256, ...(await readGltf(path, file, bytes)) }
}

function unreadable(file: string, ending: string): Problem {
  if (ending === '.glb') return new Problem('input', `${file} is not a GLB file, whatever its name says. Export the model again.`)
  const kind = ending ? `is a ${ending} file, which cannot be read` : 'is no model that can be read'
  return new Problem('input', `${file} ${kind}. ${READABLE}; export the model as one of these.`)
}

async function readBytes(path: string, file: string): Promise<Uint8Array> {
  try {
    const status = await stat(path)
    if (status.isDirectory()) throw new Problem('input', `${file} is a folder. Name the model file inside of it.`)
    if (!status.isFile()) throw new Problem('input', `${file} is not a regular file. ${READABLE}.`)
    if (status.size > LARGEST_FILE) {
      throw new Problem('limit', `${file} has ${status.size} bytes, and at most ${LARGEST_FILE} can be read. Split the model up.`)
    }
    return await readFile(path)
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Problem('input', `${file} does not exist. Check the path: ${path}.`)
    throw new Problem('input', `${file} cannot be read (${code ?? String(error)}). Check the path and its permissions: ${path}.`)
  }
}
