import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'

/**
 * What is used of Babylon's FBX loader (babylonjs-loaders, pinned to 9.28.0): its parser, its interpreter of the file's
 * objects, and its evaluation of curves and animation layers. The scene that the loader would build of them is not used.
 * Its animations are baked to keys, which loses what lies between them, takes minutes for rigs whose joints do not inherit
 * scale, and drops tracks of one key; its skins lose geometric transforms. Poses are computed from the curves instead.
 *
 * The members with an underscore are no public API, so a test holds them against the installed version.
 */
export interface FbxLibrary {
  /** Layers that `_sampleModelTRS` blends. */
  _activeLayers: FbxLayer[]
  _parse(data: ArrayBuffer): FbxDocument
  _parseAndInterpret(data: ArrayBuffer): FbxScene
  _sampleModelTRS(model: RestTransform, curveNodes: FbxCurveNode[], time: number): Record<'translation' | 'rotation' | 'scale', Vector>
}

export type Vector = [number, number, number]

/** The file as it is written: nested records. */
export interface FbxDocument {
  version: number
  nodes: FbxRecord[]
}

export interface FbxRecord {
  name: string
  properties: { value: unknown }[]
  children: FbxRecord[]
}

export interface FbxScene {
  rootModels: FbxModel[]
  materials: FbxMaterial[]
  skins: FbxSkin[]
  blendShapes: { geometryId: number; channels: FbxBlendChannel[] }[]
  animations: FbxStack[]
  constraints: { name: string }[]
  upAxis: number
  upAxisSign: number
  frontAxis: number
  frontAxisSign: number
  coordAxis: number
  coordAxisSign: number
  /** Centimetres a unit. */
  unitScaleFactor: number
  /** Frames a second of the program that made it. */
  frameRate: number
}

/** The values of Lcl Translation, Rotation (degrees) and Scaling that count where nothing is animated. */
export interface RestTransform {
  translation: Vector
  rotation: Vector
  scale: Vector
  /** 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX, 6 spheric XYZ. */
  rotationOrder: number
}

export interface FbxModel extends RestTransform {
  id: number
  name: string
  geometry?: FbxGeometry
  materials: FbxMaterial[]
  children: FbxModel[]
  preRotation: Vector
  postRotation: Vector
  rotationPivot: Vector
  scalingPivot: Vector
  rotationOffset: Vector
  scalingOffset: Vector
  geometricTranslation: Vector
  geometricRotation: Vector
  geometricScaling: Vector
  /** 0 RrSs, 1 RSrs, 2 Rrs. */
  inheritType: number
  lodGroup?: { displayLevels: number[] }
  diagnostics: string[]
}

/** Triangles whose vertices are the corners of polygons that agree in everything. */
export interface FbxGeometry {
  id: number
  name: string
  positions: Float64Array
  indices: Uint32Array
  normals: Float64Array | null
  tangents: Float64Array | null
  uvSets: { name: string; data: Float64Array }[]
  colors: Float32Array | null
  /** `[vertex]`: the control point that a vertex lies at; null for what was made of curved surfaces. */
  controlPointIndices: Uint32Array | null
  /** `[triangle]`: index into the model's materials; null where all have the first. */
  materialIndices: Int32Array | null
  diagnostics: { type: string; message: string }[]
}

export interface FbxSkin {
  id: number
  geometryId: number
  /** World matrix of the mesh's model in the bind pose. */
  meshBindPoseMatrix: Float64Array | null
  bones: FbxBone[]
  /** `[control point]` of up to eight bones, by their index. */
  boneIndices: number[][]
  boneWeights: number[][]
}

export interface FbxBone {
  modelId: number
  name: string
  /** Whether a cluster of the skin follows it. */
  isCluster: boolean
  clusterMode: string
  /** `Transform`: from the mesh's space to the bone's, at binding. */
  bindPoseMatrix: Float64Array | null
  /** `TransformLink`: the bone's world matrix at binding. */
  transformLinkMatrix: Float64Array | null
}

export interface FbxBlendChannel {
  id: number
  name: string
  /** The weight where nothing is animated, in per cent. */
  deformPercent: number
  shapes: FbxShape[]
  /** `[shape]`: the percentage at which a shape is whole, ascending; null where the file has none that fit. */
  fullWeights: number[] | null
}

/** Differences to some control points. */
export interface FbxShape {
  indices: Uint32Array
  vertices: Float64Array
  normals: Float64Array | null
}

export interface FbxStack {
  name: string
  startTime: number
  stopTime: number
  layers: FbxLayer[]
  curveNodes: FbxCurveNode[]
  unsupportedCurveNodes: { targetId: number | null; propertyName?: string; curveCount: number }[]
}

export interface FbxLayer {
  name: string
}

export interface FbxCurveNode {
  /** `T`, `R`, `S` or `DeformPercent`. */
  type: string
  /** Id of the model, or of the blend channel. */
  targetModelId: number
  curves: { channel: string; keys: FbxKey[] }[]
  layerIndex: number
  defaultValues?: Vector
}

