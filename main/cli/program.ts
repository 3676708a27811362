import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { exitStatusOf, Problem } from '../model/problem.ts'
import { addBake } from './bake.ts'
import { addBatch } from './batch.ts'
import { addInit } from './init.ts'
import { addInspect } from './inspect.ts'
import { addMcp } from './mcp.ts'
import { addOpen } from './open.ts'
import { type Invocation, type Shell, writeDocument, writeError, writeNotes } from './shell.ts'
import { addVerify } from './verify.ts'
import { addWatch } from './watch.ts'

/**
 * Runs one command of the command line.
 *
 * @param args what stands behind the program's name
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted
 */
export async function runCommandLine(args: string[], shell: Shell): Promise<number> {
  const invocation: Invocation = { shell, status: 0 }
  try {
    await createProgram(invocation).parseAsync(args, { from: 'user' })
    return invocation.status
  } catch (error) {
    // --help and --version end this way, too; help that nobody asked for is an answer to wrong usage.
    if (error instanceof CommanderError && error.code.startsWith('commander.help')) return error.exitCode === 0 ? 0 : 2
    if (error instanceof CommanderError && error.code === 'commander.version') return 0
    return tellFailure(error, args, shell)
  }
}

function createProgram(invocation: Invocation): Command {
  const { stdout, stderr } = invocation.shell
  const program = new Command('vat-studio')
    .description('Turns animated models into verified Vertex Animation Textures for game engines.')
    .version(packageJson.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--debug', 'print stack traces with errors')
    .configureHelp({ showGlobalOptions: true, optionDescription: (option) => option.description })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns || 80,
      getErrHelpWidth: () => stderr.columns || 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText(
      'after',
      `
"vat-studio COMMAND --help" explains the options of a command.

Examples:
  vat-studio inspect Fox.glb
  vat-studio bake Fox.glb --anim Run --encoding rgba16 --normals -o out/`,
    )
  addBake(program, invocation)
  addInspect(program, invocation)
  addVerify(program, invocation)
  addInit(program, invocation)
  addBatch(program, invocation)
  addWatch(program, invocation)
  addMcp(program, invocation)
  addOpen(program, invocation)
  return program
}

/** Says what went wrong, as text and where it is asked for as JSON. Returns the exit status. */
function tellFailure(error: unknown, args: string[], shell: Shell): number {
  const problem = error instanceof CommanderError ? usageProblem(error) : error
  const kind = problem instanceof Problem ? problem.kind : 'internal'
  const message = problem instanceof Error ? problem.message : String(problem)
  if (args.includes('--json')) writeDocument(shell, { error: { kind, message } })
  const debug = args.includes('--debug')
  writeError(shell, kind === 'internal' && !debug ? `${message} Run it again with --debug to see where.` : message)
  if (debug && problem instanceof Error) writeNotes(shell, {}, callsOf(problem))
  return problem instanceof Problem ? exitStatusOf(problem.kind) : 1
}

/** The calls of a stack trace, without the message above them. */
function callsOf(error: Error): string[] {
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
}

/** Commander's `error: unknown option '--anmi'\n(Did you mean --anim?)` as sentences. */
function usageProblem(error: CommanderError): Problem {
  const [fault, suggestion] = error.message.replace(/^error: /, '').split('\n')
  const sentence = fault.charAt(0).toUpperCase() + fault.slice(1).replace(/\.$/, '')
  const advice = suggestion ? suggestion.replace(/^\(|\)$/g, '') : 'Add --help to see what there is.'
  return new Problem('usage', `${sentence}. ${advice}`)
}
