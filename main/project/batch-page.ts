import { basename } from 'node:path'
import type { PictureResult } from '../bake/contract.ts'
import { GENERATOR } from '../bake/generator.ts'
import type { BatchReport, BatchRow } from './batch-contract.ts'

/**
 * A page that tells what became of a batch. It needs no other file and no network, so that it can be sent to somebody.
 *
 * @param pictures `[row]`, of each texture of its set
 */
export function batchPage({ rows, totals, seconds }: BatchReport, pictures: PictureResult['pictures'][]): string {
  const counts = [
    ['baked', totals.baked],
    ['up to date', totals.upToDate],
    ['failed', totals.failed],
    ['cancelled', totals.cancelled],
    ['left out', totals.leftOut],
  ].filter(([, count]) => count !== 0)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>Batch: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}</title>
<style>${STYLE}</style>
<h1>${counts.map(([what, count]) => `${count} ${what}`).join(', ')}</h1>
<p>In ${figure(seconds)} s, by ${escape(GENERATOR)}.</p>
<table>
<thead><tr><th>Project or model<th>Outcome<th>Largest error<th>Time<th>Textures</thead>
<tbody>
${rows.map((row, index) => rowHtml(row, pictures[index])).join('\n')}
</tbody>
</table>
</html>
`
}

function rowHtml(row: BatchRow, pictures: PictureResult['pictures']): string {
  const cells = [
    `<b>${escape(basename(row.file))}</b><small>${escape(row.file)}</small>`,
    `<span class="${row.outcome}">${row.outcome.replaceAll('-', ' ')}</span>${note(row.error?.message ?? row.detail)}`,
    errorHtml(row),
    row.outcome === 'left-out' ? '' : `${figure(row.seconds)} s`,
    pictures.map(pictureHtml).join(''),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`
}

function errorHtml({ report }: BatchRow): string {
  if (!report) return ''
  const { position, normal } = report
  const lines = [
    `${figure(position.maxMillimetres)} mm (${figure(position.maxPercent)} %)`,
    `${figure(position.betweenSamples.maxMillimetres)} mm between samples`,
    ...(normal ? [`${figure(normal.maxDegrees)}° of normals`] : []),
  ]
  return lines[0] + lines.slice(1).map(note).join('')
}

function pictureHtml({ file, roles, width, height, png }: PictureResult['pictures'][number]): string {
  const what = `${roles.join(', ')}: ${file}, ${width} × ${height}`
  return `<figure><img alt="${escape(what)}" src="data:image/png;base64,${escape(png)}"><figcaption>${escape(what)}</figcaption></figure>`
}

const note = (text: string) => (text === '' ? '' : `<small>${escape(text)}</small>`)

const figure = (value: number) => String(Number(value.toPrecision(3)))

/** Names come from files and may be anything. */
function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character])
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #2e7d4f; --bad: #c0392b }
body { margin: 32px auto; padding: 0 24px; max-width: 1100px; font: 14px/1.5 system-ui, sans-serif }
h1 { font-size: 22px } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
small { display: block; opacity: .7 } .baked, .up-to-date { color: var(--good) } .failed { color: var(--bad); font-weight: 600 }
figure { display: inline-block; margin: 0 8px 8px 0 } figcaption { font-size: 11px; opacity: .7 }
td:nth-child(4) { white-space: nowrap }
img { display: block; width: 256px; height: 64px; object-fit: fill; image-rendering: pixelated; background: var(--soft) }
`
