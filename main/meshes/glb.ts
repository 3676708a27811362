import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Document, Format, Logger, NodeIO, VertexLayout } from '@gltf-transform/core'
import type { Accessor, Extension, Material, Primitive, TypedArray } from '@gltf-transform/core'
import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
import type { Warning } from '../model/animated-model.ts'
import { Problem } from '../model/problem.ts'
import { copyMaterials } from './appearance.ts'
import { nameImages } from './image-names.ts'
import type { ReadSubmesh, RestMesh, Submesh } from './rest-mesh.ts'
import { saveFiles, type WrittenFile } from './save-files.ts'
import { describeSurfaces, type Surfaces } from './surface-materials.ts'
import { countUVSets, layOutAttributes, MAX_UV_SETS } from './vertex-attributes.ts'

/** No version and no date: the same mesh gives the same bytes. */
const GENERATOR = 'VAT Studio'

/** The library would print to the console, where the command line's own output is. */
const SILENT = new Logger(Logger.Verbosity.SILENT)

const ITEM_TYPES = ['SCALAR', 'VEC2', 'VEC3', 'VEC4'] as const

export interface MeshTarget {
  format: 'glb' | 'gltf'
  /** Absolute path. */
  file: string
}

export interface WrittenRestMesh {
  /** The mesh's own file, then the buffer and the images that it refers to; all in one folder. */
  files: WrittenFile[]
  /** Texture coordinate set that addresses the textures, e.g. `TEXCOORD_1`. */
  indexUV: string
  /** How its sub-meshes look. */
  surfaces: Surfaces
  /** What the rest mesh could not keep of the model. */
  warnings: Warning[]
}

/**
 * Writes a rest mesh as glTF 2.0: one mesh on one node at the origin, a primitive for each sub-mesh, in order. Vertices stay
 * in their order and number, positions are 32-bit floats, nothing is compressed. Materials, textures and their extensions are
 * those of `appearance`; skins, animations, morph targets, cameras and lights are not written.
 *
 * The index UV takes the first texture coordinate set, 1 or higher, that no sub-mesh and no material uses; it is the same in
 * all sub-meshes. Bounds and extras stand in the extras of the mesh and of the node, a sub-mesh's name in the primitive's.
 *
 * @param appearance document whose materials `Submesh.material` counts; it is not changed
 * @param target `glb` is one file with everything in it; `gltf` is JSON at `file`, a buffer and images beside it whose names
 *   begin with its own
 * @throws Problem `output` when a file cannot be written
 * @throws RangeError when the rest mesh contradicts itself
 */
export async function writeRestMesh(rest: RestMesh, appearance: Document, target: MeshTarget): Promise<WrittenRestMesh> {
  const { document, indexUV, warnings } = buildRestMesh(rest, appearance)
  const surfaces = describeSurfaces(document, basename(target.file, extname(target.file)))
  const files = await saveFiles(dirname(target.file), await serialise(document, target))
  return { files, indexUV, surfaces, warnings }
}

/** The bytes of the GLB that {@link writeRestMesh} would write. */
export async function encodeRestMesh(rest: RestMesh, appearance: Document): Promise<Uint8Array<ArrayBuffer>> {
  const [{ data }] = await serialise(buildRestMesh(rest, appearance).document, { format: 'glb', file: 'rest.glb' })
  return data as Uint8Array<ArrayBuffer>
}

/**
 * The document of a rest mesh, with the texture coordinate set of its index UV.
 *
 * @throws RangeError when the rest mesh contradicts itself
 */
export function buildRestMesh(rest: RestMesh, appearance: Document): { document: Document; indexUV: string; warnings: Warning[] } {
  if (rest.submeshes.length === 0) throw new RangeError('a rest mesh without sub-meshes')
  for (const submesh of rest.submeshes) checkLengths(submesh)
  const document = new Document().setLogger(SILENT)
  const { materials, uvSets, warnings } = copyMaterials(document, appearance, rest.submeshes.map(({ material }) => material))
  const indexChannel = rest.submeshes.reduce(
    (channel, { attributes }) => Math.max(channel, countUVSets(attributes)),
    Math.max(1, Math.min(uvSets, MAX_UV_SETS)),
  )
  const leftOut = buildScene(document, rest, materials, indexChannel)
  if (leftOut.length > 0) {
    const semantics = [...new Set(leftOut)].join(', ')
    const message = `${leftOut.length} vertex attribute(s) that glTF does not allow are left out of the rest mesh: ${semantics}.`
    warnings.push({ code: 'attribute-left-out', message, count: leftOut.length })
  }

  const asset = document.getRoot().getAsset()
  asset.generator = GENERATOR
  const { copyright } = appearance.getRoot().getAsset()
  // Where a licence asks for the authors' names they have to go wherever the model goes.
  if (copyright) asset.copyright = copyright
  return { document, indexUV: `TEXCOORD_${indexChannel}`, warnings }
}

