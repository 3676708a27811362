import { basename, isAbsolute, relative } from 'node:path'
import type { BakeResult, PlanResult } from '../bake/contract.ts'
import { gpuBytes } from '../bake/plan.ts'
import type { Report, Sidecar } from '../bake/sidecar.ts'
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDegrees,
  formatMillimetres,
  formatNumber,
  formatPercent,
  formatSeconds,
  formatTable,
} from './format.ts'

/** A heading and the lines that stand beside it. */
export type Section = [heading: string, lines: string[]]

/** Sections one below the other, their lines aligned; those without lines are left out. */
export function formatSections(sections: Section[]): string[] {
  const shown = sections.filter(([, lines]) => lines.length > 0)
  const width = Math.max(...shown.map(([heading]) => heading.length))
  return shown.flatMap(([heading, lines]) => lines.map((line, index) => `${(index === 0 ? heading : '').padEnd(width)}  ${line}`))
}

/** The clips of a bake or of its plan. */
export function clipLines(clips: Pick<PlanResult['clips'][number], 'name' | 'duration' | 'frameCount' | 'fps' | 'loop' | 'seam' | 'blend'>[]): string[] {
  return formatTable(
    clips.map(({ name, duration, frameCount, fps, loop, seam, blend }) => [
      nameText(name),
      formatCounted(frameCount, 'frame'),
      `${formatNumber(fps)} fps`,
      formatSeconds(duration),
      `${loop ? 'loops' : 'does not loop'}, seam ${formatMillimetres(seam * 1000)}` +
        (blend ? `, before blending ${formatMillimetres(blend.seamBefore * 1000)}` : ''),
    ]),
  )
}

/** What was left to the program. */
export function choiceLines(choices: PlanResult['choices']): string[] {
  return choices.map(({ option, value, why }) => `--${option}${value && ` ${value}`}: ${why}`)
}

/** Share of the texels from which on people want to know that it is lost. */
const WORTH_TELLING = 0.01

export function wasteLines(waste: number): string[] {
  return waste < WORTH_TELLING ? [] : [`${formatPercent(waste * 100)} of the texels hold nothing`]
}

/** The textures of a finished bake, with their size on the GPU and, where the files are known, on disk. */
export function textureLines(sidecar: Sidecar, files: BakeResult['files']): string[] {
  const roles = new Map<string, string[]>()
  for (const { file, role } of sidecar.textures) roles.set(file, [...(roles.get(file) ?? []), role])
  return formatTable(
    [...roles].map(([name, layers]) => {
      const { width, height, type } = sidecar.textures.find(({ file }) => file === name)!
      const onDisk = files.find(({ file }) => basename(file) === name)
      return [
        layers.join(' + '),
        sizeText(width, height),
        sidecar.encoding,
        `${formatBytes(gpuBytes(sidecar.encoding, width, height, type === 'unorm8x2'))} on the GPU`,
        ...(onDisk ? [`${formatBytes(onDisk.bytes)} on disk`] : []),
      ]
    }),
  )
}

export function sizeText(width: number, height: number): string {
  return `${formatCount(width)} × ${formatCount(height)} px`
}

/** How far the worst positions are from the truth, and where that is. */
export function positionErrorLines(report: Report, clips: Sidecar['clips']): string[] {
  const row = (when: string, error: Report['position']['betweenSamples']) => [
    when,
    ...(error.maxMillimetres === 0
      ? ['exact']
      : [formatMillimetres(error.maxMillimetres), `${formatPercent(error.maxPercent)} of size`, placeText(error.worst, clips)]),
  ]
  return formatTable([row('at samples', report.position), row('between them', report.position.betweenSamples)])
}

/** How far the worst directions are from the truth, and where that is. */
export function directionErrorLines(errors: Report['normal'], clips: Sidecar['clips']): string[] {
  if (!errors) return []
  const row = (when: string, error: NonNullable<Report['normal']>['betweenSamples']) => [
    when,
    formatDegrees(error.maxDegrees),
    placeText(error.worst, clips),
  ]
  return formatTable([row('at samples', errors), row('between them', errors.betweenSamples)])
}

function placeText({ clip, frame, vertex }: Report['position']['worst'], clips: Sidecar['clips']): string {
  const place = `vertex ${vertex}, frame ${frame}`
  return clips.length > 1 ? `${place} of ${nameText(clips[clip].name)}` : place
}

/** Between samples, a share of the size from which on the rate is called coarse. */
const COARSE_PERCENT = 0.5
/** Metres from which on a model is asked whether it means metres. */
const HUGE = 50

/** What a person should know of figures that look odd. */
export function adviceLines({ report, bounds, clips, space }: Pick<Sidecar, 'report' | 'bounds' | 'clips' | 'space'>): string[] {
  const advice: string[] = []
  const { maxPercent } = report.position.betweenSamples
  if (maxPercent > Math.max(COARSE_PERCENT, report.position.maxPercent)) {
    const more = clips.some(({ frameCount }) => frameCount === 1) ? 'more frames make' : 'a higher --fps makes'
    advice.push(`Between samples it is up to ${formatPercent(maxPercent)} of the size off: ${more} it smoother.`)
  }
  const size = Math.hypot(...bounds.max.map((high, axis) => high - bounds.min[axis]))
  if (space.unit === 'metre' && size > HUGE) {
    advice.push(`The model is ${formatNumber(size)} m across. If its unit is the centimetre, bake with --scale 0.01.`)
  }
  return advice
}

/** Why a bake is not good enough. */
export function limitText(report: Report, limit: string): string {
  const { maxMillimetres, maxPercent } = report.position
  return (
    `The largest error at the samples is ${formatMillimetres(maxMillimetres)} (${formatPercent(maxPercent)} of the size), ` +
    `above the limit of ${limit}. Use a more exact --encoding or allow more with --max-error.`
  )
}

export function warningLines(warnings: Sidecar['warnings']): string[] {
  return warnings.map(({ message }) => message)
}

/** A name as it is in the file. */
export function nameText(name: string): string {
  return name === '' ? '(unnamed)' : name
}

/** A path as it is shortest to read: from the current folder where it lies in there. */
export function pathText(file: string, folder: string): string {
  const short = relative(folder, file)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? file : short
}
