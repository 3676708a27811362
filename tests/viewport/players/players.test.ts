import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../../main/bake/options.ts'
import type { Sidecar } from '../../../main/bake/sidecar.ts'
import { decodeBake } from '../../engines/decode-bake.ts'

declare global {
  interface Window {
    /** See page.js. */
    readFrame(url: string): Promise<number[]>
    compareFrames(engine: string, one: string, other: string, box: Sidecar['bounds'], way?: string): Promise<Record<'pixels' | 'drawn' | 'beyond', number>>
  }
}

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.json': 'application/json' }

let folder: string
let server: Server
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'players-'))
  const places: Record<string, string> = { '/bakes/': folder, '/node_modules/': resolve('node_modules'), '/page/': resolve('tests/viewport/players') }
  server = createServer((request, response) => {
    const url = decodeURIComponent(request.url!)
    const start = Object.keys(places).find((start) => url.startsWith(start))
    readFile(start ? join(places[start], url.slice(start.length)) : 'nowhere').then(
      (bytes) => response.setHeader('content-type', TYPES[extname(url)] ?? 'application/octet-stream').end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0)
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  page = await browser.newPage({ viewport: { width: 320, height: 320 } })
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/page/page.html`)
  await page.waitForFunction(() => 'readFrame' in window)
})
afterAll(async () => {
  await browser?.close()
  server?.close()
  await rm(folder, { recursive: true })
})

let bakes = 0

async function bakeSample(file: string, options: BakeOptionsInput): Promise<{ url: string; sidecar: Sidecar }> {
  const name = String(bakes++)
  const all = bakeOptions.parse({ players: ['three', 'babylon'], name: 'model', ...options, output: join(folder, name) })
  const work = bake(resolve('resources/samples', file), all)
  for (;;) {
    const step = await work.next()
    if (step.done) return { url: `/bakes/${name}`, sidecar: step.value.sidecar }
  }
}

/** Positions a third into the first clip, `[vertex][xyz]`, decoded by another reader than the player's. */
async function trueFrame({ url }: { url: string }): Promise<number[]> {
  const { sidecar, positions } = await decodeBake(join(folder, url.slice('/bakes/'.length), 'model.json'))
  const [{ frameCount, fps, duration, loop }] = sidecar.clips
  const moment = (duration / 3) * fps
  const first = Math.floor(moment)
  const second = loop ? (first + 1) % frameCount : Math.min(first + 1, frameCount - 1)
  const stride = sidecar.vertexCount * 3
  const value = (frame: number, i: number) => positions[frame * stride + i]
  return Array.from({ length: stride }, (_, i) => value(first, i) * (1 - moment + first) + value(second, i) * (moment - first))
}

/** Steps of a component that an encoding may be off. */
const STEPS = { unorm8: 1 / 510, unorm16: 1 / 131_070, float16: 1 / 4096, float32: 0, unorm8x2: 1 / 131_070 }

const BAKES: [string, BakeOptionsInput][] = [
  ['Fox.glb', { anim: ['Run'], encoding: 'rgba16', normals: 'xyz' }],
  ['Fox.glb', { all: true, encoding: 'exr16', normals: 'octahedral', maxSize: 1024 }],
  ['Fox.glb', { anim: ['Run'], encoding: 'exr', normals: 'packed', orientation: 'frames-x' }],
  ['Fox.glb', { anim: ['Run'], encoding: 'rgba16', normals: 'xyz', stack: true, pot: true, target: 'godot' }],
  ['AnimatedMorphCube.glb', { encoding: 'rgba8', normals: 'xyz', content: 'offset' }],
]

describe.each(BAKES)('%s with %o', (file, options) => {
  let set: { url: string; sidecar: Sidecar }
  let lossless: { url: string; sidecar: Sidecar }
  beforeAll(async () => {
    set = await bakeSample(file, options)
    // What the frames of the others are compared with: the same clips without any loss, in the simplest layout.
    lossless = await bakeSample(file, { anim: options.anim ?? [], all: options.all ?? false, encoding: 'exr', normals: 'xyz' })
  })

  test('is decoded in the vertex shader to within the bound of its encoding', async () => {
    const ours = await page.evaluate((url) => window.readFrame(url), set.url)
    const truth = await trueFrame(lossless)
    const { type, scale } = set.sidecar.textures[0]
    const rounding = 2 ** -21 * Math.max(...set.sidecar.bounds.min.map(Math.abs), ...set.sidecar.bounds.max.map(Math.abs))
    expect(ours.length).toBe(truth.length)
    expect(ours.length).toBe(set.sidecar.vertexCount * 3)
    const worst = ours.reduce((worst, value, i) => Math.max(worst, Math.abs(value - truth[i]) / (STEPS[type] * scale[i % 3] + rounding)), 0)
    expect(worst).toBeLessThanOrEqual(1)
  })

  test.each(['three', 'babylon'] as const)('looks in %s as the lossless one does', async (engine) => {
    const { pixels, drawn, beyond } = await page.evaluate(
      ([engine, one, other, box]) => window.compareFrames(engine, one, other, box),
      [engine, set.url, lossless.url, set.sidecar.bounds] as const,
    )
    expect(drawn / pixels).toBeGreaterThan(0.02)
    // Steps of 8 bits are seen.
    expect(beyond / pixels).toBeLessThanOrEqual(options.encoding === 'rgba8' ? 0.02 : 0.001)
    expect(faults).toEqual([])
  })
})

test.each([
  ['three', 'crowd'],
  ['babylon', 'crowd'],
  ['babylon', 'left-handed'],
] as const)('%s looks the same as a %s', async (engine, way) => {
  const { url, sidecar } = await bakeSample('RobotExpressive.glb', { anim: ['Dance'], frames: 12, encoding: 'exr', normals: 'xyz' })
  const { pixels, drawn, beyond } = await page.evaluate(
    ([engine, url, box, way]) => window.compareFrames(engine, url, url, box, way),
    [engine, url, sidecar.bounds, way] as const,
  )
  expect(drawn / pixels).toBeGreaterThan(0.02)
  expect(beyond / pixels).toBeLessThanOrEqual(0.001)
  expect(faults).toEqual([])
})
