import type { FbxDocument, FbxRecord } from './library.ts'

/** Objects of a file as they are written, by what the interpreter leaves out. Empty before version 7, which lists them otherwise. */
export interface FbxRecords {
  /** The object of an id. */
  object(id: number): FbxRecord | undefined
  /** The objects of a kind that hang on another, with their ids, in the file's order. */
  children(id: number, kind: string): { id: number; record: FbxRecord }[]
}

export function indexRecords({ nodes }: FbxDocument): FbxRecords {
  const objects = new Map<number, FbxRecord>()
  const children = new Map<number, number[]>()
  for (const record of childrenOf(nodes, 'Objects')) {
    const id = record.properties[0]?.value
    if (typeof id === 'number') objects.set(id, record)
  }
  for (const { properties } of childrenOf(nodes, 'Connections')) {
    const [child, parent] = [properties[1]?.value, properties[2]?.value]
    if (typeof child !== 'number' || typeof parent !== 'number') continue
    if (!children.has(parent)) children.set(parent, [])
    children.get(parent)!.push(child)
  }
  return {
    object: (id) => objects.get(id),
    children: (id, kind) =>
      (children.get(id) ?? []).flatMap((child) => {
        const record = objects.get(child)
        return record?.name === kind ? [{ id: child, record }] : []
      }),
  }
}

/** All objects of a file, whatever their version calls them. */
export function objectsOf({ nodes }: FbxDocument): FbxRecord[] {
  return childrenOf(nodes, 'Objects')
}

/** Name of the program that wrote the file, where it says so. */
export function programOf({ nodes }: FbxDocument): string {
  const info = childrenOf(nodes, 'FBXHeaderExtension').find(({ name }) => name === 'SceneInfo')
  return String((info && propertyOf(info, 'Original|ApplicationName')) ?? '')
}

/** Name of an object, which binary files write before its kind, and ASCII ones behind it. */
export function nameOf(record: FbxRecord | undefined): string {
  const text = String(record?.properties[1]?.value ?? '')
  return text.includes('\0') ? text.replace(/\0.*$/s, '') : text.replace(/^\w*::/, '')
}

function childrenOf(nodes: FbxRecord[], name: string): FbxRecord[] {
  return nodes.filter((node) => node.name === name).flatMap((node) => node.children)
}

/** The first value of a record's field. */
export function fieldOf(record: FbxRecord, name: string): unknown {
  return record.children.find((child) => child.name === name)?.properties[0]?.value
}

/** The numbers of a record's field, however they are written. */
export function numbersOf(record: FbxRecord, name: string): ArrayLike<number> {
  const field = record.children.find((child) => child.name === name)
  const first = field?.properties[0]?.value
  if (ArrayBuffer.isView(first)) return first as unknown as ArrayLike<number>
  return (field?.properties ?? []).map(({ value }) => Number(value))
}

/** The value of an object's property (`Properties70`). */
export function propertyOf(record: FbxRecord, name: string): unknown {
  const properties = record.children.find((child) => child.name === 'Properties70')?.children ?? []
  return properties.find((property) => property.properties[0]?.value === name)?.properties[4]?.value
}
