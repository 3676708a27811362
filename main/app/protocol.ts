import { readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import { app, protocol } from 'electron'
import { documentationPage } from './documentation.ts'

/** The page of the window. */
export const PAGE = 'app://bundle/index.html'
/** The page of the documentation's window. */
export const DOCUMENTATION = 'app://docs/vat-format.md'

/**
 * What a page may load: its own files and nothing from anywhere else. Styles may be inline, since components measure and
 * place themselves; scripts may not, and nothing is made into a script at run time.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Has to run before the app is ready. */
export function declareProtocol(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }])
}

/** Serves `app://bundle` (the compiled window) and `app://docs` (the documentation, made into pages). */
export function setupProtocol(): void {
  const folders: Record<string, string> = {
    bundle: join(import.meta.dirname, '../renderer'),
    docs: join(app.getAppPath(), 'resources/docs'),
  }
  protocol.handle('app', async ({ url, method }) => {
    const { host, pathname } = new URL(url)
    const file = folders[host] && resolveInside(folders[host], pathname)
    const type = file && TYPES[extname(file)]
    if (!type || method !== 'GET') return answer(404, 'text/plain', 'Not found')
    try {
      const bytes = new Uint8Array(await readFile(file))
      return answer(200, type, extname(file) === '.md' ? documentationPage(new TextDecoder().decode(bytes)) : bytes)
    } catch {
      return answer(404, 'text/plain', 'Not found')
    }
  })
}

/** Whether a page is the window's own: from the program's files or, while it is developed, from Vite's server. */
export function isOurPage(url: string): boolean {
  const origin = originOf(url)
  return origin === 'app://bundle' || (origin !== null && origin === developmentOrigin())
}

/** Where the window's page is served while it is developed; null in a program that was built. */
export function developmentOrigin(): string | null {
  const url = process.env.ELECTRON_RENDERER_URL
  return url && !app.isPackaged ? originOf(url) : null
}

/** `URL.origin` is `null` for schemes that it does not know. */
function originOf(url: string): string | null {
  try {
    const { protocol, host } = new URL(url)
    return `${protocol}//${host}`
  } catch {
    return null
  }
}

/** The file that a URL's path names, or null where that would leave the folder. */
export function resolveInside(folder: string, pathname: string): string | null {
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (path.includes('\0') || path.includes('\\')) return null
  const file = resolve(folder, `.${path}`)
  return file.startsWith(resolve(folder) + sep) ? file : null
}

function answer(status: number, type: string, body: string | Uint8Array<ArrayBuffer>): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': type, 'content-security-policy': CONTENT_SECURITY_POLICY, 'x-content-type-options': 'nosniff' },
  })
}
