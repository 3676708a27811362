/**
 * The shape of a glTF model at a time, evaluated the slow and obvious way in double precision. Written from the glTF 2.0
 * specification, to be compared with what the player shows; it must not import from main/.
 * Reads what the sample models use: no sparse accessors, and triangles only.
 */
import { readFileSync } from 'node:fs'

type Numbers = number[]
/** The elements of an accessor, by its number. */
type Read = (index: number) => Numbers[]
interface Primitive { attributes: Record<string, number>, indices?: number, mode?: number, targets?: Record<string, number>[] }
interface GltfNode {
  mesh?: number
  skin?: number
  children?: number[]
  matrix?: Numbers
  translation?: Numbers
  rotation?: Numbers
  scale?: Numbers
  weights?: Numbers
}
interface Sampler { input: number, output: number, interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE' }
interface Channel { sampler: number, target: { node: number, path: 'translation' | 'rotation' | 'scale' | 'weights' } }
interface Animation { name?: string, samplers: Sampler[], channels: Channel[] }
interface Accessor {
  bufferView: number
  byteOffset?: number
  componentType: number
  normalized?: boolean
  count: number
  type: string
  sparse?: object
}
/** The parts of a glTF file that move its vertices. */
export interface Gltf {
  scene?: number
  scenes: { nodes: number[] }[]
  nodes: GltfNode[]
  meshes: { primitives: Primitive[], weights?: Numbers }[]
  skins?: { joints: number[], inverseBindMatrices?: number }[]
  animations: Animation[]
  accessors: Accessor[]
  bufferViews: { buffer: number, byteOffset?: number, byteStride?: number }[]
  buffers: { uri?: string }[]
}

/** All vertices of a model at one time, in glTF's space: `[vertex][xyz]`, tangents `[vertex][xyzw]`. */
export interface Shape { positions: Numbers[], normals: Numbers[], tangents: Numbers[] }

/** The shape at a time, in seconds, on the time line of an animation, or at rest where `animation` is undefined. */
export type Truth = (animation: number | undefined, seconds: number) => Shape

/** Bytes and reader of every component type, and the number that stands for 1 when it is normalised. */
const COMPONENTS: Record<number, { size: number, one: number, read: (view: DataView, at: number) => number }> = {
  5120: { size: 1, one: 127, read: (view, at) => view.getInt8(at) },
  5121: { size: 1, one: 255, read: (view, at) => view.getUint8(at) },
  5122: { size: 2, one: 32767, read: (view, at) => view.getInt16(at, true) },
  5123: { size: 2, one: 65535, read: (view, at) => view.getUint16(at, true) },
  5125: { size: 4, one: 1, read: (view, at) => view.getUint32(at, true) },
  5126: { size: 4, one: 1, read: (view, at) => view.getFloat32(at, true) },
}
const ELEMENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

/**
 * Read a .glb, or a .gltf whose buffers are data URIs, and return what evaluates it. Vertices are in the order of meshes by node
 * index, then primitives.
 */
export function readTruth(file: string): Truth {
  const { gltf, buffers } = readGltf(file)

  const accessors = new Map<number, Numbers[]>()
  /** An accessor's elements, `[element][component]` (3.6.2). */
  const read: Read = (index) => {
    const known = accessors.get(index)
    if (known !== undefined) return known
    const accessor = gltf.accessors[index]
    if (accessor.sparse !== undefined) throw new Error('Sparse accessors are not read.')
    const view = gltf.bufferViews[accessor.bufferView]
    const { size, one, read } = COMPONENTS[accessor.componentType]
    const width = ELEMENTS[accessor.type]
    const begin = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
    const elements = Array.from({ length: accessor.count }, (_, element) => Array.from({ length: width }, (_, component) => {
      const value = read(buffers[view.buffer], begin + element * (view.byteStride ?? width * size) + component * size)
      return accessor.normalized === true ? Math.max(value / one, -1) : value
    }))
    accessors.set(index, elements)
    return elements
  }

  const visible: number[] = []
  const parents: (number | undefined)[] = []
  const visit = (node: number) => {
    visible.push(node)
    for (const child of gltf.nodes[node].children ?? []) {
      parents[child] = node
      visit(child)
    }
  }
  gltf.scenes[gltf.scene ?? 0].nodes.forEach(visit)
  const drawn = visible.filter((node) => gltf.nodes[node].mesh !== undefined).sort((a, b) => a - b)

  return (animation, seconds) => {
    const nodes = gltf.nodes.map((node) => ({ ...node }))
    if (animation !== undefined) {
      const { channels, samplers } = gltf.animations[animation]
      for (const { sampler, target } of channels) nodes[target.node][target.path] = sample(samplers[sampler], target.path, seconds, read)
    }
    const globals: Numbers[] = []
    const global = (node: number): Numbers => {
      const parent = parents[node]
      return globals[node] ??= parent === undefined ? local(nodes[node]) : multiplied(global(parent), local(nodes[node]))
    }

    const shape: Shape = { positions: [], normals: [], tangents: [] }
    for (const index of drawn) {
      const node = nodes[index]
      const mesh = gltf.meshes[node.mesh!]
      const skin = node.skin === undefined ? undefined : gltf.skins![node.skin]
      const joints = skin?.joints.map((joint, i) => multiplied(global(joint), skin.inverseBindMatrices === undefined ? IDENTITY
        : read(skin.inverseBindMatrices)[i]))
      for (const primitive of mesh.primitives) {
        const matrix = joints === undefined ? () => global(index) : blendedJoints(primitive, joints, read)
        const { positions, normals, tangents } = deformed(primitive, node.weights ?? mesh.weights ?? [], matrix, read)
        shape.positions.push(...positions)
        shape.normals.push(...normals)
        shape.tangents.push(...tangents)
      }
    }
    return shape
  }
}

/** The JSON and the buffers of a file (3.6.1, 4.4). */
export function readGltf(file: string): { gltf: Gltf, buffers: DataView[] } {
  const bytes = readFileSync(file)
  const viewOf = (part: Uint8Array) => new DataView(part.buffer, part.byteOffset, part.byteLength)
  if (bytes.toString('latin1', 0, 4) === 'glTF') {
    const jsonEnd = 20 + bytes.readUInt32LE(12)
    return { gltf: JSON.parse(bytes.toString('utf8', 20, jsonEnd)) as Gltf, buffers: [viewOf(bytes.subarray(jsonEnd + 8))] }
  }
  const gltf = JSON.parse(bytes.toString('utf8')) as Gltf
  return { gltf, buffers: gltf.buffers.map(({ uri }) => viewOf(Buffer.from(uri!.slice(uri!.indexOf(',') + 1), 'base64'))) }
}

/** The value of a sampler at a time (3.11, Appendix C). Before the first and after the last key it stays what it is there. */
function sample({ input, output, interpolation = 'LINEAR' }: Sampler, path: string, seconds: number, read: Read): Numbers {
  const times = read(input).flat()
  const flat = read(output).flat()
  const spline = interpolation === 'CUBICSPLINE'
  // A key has one value, or three: tangent in, value, tangent out. Weights are stored one scalar after the other.
  const width = flat.length / times.length / (spline ? 3 : 1)
  const element = (key: number, part: number) => {
    const begin = (spline ? key * 3 + part : key) * width
    return flat.slice(begin, begin + width)
  }
  const value = (key: number) => element(key, 1)
  const rotation = path === 'rotation'
  const done = (result: Numbers) => rotation ? normalised(result) : result

  const next = times.findIndex((time) => time > seconds)
  if (next === 0) return done(value(0))
  if (next === -1) return done(value(times.length - 1))
  const [from, to] = [value(next - 1), value(next)]
  const step = times[next] - times[next - 1]
  const t = (seconds - times[next - 1]) / step
  if (interpolation === 'STEP') return done(from)
  if (spline) {
    const [out, into] = [element(next - 1, 2), element(next, 0)]
    const [t2, t3] = [t * t, t * t * t]
    return done(from.map((_, i) => (2 * t3 - 3 * t2 + 1) * from[i] + step * (t3 - 2 * t2 + t) * out[i]
      + (-2 * t3 + 3 * t2) * to[i] + step * (t3 - t2) * into[i]))
  }
  return rotation ? slerped(normalised(from), normalised(to), t) : from.map((_, i) => from[i] * (1 - t) + to[i] * t)
}

/** Spherical interpolation of unit quaternions along the shorter arc (Appendix C.4). */
function slerped(from: Numbers, to: Numbers, t: number): Numbers {
  const cosine = from.reduce((sum, value, i) => sum + value * to[i], 0)
  const angle = Math.acos(Math.min(Math.abs(cosine), 1))
  // So near to each other the arc is a straight line to double precision, and its sine is too small to divide by.
  const [a, b] = angle < 1e-6 ? [1 - t, t] : [Math.sin(angle * (1 - t)) / Math.sin(angle), Math.sin(angle * t) / Math.sin(angle)]
  return normalised(from.map((_, i) => a * from[i] + (cosine < 0 ? -b : b) * to[i]))
}

/** A node's own transform, column by column (3.5.3). */
function local({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: GltfNode): Numbers {
  if (matrix !== undefined) return matrix
  const [[tx, ty, tz], [x, y, z, w], [sx, sy, sz]] = [translation, normalised(rotation), scale]
  return [
    (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
    tx, ty, tz, 1,
  ]
}

/** For each vertex the mean of its joints' matrices (3.7.3). The weights are made to sum to 1. */
function blendedJoints({ attributes }: Primitive, joints: Numbers[], read: Read): (vertex: number) => Numbers {
  const sets = [0, 1, 2, 3].filter((set) => `JOINTS_${set}` in attributes)
    .map((set) => [read(attributes[`JOINTS_${set}`]), read(attributes[`WEIGHTS_${set}`])])
  return (vertex) => {
    const influences = sets.flatMap(([numbers, weights]) => weights[vertex]
      .map((weight, i) => ({ weight, joint: joints[numbers[vertex][i]] })))
    const sum = influences.reduce((sum, { weight }) => sum + weight, 0)
    return IDENTITY.map((_, i) => influences.reduce((value, { weight, joint }) => value + weight / sum * joint[i], 0))
  }
}

/** A primitive's vertices: morphed (3.7.2.2), then put where `matrix` says. */
function deformed(primitive: Primitive, weights: Numbers, matrix: (vertex: number) => Numbers, read: Read): Shape {
  if ((primitive.mode ?? 4) !== 4) throw new Error('Only triangles are read.')
  const morphed = (name: string) => {
    const targets = (primitive.targets ?? [])
      .flatMap((target, i) => name in target ? [{ offsets: read(target[name]), weight: weights[i] ?? 0 }] : [])
    // A tangent has a fourth number, which its offsets have not.
    return read(primitive.attributes[name]).map((base, vertex) => base.map((value, i) =>
      targets.reduce((sum, { offsets, weight }) => sum + weight * (offsets[vertex][i] ?? 0), value)))
  }

  const positions = morphed('POSITION').map(([x, y, z], vertex) => {
    const m = matrix(vertex)
    return [0, 1, 2].map((i) => m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12])
  })
  // Tangents of a mesh without normals are to be ignored (3.7.2.1); the product then writes these.
  const none = positions.map(() => [1, 0, 0, 1])
  if (!('NORMAL' in primitive.attributes)) return { positions, normals: computedNormals(positions, primitive.indices, mirrors(matrix(0)), read), tangents: none }
  const normals = morphed('NORMAL').map((normal, vertex) => {
    // The inverse transpose of the upper 3 × 3 is its matrix of cofactors, divided by the determinant: for the direction its sign.
    const m = matrix(vertex)
    const [a, b, c] = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)]
    const cofactors = [cross(b, c), cross(c, a), cross(a, b)]
    const sign = Math.sign(dot(a, cofactors[0]))
    return normalised([0, 1, 2].map((i) => sign * cofactors.reduce((sum, column, k) => sum + column[i] * normal[k], 0)))
  })
  if (!('TANGENT' in primitive.attributes)) return { positions, normals, tangents: none }
  const tangents = morphed('TANGENT').map(([x, y, z, w], vertex) => {
    const m = matrix(vertex)
    return [...normalised([0, 1, 2].map((i) => m[i] * x + m[i + 4] * y + m[i + 8] * z)), mirrors(m) ? -w : w]
  })
  return { positions, normals, tangents }
}

