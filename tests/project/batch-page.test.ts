import { expect, test } from 'vitest'
import { batchPage } from '../../main/project/batch-page.ts'
import type { BatchReport, BatchRow } from '../../main/project/batch-contract.ts'
import { sidecar } from '../jobs/samples.ts'

const baked: BatchRow = {
  file: '/models/Fox.glb',
  state: 'model-changed',
  detail: 'Fox.glb has changed',
  outcome: 'baked',
  error: null,
  sidecarFile: '/out/Run.json',
  report: sidecar.report,
  seconds: 1.2345,
}
const failed: BatchRow = {
  ...baked,
  file: '/models/<script>alert("&")</script>.glb',
  outcome: 'failed',
  error: { kind: 'input', message: "<img src=x> isn't a model." },
  sidecarFile: null,
  report: null,
}
const report: BatchReport = { rows: [baked, failed], totals: { baked: 1, upToDate: 0, failed: 1, cancelled: 0, leftOut: 0 }, seconds: 2 }
const picture = { file: '"><b>', roles: ['position'], width: 35, height: 4, png: 'iVBORw0KGgo=' }

test('a page tells outcomes, errors, times and shows pictures', () => {
  const page = batchPage(report, [[picture], []])
  for (const text of ['1 baked, 1 failed', 'Fox.glb has changed', '1.47 mm (0.00085 %)', '1620 mm between samples', '1.23 s', '35 × 4']) expect(page).toContain(text)
  expect(page).toContain('src="data:image/png;base64,iVBORw0KGgo="')
})

test('names and messages cannot become markup, and nothing is fetched from elsewhere', () => {
  const page = batchPage(report, [[picture], []])
  expect(page).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;.glb')
  expect(page).toContain('&lt;img src=x&gt; isn&#39;t a model.')
  expect(page).not.toMatch(/<script|<img src=x|"><b>|https?:/)
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
})
