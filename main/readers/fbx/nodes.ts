import { MATRIX_SIZE, multiply } from '../../model/matrix.ts'
import type { WarningList } from '../warnings.ts'
import type { FbxModel, FbxScene, Vector } from './library.ts'
import { localTransform, writeTransform, type LocalTransform } from './transforms.ts'

/** The file's models in a list, parents first. */
export interface FbxNodes {
  models: FbxModel[]
  /** `[node]`: index of the parent, or -1. */
  parents: number[]
  /** Index of a model by its id. */
  indexOf: Map<number, number>
  /** `[node]`: false where a level of detail hides the node. */
  shown: boolean[]
}

export function listNodes(scene: FbxScene, warnings: WarningList): FbxNodes {
  const nodes: FbxNodes = { models: [], parents: [], indexOf: new Map(), shown: [] }
  const pending = scene.rootModels.map((model) => ({ model, parent: -1, shown: true }))
  for (const { model, parent, shown } of pending) {
    // A model with two parents is one node: the first place counts.
    if (nodes.indexOf.has(model.id)) continue
    const index = nodes.models.push(model) - 1
    nodes.indexOf.set(model.id, index)
    nodes.parents.push(parent)
    nodes.shown.push(shown)
    const cut = model.diagnostics.filter((message) => /deeper than|cycle/.test(message))
    warnings.add('hierarchy-cut', 'Cut the hierarchy of # node|nodes that is too deep or goes round in a circle', cut.length, model.name)
    model.children.forEach((child, i) => {
      const level = model.lodGroup?.displayLevels[i] ?? 0
      const seen = !model.lodGroup || level === 1 || (level === 0 && i === 0)
      if (!seen) warnings.add('lod-left-out', 'Left out # lower level|levels of detail', 1, child.name)
      pending.push({ model: child, parent: index, shown: shown && seen })
    })
  }
  return nodes
}

const RRSS = 0
const RSRS = 1
const RRS = 2

/**
 * World matrices of all nodes from their parts, by the way in which each inherits its parent's scale (FBX SDK,
 * `FbxTransform::EInheritType`): RSrs like everyone else; RrSs and Rrs see their parent without its scale, which only moves
 * their origin, and RrSs multiply it into their own scale, axis by axis.
 */
export class NodeWorld {
  /** `[node]`; whoever animates a node replaces its entry. */
  readonly locals: LocalTransform[]
  /** `[node][16]`, in the file's space and unit. */
  readonly matrices: Float64Array
  readonly #parents: number[]
  readonly #inheritTypes: number[]
  /** `[node]`: the node whose scale multiplies into this one's, or -1. */
  readonly #scaleSources: number[]
  /** `[node]`: own scale and that of the sources. */
  readonly #scales: Vector[] = []
  /** `[node][16]`: the same without the node's own scale. */
  readonly #unscaled: Float64Array

  constructor({ models, parents }: FbxNodes) {
    this.#parents = parents
    this.#inheritTypes = models.map(({ inheritType }) => inheritType)
    const sourceOf = (node: number): number => {
      const parent = parents[node]
      if (parent < 0 || this.#inheritTypes[node] === RSRS) return -1
      if (this.#inheritTypes[node] === RRSS) return parent
      return this.#inheritTypes[node] === RRS ? sourceOf(parent) : -1
    }
    this.#scaleSources = models.map((_, node) => sourceOf(node))
    this.locals = models.map((model) => localTransform(model, model.translation, model.rotation, model.scale))
    this.matrices = new Float64Array(models.length * MATRIX_SIZE)
    this.#unscaled = new Float64Array(models.length * MATRIX_SIZE)
    this.update()
  }

  /** Computes all matrices anew. */
  update(): void {
    const local = new Float64Array(MATRIX_SIZE)
    this.locals.forEach(({ translation, rotation, scale }, node) => {
      const parent = this.#parents[node]
      const at = node * MATRIX_SIZE
      const source = this.#scaleSources[node]
      const whole = source < 0 ? scale : timesEach(scale, this.#scales[source])
      this.#scales[node] = whole

      const type = this.#inheritTypes[node]
      const detached = parent >= 0 && (type === RRSS || type === RRS)
      const base = detached ? this.#unscaled : this.matrices
      const origin = detached ? timesEach(translation, this.#scales[parent]) : translation
      for (const [out, size] of [[this.#unscaled, UNIT], [this.matrices, whole]] as const) {
        writeTransform(local, 0, origin, rotation, size)
        if (parent < 0) out.set(local, at)
        else multiply(out, at, base, parent * MATRIX_SIZE, local, 0)
      }
    })
  }
}

const UNIT: Vector = [1, 1, 1]

function timesEach(a: Vector, b: Vector): Vector {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}