/** Whether a matrix turns fronts into backs (3.7.4). */
function mirrors(m: Numbers): boolean {
  return dot(m.slice(0, 3), cross(m.slice(4, 7), m.slice(8, 11))) < 0
}

/** Normals of a primitive that has none: the mean of the triangles at each vertex, weighted by their area. */
function computedNormals(positions: Numbers[], indices: number | undefined, mirrored: boolean, read: Read): Numbers[] {
  const corners = indices === undefined ? positions.map((_, vertex) => vertex) : read(indices).flat()
  const sums = positions.map(() => [0, 0, 0])
  for (let corner = 0; corner < corners.length; corner += 3) {
    const triangle = corners.slice(corner, corner + 3)
    const [a, b, c] = triangle.map((vertex) => positions[vertex])
    const area = cross(b.map((value, i) => value - a[i]), c.map((value, i) => value - a[i]))
    for (const vertex of triangle) area.forEach((value, i) => sums[vertex][i] += mirrored ? -value : value)
  }
  // Where all triangles are without area there is no normal; the product then says up, and so does this.
  return sums.map((sum) => Math.hypot(...sum) === 0 ? [0, 1, 0] : normalised(sum))
}

/** The matrix product a · b, column by column. */
function multiplied(a: Numbers, b: Numbers): Numbers {
  return IDENTITY.map((_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[i % 4 + k * 4] * b[i - i % 4 + k], 0))
}

/** The cross product. */
export function cross([ax, ay, az]: Numbers, [bx, by, bz]: Numbers): Numbers {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/** The scalar product. */
export function dot(a: Numbers, b: Numbers): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}

function normalised(v: Numbers): Numbers {
  const length = Math.hypot(...v)
  return v.map((value) => value / length)
}
