import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts'
import { Problem } from '../model/problem.ts'
import { readBabylon } from './babylon/read-babylon.ts'
import { checkModel } from './check-model.ts'
import { isBinaryFbx } from './fbx/library.ts'
import { readFbx } from './fbx/read-fbx.ts'
import { isGlb } from './gltf/container.ts'
import { readGltf } from './gltf/read-gltf.ts'
import { type Budget, NotAFile, readLimitedFile } from './limited-file.ts'
import type { LoadedModel } from './loaded-model.ts'
import { readSequence } from './obj-sequence/read-sequence.ts'

const READABLE = 'glTF models (.glb and .gltf), FBX models (.fbx), Babylon scenes (.babylon) and numbered .obj files can be read'

/** The rate that numbered files have where nobody says another; it is that of a bake, so that each of them becomes a frame. */
const SEQUENCE_RATE = 30

/**
 * Reads a model. GLBs and binary FBX files are known by their first bytes, everything else by the ending of its name.
 *
 * @param path         of the model, or of numbered .obj files with a star in place of the number
 * @param sequenceRate frames a second of numbered files
 * @throws Problem that says why the file cannot be read, `limit` where it takes more than allowed
 */
export async function readModel(path: string, limits: Limits = DEFAULT_LIMITS, sequenceRate = SEQUENCE_RATE): Promise<LoadedModel> {
  const file = basename(path)
  const budget: Budget = { file, limits, spent: 0 }
  if (extname(file).toLowerCase() === '.obj') {
    const sequence = await readSequence(path, budget, sequenceRate)
    checkModel(file, sequence, limits)
    return sequence
  }
  const bytes = await readBytes(path, budget)
  if (bytes.length === 0) throw new Problem('input', `${file} is empty. Export the model again.`)
  const ending = extname(file).toLowerCase()
  const read = isGlb(bytes) ? readGltf : isBinaryFbx(bytes) ? readFbx : READERS[ending]
  if (!read) throw unreadable(file, ending)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const loaded = await read(path, file, bytes, budget)
  checkModel(file, loaded, limits)
  return { file: path, sha256, ...loaded }
}

type Reader = (path: string, file: string, bytes: Uint8Array, budget: Budget) => Promise<Omit<LoadedModel, 'file' | 'sha256'>>

/** By the ending of the name. Their libraries are loaded when they are needed. */
const READERS: Record<string, Reader | undefined> = { '.gltf': readGltf, '.fbx': readFbx, '.babylon': readBabylon }

function unreadable(file: string, ending: string): Problem {
  if (ending === '.glb') return new Problem('input', `${file} is not a GLB file, whatever its name says. Export the model again.`)
  const kind = ending ? `is a ${ending} file, which cannot be read` : 'is no model that can be read'
  return new Problem('input', `${file} ${kind}. ${READABLE}; export the model as one of these.`)
}

async function readBytes(path: string, budget: Budget): Promise<Uint8Array> {
  const { file } = budget
  try {
    return await readLimitedFile(path, budget)
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof NotAFile) {
      throw new Problem('input', `${file} ${error.message}. ${error.isFolder ? 'Name the model file inside of it' : READABLE}.`)
    }
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Problem('input', `${file} does not exist. Check the path: ${path}.`)
    throw new Problem('input', `${file} cannot be read (${code ?? String(error)}). Check the path and its permissions: ${path}.`)
  }
}
