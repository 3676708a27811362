import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FbxSpace } from '../../main/meshes/fbx/space.ts'
import { writeMeshFile } from '../../main/meshes/mesh-file.ts'
import type { RestMesh, Submesh } from '../../main/meshes/rest-mesh.ts'
import { corners, dressedMesh } from '../meshes/fbx/dressed-mesh.ts'
import { describeWithEngines, engine } from './engine.ts'
import { writeWedge } from './godot/models.ts'
import { comparePictures, createProject, type GodotProject, type Shot } from './godot/project.ts'
import { bakePackage } from './godot/reference.ts'

/** What read_meshes.py writes of a mesh. */
interface SeenMesh {
  materials: string[]
  images: string[]
  uvs: Record<string, number[][]>
  colors: number[][]
  triangles: { material: number; corners: number[]; positions: number[][]; normals: number[][] }[]
}

type Point = [x: number, y: number, z: number]

/** A file in each space that a target asks for; `fromGltf` says where a point of glTF's space is in it. */
const FILES: Record<string, { format: 'fbx' | 'glb'; space: FbxSpace; fromGltf: (point: Point) => Point }> = {
  metres_y_up: { format: 'fbx', space: { up: '+Y', front: '+Z', unitsPerMetre: 1 }, fromGltf: (point) => point },
  centimetres_z_up: { format: 'fbx', space: { up: '+Z', front: '-Y', unitsPerMetre: 100 }, fromGltf: ([x, y, z]) => [x * 100, -z * 100, y * 100] },
  gltf: { format: 'glb', space: { up: '+Y', front: '+Z', unitsPerMetre: 1 }, fromGltf: (point) => point },
}
const READINGS = [
  ['metres_y_up.fbx', 'legacy'],
  ['metres_y_up.fbx', 'new'],
  ['centimetres_z_up.fbx', 'legacy'],
  ['centimetres_z_up.fbx', 'new'],
  ['gltf.glb', 'gltf'],
] as const

/** Where Blender has a point of glTF. */
const inBlender = ([x, y, z]: number[]) => [x, -z, y]

/** The mesh with its positions and directions in another space; the turn keeps right angles and handedness. */
function moved(rest: RestMesh, fromGltf: (point: Point) => Point): RestMesh {
  const move = (values: Float32Array | null, size: number, turns: boolean) =>
    values && Float32Array.from(values, (value, i) => {
      const at = i - (i % size)
      if (i % size === 3) return value
      const point = fromGltf([values[at], values[at + 1], values[at + 2]])
      const length = turns ? Math.hypot(...fromGltf([1, 0, 0])) : 1
      return point[i % size] / length
    })
  return {
    ...rest,
    submeshes: rest.submeshes.map((part) => ({
      ...part,
      positions: move(part.positions, 3, false)!,
      normals: move(part.normals, 3, true),
      tangents: move(part.tangents, 4, true),
    })),
  }
}

