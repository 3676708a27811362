/** A record of a binary FBX file: a name, values, and records inside of it. */
export interface FbxRecord {
  name: string
  values: FbxValue[]
  children: FbxRecord[]
}

/** A value of a record, by the letter that stands for its type in the file. */
export type FbxValue =
  | { type: 'I' | 'D' | 'L'; value: number }
  | { type: 'C'; value: boolean }
  | { type: 'S'; value: string }
  | { type: 'R'; value: Uint8Array }
  | FbxArray

/** Numbers of one kind, made when they are written: a large mesh is never there as doubles in all its layers at once. */
export type FbxArray = { type: 'd'; values: () => Float64Array } | { type: 'i'; values: () => Int32Array }

export const FBX_VERSION = 7400
/** What binary files begin with. */
export const MAGIC = Uint8Array.from('Kaydara FBX Binary  \0\x1a\0', (character) => character.charCodeAt(0))
/** Bytes of a record before its name, and of the zeros behind the last record of a list. */
export const [HEAD_SIZE, SENTINEL_SIZE] = [13, 13]

/** A record; texts among its values may stand as they are. */
export function record(name: string, values: (FbxValue | string)[] = [], children: FbxRecord[] = []): FbxRecord {
  return { name, values: values.map((value) => (typeof value === 'string' ? { type: 'S', value } : value)), children }
}

export const int = (value: number): FbxValue => ({ type: 'I', value })
export const long = (value: number): FbxValue => ({ type: 'L', value })
export const double = (value: number): FbxValue => ({ type: 'D', value })
