import { Problem } from '../../model/problem.ts'

/** A Wavefront .obj file: what its lines say, with indices from 0; -1 where a corner has none. */
export interface Obj {
  /** `[position][xyz]` */
  positions: Float64Array
  /** `[normal][xyz]` */
  normals: Float64Array
  /** `[coordinate][uv]` */
  coordinates: Float64Array
  /** `[corner][position, coordinate, normal]` */
  corners: Int32Array
  /** Corners of each polygon. */
  polygons: Uint32Array
  /** `[polygon]`: index into `materials`, or -1. */
  materialOf: Int32Array
  materials: string[]
  /** Files that describe the materials. */
  libraries: string[]
}

/**
 * Reads the polygons of an .obj file (Alias Wavefront, "Object Files", B1). Groups, smoothing, lines and curves are left aside.
 *
 * @param file name of the file, for sentences
 * @throws Problem that names the line which cannot be read
 */
export function parseObj(file: string, bytes: Uint8Array): Obj {
  // A line may go on in the next one behind a backslash.
  const lines = new TextDecoder('utf-8').decode(bytes).replace(/\\\r?\n/g, ' ').split(/\r?\n|\r/)
  const positions: number[] = []
  const normals: number[] = []
  const coordinates: number[] = []
  const corners: number[] = []
  const polygons: number[] = []
  const materialOf: number[] = []
  const materials: string[] = []
  const libraries: string[] = []
  let material = -1

  lines.forEach((line, number) => {
    const fail = (what: string): never => {
      throw new Problem('input', `${file} is broken: line ${number + 1} ${what}. Export it again.`)
    }
    const push = (list: number[], size: number, words: string[]) => {
      for (let i = 1; i <= size; i++) {
        const value = Number(words[i] ?? NaN)
        if (!Number.isFinite(value)) fail(`should have ${size} numbers`)
        list.push(value)
      }
    }
    /** Counts from 1, or backwards from the last one so far. */
    const indexOf = (word: string | undefined, count: number): number => {
      if (!word) return -1
      const value = Number(word)
      const index = value < 0 ? count + value : value - 1
      return Number.isInteger(value) && index >= 0 && index < count ? index : fail(`uses ${word}, but there are ${count}`)
    }
    const kind = line.trimStart().slice(0, 2)
    if (kind === 'v ' || kind === 'v\t') return push(positions, 3, line.trim().split(/\s+/))
    if (kind === 'vn') return push(normals, 3, line.trim().split(/\s+/))
    if (kind === 'vt') return push(coordinates, 2, padded(line.trim().split(/\s+/)))
    if (kind === 'f ' || kind === 'f\t') {
      const words = line.trim().split(/\s+/)
      if (words.length < 4) return fail('has a face of less than three corners')
      for (const word of words.slice(1)) {
        const [position, coordinate, normal] = word.split('/')
        const index = indexOf(position, positions.length / 3)
        corners.push(index < 0 ? fail('has a corner without a position') : index)
        corners.push(indexOf(coordinate, coordinates.length / 2), indexOf(normal, normals.length / 3))
      }
      polygons.push(words.length - 1)
      materialOf.push(material)
      return
    }
    const [word, ...rest] = line.trim().split(/\s+/)
    if (word === 'usemtl') {
      const name = rest.join(' ')
      if (!materials.includes(name)) materials.push(name)
      material = materials.indexOf(name)
    }
    if (word === 'mtllib') libraries.push(rest.join(' '))
  })
  return {
    positions: Float64Array.from(positions),
    normals: Float64Array.from(normals),
    coordinates: Float64Array.from(coordinates),
    corners: Int32Array.from(corners),
    polygons: Uint32Array.from(polygons),
    materialOf: Int32Array.from(materialOf),
    materials,
    libraries,
  }
}

/** The second coordinate of a texture may be left out. */
function padded(words: string[]): string[] {
  return words.length === 2 ? [...words, '0'] : words
}
