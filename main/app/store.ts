import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** A small value that outlives the program. */
export interface Store<Value> {
  get(): Value
  set(value: Value): void
}

/**
 * Keeps a value in a JSON file. What cannot be read, or does not follow the schema (another version wrote it), counts as the
 * empty value, so that a spoilt file never keeps the program from starting.
 */
export function createStore<Schema extends z.ZodType>(file: string, schema: Schema, empty: z.output<Schema>): Store<z.output<Schema>> {
  let value = read()

  function read(): z.output<Schema> {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      return empty
    }
  }

  return {
    get: () => value,
    set(changed) {
      value = changed
      try {
        mkdirSync(dirname(file), { recursive: true })
        // Renamed into place: a program that is killed now leaves the old file whole.
        writeFileSync(`${file}.new`, JSON.stringify(changed, null, 2) + '\n')
        renameSync(`${file}.new`, file)
      } catch (error) {
        console.error(`${file} could not be written: ${(error as Error).message}`)
      }
    },
  }
}
