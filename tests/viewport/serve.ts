import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import vue from '@vitejs/plugin-vue'
import { chromium, type Page } from 'playwright-core'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { nodeChannel } from '../../main/worker/channel.ts'
import type { PreviewReply } from '../../main/worker/preview-contract.ts'
import { createGrants, servePreview, type Grants } from '../../main/worker/preview.ts'
import { packTyped } from './harness/typed-json.ts'

/** Where Chromium is; the distribution's place unless told otherwise. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

export interface Harness {
  page: Page
  grants: Grants
  /** For bakes; it goes with the harness. */
  folder: string
  /** What the page wrote to its console as an error, or threw. */
  faults: string[]
  close(): Promise<void>
}

export interface Size {
  width: number
  height: number
}

/** A browser with an empty page of that size. */
type OpenBrowser = (size: Size) => Promise<Browser>

export interface Browser {
  page: Page
  close(): Promise<void>
}

/** The viewport in a page of a real browser, with the real preview service behind it. */
export async function openHarness(size: Size = { width: 960, height: 600 }, openBrowser: OpenBrowser = openChromium): Promise<Harness> {
  const grants = createGrants(50)
  const folder = await mkdtemp(join(tmpdir(), 'viewport-'))
  const server = await serve(grants, folder)
  const browser = await openBrowser(size)
  const { page } = browser
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${server.resolvedUrls!.local[0]}tests/viewport/harness/index.html`)
  await page.waitForFunction(() => 'harness' in window, null, { timeout: 60_000 })
  return {
    page,
    grants,
    folder,
    faults,
    async close() {
      await browser.close()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function openChromium(viewport: Size): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  })
  return { page: await browser.newPage({ viewport }), close: () => browser.close() }
}

/** What the files of a bake are, for a page that loads them as they are. */
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.json': 'application/json' }

/** @param folder what lies in there is at /bakes/ */
async function serve(grants: Grants, folder: string): Promise<ViteDevServer> {
  const { port1, port2 } = new MessageChannel()
  servePreview(nodeChannel(port2), grants)
  const answers = new Map<number, (reply: PreviewReply) => void>()
  port1.on('message', (reply: PreviewReply) => {
    answers.get(reply.id)?.(reply)
    answers.delete(reply.id)
  })
  // As a plugin, because what is added to a finished server comes after its own answer to everything.
  const preview: Plugin = {
    name: 'preview',
    configureServer({ middlewares }) {
      middlewares.use('/preview', (request, response) => {
        let body = ''
        request.on('data', (piece: Buffer) => (body += piece.toString()))
        request.on('end', () => {
          const message = JSON.parse(body) as { id: number }
          answers.set(message.id, (reply) => response.end(packTyped(reply)))
          port1.postMessage(message)
        })
      })
      middlewares.use('/bakes', (request, response) => {
        const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname)
        readFile(join(folder, path)).then(
          (bytes) => response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(bytes),
          () => response.writeHead(404).end(),
        )
      })
    },
  }
  const server = await createServer({
    root: resolve(import.meta.dirname, '../..'),
    configFile: false,
    logLevel: 'error',
    plugins: [vue(), preview],
    cacheDir: 'node_modules/.vite-viewport',
    optimizeDeps: { entries: ['tests/viewport/harness/main.ts'], include: ['babylonjs', 'babylonjs-loaders', 'vue', 'zod'] },
    server: { port: 0, watch: null, hmr: false },
  })
  await server.listen()
  return server
}
