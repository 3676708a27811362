import { Document } from '@gltf-transform/core'
import { dirname } from 'node:path'
import { createFileFinder } from '../file-finder.ts'
import { createImageFinder } from '../images.ts'
import type { Budget } from '../limited-file.ts'
import type { ExternalFile } from '../loaded-model.ts'
import type { WarningList } from '../warnings.ts'

/**
 * How the model looks: a glTF document whose material i is the one of that name in the .mtl files beside the model
 * (Alias Wavefront, "MTL material format"): colour, opacity, emission and their textures.
 */
export async function readMaterials(
  names: string[],
  libraries: string[],
  path: string,
  budget: Budget,
  warnings: WarningList,
): Promise<{ appearance: Document; external: ExternalFile[] }> {
  const appearance = new Document()
  const folder = dirname(path)
  const images = createImageFinder(appearance, folder, budget, warnings)
  const described = new Map<string, Map<string, string[]>>()
  const files = createFileFinder(folder, budget)
  for (const library of new Set(libraries)) {
    const found = await files.read([library], [])
    if (found) readLibrary(new TextDecoder().decode(found.bytes), described)
    else warnings.add('materials-missing', 'Left out # file|files of materials that cannot be read', 1, library)
  }
  for (const name of names) {
    const lines = described.get(name) ?? new Map<string, string[]>()
    const numbers = (key: string, fallback: number[]) => {
      const values = lines.get(key)?.map(Number) ?? []
      const isWhole = values.length === fallback.length && values.every(Number.isFinite)
      return isWhole ? values.map((value) => Math.min(Math.max(value, 0), 1)) : fallback
    }
    // Options such as `-s 1 1 1` come before the name.
    const texture = (...keys: string[]) => {
      const words = keys.map((key) => lines.get(key)).find(Boolean)
      return words ? images.find([words.join(' '), words[words.length - 1]], null) : null
    }
    const [opacity] = lines.has('d') ? numbers('d', [1]) : [1 - numbers('Tr', [0])[0]]
    const [red, green, blue] = numbers('Kd', [0.8, 0.8, 0.8])
    const base = await texture('map_Kd')
    appearance
      .createMaterial(name)
      .setBaseColorFactor(base ? [1, 1, 1, opacity] : [red, green, blue, opacity])
      .setEmissiveFactor(numbers('Ke', [0, 0, 0]) as [number, number, number])
      .setMetallicFactor(numbers('Pm', [0])[0])
      .setRoughnessFactor(numbers('Pr', [0.5])[0])
      .setBaseColorTexture(base)
      .setNormalTexture(await texture('norm', 'map_Bump', 'map_bump', 'bump'))
      .setAlphaMode(opacity < 1 ? 'BLEND' : 'OPAQUE')
  }
  return { appearance, external: [...files.external(), ...images.external()] }
}

function readLibrary(text: string, described: Map<string, Map<string, string[]>>): void {
  let lines = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    const [key, ...words] = line.trim().split(/\s+/)
    if (key === 'newmtl') described.set(words.join(' '), (lines = new Map()))
    else if (key) lines.set(key, words)
  }
}