describeWithEngines('a written rest mesh', () => {
  const { rest } = dressedMesh()
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meshes-'))
    const files = await Promise.all(
      Object.entries(FILES).map(async ([name, { format, space, fromGltf }]) => {
        const file = join(folder, `${name}.${format}`)
        await writeMeshFile(moved(rest, fromGltf), dressedMesh().appearance, file, space)
        return file
      }),
    )
    const options = ['-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '--python', resolve('tests/engines/read_meshes.py')]
    await engine('blender', [...options, '--', ...files], [folder])
  })
  afterAll(() => rm(folder, { recursive: true }))

  describe.each(READINGS)('%s, as Blender reads it with its importer "%s"', (file, importer) => {
    let seen: SeenMesh
    beforeAll(async () => {
      const meshes = JSON.parse(await readFile(join(folder, `${file}.${importer}.json`), 'utf8')) as SeenMesh[]
      expect(meshes).toHaveLength(1)
      seen = meshes[0]
    })
    const all = (size: number, values: (part: Submesh) => ArrayLike<number>) =>
      rest.submeshes.flatMap((part) => corners(values(part), size, part.indices))
    /** Every number is as near as a float allows, or as Blender keeps it. */
    const expectNear = (actual: number[][], expected: number[][], within: number) => {
      expect(actual).toHaveLength(expected.length)
      const distances = actual.map((values, i) => Math.max(...values.map((value, k) => Math.abs(value - expected[i][k]))))
      expect(Math.max(...distances)).toBeLessThanOrEqual(within)
    }

    it('has the same triangles in the same place', () => {
      expectNear(seen.triangles.flatMap(({ positions }) => positions), all(3, ({ positions }) => positions).map(inBlender), 1e-5)
    })

    it('has the same normals', () => {
      // Blender keeps a normal as two angles of 16 bits, counted from the directions of the edges next to it.
      expectNear(seen.triangles.flatMap(({ normals }) => normals), all(3, ({ normals }) => normals!).map(inBlender), 1e-2)
    })

    it('has all sets of texture coordinates', () => {
      const sets = Object.values(seen.uvs)
      expect(sets).toHaveLength(3)
      sets.forEach((uvs, set) => {
        const given = (part: Submesh) => (set === 2 ? part.indexUV : (part.attributes[set]?.array ?? new Float32Array(part.indexUV.length)))
        const inOrder = seen.triangles.flatMap(({ corners }) => corners.map((corner) => uvs[corner]))
        expectNear(inOrder, all(2, given).map(([u, v]) => [u, 1 - v]), 1e-6)
      })
    })

    it('has the same colours', () => {
      const colours = seen.triangles.slice(0, 2).flatMap(({ corners }) => corners.map((corner) => seen.colors[corner].slice(0, 3)))
      const [body] = rest.submeshes
      expectNear(colours, corners(body.attributes[2].array, 3, body.indices).map((colour) => colour.map((value) => value / 255)), 3e-3)
    })

    it('has the same materials and textures', () => {
      // Of glTF each sub-mesh has a place of its own in the list, where Blender counts materials of one name.
      expect(seen.triangles.map(({ material }) => seen.materials[material].replace(/\.001$/, ''))).toEqual(['Fur', 'Fur', 'Skin', 'Fur'])
      if (importer === 'gltf') return
      const names = ['Bumps', 'Fur', 'fur_2'].map((name) => `${file.replace('.fbx', '')}_${name}.png`)
      expect(seen.images).toEqual(names.sort())
    })
  })
})

describeWithEngines('a package whose rest mesh is FBX', () => {
  /** Parts that move by themselves, of few materials; and one whose index UV is the third set. */
  const MODELS: Record<string, (project: GodotProject) => Promise<string>> = {
    RobotExpressive: async () => resolve('resources/samples/RobotExpressive.glb'),
    wedge: writeWedge,
  }
  let project: GodotProject
  const clips = new Map<string, Awaited<ReturnType<typeof bakePackage>>['clips']>()
  beforeAll(async () => {
    project = await createProject()
    for (const [name, find] of Object.entries(MODELS)) {
      const file = await find(project)
      for (const meshFormat of ['glb', 'fbx'] as const) {
        clips.set(name, (await bakePackage(project, file, `${name}_${meshFormat}`, { encoding: 'exr', content: 'offset', meshFormat })).clips)
      }
    }
    expect(await project.import()).toEqual([])
  })
  afterAll(() => project?.remove())

  it.each(Object.keys(MODELS))('shows %s in Godot just as one whose mesh is glTF', async (name) => {
    const [clip] = clips.get(name)!
    const shots: Shot[] = [0, Math.floor(clip.frameCount / 2)].flatMap((frame) =>
      ['glb', 'fbx'].map((format) => ({
        kind: 'scene',
        scene: `res://${name}_${format}/model.tscn`,
        parameters: { vat_manual: true, vat_clip: 0, vat_time: frame / clip.fps },
        ...viewOf(clip.bounds),
        out: `${name}-${frame}-${format}.png`,
      })),
    )
    await project.draw(shots)
    for (let i = 0; i < shots.length; i += 2) {
      const [glb, fbx] = await Promise.all([project.read(shots[i].out), project.read(shots[i + 1].out)])
      const nothing = { ...glb, data: Uint8Array.from(glb.data, (_, k) => glb.data[k % glb.channels]) }
      expect(comparePictures(glb, nothing, 8).share).toBeGreaterThan(0.005)
      expect(comparePictures(glb, fbx, 8).share).toBeLessThanOrEqual(0.001)
    }
  })
})

function viewOf({ min, max }: { min: number[]; max: number[] }) {
  const size = max.map((value, axis) => value - min[axis])
  const target = min.map((value, axis) => value + size[axis] / 2)
  return { eye: [0.6, 0.35, 0.72].map((way, axis) => target[axis] + way * Math.hypot(...size) * 1.2), target }
}
