import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Problem } from '../model/problem.ts'
import type { BatchRow } from '../project/batch-contract.ts'
import { findSetups } from '../project/find-setups.ts'
import { memoryBudget } from '../project/memory.ts'
import { watchFolder } from '../project/watch.ts'
import { jobsFlag, writeRow } from './batch.ts'
import { bakeFlags, bakeValues } from './flags.ts'
import { pathText } from './report.ts'
import { type Invocation, type OutputOptions, writeLines } from './shell.ts'

interface Values extends OutputOptions {
  jobs: number
}

/** Adds `watch FOLDER`. */
export function addWatch(program: Command, invocation: Invocation): void {
  const command = program
    .command('watch')
    .description('Bake the projects and models of a folder, and again whenever one of them changes, until Ctrl-C.')
    .argument('<folder>', 'folder to watch, with all that is below it')
  for (const flag of bakeFlags()) command.addOption(flag)
  command
    .optionsGroup('This run:')
    .addOption(jobsFlag())
    .option('--json', 'print one line of JSON for each bake instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio watch models/ -o game/assets/vat
  vat-studio watch . --json`,
    )
    .action((folder: string, values: Values) => watch(invocation, folder, values))
}

async function watch({ shell }: Invocation, name: string, values: Values): Promise<void> {
  const folder = resolve(shell.folder, name)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Problem('usage', `${name} is not a folder. Name the one to watch.`)
  const given = bakeValues({ ...values })
  const told = new Map<string, string>()
  const tell = (row: BatchRow) => {
    if (row.outcome === 'cancelled' || isKnown(row, told)) return
    if (values.json) shell.stdout.write(`${JSON.stringify(row)}\n`)
    writeRow(shell, values, row, true)
  }
  const jobs = shell.startJobs({ concurrency: values.jobs })
  try {
    writeLines(shell, values, [`Watching ${pathText(folder, shell.folder)}. Ctrl-C ends it.`])
    await watchFolder(folder, {
      jobs,
      concurrency: values.jobs,
      memory: memoryBudget(),
      signal: shell.interrupt,
      // A folder without anything to bake may get it later.
      find: () => findSetups([folder], { folder: shell.folder, given }).catch(nothingToBake),
      onEvent: (event) => {
        if (event.type === 'ended') tell(event.row)
      },
    })
  } finally {
    await jobs.close()
  }
}

/** Whether there is nothing new about a row: it is up to date, or fails as it did the last time. */
function isKnown(row: BatchRow, told: Map<string, string>): boolean {
  if (row.outcome === 'up-to-date') return true
  const news = row.error?.message ?? ''
  const isOld = row.outcome === 'failed' && told.get(row.file) === news
  told.set(row.file, news)
  return isOld
}

function nothingToBake(error: unknown): [] {
  if (error instanceof Problem && error.kind === 'usage') return []
  throw error
}
