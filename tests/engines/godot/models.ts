import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, NodeIO } from '@gltf-transform/core'
import type { GodotProject } from './project.ts'

/**
 * A wedge without any symmetry that goes 5 m along x and turns on its way. It has colours at its vertices, and two sets of texture
 * coordinates, so that the index UV has to take the third.
 */
export async function writeWedge({ folder }: GodotProject): Promise<string> {
  const corners = [0, 0, 0, 1, 0, 0, 0, 0.6, 0, 0, 0, 0.3].map(Number)
  const triangles = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
  const positions = new Float32Array(triangles.flatMap((corner) => corners.slice(corner * 3, corner * 3 + 3)))
  const normals = new Float32Array(positions.length)
  for (let i = 0; i < positions.length; i += 9) {
    const [ax, ay, az, bx, by, bz] = [3, 4, 5, 6, 7, 8].map((j) => positions[i + j] - positions[i + (j % 3)])
    const normal = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
    for (let corner = 0; corner < 3; corner++) normals.set(normal.map((value) => value / Math.hypot(...normal)), i + corner * 3)
  }
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (array: Float32Array | Uint16Array, type: 'VEC2' | 'VEC3' | 'VEC4' | 'SCALAR') =>
    document.createAccessor().setArray(array).setType(type).setBuffer(buffer)
  const uvs = new Float32Array(triangles.flatMap((corner) => [corners[corner * 3], corners[corner * 3 + 1]]))
  const colors = new Float32Array(triangles.flatMap((corner) => [0.4 + 0.2 * corner, 1 - 0.2 * corner, 0.5, 1]))
  const image = document.createTexture('checks').setMimeType('image/png').setImage(CHECKS)
  const material = document
    .createMaterial('wedge "one"')
    .setBaseColorTexture(image)
    .setRoughnessFactor(0.7)
    .setMetallicFactor(0)
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setIndices(accessor(Uint16Array.from(triangles.keys()), 'SCALAR'))
    .setAttribute('POSITION', accessor(positions, 'VEC3'))
    .setAttribute('NORMAL', accessor(normals, 'VEC3'))
    .setAttribute('TEXCOORD_0', accessor(uvs, 'VEC2'))
    .setAttribute('TEXCOORD_1', accessor(uvs.map((value) => value * 2), 'VEC2'))
    .setAttribute('COLOR_0', accessor(colors, 'VEC4'))
  const node = document.createNode('wedge').setMesh(document.createMesh('wedge').addPrimitive(primitive))
  document.getRoot().setDefaultScene(document.createScene().addChild(node))
  const half = Math.SQRT1_2
  const channel = (path: 'translation' | 'rotation', output: Float32Array) => {
    const times = accessor(new Float32Array([0, 1]), 'SCALAR')
    const sampler = document.createAnimationSampler().setInput(times).setOutput(accessor(output, path === 'rotation' ? 'VEC4' : 'VEC3'))
    animation.addSampler(sampler).addChannel(document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler))
  }
  const animation = document.createAnimation('Go "away", 100 %')
  channel('translation', new Float32Array([0, 0, 0, 5, 0.5, 0]))
  channel('rotation', new Float32Array([0, 0, 0, 1, 0, half, 0, half]))
  // Where Godot does not look for things to import.
  await mkdir(join(folder, 'models'))
  await writeFile(join(folder, 'models/.gdignore'), '')
  const file = join(folder, 'models/wedge.glb')
  await new NodeIO().write(file, document)
  return file
}

/** A PNG of two by two pixels. */
const CHECKS = Uint8Array.from(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4//9/VMUJhhMVUf///wcAQFAJL/hw1lAAAAAASUVORK5CYII=', 'base64'),
)
