import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import vue from '@vitejs/plugin-vue'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Connect, createServer } from 'vite'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions } from '../../../main/bake/options.ts'
import { nodeChannel } from '../../../main/worker/channel.ts'
import { createGrants, servePreview } from '../../../main/worker/preview.ts'
import type { PreviewReply } from '../../../main/worker/preview-contract.ts'
import type { WindowJobEvent } from '../../../preload/api.ts'
import { packTyped } from '../../viewport/harness/typed-json.ts'
import { SAMPLES } from '../fake-api.ts'

const PROJECT = resolve(import.meta.dirname, '../../..')
/** Where Chromium is; the distribution's place unless told otherwise. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

export interface WindowServer {
  /** Address of the page. */
  url: string
  /** Opens the window in a page of its own and waits until it stands. */
  open(query: Record<string, string>, size?: { width: number; height: number }): Promise<Page>
  /** What pages wrote to their consoles as errors, or threw. */
  faults: string[]
  close(): Promise<void>
}

/** Serves the window with a fake main process and, behind it, the real preview service and the real bake. */
export async function serveWindow(): Promise<WindowServer> {
  const output = await mkdtemp(join(tmpdir(), 'vat-window-'))
  const grants = createGrants(50)
  const paths = new Map(SAMPLES.map(({ token, name }) => [token, join(PROJECT, 'resources/samples', name)]))
  for (const [token, path] of paths) grants.add(token, path)

  const { port1, port2 } = new MessageChannel()
  servePreview(nodeChannel(port2), grants)
  const answers = new Map<number, (reply: PreviewReply) => void>()
  port1.on('message', (reply: PreviewReply) => {
    answers.get(reply.id)?.(reply)
    answers.delete(reply.id)
  })

  const server = await createServer({
    root: PROJECT,
    configFile: false,
    logLevel: 'error',
    plugins: [vue(), { name: 'fake-main', configureServer: (server) => serveRequests(server.middlewares) }],
    cacheDir: 'node_modules/.vite-window',
    optimizeDeps: { entries: ['tests/renderer/window/main.ts'], include: ['babylonjs', 'babylonjs-loaders', 'vue', 'zod', 'pinia', 'reka-ui', 'uplot', '@lucide/vue'] },
    server: { port: 0, watch: null, hmr: false },
  })
  await server.listen()

  /** Before Vite's own answers, which know no such addresses. */
  function serveRequests(middlewares: Connect.Server): void {
    let messages = 0
    middlewares.use('/preview', (request, response) => {
      void bodyOf(request).then((text) => {
        const message = JSON.parse(text) as { id: number }
        // Every page counts its own messages from one.
        const id = ++messages
        answers.set(id, (reply) => response.end(packTyped({ ...reply, id: message.id })))
        port1.postMessage({ ...message, id })
      })
    })
    middlewares.use('/bake', (request, response) => {
      void bodyOf(request).then(async (text) => {
        const { job, id } = JSON.parse(text) as { job: { model: string; options: object }; id: string }
        response.end(packTyped(await bakeEvents(job, id)))
      })
    })
  }

  async function bakeEvents(job: { model: string; options: object }, id: string): Promise<WindowJobEvent[]> {
    const events: WindowJobEvent[] = [{ type: 'accepted', job: id }]
    try {
      const work = bake(paths.get(job.model)!, { ...bakeOptions.parse(job.options), output, overwrite: true })
      for (;;) {
        const step = await work.next()
        if (!step.done) {
          events.push({ type: 'progress', job: id, progress: step.value })
          continue
        }
        const token = `sidecar:${id}:${Math.random()}`
        grants.add(token, step.value.sidecarFile)
        const sidecar = { token, kind: 'sidecar' as const, name: `${step.value.sidecar.name}.json`, path: step.value.sidecarFile }
        events.push({ type: 'finished', job: id, result: step.value, written: { sidecar, folder: { ...sidecar, kind: 'folder' } } })
        return events
      }
    } catch (error) {
      return [...events, { type: 'failed', job: id, kind: 'internal', message: (error as Error).message }]
    }
  }

  const url = `${server.resolvedUrls!.local[0]}tests/renderer/window/index.html`
  let browser: Browser | null = null
  const faults: string[] = []
  return {
    url,
    faults,
    async open(query, size = { width: 1440, height: 900 }) {
      browser ??= await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
      })
      const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' })
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${url}?${new URLSearchParams(query).toString()}`)
      await page.waitForSelector('body[data-ready]', { timeout: 60_000 })
      return page
    },
    async close() {
      await browser?.close()
      await server.close()
      port1.close()
      await rm(output, { recursive: true, force: true })
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}
