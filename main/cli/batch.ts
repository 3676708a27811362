import { statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { PictureResult } from '../bake/contract.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { Problem } from '../model/problem.ts'
import { runBatch } from '../project/batch.ts'
import type { BatchReport, BatchRow } from '../project/batch-contract.ts'
import { batchPage } from '../project/batch-page.ts'
import { type FoundSetup, findSetups } from '../project/find-setups.ts'
import { defaultConcurrency, memoryBudget } from '../project/memory.ts'
import { readRecents, recentsFile } from '../project/recents.ts'
import { bakeFlags, bakeValues } from './flags.ts'
import { formatMillimetres, formatSeconds } from './format.ts'
import { startLiveTable } from './live-table.ts'
import { pathText } from './report.ts'
import { type Invocation, type OutputOptions, type Shell, writeDocument, writeError, writeLines, writeNotes } from './shell.ts'

/** Largest width and height of the pictures in a report, in pixels. */
const PICTURE_SIZE = 128

interface Values extends OutputOptions {
  recent?: boolean
  jobs: number
  changed?: boolean
  keepGoing?: boolean
  report?: string
}

/** Adds `batch [FILES|GLOBS|FOLDER]`. */
export function addBatch(program: Command, invocation: Invocation): void {
  const command = program
    .command('batch')
    .description('Bake many projects and models, several at a time, each in a process of its own.')
    .argument('[places...]', 'projects (*.vat.json), models, folders, patterns such as "models/**/*.glb"')
    .optionsGroup('What to bake:')
    .option('--recent', 'what was opened or baked last, in the editor or here')
    .option('--changed', 'only what is not up to date (default: everything)')
  for (const flag of bakeFlags()) command.addOption(flag)
  command
    .optionsGroup('This run:')
    .addOption(jobsFlag())
    .option('--keep-going', 'go on when one has failed (default: finish what runs, begin nothing more)')
    .option('--report <file>', 'write a page with pictures, errors and times, as .html')
    .option('--json', 'print one JSON document instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Options of a bake count for every model, and instead of what a project says; only
--output leaves projects alone. Each model without a project gets a folder of its
own inside of the output folder.

Examples:
  vat-studio batch models/ --changed --keep-going --report baked.html
  vat-studio batch "models/**/*.vat.json" --jobs 4`,
    )
    .action((places: string[], values: Values) => batch(invocation, places, values))
}

/** `--jobs N`. */
export function jobsFlag(): Option {
  return new Option('--jobs <count>', 'bakes at a time, as far as the memory goes (default: one a processor)')
    .default(defaultConcurrency())
    .argParser((text) => {
      if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
      throw new Problem('usage', `--jobs must be a whole number from 1 to 999, got '${text}'.`)
    })
}

async function batch(invocation: Invocation, places: string[], values: Values): Promise<void> {
  const { shell } = invocation
  const page = values.report === undefined ? null : resolve(shell.folder, values.report)
  if (page !== null && !statSync(dirname(page), { throwIfNoEntry: false })?.isDirectory()) {
    throw new Problem('usage', `There is no folder ${dirname(page)} for the report. Make it, or choose another place with --report.`)
  }
  const setups = await setupsOf(shell, places, values)
  const jobs = shell.startJobs({ concurrency: values.jobs })
  const table = startLiveTable(shell.stderr, setups.length, values.quiet ?? false)
  try {
    const report = await runBatch(setups, {
      jobs,
      concurrency: values.jobs,
      memory: memoryBudget(),
      changed: values.changed ?? false,
      keepGoing: values.keepGoing ?? false,
      signal: shell.interrupt,
      onEvent(event) {
        table.tell(event)
        if (event.type === 'ended') table.aside(() => writeRow(shell, values, event.row, values.changed ?? false))
      },
    })
    table.end()
    if (values.json) writeDocument(shell, report)
    writeLines(shell, values, [totalsText(report)])
    invocation.status = statusOf(report)
    if (invocation.status === 130) writeError(shell, 'The batch was cancelled. Run it again with --changed to go on from there.')
    else if (report.totals.leftOut > 0) writeNotes(shell, values, ['The rest was left out since one has failed; --keep-going bakes it all the same.'])
    if (page !== null && !shell.interrupt.aborted) await writePage(page, report, await drawPictures(jobs, report.rows))
  } finally {
    table.end()
    await jobs.close()
  }
}

/** Whoever asks to stop when all is over has come too late. */
function statusOf({ totals }: BatchReport): Invocation['status'] {
  if (totals.failed > 0) return 1
  return totals.cancelled + totals.leftOut > 0 ? 130 : 0
}

async function setupsOf(shell: Shell, places: string[], values: Values): Promise<FoundSetup[]> {
  const all = [...places]
  if (values.recent) {
    const paths = readRecents(recentsFile()).map(({ path }) => path)
    const there = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    writeNotes(shell, values, paths.filter((path) => !there.includes(path)).map((path) => `${path} is not there any more.`))
    all.push(...there)
  }
  if (all.length === 0) {
    throw new Problem('usage', values.recent ? 'The recent list is empty. Name files or a folder.' : 'Nothing to bake is named. Name files or a folder, or give --recent.')
  }
  return findSetups(all, { folder: shell.folder, given: bakeValues({ ...values }) })
}

/**
 * One line a row, which a log can be searched for; what has failed goes where errors go.
 *
 * @param withReason whether it was baked for a reason, and not because everything was to be baked
 */
export function writeRow(shell: Shell, options: OutputOptions, row: BatchRow, withReason: boolean): void {
  const file = pathText(row.file, shell.folder)
  if (row.outcome === 'failed') writeError(shell, `${file}: ${row.error!.message}`)
  else writeLines(shell, options, [rowText(row, shell.folder, withReason)])
}

function rowText({ file, outcome, detail, sidecarFile, report, seconds }: BatchRow, folder: string, withReason: boolean): string {
  const name = pathText(file, folder)
  switch (outcome) {
    case 'baked':
      return [
        `baked       ${name} -> ${pathText(sidecarFile!, folder)}`,
        `in ${formatSeconds(seconds)}, at most ${formatMillimetres(report!.position.maxMillimetres)} off at the samples`,
        ...(withReason && detail ? [`since ${detail}`] : []),
      ].join(', ')
    case 'up-to-date':
      return `up to date  ${name} -> ${pathText(sidecarFile!, folder)}`
    case 'cancelled':
      return `cancelled   ${name}`
    case 'failed':
    case 'left-out':
      return `${outcome.padEnd(10)}  ${name}`
  }
}

/** `3 baked, 36 up to date, 1 failed in 12 s.` */
export function totalsText({ totals, seconds }: BatchReport): string {
  const counts: [number, string][] = [
    [totals.baked, 'baked'],
    [totals.upToDate, 'up to date'],
    [totals.failed, 'failed'],
    [totals.cancelled, 'cancelled'],
    [totals.leftOut, 'left out'],
  ]
  return `${counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`).join(', ')} in ${formatSeconds(seconds)}.`
}

/** `[row]`: pictures of its textures; none where there is no set, or it is gone already. */
async function drawPictures(jobs: Jobs, rows: BatchRow[]): Promise<PictureResult['pictures'][]> {
  return Promise.all(
    rows.map(async ({ sidecarFile }) => {
      if (sidecarFile === null) return []
      return jobs.submit<'picture'>({ kind: 'picture', sidecar: sidecarFile, size: PICTURE_SIZE }).result.then(
        ({ pictures }) => pictures,
        () => [],
      )
    }),
  )
}

async function writePage(file: string, report: BatchReport, pictures: PictureResult['pictures'][]): Promise<void> {
  try {
    await writeFile(`${file}.new`, batchPage(report, pictures))
    await rename(`${file}.new`, file)
  } catch (error) {
    throw new Problem('output', `The report ${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another place with --report.`)
  }
}
