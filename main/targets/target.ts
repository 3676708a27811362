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
  /** Largest width and height of a texture, in pixels, that the target takes everywhere unless told otherwise. */
  maxSize: number
}

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
