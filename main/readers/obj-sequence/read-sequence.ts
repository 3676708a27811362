import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { AnimatedModel, Mesh, MorphTarget, VertexAttribute } from '../../model/animated-model.ts'
import { checkLimit } from '../../model/limits.ts'
import { identity } from '../../model/matrix.ts'
import { Problem } from '../../model/problem.ts'
import { targetsOfFrames, writeFrameWeights } from '../frames.ts'
import { readLimitedFile, type Budget } from '../limited-file.ts'
import type { LoadedModel } from '../loaded-model.ts'
import { counted, WarningList } from '../warnings.ts'
import { listSequence } from './files.ts'
import { readMaterials } from './materials.ts'
import { parseObj, type Obj } from './parse-obj.ts'

/**
 * Reads numbered .obj files as one animation without a rig: each is a frame, of the same polygons. A unit of them counts as a
 * metre, and +Y as up, since the format says neither.
 *
 * @param path   of one of them, or with a star in place of the number
 * @param budget what reading may take
 * @param rate   frames a second
 * @throws Problem that names the file whose polygons are not those of the first
 */
export async function readSequence(path: string, budget: Budget, rate: number): Promise<LoadedModel> {
  const warnings = new WarningList()
  const files = await listSequence(path)
  const [firstFile, ...others] = files
  const read = async (file: string) => {
    const bytes = await readLimitedFile(file, budget).catch((error: unknown) => {
      if (error instanceof Problem) throw error
      const { code } = error as NodeJS.ErrnoException
      throw new Problem('input', `${basename(file)} cannot be read (${code ?? String(error)}). Check the path: ${file}.`)
    })
    return { obj: parseObj(basename(file), bytes), sha256: createHash('sha256').update(bytes).digest('hex') }
  }

  const first = await read(firstFile)
  const { file, limits } = budget
  const parts = splitByMaterial(first.obj)
  const vertexCount = parts.reduce((sum, { vertices }) => sum + vertices.length / 3, 0)
  checkLimit(file, limits, 'vertices', vertexCount)
  checkLimit(file, limits, 'triangles', parts.reduce((sum, { indices }) => sum + indices.length / 3, 0))
  checkLimit(file, limits, 'morphs', vertexCount * others.length)

  const frames = parts.map(({ vertices }) => [frameOf(first.obj, vertices, first.obj)])
  const external: NonNullable<LoadedModel['external']> = []
  for (const other of others) {
    const { obj, sha256 } = await read(other)
    checkTopology(first.obj, obj, basename(firstFile), basename(other))
    external.push({ file: other, sha256 })
    parts.forEach(({ vertices }, i) => frames[i].push(frameOf(first.obj, vertices, obj)))
  }

  const looks = await readMaterials(first.obj.materials, first.obj.libraries, firstFile, budget, warnings)
  const isAnimated = files.length > 1 && parts.length > 0
  const targets = frames.map(targetsOfFrames)
  const name = basename(firstFile).replace(/[_.-]*\d*\.obj$/i, '') || basename(firstFile)
  const meshes = parts.map((part, i) => meshOf(first.obj, part, frames[i][0], targets[i], name, i))
  const end = (files.length - 1) / rate
  const model: AnimatedModel = {
    meshes,
    nodes: [{ name, parent: -1 }],
    skins: [],
    morphSets: isAnimated ? [{ node: 0, targets: targets[0].map((target) => target.name) }] : [],
    materials: first.obj.materials.map((material, i) => material || `material_${i}`),
    clips: isAnimated ? [{ name, index: 0, start: 0, end }] : [],
    pose(clip, time, out) {
      out.worldMatrices.set(identity())
      if (isAnimated) writeFrameWeights(clip ? snapped(time * rate) : 0, out.morphWeights[0])
    },
    warnings: warnings.list(),
  }
  return {
    file: firstFile,
    sha256: first.sha256,
    sequenceRate: rate,
    external: [...external, ...looks.external],
    model,
    appearance: looks.appearance,
  }
}

/** Seconds times frames a second misses a whole frame by its rounding. */
function snapped(frame: number): number {
  return Math.abs(frame - Math.round(frame)) < 1e-6 ? Math.round(frame) : frame
}

