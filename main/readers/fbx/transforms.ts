import { MATRIX_SIZE } from '../../model/matrix.ts'
import type { FbxModel, Vector, FbxScene } from './library.ts'

/** A node's transform in its parent's space, in parts: the linear part is rotation × scale, without shear. */
export interface LocalTransform {
  translation: Vector
  /** `[column][row]` of 3×3. */
  rotation: Float64Array
  scale: Vector
}

type Pivots = Pick<
  FbxModel,
  'preRotation' | 'postRotation' | 'rotationPivot' | 'scalingPivot' | 'rotationOffset' | 'scalingOffset' | 'rotationOrder'
>

/**
 * The transform of an FBX node (FBX SDK, "Computing transformation matrices"):
 * T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹, where pivots and offsets only move.
 *
 * @param rotation degrees about x, y and z
 */
export function localTransform(model: Pivots, translation: Vector, rotation: Vector, scale: Vector): LocalTransform {
  let turn = eulerMatrix(rotation, model.rotationOrder)
  if (!isZero(model.preRotation)) turn = multiply3(eulerMatrix(model.preRotation, 0), turn)
  if (!isZero(model.postRotation)) turn = multiply3(turn, transposed(eulerMatrix(model.postRotation, 0)))

  const { rotationPivot: pivot, scalingPivot, rotationOffset, scalingOffset } = model
  // What is left of a point at the origin behind S and its pivot, before it is turned about the rotation's pivot.
  const arm = pivot.map((p, i) => scalingOffset[i] + scalingPivot[i] * (1 - scale[i]) - p) as Vector
  const turned = transform3(turn, arm)
  return {
    translation: translation.map((t, i) => t + rotationOffset[i] + pivot[i] + turned[i]) as Vector,
    rotation: turn,
    scale,
  }
}

/** Writes translation × rotation × scale as a matrix. */
export function writeTransform(out: Float64Array, at: number, translation: Vector, rotation: Float64Array, scale: Vector): void {
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) out[at + column * 4 + row] = rotation[column * 3 + row] * scale[column]
    out[at + column * 4 + 3] = 0
    out[at + 12 + column] = translation[column]
  }
  out[at + 15] = 1
}

/** The matrix of a model's geometric transform, which moves its own geometry and nothing below it. */
export function geometricMatrix(model: FbxModel): Float64Array {
  const out = new Float64Array(MATRIX_SIZE)
  writeTransform(out, 0, model.geometricTranslation, eulerMatrix(model.geometricRotation, 0), model.geometricScaling)
  return out
}

/** Where the file's axes go in +X right, +Y up, +Z to the front, and its units in metres. */
export function rootMatrix(
  scene: Pick<FbxScene, 'upAxis' | 'upAxisSign' | 'frontAxis' | 'frontAxisSign' | 'coordAxis' | 'coordAxisSign' | 'unitScaleFactor'>,
): Float64Array {
  const metres = scene.unitScaleFactor > 0 ? scene.unitScaleFactor / 100 : 0.01
  const axes = [
    [scene.coordAxis, scene.coordAxisSign],
    [scene.upAxis, scene.upAxisSign],
    [scene.frontAxis, scene.frontAxisSign],
  ]
  const told = new Set(axes.map(([axis]) => axis))
  const known = told.size === 3 && axes.every(([axis]) => axis === 0 || axis === 1 || axis === 2)
  const out = new Float64Array(MATRIX_SIZE)
  axes.forEach(([axis, sign], row) => {
    if (known) out[axis * 4 + row] = sign < 0 ? -metres : metres
    else out[row * 4 + row] = metres
  })
  out[15] = 1
  return out
}

/** The axes about which a rotation turns, first to last, by FBX's number of the order. Spheric turns count as XYZ. */
const ORDERS = ['xyz', 'xzy', 'yzx', 'yxz', 'zxy', 'zyx', 'xyz']

function eulerMatrix(degrees: Vector, order: number): Float64Array {
  let out: Float64Array | null = null
  for (const axis of ORDERS[order] ?? 'xyz') {
    const i = 'xyz'.indexOf(axis)
    const turn = axisMatrix(i, (degrees[i] * Math.PI) / 180)
    out = out ? multiply3(turn, out) : turn
  }
  return out!
}

function axisMatrix(axis: number, angle: number): Float64Array {
  const out = new Float64Array(9)
  const next = (axis + 1) % 3
  const last = (axis + 2) % 3
  out[axis * 4] = 1
  out[next * 4] = out[last * 4] = Math.cos(angle)
  out[next * 3 + last] = Math.sin(angle)
  out[last * 3 + next] = -Math.sin(angle)
  return out
}

function multiply3(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(9)
  for (let column = 0; column < 3; column++) out.set(transform3(a, [b[column * 3], b[column * 3 + 1], b[column * 3 + 2]]), column * 3)
  return out
}

function transform3(m: Float64Array, [x, y, z]: Vector): Vector {
  return [m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z]
}

function transposed(m: Float64Array): Float64Array {
  return Float64Array.from(m, (_, i) => m[(i % 3) * 3 + Math.floor(i / 3)])
}

function isZero(vector: Vector): boolean {
  return vector.every((number) => number === 0)
}
