import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The Electron that the tests run: the one that is named, else the one of the package. Null where there is none. */
export function electronProgram(): string | null {
  if (process.env.ELECTRON_EXEC_PATH) return process.env.ELECTRON_EXEC_PATH
  const folder = resolve('node_modules/electron')
  const name = resolve(folder, 'path.txt')
  const program = existsSync(name) ? resolve(folder, 'dist', readFileSync(name, 'utf8')) : null
  return program !== null && existsSync(program) ? program : null
}
