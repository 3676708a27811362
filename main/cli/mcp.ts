import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Problem } from '../model/problem.ts'
import { type Invocation, writeNotes } from './shell.ts'

/** Adds `mcp`. */
export function addMcp(program: Command, invocation: Invocation): void {
  program
    .command('mcp')
    .description('Serve the Model Context Protocol on standard input and output, for assistants that are to bake.')
    .option('--allow <folder>', 'folder to read from and write into, beside those the client gives; repeatable', collect, [])
    .addHelpText(
      'after',
      `
Examples:
  vat-studio mcp --allow ~/game/models
  vat-studio mcp --allow models --allow assets`,
    )
    .action((values: { allow: string[] }) => mcp(invocation, values.allow))
}

async function mcp({ shell }: Invocation, allow: string[]): Promise<void> {
  const folders = allow.map((folder) => resolve(shell.folder, folder))
  const missing = folders.find((folder) => !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
  if (missing !== undefined) throw new Problem('usage', `${missing} is not a folder. Name one that is there with --allow.`)
  if ((shell.stdin as { isTTY?: boolean }).isTTY) writeNotes(shell, {}, ['Waiting for a client on standard input. Ctrl-C ends it.'])
  // Loaded only here: no other command needs the protocol.
  const { serveMcp } = await import('../mcp/server.ts')
  await serveMcp({
    input: shell.stdin,
    output: shell.stdout,
    folders,
    interrupt: shell.interrupt,
    startJobs: () => shell.startJobs({ concurrency: 1 }),
  })
}

function collect(folder: string, before: string[]): string[] {
  return [...before, folder]
}
