import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const simpleSkin = resolve(import.meta.dirname, '../../resources/samples/SimpleSkin.gltf')

/** PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

interface Gltf {
  nodes: { translation?: number[] }[]
  meshes: { primitives: { material?: number }[] }[]
  buffers: { uri: string }[]
  [key: string]: unknown
}

/**
 * Writes a small animated model whose buffers and texture are files beside it.
 *
 * @param shift metres that it is moved by, so that the content is another one
 * @returns path of the .gltf
 */
export function writeModel(file: string, shift = 0): string {
  const json = JSON.parse(readFileSync(simpleSkin, 'utf8')) as Gltf
  const name = file.replace(/^.*[/\\]|\.gltf$/g, '')
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  json.buffers.forEach((buffer, i) => {
    writeFileSync(join(folder, `${name}${i}.bin`), Buffer.from(buffer.uri.split(',')[1], 'base64'))
    buffer.uri = `${name}${i}.bin`
  })
  writeFileSync(join(folder, `${name}.png`), Buffer.from(PIXEL, 'base64'))
  json.images = [{ uri: `${name}.png` }]
  json.textures = [{ source: 0 }]
  json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
  for (const mesh of json.meshes) for (const primitive of mesh.primitives) primitive.material = 0
  json.extras = { shift }
  writeFileSync(file, JSON.stringify(json))
  return file
}