/**
 * Reads back a rest mesh that {@link writeRestMesh} wrote.
 *
 * @param indexUV texture coordinate set that holds the index UV, as the sidecar names it
 * @throws Problem `input` when the file is not such a mesh
 */
export async function readRestMesh(file: string, indexUV: string): Promise<{ submeshes: ReadSubmesh[] }> {
  const fault = (what: string) => new Problem('input', `"${basename(file)}" ${what}. Bake the model again to replace it.`)
  const document = await readDocument(file).catch((error: Error) => {
    throw fault(`cannot be read as a rest mesh (${error.message.replace(/\.$/, '')})`)
  })
  const [mesh, second] = document.getRoot().listMeshes()
  if (!mesh || second) throw fault(`holds ${document.getRoot().listMeshes().length} meshes where a rest mesh has one`)

  const submeshes = mesh.listPrimitives().map((primitive, number) => {
    const optional = (semantic: string) => floats(primitive, semantic)
    const required = (semantic: string) => {
      const array = floats(primitive, semantic)
      if (!array) throw fault(`has no ${semantic} of floats in its sub-mesh ${number}`)
      return array
    }
    const indices = primitive.getIndices()?.getArray()
    if (!indices) throw fault(`has no indices in its sub-mesh ${number}`)
    return {
      name: String(primitive.getExtras().name ?? ''),
      positions: required('POSITION'),
      normals: optional('NORMAL'),
      tangents: optional('TANGENT'),
      indexUV: required(indexUV),
      indices: Uint32Array.from(indices),
    }
  })
  return { submeshes }
}

/**
 * A written rest mesh as the bytes of one GLB, with its buffer and images in it where they lie beside it.
 *
 * @throws Problem `input` when the file cannot be read
 */
export async function packRestMesh(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (extname(file) === '.glb') return new Uint8Array(await readFile(file))
    const [{ data }] = await serialise(await readDocument(file), { format: 'glb', file: 'rest.glb' })
    return data as Uint8Array<ArrayBuffer>
  } catch (error) {
    throw new Problem('input', `"${basename(file)}" cannot be read (${(error as Error).message.replace(/\.$/, '')}). Bake the model again.`)
  }
}

/** Puts the mesh into the document; answers the semantics of the attributes that could not be written. */
function buildScene(document: Document, rest: RestMesh, materials: Map<number, Material>, indexChannel: number): string[] {
  const extras = { bounds: rest.bounds, ...rest.extras }
  const mesh = document.createMesh(rest.name).setExtras(extras)
  const node = document.createNode(rest.name).setExtras(extras).setMesh(mesh)
  const scene = document.createScene(rest.name).addChild(node)
  document.getRoot().setDefaultScene(scene)

  const buffer = document.createBuffer()
  const accessor = (array: TypedArray, itemSize: number, normalized = false): Accessor =>
    document.createAccessor().setArray(array).setType(ITEM_TYPES[itemSize - 1]).setNormalized(normalized).setBuffer(buffer)

  const leftOut: string[] = []
  for (const submesh of rest.submeshes) {
    const primitive = document.createPrimitive().setExtras({ name: submesh.name }).setMaterial(materials.get(submesh.material) ?? null)
    primitive.setIndices(accessor(narrowestIndices(submesh), 1))
    primitive.setAttribute('POSITION', accessor(submesh.positions, 3))
    if (submesh.normals) primitive.setAttribute('NORMAL', accessor(submesh.normals, 3))
    if (submesh.normals && submesh.tangents) primitive.setAttribute('TANGENT', accessor(submesh.tangents, 4))
    const attributes = layOutAttributes(submesh, indexChannel)
    for (const { semantic, array, itemSize, normalized } of attributes.written) {
      primitive.setAttribute(semantic, accessor(array, itemSize, normalized))
    }
    leftOut.push(...attributes.leftOut)
    mesh.addPrimitive(primitive)
  }
  return leftOut
}

