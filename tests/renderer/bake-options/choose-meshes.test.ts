import { describe, expect, it } from 'vitest'
import { clipOption, meshChoices, meshesNamed } from '../../../renderer/bake-options/choose-meshes.ts'

const nodes = ['Body', 'Head', ''].map((name) => ({ name, parent: -1 }))
const mesh = (name: string, node: number, vertexCount: number, skin = -1, targets = 0) => ({
  name, node, primitive: 0, material: 0, vertexCount, skin, influences: null, morphSet: -1, indexed: true,
  positions: new Float32Array(), normals: null, tangents: null, indices: new Uint32Array(),
  morphTargets: Array.from({ length: targets }, () => ({ name: 'smile', positions: null, normals: null, tangents: null })),
})
const model = { nodes, meshes: [mesh('Torso', 0, 10, 0), mesh('Torso', 0, 5), mesh('Face', 1, 7, -1, 3), mesh('Cape', 2, 4)] }

describe('meshes to bake', () => {
  it('are chosen by the names of their nodes, all primitives of one together', () => {
    expect(meshChoices(model)).toEqual([
      { name: 'Body', meshes: [0, 1], vertexCount: 15, movedBy: 'skin', morphTargets: 0 },
      { name: 'Head', meshes: [2], vertexCount: 7, movedBy: 'node', morphTargets: 3 },
      { name: 'Cape', meshes: [3], vertexCount: 4, movedBy: 'node', morphTargets: 0 },
    ])
  })

  it('are found as the command line finds them', () => {
    expect(meshesNamed(model, [])).toEqual([0, 1, 2, 3])
    expect(meshesNamed(model, ['Torso', 'Head'])).toEqual([0, 1, 2])
  })
})

describe('the name of a clip on the command line', () => {
  it('is its own, or its number where that would not be clear', () => {
    const clips = [{ name: 'Run' }, { name: 'Walk' }, { name: 'Run' }, { name: '' }, { name: '#1' }]
    expect(clips.map((_, index) => clipOption(clips, index))).toEqual(['#0', 'Walk', '#2', '#3', '#4'])
  })
})
