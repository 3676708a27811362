import { Color4, type LinesMesh, MeshBuilder, type Scene, Vector3, VertexBuffer } from 'babylonjs'
import type { Box } from '../../main/model/box.ts'
import type { AnimatedModel, Pose } from '../../main/model/animated-model.ts'
import { bonesOf } from './bones.ts'
import { LAYERS } from './scene.ts'

/** Colours of the theme, 0..1. */
export interface GuideColours {
  grid: Color4
  x: Color4
  z: Color4
  bounds: Color4
  bone: Color4
}

/** Cells from the middle of the grid to its edge. */
const REACH = 20

/** A grid on the ground that fades towards its edge, with the x and the z axis in colour. */
export function createGrid(scene: Scene, step: number, colours: GuideColours): LinesMesh {
  const lines: Vector3[][] = []
  const tints: Color4[][] = []
  const faded = (colour: Color4, along: number, across: number) => {
    const distance = Math.hypot(along, across) / REACH
    return new Color4(colour.r, colour.g, colour.b, colour.a * Math.max(0, 1 - distance) ** 1.5)
  }
  for (let across = -REACH; across <= REACH; across++) {
    const span = Math.floor(Math.sqrt(REACH * REACH - across * across))
    for (const axis of ['x', 'z'] as const) {
      const base = across === 0 ? colours[axis] : colours.grid
      const points: Vector3[] = []
      const tint: Color4[] = []
      for (let along = -span; along <= span; along++) {
        points.push(axis === 'x' ? new Vector3(along * step, 0, across * step) : new Vector3(across * step, 0, along * step))
        tint.push(faded(base, along, across))
      }
      lines.push(points)
      tints.push(tint)
    }
  }
  const grid = MeshBuilder.CreateLineSystem('grid', { lines, colors: tints, useVertexAlpha: true }, scene)
  return shared(grid)
}

/** The twelve edges of a box, to be put where they belong by `placeBox`. */
export function createBoxLines(scene: Scene, colour: Color4): LinesMesh {
  const corner = (i: number) => new Vector3(i & 1, (i >> 1) & 1, i >> 2)
  const lines: Vector3[][] = []
  for (let i = 0; i < 8; i++) {
    for (const bit of [1, 2, 4]) if (!(i & bit)) lines.push([corner(i), corner(i | bit)])
  }
  const box = MeshBuilder.CreateLineSystem('bounds', { lines, colors: lines.map((line) => line.map(() => colour)) }, scene)
  return shared(box)
}

export function placeBox(box: LinesMesh, { min, max }: Box): void {
  box.position.set(min[0], min[1], min[2])
  // A flat box would have no inverse.
  const size = (axis: number) => Math.max(max[axis] - min[axis], 1e-9)
  box.scaling.set(size(0), size(1), size(2))
}

/** Lines from each joint to the joint it hangs on, over everything else. */
export interface Skeleton {
  mesh: LinesMesh
  show(pose: Pose): void
}

/** @returns null for a model without joints that hang on each other */
export function createSkeleton(scene: Scene, model: Pick<AnimatedModel, 'nodes' | 'skins'>, colour: Color4): Skeleton | null {
  const bones = bonesOf(model)
  if (bones.length === 0) return null
  const lines = bones.map(() => [Vector3.Zero(), Vector3.Zero()])
  const mesh = MeshBuilder.CreateLineSystem('skeleton', { lines, colors: lines.map((line) => line.map(() => colour)), updatable: true }, scene)
  mesh.renderingGroupId = 1
  mesh.alwaysSelectAsActiveMesh = true
  const points = new Float32Array(bones.length * 6)
  return {
    mesh: shared(mesh),
    show({ worldMatrices }) {
      bones.forEach(([joint, parent], bone) => {
        for (let axis = 0; axis < 3; axis++) {
          points[bone * 6 + axis] = worldMatrices[joint * 16 + 12 + axis]
          points[bone * 6 + 3 + axis] = worldMatrices[parent * 16 + 12 + axis]
        }
      })
      mesh.updateVerticesData(VertexBuffer.PositionKind, points)
    },
  }
}

function shared(mesh: LinesMesh): LinesMesh {
  mesh.layerMask = LAYERS.shared
  mesh.isPickable = false
  return mesh
}
