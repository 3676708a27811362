import { expect, test } from 'vitest'
import { axisSettings, type FbxSpace } from '../../../main/meshes/fbx/space.ts'

test.each<[FbxSpace['up'], FbxSpace['front'], ReturnType<typeof axisSettings>]>([
  // Maya's, and glTF's.
  ['+Y', '+Z', { up: [1, 1], front: [2, 1], coord: [0, 1] }],
  // 3ds Max's and Blender's.
  ['+Z', '-Y', { up: [2, 1], front: [1, -1], coord: [0, 1] }],
  ['+Z', '+X', { up: [2, 1], front: [0, 1], coord: [1, 1] }],
  ['+Y', '-Z', { up: [1, 1], front: [2, -1], coord: [0, -1] }],
  ['-Y', '+Z', { up: [1, -1], front: [2, 1], coord: [0, -1] }],
])('what is up at %s with its front to %s has this to its right', (up, front, axes) => {
  expect(axisSettings({ up, front, unitsPerMetre: 1 })).toEqual(axes)
  const vector = ([axis, sign]: [number, number]) => [0, 1, 2].map((i) => (i === axis ? sign : 0))
  const [[a, b, c], [d, e, f]] = [vector(axes.up), vector(axes.front)]
  expect(vector(axes.coord).map((value) => value + 0)).toEqual([b * f - c * e, c * d - a * f, a * e - b * d].map((value) => value + 0))
})
