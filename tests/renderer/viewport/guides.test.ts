import { expect, test } from 'vitest'
import { bonesOf } from '../../../renderer/viewport/bones.ts'
import { gridStep } from '../../../renderer/viewport/grid-step.ts'

test('the lines of the grid are 1, 2 or 5 times a power of ten apart, for models of any size', () => {
  const steps = [0.001, 0.3, 1, 1.7, 4, 100, 155, 12_345].map((size) => gridStep({ min: [0, 0, 0], max: [size, 0, 0] }))
  expect(steps.map((step) => Number(step.toPrecision(3)))).toEqual([0.0001, 0.05, 0.1, 0.2, 0.5, 10, 20, 2000])
})

test('a bone leads from each joint to the nearest joint above it, over nodes that are none, once for all skins', () => {
  const node = (name: string, parent: number) => ({ name, parent })
  const nodes = [node('scene', -1), node('hip', 0), node('helper', 1), node('knee', 2), node('foot', 3), node('hat', -1)]
  const skins = [
    { name: 'legs', joints: [1, 3, 4] },
    { name: 'socks', joints: [3, 4, 5] },
  ]
  expect(bonesOf({ nodes, skins })).toEqual([
    [3, 1],
    [4, 3],
  ])
})
