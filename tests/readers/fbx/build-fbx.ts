/** A model for `buildFbx`: what a test cares about; everything else is left out, as the format allows. */
export interface FbxSource {
  version?: number
  /** Name of the program that writes it. */
  program?: string
  /** E.g. `UnitScaleFactor`, `UpAxis`. */
  settings?: Record<string, number>
  models: ModelSource[]
  materials?: MaterialSource[]
  takes?: TakeSource[]
}

export interface ModelSource {
  name: string
  parent?: string
  type?: 'Mesh' | 'LimbNode' | 'Null'
  /** E.g. `Lcl Translation`: [1, 2, 3], `InheritType`: 1. */
  properties?: Record<string, number | number[]>
  /** By name, in the order of the polygons' numbers. */
  materials?: string[]
  mesh?: MeshSource
  /** Shows the mesh of another model. */
  meshOf?: string
}

export interface MeshSource {
  /** `[control point][xyz]`. */
  points: number[]
  /** Corners of each polygon. */
  polygons: number[][]
  /** `[corner][xyz]`. */
  normals?: number[]
  /** `[corner][uv]`. */
  uvs?: number[]
  /** `[polygon]`. */
  materials?: number[]
  /** `blendWeights` of one a point: how much of the dual quaternions. */
  skin?: { type?: string; blendWeights?: number[]; clusters: ClusterSource[] }
  channels?: ChannelSource[]
  /** Vertex caches outside of the file that move it: paths from the file on, none for one that names no file. */
  caches?: { file?: string; channel?: string }[]
}

export interface ClusterSource {
  bone: string
  points: number[]
  weights: number[]
  transform?: number[]
  transformLink?: number[]
}

export interface ChannelSource {
  name: string
  percent?: number
  fullWeights?: number[]
  shapes: { points: number[]; deltas: number[]; normals?: number[] }[]
}

export interface MaterialSource {
  name: string
  properties?: Record<string, number | number[]>
  /** By the property that they are connected to. */
  textures?: Record<string, { file: string; content?: Uint8Array; properties?: Record<string, number | number[]> }>
}

export interface TakeSource {
  name: string
  start?: number
  stop?: number
  curves: CurveSource[]
  /** Curves of further layers, which are added to the first. */
  layers?: CurveSource[][]
}

export interface CurveSource {
  /** Name of the model, or of the channel. */
  target: string
  property: 'Lcl Translation' | 'Lcl Rotation' | 'Lcl Scaling' | 'DeformPercent' | 'Visibility'
  /** `[seconds, value]` by axis; `X` for what has none. Linear between keys. */
  keys: Partial<Record<'X' | 'Y' | 'Z', [number, number][]>>
}

const TICKS = 46186158000
const SHORT: Record<string, string> = { 'Lcl Translation': 'T', 'Lcl Rotation': 'R', 'Lcl Scaling': 'S' }