/** Polygons of one material. */
interface Part {
  material: number
  /** `[vertex]`: its corner in the file, three numbers further each. */
  vertices: Uint32Array
  /** Three vertices a triangle. */
  indices: Uint32Array
}

/** Corners that agree in position, coordinate and normal are one vertex; polygons become fans of triangles. */
function splitByMaterial({ corners, polygons, materialOf }: Obj): Part[] {
  const parts = new Map<number, { numbers: Map<string, number>; vertices: number[]; indices: number[] }>()
  let first = 0
  polygons.forEach((size, polygon) => {
    const material = materialOf[polygon]
    const part = parts.get(material) ?? { numbers: new Map<string, number>(), vertices: [], indices: [] }
    parts.set(material, part)
    const ring = Array.from({ length: size }, (_, i) => {
      const corner = (first + i) * 3
      const key = corners.subarray(corner, corner + 3).join()
      if (!part.numbers.has(key)) {
        part.numbers.set(key, part.vertices.length)
        part.vertices.push(corner)
      }
      return part.numbers.get(key)!
    })
    for (let i = 2; i < size; i++) part.indices.push(ring[0], ring[i - 1], ring[i])
    first += size
  })
  return [...parts]
    .sort(([a], [b]) => a - b)
    .map(([material, { vertices, indices }]) => ({ material, vertices: Uint32Array.from(vertices), indices: Uint32Array.from(indices) }))
}

/** Positions and normals of a frame for the vertices of the first. Exporters number normals anew in each frame. */
function frameOf({ normals }: Obj, vertices: Uint32Array, obj: Obj): { positions: Float32Array; normals: Float32Array | null } {
  const hasNormals = normals.length > 0 && obj.normals.length > 0
  const pick = (values: Float64Array, offset: number) => {
    const out = new Float32Array(vertices.length * 3)
    vertices.forEach((corner, i) => {
      const index = obj.corners[corner + offset]
      for (let axis = 0; axis < 3; axis++) out[i * 3 + axis] = index < 0 ? 0 : values[index * 3 + axis]
    })
    return out
  }
  return { positions: pick(obj.positions, 0), normals: hasNormals ? pick(obj.normals, 2) : null }
}

function checkTopology(first: Obj, obj: Obj, firstName: string, name: string): void {
  const differs = (what: string) =>
    new Problem('input', `${name} has ${what}, so the two are not frames of one mesh. Export all frames with the same topology.`)
  const points = obj.positions.length / 3
  if (points !== first.positions.length / 3) {
    throw differs(`${counted(points, 'point')} where ${firstName} has ${first.positions.length / 3}`)
  }
  const faces = obj.polygons.length
  if (faces !== first.polygons.length) throw differs(`${counted(faces, 'face')} where ${firstName} has ${first.polygons.length}`)
  let corner = 0
  for (let face = 0; face < faces; face++) {
    if (obj.polygons[face] !== first.polygons[face]) throw differs(`another face ${face + 1} than ${firstName}`)
    for (const end = corner + obj.polygons[face] * 3; corner < end; corner += 3) {
      if (obj.corners[corner] !== first.corners[corner]) throw differs(`another face ${face + 1} than ${firstName}`)
    }
  }
}

function meshOf(
  { coordinates, corners }: Obj,
  { material, vertices, indices }: Part,
  { positions, normals }: { positions: Float32Array; normals: Float32Array | null },
  morphTargets: MorphTarget[],
  name: string,
  primitive: number,
): Mesh {
  const attributes: VertexAttribute[] = []
  if (coordinates.length > 0) {
    const array = new Float32Array(vertices.length * 2)
    vertices.forEach((corner, i) => {
      const index = corners[corner + 1]
      if (index < 0) return
      array[i * 2] = coordinates[index * 2]
      // Counted from the bottom in the file.
      array[i * 2 + 1] = 1 - coordinates[index * 2 + 1]
    })
    attributes.push({ semantic: 'TEXCOORD_0', itemSize: 2, normalized: false, array })
  }
  return {
    name,
    node: 0,
    primitive,
    material,
    vertexCount: vertices.length,
    positions,
    normals,
    tangents: null,
    attributes,
    indices,
    indexed: true,
    morphTargets,
    morphSet: morphTargets.length > 0 ? 0 : -1,
    skin: -1,
    influences: null,
  }
}
