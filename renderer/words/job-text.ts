import { parseErrorLimit } from '../../main/bake/options.ts'
import type { BakeJob } from '../stores/jobs.ts'
import { formatCounted, formatMillimetres, formatPercent, formatTook } from './format.ts'
import { wordLabel } from './labels.ts'
import { windowWords } from './window-words.ts'

/** What a bake is called in the queue: `Run of Fox`, or `Fox` for several clips, with the engine where it is made for one. */
export function jobTitle({ model, clips, options }: Pick<BakeJob, 'model' | 'clips' | 'options'>): string {
  const name = model.name.replace(/\.[^.]+$/, '')
  const title = clips.length === 1 ? `${clips[0]} of ${name}` : name
  return options.target === 'agnostic' ? title : `${title} for ${wordLabel('target', options.target)}`
}

/** The second line of a row of the queue. */
export function jobOutcome(job: BakeJob): string {
  switch (job.state) {
    case 'waiting':
      return [
        wordLabel('encoding', job.options.encoding),
        ...(job.clips.length > 1 ? [formatCounted(job.clips.length, 'clip')] : []),
        formatCounted(job.frames, 'frame'),
      ].join(', ')
    case 'running':
      return 'Running'
    case 'cancelling':
      return 'Cancelling…'
    case 'done':
      return `Done in ${formatTook(job.result!.seconds.total)}, max error ${formatMillimetres(job.result!.sidecar.report.position.maxMillimetres)}`
    case 'over-limit': {
      const { position } = job.result!.sidecar.report
      const { unit, value } = parseErrorLimit(job.options.maxError!)
      return unit === 'mm'
        ? `${formatMillimetres(position.maxMillimetres)} is over the limit of ${formatMillimetres(value)}`
        : `${formatPercent(position.maxPercent)} is over the limit of ${formatPercent(value)}`
    }
    case 'failed':
      if (job.message === null) return 'Failed'
      return job.pace?.pass
        ? `Stopped at frame ${job.pace.frame} of ${job.pace.frames}. ${windowWords(job.message)} Nothing was written.`
        : windowWords(job.message)
    case 'cancelled':
      return 'Cancelled. The old output is untouched.'
  }
}
