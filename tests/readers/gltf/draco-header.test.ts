import { describe, expect, test } from 'vitest'
import { readDracoCounts } from '../../../main/readers/gltf/draco-header.ts'

const DRACO = [...'DRACO'].map((letter) => letter.charCodeAt(0))
const VERSION = [2, 2]
const MESH = 1
const SEQUENTIAL = 0
const EDGEBREAKER = 1

function read(...numbers: number[]) {
  return readDracoCounts(Uint8Array.from([...DRACO, ...numbers]))
}

describe('the counts of a Draco mesh', () => {
  test('of triangles in a row: triangles first', () => {
    expect(read(...VERSION, MESH, SEQUENTIAL, 0, 0, 7, 5)).toEqual({ triangles: 7, vertices: 5 })
  })

  test('of triangles by their edges: vertices first, behind the way of walking', () => {
    expect(read(...VERSION, MESH, EDGEBREAKER, 0, 0, 2, 5, 7)).toEqual({ triangles: 7, vertices: 5 })
  })

  test('take as many bytes as they need, seven bits each', () => {
    const counts = [0xac, 0x02, 0xff, 0xff, 0xff, 0xff, 0x0f]
    expect(read(...VERSION, MESH, SEQUENTIAL, 0, 0, ...counts)).toEqual({ triangles: 300, vertices: 2 ** 32 - 1 })
  })

  test('stand behind the metadata', () => {
    const entry = [1, 3, 97, 98, 99, 2, 1, 1] // one entry: name of 3 bytes, value of 2
    const inner = [1, 1, 120, 0, 0] // one metadata inside, called x: empty
    const metadata = [1, 9, ...entry, ...inner, 0, 0] // one attribute (9) with these; the mesh has none
    expect(read(...VERSION, MESH, SEQUENTIAL, 0, 0x80, ...metadata, 7, 5)).toEqual({ triangles: 7, vertices: 5 })
  })
})

test.each<[string, number[]]>([
  ['it ends inside its header', [...VERSION, MESH]],
  ['it ends inside its header', [...VERSION, MESH, SEQUENTIAL, 0, 0, 0xff]],
  ["it is version 1.3 of Draco's format, and only 2.2 can be read", [1, 3, MESH]],
  ['it holds no triangles', [...VERSION, 0, SEQUENTIAL, 0, 0, 7, 5]],
  ['it ends inside its header', [...VERSION, MESH, SEQUENTIAL, 0, 0x80, 0xff, 0xff, 0xff, 0xff, 0x7f, 0]],
  ['its metadata are nested too deep', [...VERSION, MESH, SEQUENTIAL, 0, 0x80, 0, ...Array.from({ length: 40 }, () => [0, 1, 0]).flat()]],
])('is refused: %s', (sentence, numbers) => {
  expect(() => read(...numbers)).toThrow(sentence)
})

test('what is no Draco data is told', () => {
  expect(() => readDracoCounts(Uint8Array.of(1, 2, 3, 4, 5, 6))).toThrow('it is no Draco data')
})
