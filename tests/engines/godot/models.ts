import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, NodeIO } from '@gltf-transform/core'
import { encode } from 'fast-png'
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

/** How far the shield turns around y, at an even speed, in the second that its clip lasts. */
export const TURN = Math.PI / 2

/** A bent shield that turns, with tangents and every map that a material may have. */
export async function writeShield({ folder }: GodotProject): Promise<string> {
  const side = 17
  const grid = Array.from({ length: side * side }, (_, i) => [(i % side) / (side - 1), Math.floor(i / side) / (side - 1)])
  // A piece of a cylinder: u goes round the axis y, the texture's v downwards.
  const angle = (u: number) => (u - 0.5) * 2
  const of = (values: (u: number, v: number) => number[]) => new Float32Array(grid.flatMap(([u, v]) => values(u, v)))
  const indices = new Uint16Array(
    grid.flatMap((_, i) => (i % side === side - 1 || i >= side * (side - 1) ? [] : [i, i + side, i + 1, i + 1, i + side, i + side + 1])),
  )
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (array: Float32Array | Uint16Array, type: 'VEC2' | 'VEC3' | 'VEC4' | 'SCALAR') =>
    document.createAccessor().setArray(array).setType(type).setBuffer(buffer)
  const image = (name: string, pixel: (x: number, y: number) => number[]) => {
    const value = (i: number) => pixel(Math.floor(i / 3) % 32, Math.floor(i / 96))[i % 3]
    const data = Uint8Array.from({ length: 32 * 32 * 3 }, (_, i) => Math.round(value(i) * 255))
    return document.createTexture(name).setMimeType('image/png').setImage(encode({ width: 32, height: 32, channels: 3, data }))
  }
  const material = document
    .createMaterial('shield')
    .setBaseColorTexture(image('color', (x, y) => [0.8, 0.3 + x / 80, 0.2 + y / 80]))
    .setNormalTexture(image('normal', (x, y) => [0.5 + 0.3 * Math.sin(x / 2), 0.5 + 0.3 * Math.cos(y / 3), 0.85]))
    .setMetallicRoughnessTexture(image('orm', (x, y) => [0.4 + x / 60, 0.3 + y / 60, x / 64]))
    .setOcclusionTexture(document.getRoot().listTextures()[2])
    .setEmissiveTexture(image('emission', (x) => [0, 0.1, x % 8 < 2 ? 0.5 : 0]))
    .setEmissiveFactor([1, 1, 1])
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setIndices(accessor(indices, 'SCALAR'))
    .setAttribute('POSITION', accessor(of((u, v) => [Math.sin(angle(u)), 1 - v, Math.cos(angle(u))]), 'VEC3'))
    .setAttribute('NORMAL', accessor(of((u) => [Math.sin(angle(u)), 0, Math.cos(angle(u))]), 'VEC3'))
    .setAttribute('TANGENT', accessor(of((u) => [Math.cos(angle(u)), 0, -Math.sin(angle(u)), 1]), 'VEC4'))
    .setAttribute('TEXCOORD_0', accessor(of((u, v) => [u, v]), 'VEC2'))
  const node = document.createNode('shield').setMesh(document.createMesh('shield').addPrimitive(primitive))
  document.getRoot().setDefaultScene(document.createScene().addChild(node))
  const turned = [0, Math.sin(TURN / 2), 0, Math.cos(TURN / 2)]
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor(new Float32Array([0, 1]), 'SCALAR'))
    .setOutput(accessor(new Float32Array([0, 0, 0, 1, ...turned]), 'VEC4'))
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('rotation').setSampler(sampler)
  document.createAnimation('turn').addSampler(sampler).addChannel(channel)
  const file = join(folder, 'models/shield.glb')
  await new NodeIO().write(file, document)
  return file
}

/** Tangents of the shield when it has turned by an angle around y, `[vertex][xyzw]`. */
export function turnedTangents(tangents: ArrayLike<number>, angle: number): Float32Array {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const out = Float32Array.from(tangents)
  for (let i = 0; i < out.length; i += 4) {
    out[i] = tangents[i] * cosine + tangents[i + 2] * sine
    out[i + 2] = tangents[i + 2] * cosine - tangents[i] * sine
  }
  return out
}