/** A key with its handles: how far they reach from it, in seconds and in its own unit. */
export interface FbxKey {
  time: number
  value: number
  leftDx?: number
  leftDy?: number
  rightDx?: number
  rightDy?: number
}

export interface FbxMaterial {
  id: number
  name: string
  properties: {
    diffuseColor?: Vector
    diffuseFactor?: number
    emissiveColor?: Vector
    emissiveFactor?: number
    opacity?: number
    transparencyFactor?: number
    shininess?: number
  }
  textures: FbxTexture[]
  /** The same in physical terms, where the file has such a shader. */
  model: { shaderType: string; pbr: Record<string, { value?: number[]; texture?: FbxTexture; textureEnabled: boolean } | undefined> }
}

export interface FbxTexture {
  id: number
  propertyName: string
  fileName: string
  relativeFileName: string
  embeddedData: Uint8Array | null
  uvTranslation?: [number, number]
  uvScaling?: [number, number]
  /** Degrees. */
  uvRotation?: number
  uvSetName?: string
  /** 0 repeats, 1 clamps. */
  wrapU?: number
  wrapV?: number
}

/** An FBX file with the library that evaluates its curves. */
export interface FbxFile {
  library: FbxLibrary
  document: FbxDocument
  scene: FbxScene
}

/**
 * Parses and interprets an FBX file, binary or ASCII, of any version from 5 to 7.
 *
 * @param file name of the file, for sentences
 * @throws Problem where the library cannot read it
 */
export async function openFbx(file: string, bytes: Uint8Array): Promise<FbxFile> {
  const { default: loaders } = (await import('babylonjs-loaders')) as unknown as {
    default: { FBXFileLoader: new (options: object) => FbxLibrary }
  }
  // Times stay as in the file, instead of beginning at the first key.
  const library = new loaders.FBXFileLoader({ rebaseAnimations: false })
  try {
    const document = library._parse(prepared(bytes).buffer)
    if (document.nodes.length === 0) throw new Error('it ends behind its header')
    if (document.version >= 8000) throw new Error(`version ${document.version} is unknown`)
    library._parse = () => document
    const scene = library._parseAndInterpret(new ArrayBuffer(0))
    return { library, document, scene: { ...scene, ...legacySettings(document) } }
  } catch (error) {
    const reason = shortened((error as Error).message.replace(/^FBXFileLoader: /, '').replace(/\.$/, ''), 100)
    throw new Problem('input', `${file} cannot be read as FBX (${reason}). Export the model again.`)
  }
}

/** Whether the bytes begin as binary FBX files do. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, BINARY_HEAD.length)) === BINARY_HEAD
}

const BINARY_HEAD = 'Kaydara FBX Binary'
const [BACKSLASH, QUOTE, SEMICOLON, NEWLINE, OPEN, CLOSE] = [...'\\";\n{}'].map((character) => character.charCodeAt(0))

/**
 * A copy that the parser can be trusted with. ASCII files hold paths of Windows as they are, whose backslashes it would take
 * for escapes, and at a brace that closes nothing it would stand still for ever.
 *
 * @throws Error for such a brace
 */
function prepared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (isBinaryFbx(bytes)) return bytes.slice()
  const count = bytes.reduce((sum, byte) => (byte === BACKSLASH ? sum + 1 : sum), 0)
  const doubled = new Uint8Array(bytes.length + count)
  let [at, depth] = [0, 0]
  let inside: 'text' | 'comment' | null = null
  for (const byte of bytes) {
    doubled[at++] = byte
    if (byte === BACKSLASH) doubled[at++] = byte
    else if (inside === 'text') inside = byte === QUOTE ? null : inside
    else if (inside === 'comment') inside = byte === NEWLINE ? null : inside
    else if (byte === QUOTE) inside = 'text'
    else if (byte === SEMICOLON) inside = 'comment'
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth < 0) throw new Error('a brace is closed that was never opened')
  }
  return doubled
}

/** Axes and unit of files before version 7, which have them among their objects, where the interpreter does not look. */
function legacySettings({ version, nodes }: FbxDocument): Partial<FbxScene> {
  if (version >= 7000) return {}
  const objects = nodes.find(({ name }) => name === 'Objects')?.children ?? []
  const settings = objects.find(({ name }) => name === 'GlobalSettings')?.children.find(({ name }) => name === 'Properties60')
  const numbers = (settings?.children ?? []).flatMap(({ properties }) => {
    const key = SETTINGS[String(properties[0]?.value)]
    const value = properties[3]?.value
    return key && typeof value === 'number' ? [[key, value]] : []
  })
  return Object.fromEntries(numbers) as Partial<FbxScene>
}

const SETTINGS: Record<string, string | undefined> = {
  UpAxis: 'upAxis',
  UpAxisSign: 'upAxisSign',
  FrontAxis: 'frontAxis',
  FrontAxisSign: 'frontAxisSign',
  CoordAxis: 'coordAxis',
  CoordAxisSign: 'coordAxisSign',
  UnitScaleFactor: 'unitScaleFactor',
}
