import type { JobRequest, JobResults } from '../jobs/contract.ts'
import { startProgress } from './progress.ts'
import type { OutputOptions, Shell } from './shell.ts'

/**
 * Hands a request to the queue and waits for what comes of it, with a progress line where a person watches.
 * An interruption cancels the job; then this rejects with the Problem `cancelled`, once everything is cleared up.
 */
export async function runJob<Kind extends JobRequest['kind']>(
  shell: Shell,
  options: OutputOptions,
  request: Extract<JobRequest, { kind: Kind }>,
): Promise<JobResults[Kind]> {
  const jobs = shell.startJobs()
  const progress = options.quiet ? null : startProgress(shell.stderr)
  try {
    const job = jobs.submit<Kind>(request)
    job.onEvent((event) => {
      if (event.type === 'progress') progress?.show(event.progress)
    })
    const cancel = () => {
      progress?.cancelling()
      job.cancel()
    }
    if (shell.interrupt.aborted) cancel()
    else shell.interrupt.addEventListener('abort', cancel, { once: true })
    return await job.result
  } finally {
    progress?.end()
    await jobs.close()
  }
}
