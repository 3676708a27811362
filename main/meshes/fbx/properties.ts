import { double, int, long, record, type FbxRecord } from './records.ts'

/** Properties of an object, each with the words that say what type it has. */
export function properties(...list: FbxRecord[]): FbxRecord {
  return record('Properties70', [], list)
}

export const wholeNumber = (name: string, value: number): FbxRecord => record('P', [name, 'int', 'Integer', '', int(value)])
export const choice = (name: string, value: number): FbxRecord => record('P', [name, 'enum', '', '', int(value)])
export const flag = (name: string, value: boolean): FbxRecord => record('P', [name, 'bool', '', '', int(value ? 1 : 0)])
export const real = (name: string, value: number): FbxRecord => record('P', [name, 'double', 'Number', '', double(value)])
/** Of a material. */
export const factor = (name: string, value: number): FbxRecord => record('P', [name, 'Number', '', 'A', double(value)])
export const colour = (name: string, value: readonly number[]): FbxRecord =>
  record('P', [name, 'Color', '', 'A', ...value.slice(0, 3).map(double)])
export const vector = (name: string, value: readonly number[]): FbxRecord => record('P', [name, 'Vector', '', 'A', ...value.map(double)])
export const time = (name: string, ticks: number): FbxRecord => record('P', [name, 'KTime', 'Time', '', long(ticks)])
export const text = (name: string, value: string): FbxRecord => record('P', [name, 'KString', '', '', value])
/** Shown in the programs that read the file, as a property that a person has added. */
export const userText = (name: string, value: string): FbxRecord => record('P', [name, 'KString', '', 'U', value])
