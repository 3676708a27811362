import type { SurfaceMaterial } from '../model/surface-material.ts'

/** A component of glTF's space with its sign. */
export type SignedAxis = '+x' | '-x' | '+y' | '-y' | '+z' | '-z'

/** What an engine expects of a bake. Source: facts about each engine's importers, cited where each target is defined. */
export interface TargetDescription {
  name: string
  handedness: 'right' | 'left'
  up: '+X' | '-X' | '+Y' | '-Y' | '+Z' | '-Z'
  unit: 'metre' | 'centimetre'
  uvOrigin: 'top-left' | 'bottom-left'
  /** Component i of the bake's space is this component of glTF's. */
  axesFromGltf: [SignedAxis, SignedAxis, SignedAxis]
  /** Bake units a metre. */
  unitsPerMetre: number
  /** The space of its FBX files: what its importer makes that of the bake of. glTF's where there is none. */
  fbx?: FileSpace
  /** Format of the mesh's file where none is asked for; GLB where there is none. */
  meshFormat?: 'glb' | 'fbx'
  /** Largest width and height of a texture, in pixels, that the target takes everywhere unless told otherwise. */
  maxSize: number
  /** Bits a channel that its importer keeps of a PNG. Where they are 8, numbers of 16 bits are stored as two bytes. */
  pngBits: 8 | 16
  /** Each bake is in a folder of its own, of its name, since the engine makes one assembly of what is in a folder. */
  ownFolder?: boolean
  /** The mesh and its node have this name where an importer reads more out of names than that; else that of the bake. */
  meshName?: string
  /**
   * Why the engine could not play such a bake, in a sentence, and in another one the nearest that it can; null where it can.
   */
  refuse?(options: WantedBake): string | null
  /** Its package plays in that space only. */
  fixedAxes?: true
  /** The files of its package. */
  createPackage?: CreatePackage
}

/** The space of a mesh file: always a right-handed one. */
export interface FileSpace {
  /** Component i of the file's space is this component of glTF's. */
  axesFromGltf: [SignedAxis, SignedAxis, SignedAxis]
  up: TargetDescription['up']
  /** Towards whoever looks at the front of the model. */
  front: TargetDescription['up']
  unitsPerMetre: number
}

/** What a target may refuse. */
export interface WantedBake {
  dedupeFrames: boolean
  meshFormat: string
}

/** Texts under native-templates/, by their path in there. */
export type Templates = Record<string, string>

/** A file that goes with a bake. */
export interface PackageFile {
  file: string
  text: string
  /** The engine writes into it. */
  rewritten?: boolean
}

/** Makes the files of a package from the templates of its target. */
export interface CreatePackage {
  /** Paths under native-templates/ of what it fills in. */
  templates: string[]
  /** The images of the materials have to lie beside the mesh. */
  images?: boolean
  create(set: PackagedSet, templates: Templates): PackageFile[]
}

/** What of a bake a package is made of: the sidecar's members of these names, and how the model looks. */
export interface PackagedSet {
  name: string
  bounds: { min: number[]; max: number[] }
  layout: { columnsPerRow: number; rowsPerFrame: number; orientation: 'frames-y' | 'frames-x' }
  textures: PackagedTexture[]
  clips: PackagedClip[]
  source: { file: string }
  meshes: { file: string; resources: { file: string }[]; indexUV: string; submeshes: { name: string }[] }[]
  /** Material of each surface of the mesh file: of each sub-mesh, or, in FBX, of all those of one material. */
  materials: SurfaceMaterial[]
}

export interface PackagedClip {
  name: string
  firstRow: number
  frameCount: number
  fps: number
  duration: number
  loop: boolean
  rootMotion?: { file?: string }
}

export interface PackagedTexture {
  role: string
  file: string
  width: number
  height: number
  baseRow: number
  baseColumn: number
  channels: string
  type: string
  content: string
  scale: number[]
  offset: number[]
}

/** Layers that the shaders of the engines know. */
export const LAYER_ROLES = ['position', 'normal', 'tangent']

/** Whether numbers of 16 bits have to be stored as two bytes. */
export function splitsBytes({ pngBits }: Pick<TargetDescription, 'pngBits'>, encoding: string): boolean {
  return encoding === 'rgba16' && pngBits === 8
}

/** glTF's own space, for engines that have the same. */
export const GLTF_SPACE = {
  handedness: 'right',
  up: '+Y',
  unit: 'metre',
  uvOrigin: 'top-left',
  axesFromGltf: ['+x', '+y', '+z'],
  unitsPerMetre: 1,
} satisfies Partial<TargetDescription>

/** The format of the mesh file that is asked for, where `auto` stands for what the engine imports best. */
export function meshFormatOf({ meshFormat = 'glb' }: TargetDescription, asked: 'auto' | 'glb' | 'gltf' | 'fbx'): 'glb' | 'gltf' | 'fbx' {
  return asked === 'auto' ? meshFormat : asked
}

const GLTF_FILE: FileSpace = { axesFromGltf: GLTF_SPACE.axesFromGltf, up: '+Y', front: '+Z', unitsPerMetre: 1 }

/** The space of the mesh file: a glTF file is in glTF's, whatever the engine makes of it. */
export function fileSpaceOf({ fbx }: TargetDescription, meshFormat: string): FileSpace {
  return meshFormat === 'fbx' && fbx ? fbx : GLTF_FILE
}

/** 1 for a right-handed space, -1 for a left-handed one. */
export function handednessOf(axesFromGltf: readonly SignedAxis[]): number {
  const isCyclic = ['xyz', 'yzx', 'zxy'].includes(axesFromGltf.map((axis) => axis[1]).join(''))
  return axesFromGltf.reduce((product, axis) => (axis[0] === '-' ? -product : product), isCyclic ? 1 : -1)
}

/** Millimetres in a unit of a bake. */
export const MILLIMETRES = { metre: 1000, centimetre: 10 } as const

/**
 * The matrix from glTF's space to a target's: axes and mirror from `axesFromGltf`, times a uniform factor.
 *
 * @returns column-major 4×4
 */
export function spaceMatrix(axesFromGltf: readonly SignedAxis[], scale: number): Float64Array {
  const matrix = new Float64Array(16)
  axesFromGltf.forEach((axis, row) => {
    const column = 'xyz'.indexOf(axis[1])
    matrix[column * 4 + row] = axis[0] === '-' ? -scale : scale
  })
  matrix[15] = 1
  return matrix
}
