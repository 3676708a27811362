import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { Problem } from '../model/problem.ts'
import type { Invocation } from './shell.ts'

/** Adds `open`. */
export function addOpen(program: Command, { shell }: Invocation): void {
  program
    .command('open')
    .argument('[model]', 'model to show')
    .description('Start the editor, with a model where one is named. It needs Electron.')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio open
  vat-studio open Fox.glb`,
    )
    .action((model?: string) => open(model === undefined ? null : resolve(shell.folder, model)))
}

/** Starts the editor and leaves it to itself: it lives on when the terminal is closed. */
async function open(model: string | null): Promise<void> {
  if (model !== null && !statSync(model, { throwIfNoEntry: false })?.isFile()) {
    throw new Problem('input', `${model} is not there, or is a folder. Name the file of a model.`)
  }
  const electron = findElectron()
  // Both main/cli and dist/cli lie two folders below the program, whose package.json names what Electron is to run.
  const program = resolve(import.meta.dirname, '../..')
  const editor = spawn(electron, [program, ...(model === null ? [] : [model])], { detached: true, stdio: 'ignore' })
  await new Promise<void>((started, failed) => {
    editor.once('spawn', started)
    editor.once('error', (error) => failed(missing(`${electron} cannot be started (${error.message})`)))
  })
  editor.unref()
}

/**
 * The Electron program: that of ELECTRON_EXEC_PATH, else the one that is installed.
 *
 * @throws Problem `input` where there is none
 */
function findElectron(): string {
  const chosen = process.env.ELECTRON_EXEC_PATH
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw missing(`ELECTRON_EXEC_PATH names ${chosen}, which does not exist`)
  }
  const installed = installedElectron()
  if (installed !== null && existsSync(installed)) return installed
  throw missing('Electron is not installed')
}

/** Where the package of Electron has put its program. Asking the package itself would download one that is missing. */
function installedElectron(): string | null {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    return join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
  } catch {
    return null
  }
}

function missing(fault: string): Problem {
  return new Problem(
    'input',
    `${fault}. Set ELECTRON_EXEC_PATH to the path of an Electron program, or use the other commands of vat-studio, which need none.`,
  )
}
