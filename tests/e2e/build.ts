import { execFileSync } from 'node:child_process'
import { electronProgram } from './electron-program.ts'

/** Builds what is tested. Without an Electron there is nothing to test, which is a fault only where one is required. */
export default function build(): void {
  if (electronProgram() === null) {
    if (process.env.REQUIRE_ELECTRON === '1') throw new Error('REQUIRE_ELECTRON is set, and there is no Electron: run `node build/ensure-electron.cjs`.')
    console.warn('There is no Electron here: its tests are skipped. `node build/ensure-electron.cjs` fetches one.')
    return
  }
  execFileSync('npm', ['run', 'build:app', '--silent'], { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
}
