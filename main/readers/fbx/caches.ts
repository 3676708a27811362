import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { MorphTarget } from '../../model/animated-model.ts'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import { createFileFinder, type FileFinder } from '../file-finder.ts'
import type { Budget } from '../limited-file.ts'
import type { ExternalFile } from '../loaded-model.ts'
import { readMayaCache, readMayaDescription } from '../vertex-cache/maya-cache.ts'
import { readPointCache } from '../vertex-cache/point-cache.ts'
import { brokenCache, type VertexCache } from '../vertex-cache/vertex-cache.ts'
import type { WarningList } from '../warnings.ts'
import type { FbxDocument, FbxFile, FbxGeometry } from './library.ts'
import type { FbxNodes } from './nodes.ts'
import { numbersOf, objectsOf, propertyOf, type FbxRecords } from './records.ts'

/** Vertex caches by the id of the geometry that they move, and the files that were read for them or looked for. */
export interface FbxCaches {
  of: Map<number, VertexCache>
  external: ExternalFile[]
}

/**
 * Reads the vertex caches that a file refers to: .pc2, or .xml with .mc or .mcx, in the model's folder or where exporters put
 * them beside it. They take the place of skins and blend shapes, whose effect they have in them.
 *
 * @param path of the model
 * @throws Problem where a cache is damaged or another mesh's, or where none is found and nothing else moves
 */
export async function readCaches(
  path: string,
  { scene, document }: FbxFile,
  { models }: FbxNodes,
  records: FbxRecords,
  budget: Budget,
  warnings: WarningList,
): Promise<FbxCaches> {
  const finder = createFileFinder(dirname(path), budget)
  const caches: FbxCaches = { of: new Map(), external: [] }
  const lost = legacyCaches(document)
  for (const { geometry, name } of models) {
    if (!geometry || caches.of.has(geometry.id)) continue
    const references = listReferences(geometry, records)
    if (!references) continue
    const cache = await findCache(references, path, finder, scene.frameRate)
    if (!cache) {
      lost.push(`${basename(references[0]?.names[0] ?? '') || 'one without a file'} of ${shortened(name)}`)
      continue
    }
    const points = numbersOf(records.object(geometry.id)!, 'Vertices').length / 3
    const other = cache.frames.find(({ length }) => length !== points * 3)
    if (other) {
      const what = `${cache.file} moves ${other.length / 3} points, and "${shortened(name)}" of ${budget.file} has ${points}`
      throw new Problem('input', `${what}. Export the model and its vertex cache together.`)
    }
    const broken = cache.frames.findIndex((frame) => !frame.every(Number.isFinite))
    if (broken >= 0) throw brokenCache(cache.file, `frame ${broken + 1} of it has positions that are not finite`)
    caches.of.set(geometry.id, cache)
  }
  caches.external = finder.external()
  if (lost.length > 0 && caches.of.size === 0 && scene.animations.length === 0) {
    const what = `${budget.file} keeps its animation in vertex caches that cannot be read or found beside it (${lost.join(', ')})`
    throw new Problem('input', `${what}. Put the .pc2, or the .xml and its .mc or .mcx, into its folder, or export numbered .obj files.`)
  }
  for (const name of lost) {
    warnings.add('cache-left-out', 'Left out # vertex cache|caches that cannot be read or found beside the model', 1, name)
  }
  return caches
}

interface CacheReference {
  /** Of the file, relative to the model and absolute. */
  names: string[]
  channel: string
}

/** Null for a geometry that no cache moves. */
function listReferences({ id }: FbxGeometry, records: FbxRecords): CacheReference[] | null {
  const deformers = records.children(id, 'Deformer').filter(({ record }) => {
    return record.properties[2]?.value === 'VertexCacheDeformer' && propertyOf(record, 'Active') !== 0
  })
  if (deformers.length === 0) return null
  return deformers.flatMap(({ id: deformer, record }) => {
    return records.children(deformer, 'Cache').map(({ record: cache }) => {
      const names = ['CacheFileName', 'CacheAbsoluteFileName'].map((key) => String(propertyOf(cache, key) ?? '').replaceAll('\\', '/'))
      return { names, channel: String(propertyOf(record, 'ChannelName') ?? '') }
    })
  })
}

/** Names of the caches of files before version 7, whose objects are linked in another way than those that are read. */
function legacyCaches(document: FbxDocument): string[] {
  if (document.version >= 7000) return []
  return objectsOf(document)
    .filter(({ name }) => name === 'Cache')
    .map(({ properties }) => shortened(String(properties[0]?.value ?? '').replace(/^Cache::(VertexCache_)?/, '')))
}

/** Of several, such as one of normals, the first of positions; null where there is no such file, or of another kind. */
async function findCache(
  references: CacheReference[],
  model: string,
  finder: FileFinder,
  rate: number,
): Promise<(VertexCache & { file: string }) | null> {
  const folders = [`${basename(model).replace(/\.[^.]*$/, '')}_fpc`, 'cache']
  for (const { names, channel } of references) {
    const found = await finder.read(names, folders)
    if (!found) continue
    const file = basename(found.path)
    if (/\.pc2$/i.test(file)) return { file, ...readPointCache(file, found.bytes, rate) }
    if (!/\.xml$/i.test(file)) continue
    const { isOneFile, ending, channels } = readMayaDescription(file, found.bytes)
    const described = channels.find(({ name }) => name === channel)
    if (described && described.interpretation !== 'positions') continue

    const base = file.replace(/\.xml$/i, '')
    const entries = isOneFile ? [`${base}.${ending}`] : await listFrames(dirname(found.path), base, ending)
    const beside = relative(dirname(model), dirname(found.path))
    const data = await Promise.all(entries.map((entry) => finder.read([join(beside, entry)], [])))
    const files = data.flatMap((read) => (read ? [{ name: basename(read.path), bytes: read.bytes }] : []))
    if (files.length === 0) throw brokenCache(file, `${base}.${ending} is not beside it`)
    return { file, ...readMayaCache(files, channel) }
  }
  return null
}

/** The files of a cache that has one for each frame: `waterFrame12.mc`, and `waterFrame12Tick50.mc` between frames. */
async function listFrames(folder: string, base: string, ending: string): Promise<string[]> {
  const entries = await readdir(folder)
  return entries.filter((entry) => entry.startsWith(`${base}Frame`) && /^\d+(Tick\d+)?$/.test(entry.slice(base.length + 5, -ending.length - 1)))
}

/**
 * The frames of a cache as morph targets, to be weighed one at a time, or two between frames.
 *
 * @param base   `[control point][xyz]` of the mesh as the file has it
 * @param points `[vertex]`: control points
 * @param place  moves a difference of positions into the mesh's space, in place
 */
export function targetsOfCache(
  { frames }: VertexCache,
  base: ArrayLike<number>,
  points: Uint32Array,
  place: (deltas: Float64Array) => void,
): MorphTarget[] {
  return frames.map((frame, i) => {
    const deltas = new Float64Array(points.length * 3)
    points.forEach((point, vertex) => {
      for (let axis = 0; axis < 3; axis++) deltas[vertex * 3 + axis] = frame[point * 3 + axis] - base[vertex * 3 + axis]
    })
    place(deltas)
    return { name: `frame_${i}`, positions: Float32Array.from(deltas), normals: null, tangents: null }
  })
}