/** 16 bits where they can count the vertices; glTF 2.0, section 3.7.2.1, forbids the index 65535, which restarts strips. */
function narrowestIndices({ indices, positions }: Submesh): Uint16Array | Uint32Array {
  // glTF has no empty index list: a triangle without area draws nothing, and so the vertices stay.
  if (indices.length === 0) return new Uint16Array(3)
  return positions.length / 3 <= 65_535 ? Uint16Array.from(indices) : indices
}

function checkLengths({ name, positions, normals, tangents, indexUV, attributes }: Submesh): void {
  const count = positions.length / 3
  if (!Number.isInteger(count) || count === 0) throw new RangeError(`sub-mesh ${name}: ${positions.length} numbers as positions`)
  const check = (array: ArrayLike<number> | null, itemSize: number, what: string) => {
    if (!array || array.length === count * itemSize) return
    throw new RangeError(`sub-mesh ${name}: ${array.length} numbers as ${what} of ${count} vertices`)
  }
  check(normals, 3, 'normals')
  check(tangents, 4, 'tangents')
  check(indexUV, 2, 'index UV')
  for (const { array, itemSize, semantic } of attributes) check(array, itemSize, semantic)
}

/** The bytes of each file of a document, the mesh's own file first. */
async function serialise(document: Document, target: MeshTarget): Promise<{ file: string; data: Uint8Array }[]> {
  const root = document.getRoot()
  const own = basename(target.file)
  const io = new NodeIO()
    .setLogger(SILENT)
    // Attributes side by side: interleaved, many of them would exceed the stride of 252 bytes that glTF allows.
    .setVertexLayout(VertexLayout.SEPARATE)
    .registerExtensions(root.listExtensionsUsed().map((extension) => extension.constructor as typeof Extension))
  if (target.format === 'glb') return [{ file: own, data: await io.writeBinary(document) }]

  const stem = basename(own, extname(own))
  root.listBuffers().forEach((buffer) => buffer.setURI(encodeURIComponent(`${stem}.bin`)))
  const images = nameImages(root.listTextures(), stem)
  root.listTextures().forEach((texture, index) => {
    const mimeType = texture.getMimeType()
    // The library derives the type from the name when a name is set.
    texture.setURI(encodeURIComponent(images[index])).setMimeType(mimeType)
  })
  const { json, resources } = await io.writeJSON(document, { format: Format.GLTF })
  const text = new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`)
  const others = root.listBuffers().map((buffer) => buffer.getURI()).concat(root.listTextures().map((texture) => texture.getURI()))
  return [{ file: own, data: text }, ...others.map((uri) => ({ file: decodeURIComponent(uri), data: resources[uri] }))]
}

async function readDocument(file: string): Promise<Document> {
  const io = new NodeIO().setLogger(SILENT).setStrictResources(false).registerExtensions(ALL_EXTENSIONS)
  const isText = extname(file).toLowerCase() === '.gltf'
  if (isText) await refuseOtherFiles(file)
  const source = isText ? await io.readAsJSON(file) : await io.binaryToJSON(new Uint8Array(await readFile(file)))
  // Every element has bytes of its own: a larger count is a lie that would be allocated before it is found out.
  const bytes = Object.values(source.resources).reduce((sum, resource) => sum + (resource?.byteLength ?? 0), 0)
  const counted = (source.json.accessors ?? []).reduce((sum, { count }) => sum + count, 0)
  if (!(counted <= bytes)) throw new Error('it counts more vertices than it has bytes')
  return io.readJSON(source)
}

/** A rest mesh refers to files beside it, and to nothing else on this machine: no other folder, no link, no pipe. */
async function refuseOtherFiles(file: string): Promise<void> {
  const json = JSON.parse(await readFile(file, 'utf8')) as Record<'buffers' | 'images', { uri?: unknown }[] | undefined>
  for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])]) {
    if (typeof uri !== 'string' || uri.startsWith('data:')) continue
    const name = decodeURIComponent(uri)
    const isBeside = !/^\.{1,2}$|[/\\\0]|^[a-z]+:/i.test(name) && (await lstat(join(dirname(file), name))).isFile()
    if (!isBeside) throw new Error(`it refers to ${uri}, which is no file beside it`)
  }
}

function floats(primitive: Primitive, semantic: string): Float32Array | null {
  const array = primitive.getAttribute(semantic)?.getArray()
  return array instanceof Float32Array ? array : null
}
