import type { Jobs, JobsOptions } from '../jobs/jobs.ts'

/** A stream that text can be written to. */
export interface TextStream extends NodeJS.WritableStream {
  isTTY?: boolean
  columns?: number
}

/** What the command line runs in; tests bring their own. */
export interface Shell {
  stdin: NodeJS.ReadableStream
  stdout: TextStream
  stderr: TextStream
  /** Absolute path of the current folder. */
  folder: string
  /** Aborted when the person asks to stop (Ctrl-C). */
  interrupt: AbortSignal
  /**
   * Work for this process alone is done in a thread; where `concurrency` is given, in as many processes, so that one that
   * crashes takes nothing with it, and one that is killed is gone at once.
   */
  startJobs(options?: Pick<JobsOptions, 'concurrency'>): Jobs
}

/** What every command can be told about its output. */
export interface OutputOptions {
  json?: boolean
  quiet?: boolean
}

/** One run of a command; it leaves its exit status here. */
export interface Invocation {
  shell: Shell
  status: 0 | 1 | 130
}

/** Writes lines for people, unless they want JSON or silence. */
export function writeLines(shell: Shell, options: OutputOptions, lines: string[]): void {
  if (!options.json && !options.quiet) shell.stdout.write(printable(lines))
}

/** Writes the one JSON document of a run. */
export function writeDocument(shell: Shell, document: unknown): void {
  shell.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Writes lines beside the result. */
export function writeNotes(shell: Shell, options: OutputOptions, lines: string[]): void {
  if (!options.quiet && lines.length > 0) shell.stderr.write(printable(lines))
}

/** Says what went wrong. */
export function writeError(shell: Shell, message: string): void {
  shell.stderr.write(printable([`error: ${message}`]))
}

function printable(lines: string[]): string {
  return lines.map((line) => `${printableLine(line)}\n`).join('')
}

/** Names come from files: their control characters must not steer the terminal. */
export function printableLine(line: string): string {
  // eslint-disable-next-line no-control-regex
  return line.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '\ufffd')
}
