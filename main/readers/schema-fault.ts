import { shortened } from '../model/shortened.ts'

/** What a schema finds wrong with a file's JSON, as the part of a sentence: `meshes is missing`. */
export function schemaFault({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${shortened(path.join('.'))} ${message.endsWith('received undefined') ? 'is missing' : `is wrong (${message})`}`
}
