import type { SurfaceMaterial } from '../../model/surface-material.ts'
import type { RestMesh } from '../rest-mesh.ts'
import { layOutAttributes } from '../vertex-attributes.ts'
import { CREATION_TIME, encodeRecords, FILE_ID, type Deflate } from './encode-records.ts'
import { geometryRecord, type FbxPart } from './geometry.ts'
import { materialObjects, type FbxObject } from './materials.ts'
import { choice, properties, real, text, userText, vector, wholeNumber } from './properties.ts'
import { FBX_VERSION, int, long, record, type FbxRecord } from './records.ts'
import { axisSettings, type FbxSpace } from './space.ts'

const CREATOR = 'VAT Studio'

/**
 * A rest mesh as a binary FBX file, version 7.4: one model at the origin that nothing turns or scales, one geometry, a material for
 * each that the sub-meshes have. Vertices stay in their order and number; sub-meshes of one material share its place in the list.
 * What glTF has as extras of the mesh is there as properties of the model, each a text of JSON; so are the names and vertex counts
 * of the sub-meshes (`submeshes`), which FBX has no other place for.
 *
 * @param rest         in the file's space
 * @param indexChannel texture coordinate set of the index UV
 * @throws Problem `limit` where it takes more than 4 GiB
 */
export function encodeRestMesh(
  rest: RestMesh,
  { materials, slots }: FbxSurfaces,
  indexChannel: number,
  space: FbxSpace,
  deflate: Deflate,
): Uint8Array<ArrayBuffer> {
  const parts = rest.submeshes.map((submesh, i): FbxPart => {
    return { submesh, attributes: layOutAttributes(submesh, indexChannel).written, slot: slots[i] }
  })
  const name = safeName(rest.name, 'Mesh')
  let lastId = 1_000_000
  const nextId = () => ++lastId
  const [document, model, geometry] = [nextId(), nextId(), nextId()]
  const objects: FbxObject[] = [
    { id: model, record: modelRecord(model, name, rest), of: { id: 0 } },
    { id: geometry, record: geometryRecord(geometry, name, parts, indexChannel + 1), of: { id: model } },
    ...materialObjects(materials, uniqueNames(materials.map(({ name }) => name)), model, nextId),
  ]
  return encodeRecords([...headRecords(document, space), ...objectRecords(objects)], deflate)
}

/** What an FBX file has instead of sub-meshes: their triangles by material. */
export interface FbxSurfaces {
  materials: SurfaceMaterial[]
  /** Place of each sub-mesh's material in that list. */
  slots: number[]
}

/**
 * Joins sub-meshes of one material, in their order. Materials that no triangle has would be nothing that importers count.
 *
 * @param materials of each sub-mesh
 */
export function joinSurfaces({ submeshes }: RestMesh, materials: SurfaceMaterial[]): FbxSurfaces {
  const shown = submeshes.filter(({ indices }) => indices.length > 0)
  const indices = [...new Set((shown.length > 0 ? shown : submeshes).map(({ material }) => material))]
  const wearersOf = (index: number) => materials.filter((_, i) => submeshes[i].material === index)
  return {
    materials: indices.map((index) => {
      const wearers = wearersOf(index)
      return { ...wearers[0], vertexColors: wearers.some(({ vertexColors }) => vertexColors) }
    }),
    slots: submeshes.map(({ material }) => Math.max(indices.indexOf(material), 0)),
  }
}

function headRecords(document: number, space: FbxSpace): FbxRecord[] {
  const [date, clock] = CREATION_TIME.split(' ')
  const numbers = [...date.split('-'), ...clock.split(':')].map(Number)
  const parts = ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second', 'Millisecond']
  const axes = axisSettings(space)
  const centimetres = 100 / space.unitsPerMetre
  return [
    record('FBXHeaderExtension', [], [
      record('FBXHeaderVersion', [int(1003)]),
      record('FBXVersion', [int(FBX_VERSION)]),
      record('EncryptionType', [int(0)]),
      record('CreationTimeStamp', [], [record('Version', [int(1000)]), ...parts.map((part, i) => record(part, [int(numbers[i])]))]),
      record('Creator', [CREATOR]),
    ]),
    record('FileId', [{ type: 'R', value: FILE_ID }]),
    record('CreationTime', [CREATION_TIME]),
    record('Creator', [CREATOR]),
    record('GlobalSettings', [], [
      record('Version', [int(1000)]),
      properties(
        wholeNumber('UpAxis', axes.up[0]),
        wholeNumber('UpAxisSign', axes.up[1]),
        wholeNumber('FrontAxis', axes.front[0]),
        wholeNumber('FrontAxisSign', axes.front[1]),
        wholeNumber('CoordAxis', axes.coord[0]),
        wholeNumber('CoordAxisSign', axes.coord[1]),
        wholeNumber('OriginalUpAxis', axes.up[0]),
        wholeNumber('OriginalUpAxisSign', axes.up[1]),
        real('UnitScaleFactor', centimetres),
        real('OriginalUnitScaleFactor', centimetres),
      ),
    ]),
    record('Documents', [], [
      record('Count', [int(1)]),
      record('Document', [long(document), 'Scene', 'Scene'], [properties(text('ActiveAnimStackName', '')), record('RootNode', [long(0)])]),
    ]),
    record('References'),
  ]
}

function modelRecord(id: number, name: string, { bounds, extras, submeshes }: RestMesh): FbxRecord {
  const sizes = submeshes.map(({ name, positions }) => ({ name, vertexCount: positions.length / 3 }))
  const told = Object.entries({ bounds, ...extras, submeshes: sizes })
  return record('Model', [long(id), `${name}\0\x01Model`, 'Mesh'], [
    record('Version', [int(232)]),
    properties(
      choice('InheritType', 1),
      vector('ScalingMax', [0, 0, 0]),
      wholeNumber('DefaultAttributeIndex', 0),
      ...told.map(([key, value]) => userText(key, JSON.stringify(value))),
    ),
    record('Shading', [{ type: 'C', value: true }]),
    record('Culling', ['CullingOff']),
  ])
}

function objectRecords(objects: FbxObject[]): FbxRecord[] {
  const kinds = new Map<string, number>([['GlobalSettings', 1]])
  for (const { record } of objects) kinds.set(record.name, (kinds.get(record.name) ?? 0) + 1)
  return [
    record('Definitions', [], [
      record('Version', [int(100)]),
      record('Count', [int([...kinds.values()].reduce((sum, count) => sum + count, 0))]),
      ...[...kinds].map(([kind, count]) => record('ObjectType', [kind], [record('Count', [int(count)])])),
    ]),
    record('Objects', [], objects.map(({ record }) => record)),
    record(
      'Connections',
      [],
      objects.map(({ id, of }) =>
        of.property === undefined ? record('C', ['OO', long(id), long(of.id)]) : record('C', ['OP', long(id), long(of.id), of.property]),
      ),
    ),
    record('Takes', [], [record('Current', [''])]),
  ]
}

/** Safe names, each another's than the others': importers look materials up by name, some without regard to case. */
function uniqueNames(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const safe = safeName(name, 'Material')
    let unique = safe
    for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${safe}_${number}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

/** A name that the format can hold: it ends names with a zero, and UTF-8 has no lone surrogates. */
function safeName(name: string, fallback: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is to be found
  return name.replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, '_') || fallback
}
