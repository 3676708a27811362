/** Tangents that are made: checked on surfaces whose tangents everybody knows. */
import { describe, expect, it } from 'vitest'
import type { Warning } from '../../main/model/animated-model.ts'
import { withTangents } from '../../main/bake/tangent-space.ts'
import { bakery } from '../player/bakes.ts'
import { loadSet, tangent } from '../player/player.ts'
import { GltfBuilder } from '../readers/build-gltf.ts'

const { bake, verify, write } = bakery()

type UV = (x: number, y: number) => [number, number]

/**
 * A plane of 2 × 1 quads from x = -1 to 1 and y = 0 to 1 that faces +Z, its vertices row by row from the top left; a node turns it
 * by 90 degrees about Z in a second.
 */
function plane(uv: UV, { hasNormals = true, hasUVs = true } = {}): GltfBuilder {
  const builder = new GltfBuilder({ scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], animations: [{ name: 'Turn' }] })
  const points = [1, 0].flatMap((y) => [-1, 0, 1].map((x) => [x, y]))
  builder.json.meshes = [{
    primitives: [{
      attributes: {
        POSITION: builder.floats('VEC3', ...points.flatMap(([x, y]) => [x, y, 0])),
        ...(hasNormals ? { NORMAL: builder.floats('VEC3', ...points.flatMap(() => [0, 0, 1])) } : {}),
        ...(hasUVs ? { TEXCOORD_0: builder.floats('VEC2', ...points.flatMap(([x, y]) => uv(x, y))) } : {}),
        _TAG: builder.floats('SCALAR', ...points.keys()),
      },
      indices: builder.accessor('SCALAR', Uint16Array.from([0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2])),
    }],
  }]
  builder.channel(builder.json.animations[0], { node: 0, path: 'rotation' }, [0, 1], [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2])
  return builder
}

async function tangentsOf(builder: GltfBuilder) {
  const warnings: Warning[] = []
  const { meshes: [mesh] } = withTangents(await builder.model(), [0], warnings)
  const at = (vertex: number) => [...mesh.tangents!.subarray(vertex * 4, vertex * 4 + 4)].map((value) => Math.round(value * 1e4) / 1e4 + 0)
  return { mesh, warnings, at }
}

describe('tangents', () => {
  // glTF's v runs downwards, and the bitangent, w · cross(normal, tangent), upwards in the picture.
  it.each<[string, UV, number[]]>([
    ['upright', (x, y) => [x, 1 - y], [1, 0, 0, 1]],
    ['half as large', (x, y) => [x / 2, (1 - y) / 2], [1, 0, 0, 1]],
    ['turned to the left', (x, y) => [y, x], [0, 1, 0, 1]],
    ['upside down', (x, y) => [-x, y], [-1, 0, 0, 1]],
    ['mirrored', (x, y) => [-x, 1 - y], [-1, 0, 0, -1]],
    ['mirrored and turned', (x, y) => [y, -x], [0, 1, 0, -1]],
  ])('lie along u, for a picture that is %s', async (_, uv, expected) => {
    const { mesh, at, warnings } = await tangentsOf(plane(uv))
    expect(mesh.vertexCount).toBe(6)
    for (let vertex = 0; vertex < 6; vertex++) expect(at(vertex)).toEqual(expected)
    expect(warnings).toEqual([])
  })

  it('double the vertices of a mirrored seam, with all they have, behind the others', async () => {
    const { mesh, at } = await tangentsOf(plane((x, y) => [Math.abs(x), 1 - y]))
    expect(mesh.vertexCount).toBe(8)
    const left = [-1, 0, 0, -1]
    const right = [1, 0, 0, 1]
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([left, left, right, left, left, right, right, right])
    // The right half has the doubles of the two vertices in the middle.
    expect([...mesh.indices.subarray(0, 6)]).toEqual([0, 3, 4, 0, 4, 1])
    const [top, bottom] = [mesh.indices[6], mesh.indices[7]]
    expect([top, bottom].sort()).toEqual([6, 7])
    expect([...mesh.indices.subarray(6)]).toEqual([top, bottom, 5, top, 5, 2])
    for (const [double, source] of [[top, 1], [bottom, 4]]) {
      const three = (array: ArrayLike<number>, vertex: number) => Array.from({ length: 3 }, (_, i) => array[vertex * 3 + i])
      expect(three(mesh.positions, double)).toEqual(three(mesh.positions, source))
      expect(three(mesh.normals!, double)).toEqual(three(mesh.normals!, source))
      const tag = mesh.attributes.find(({ semantic }) => semantic === '_TAG')!
      expect(tag.array[double]).toBe(source)
    }
  })

  it('of integer texture coordinates are those of the numbers that they stand for', async () => {
    const builder = plane((x, y) => [x, y])
    const { attributes } = builder.json.meshes[0].primitives[0]
    attributes.TEXCOORD_0 = builder.accessor('VEC2', Uint16Array.from([0, 0, 32768, 0, 65535, 0, 0, 65535, 32768, 65535, 65535, 65535]), { normalized: true })
    const { at } = await tangentsOf(builder)
    expect(at(0)).toEqual([1, 0, 0, 1])
  })

  it.each([{ hasNormals: false }, { hasUVs: false }])('cannot be made %o, which is told', async (without) => {
    const { mesh, warnings } = await tangentsOf(plane((x, y) => [x, y], without))
    expect(mesh.tangents).toBeNull()
    expect(warnings).toEqual([{ code: 'no-tangents', count: 1, message: expect.stringContaining('One mesh has no normals or no texture coordinates') }])
  })

  it('that the file has are kept', async () => {
    const builder = plane((x, y) => [x, y])
    builder.json.meshes[0].primitives[0].attributes.TANGENT = builder.floats('VEC4', ...Array.from({ length: 6 }, () => [0, 1, 0, -1]).flat())
    const { mesh, at } = await tangentsOf(builder)
    expect([mesh.vertexCount, at(3)]).toEqual([6, [0, 1, 0, -1]])
  })
})

describe('a bake of them', () => {
  it.each(['rgba8', 'rgba16', 'exr16', 'exr'] as const)('carries them along and keeps their handedness in %s', async (encoding) => {
    const model = await write('plane.glb', plane((x, y) => [Math.abs(x), 1 - y]).glb())
    const { sidecarFile, sidecar } = await bake(model, { encoding, tangents: true, loop: 'off', frames: 3, columns: 'shared' })
    const set = await loadSet(sidecarFile)
    expect(set.tangent!.layer).toMatchObject({ channels: 'rgba', content: 'xyz' })
    expect([sidecar.vertexCount, sidecar.columnCount]).toEqual([8, 8])
    for (const [vertex, [x]] of set.rest.entries()) {
      const isRight = x > 0 || vertex > 5
      for (const [frame, angle] of [0, 45, 90].entries()) {
        const along = isRight ? 1 : -1
        const expected = [along * Math.cos(angle * Math.PI / 180), along * Math.sin(angle * Math.PI / 180), 0, along]
        tangent(set, vertex, 0, frame).forEach((value, i) => expect(value).toBeCloseTo(expected[i], encoding === 'rgba8' ? 1.9 : 3))
      }
    }
    expect(sidecar.report.tangent!.maxDegrees).toBeLessThan(encoding === 'rgba8' ? 0.5 : 0.03)
    expect(await verify(sidecarFile, model)).toMatchObject({ asReported: true, damaged: [] })
  })
})
