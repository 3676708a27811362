import type { MorphTarget } from '../../model/animated-model.ts'
import type { WarningList } from '../warnings.ts'
import type { FbxBlendChannel, FbxScene, FbxShape } from './library.ts'
import { fieldOf, numbersOf, type FbxRecords } from './records.ts'

/** The blend shapes of a geometry. Each shape of a channel, in-between ones too, is a morph target of its own. */
export interface FbxBlend {
  channels: BlendChannel[]
  targets: { name: string; shape: FbxShape; factors: ArrayLike<number> | null }[]
}

interface BlendChannel {
  id: number
  /** Where nothing is animated, in per cent. */
  percent: number
  /** Index of its first target. */
  target: number
  /** `[target]`: the percentage at which it is whole, ascending. */
  whole: number[]
}

export function readBlends(scene: FbxScene, records: FbxRecords, warnings: WarningList): Map<number, FbxBlend> {
  const blends = new Map<number, FbxBlend>()
  for (const { geometryId, channels } of scene.blendShapes) {
    const blend = blends.get(geometryId) ?? { channels: [], targets: [] }
    for (const channel of channels) {
      // The interpreter keeps the first of several shapes where it does not know when each is whole.
      const lost = records.children(channel.id, 'Geometry').length - channel.shapes.length
      warnings.add('shapes-left-out', 'Left out # in-between shape|shapes without a full weight', Math.max(0, lost), channel.name)
      const whole = channel.fullWeights ?? [100]
      blend.channels.push({ id: channel.id, percent: percentAtRest(channel, records), target: blend.targets.length, whole })
      const factors = vertexFactors(channel, records)
      channel.shapes.forEach((shape, i) => {
        const name = channel.shapes.length > 1 ? `${channel.name} ${whole[i]}` : channel.name
        blend.targets.push({ name, shape, factors })
      })
    }
    blends.set(geometryId, blend)
  }
  return blends
}

/** Blender writes it as a field of its own, where the interpreter looks for a property. */
function percentAtRest({ id, deformPercent }: FbxBlendChannel, records: FbxRecords): number {
  const record = records.object(id)
  const field = record && fieldOf(record, 'DeformPercent')
  return typeof field === 'number' ? field : deformPercent
}

/**
 * Blender writes the weights of a shape key's vertex group where other programs write at which percentage a shape is whole:
 * one for each vertex that the shape moves, in per cent. The shape moves each vertex by that much of the way.
 */
function vertexFactors({ id, shapes }: FbxBlendChannel, records: FbxRecords): ArrayLike<number> | null {
  const record = records.object(id)
  const numbers = record ? numbersOf(record, 'FullWeights') : []
  const isOfVertices = shapes.length === 1 && numbers.length > 1 && numbers.length === shapes[0].indices.length
  return isOfVertices ? numbers : null
}

/**
 * How much of each target a channel's percentage is (FBX SDK, `FbxBlendShapeChannel`): on a line from target to target,
 * beginning with none at 0, and on along the last stretch beyond both ends.
 *
 * @param whole ascending percentages
 */
export function spreadPercent(percent: number, whole: number[], out: Float64Array, at: number): void {
  out.fill(0, at, at + whole.length)
  const stops = [...whole.map((value, target) => ({ value, target })), { value: 0, target: -1 }].sort((a, b) => a.value - b.value)
  const above = stops.findIndex(({ value }) => value > percent)
  const to = above < 0 ? stops.length - 1 : Math.max(above, 1)
  const [low, high] = [stops[to - 1], stops[to]]
  const part = high.value > low.value ? (percent - low.value) / (high.value - low.value) : 1
  if (low.target >= 0) out[at + low.target] = 1 - part
  if (high.target >= 0) out[at + high.target] = part
}

/**
 * A target's differences for each vertex, by the control point that it lies at.
 *
 * @param points `[vertex]`: control points
 * @param place  moves a difference of positions into the mesh's space, in place
 */
export function morphTargetOf(
  { name, shape, factors }: FbxBlend['targets'][number],
  points: Uint32Array,
  place: (deltas: Float64Array) => void,
  wantsNormals: boolean,
): MorphTarget {
  const rowOf = new Map<number, number>()
  shape.indices.forEach((point, row) => rowOf.set(point, row))
  const spread = (values: Float64Array): Float32Array => {
    const deltas = new Float64Array(points.length * 3)
    points.forEach((point, vertex) => {
      const row = rowOf.get(point)
      if (row === undefined) return
      const factor = factors ? factors[row] / 100 : 1
      for (let axis = 0; axis < 3; axis++) deltas[vertex * 3 + axis] = (values[row * 3 + axis] ?? 0) * factor
    })
    place(deltas)
    return Float32Array.from(deltas)
  }
  const { normals } = shape
  // Blender writes normals of zeros, which would say that the shape turns no surface.
  const hasNormals = wantsNormals && normals !== null && normals.some((number) => number !== 0)
  return { name, positions: spread(shape.vertices), normals: hasNormals ? spread(normals) : null, tangents: null }
}
