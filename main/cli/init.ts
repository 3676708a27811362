import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { bakeOptions } from '../bake/options.ts'
import { type BakeSetup, formatProject, isProjectFile, PROJECT_ENDING, projectFileOf, writeProject } from '../project/project-file.ts'
import { addRecent, recentsFile } from '../project/recents.ts'
import { Problem } from '../model/problem.ts'
import { bakeFlags, bakeValues } from './flags.ts'
import { pathText } from './report.ts'
import { runJob } from './run-job.ts'
import { type Invocation, type OutputOptions, writeDocument, writeLines } from './shell.ts'

interface Values extends OutputOptions {
  project?: string
  force?: boolean
}

/** Adds `init MODEL`. */
export function addInit(program: Command, invocation: Invocation): void {
  const command = program
    .command('init')
    .description('Write a project file, with which a model can be baked again in the same way.')
    .argument('<model>', 'model to bake')
  for (const flag of bakeFlags()) command.addOption(flag)
  command
    .optionsGroup('This run:')
    .option('--project <file>', `project file to write, *${PROJECT_ENDING} (default: beside the model, under its name)`)
    .option('--force', 'replace a project file that is there (default: refuse to)')
    .option('--json', 'print one JSON document instead of text')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Examples:
  vat-studio init Fox.glb --anim Run --encoding rgba16 --normals -o baked/
  vat-studio bake --project Fox.vat.json`,
    )
    .action((model: string, values: Values) => init(invocation, model, values))
}

async function init({ shell }: Invocation, modelName: string, values: Values): Promise<void> {
  const model = resolve(shell.folder, modelName)
  const file = values.project === undefined ? projectFileOf(model) : resolve(shell.folder, values.project)
  if (!isProjectFile(file)) throw new Problem('usage', `A project file ends in ${PROJECT_ENDING}, and ${basename(file)} does not. Name it so.`)
  const given = bakeValues({ ...values })
  const options = bakeOptions.parse(given)
  const output = given.output === undefined ? resolve(file, '..', options.output) : resolve(shell.folder, options.output)
  const setup: BakeSetup = { file, model, options: { ...options, output } }
  // A project that cannot be baked should not be written in the first place.
  await runJob(shell, values, { kind: 'plan', model, options: setup.options })
  await writeProject(setup, values.force ?? false)
  addRecent(recentsFile(), file)

  if (values.json) writeDocument(shell, { file, project: JSON.parse(formatProject(setup)) })
  writeLines(shell, values, [`Wrote ${pathText(file, shell.folder)}. Bake it with "vat-studio bake --project ${pathText(file, shell.folder)}".`])
}