/** Writes an ASCII FBX file. */
export function buildFbx({ version = 7400, program = '', settings = {}, models, materials = [], takes = [] }: FbxSource): Uint8Array {
  const objects: string[] = []
  const connections: string[] = []
  const ids = new Map<string, number>()
  let lastId = 1000
  const object = (kind: string, name: string, prefix: string, type: string, ...content: string[]): number => {
    const id = ++lastId
    objects.push(record(kind, [id, `${prefix}::${name}`, type], content))
    return id
  }
  const connect = (child: number, parent: number, property?: string) => {
    connections.push(record('C', property ? ['OP', child, parent, property] : ['OO', child, parent]))
  }

  for (const { name, properties = {}, textures = {} } of materials) {
    const id = object('Material', name, 'Material', '', record('ShadingModel', ['phong']), propertiesOf(properties))
    ids.set(`material ${name}`, id)
    for (const [property, { file, content, properties: mapping = {} }] of Object.entries(textures)) {
      const names = [record('FileName', [`C:\\work\\${file.replaceAll('/', '\\')}`]), record('RelativeFilename', [file])]
      const texture = object('Texture', file, 'Texture', '', ...names, propertiesOf(mapping))
      connect(texture, id, property)
      if (!content) continue
      const bytes = `Content: ,\n"${Buffer.from(content).toString('base64')}"`
      connect(object('Video', file, 'Video', 'Clip', record('Type', ['Clip']), ...names, bytes), texture)
    }
  }

  for (const { name, type = 'Null', mesh, properties = {} } of models) {
    ids.set(name, object('Model', name, 'Model', mesh ? 'Mesh' : type, propertiesOf(properties)))
  }
  for (const { name, parent, mesh, meshOf, materials: used = [] } of models) {
    const id = ids.get(name)!
    connect(id, parent === undefined ? 0 : ids.get(parent)!)
    for (const material of used) connect(ids.get(`material ${material}`)!, id)
    if (meshOf) connect(ids.get(`geometry ${meshOf}`)!, id)
    if (!mesh) continue
    const geometry = object('Geometry', name, 'Geometry', 'Mesh', ...geometryOf(mesh))
    ids.set(`geometry ${name}`, geometry)
    connect(geometry, id)

    if (mesh.skin) {
      const skin = object('Deformer', '', 'Deformer', 'Skin', record('SkinningType', [mesh.skin.type ?? 'Linear']), array('BlendWeights', mesh.skin.blendWeights))
      connect(skin, geometry)
      for (const { bone, points, weights, transform, transformLink } of mesh.skin.clusters) {
        const arrays = { Indexes: points, Weights: weights, Transform: transform, TransformLink: transformLink }
        const cluster = object('Deformer', '', 'SubDeformer', 'Cluster', ...Object.entries(arrays).map(([key, numbers]) => array(key, numbers)))
        connect(cluster, skin)
        connect(ids.get(bone)!, cluster)
      }
    }
    for (const { file, channel = '' } of mesh.caches ?? []) {
      const text = (key: string, value: string) => record('Properties70', [], [record('P', [key, 'KString', '', '', value])])
      const deformer = object('Deformer', name, 'Deformer', 'VertexCacheDeformer', text('ChannelName', channel))
      connect(deformer, geometry)
      if (file) connect(object('Cache', file, 'Cache', '', text('CacheFileName', file.replaceAll('/', '\\'))), deformer)
    }
    if (mesh.channels) {
      const blend = object('Deformer', '', 'Deformer', 'BlendShape')
      connect(blend, geometry)
      for (const { name: channelName, percent = 0, fullWeights, shapes } of mesh.channels) {
        const head = [propertiesOf({ DeformPercent: percent }), array('FullWeights', fullWeights)]
        const channel = object('Deformer', channelName, 'SubDeformer', 'BlendShapeChannel', ...head)
        ids.set(channelName, channel)
        connect(channel, blend)
        for (const { points, deltas, normals } of shapes) {
          const arrays = [array('Indexes', points), array('Vertices', deltas), array('Normals', normals)]
          connect(object('Geometry', channelName, 'Geometry', 'Shape', ...arrays), channel)
        }
      }
    }
  }

  for (const { name, start, stop, curves, layers = [] } of takes) {
    const times: Record<string, number> = {}
    if (start !== undefined && stop !== undefined) Object.assign(times, { LocalStart: start * TICKS, LocalStop: stop * TICKS })
    const stack = object('AnimationStack', name, 'AnimStack', '', propertiesOf(times, 'KTime'))
    for (const layered of [curves, ...layers]) {
      const layer = object('AnimationLayer', 'Layer', 'AnimLayer', '')
      connect(layer, stack)
      for (const { target, property, keys } of layered) {
        const node = object('AnimationCurveNode', SHORT[property] ?? property, 'AnimCurveNode', '')
        connect(node, layer)
        connect(node, ids.get(target)!, property)
        for (const [axis, list] of Object.entries(keys)) {
          connect(object('AnimationCurve', '', 'AnimCurve', '', ...curveOf(list)), node, SHORT[property] ? `d|${axis}` : `d|${property}`)
        }
      }
    }
  }

  const text = [
    `; FBX ${version / 1000}.0 project file`,
    record('FBXHeaderExtension', [], [
      record('FBXVersion', [version]),
      record('SceneInfo', [], [record('Properties70', [], [record('P', ['Original|ApplicationName', 'KString', '', '', program])])]),
    ]),
    record('GlobalSettings', [], [propertiesOf({ UnitScaleFactor: 1, ...settings })]),
    record('Objects', [], objects),
    record('Connections', [], connections),
  ]
  return new TextEncoder().encode(text.join('\n'))
}

function geometryOf({ points, polygons, normals, uvs, materials }: MeshSource): string[] {
  const ends = polygons.flatMap((polygon) => polygon.map((corner, i) => (i === polygon.length - 1 ? -1 - corner : corner)))
  const layer = (kind: string, mapping: string, key: string, numbers: number[] | undefined) =>
    numbers ? record(kind, [0], [record('MappingInformationType', [mapping]), record('ReferenceInformationType', ['Direct']), array(key, numbers)]) : ''
  return [
    array('Vertices', points),
    array('PolygonVertexIndex', ends),
    layer('LayerElementNormal', 'ByPolygonVertex', 'Normals', normals),
    layer('LayerElementUV', 'ByPolygonVertex', 'UV', uvs),
    layer('LayerElementMaterial', 'ByPolygon', 'Materials', materials),
  ]
}

const LINEAR = 4

function curveOf(keys: [number, number][]): string[] {
  return [
    array('KeyTime', keys.map(([time]) => Math.round(time * TICKS))),
    array('KeyValueFloat', keys.map(([, value]) => value)),
    array('KeyAttrFlags', [LINEAR]),
    array('KeyAttrDataFloat', [0, 0, 0, 0]),
    array('KeyAttrRefCount', [keys.length]),
  ]
}

function propertiesOf(properties: Record<string, number | number[]>, type = 'double'): string {
  const lines = Object.entries(properties).map(([name, value]) => record('P', [name, type, '', 'A', ...[value].flat()]))
  return record('Properties70', [], lines)
}

function array(name: string, numbers: ArrayLike<number> | undefined): string {
  return numbers ? `${name}: *${numbers.length} {\na: ${Array.from(numbers).join(',')}\n}` : ''
}

function record(name: string, values: (string | number)[], content: string[] = []): string {
  const head = `${name}: ${values.map((value) => (typeof value === 'string' ? `"${value}"` : value)).join(', ')}`
  return content.length > 0 ? `${head} {\n${content.filter(Boolean).join('\n')}\n}` : head
}
