import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'

vi.mock('electron', () => ({ app: { isPackaged: false }, protocol: {}, screen: {} }))

const { documentationPage } = await import('../../main/app/documentation.ts')
const { isOurPage, resolveInside } = await import('../../main/app/protocol.ts')
const { isInSight } = await import('../../main/app/window-place.ts')

describe('the file of a URL', () => {
  const folder = resolve('/program/renderer')

  test('lies inside of the folder', () => {
    expect(resolveInside(folder, '/index.html')).toBe(join(folder, 'index.html'))
    expect(resolveInside(folder, '/assets/a%20b.js')).toBe(join(folder, 'assets', 'a b.js'))
    expect(resolveInside(folder, '/assets/../index.html')).toBe(join(folder, 'index.html'))
  })

  test.each(['/../secret', '/..%2fsecret', '/%2e%2e/secret', '/..%5csecret', '/..\\secret', '/../renderer-2/x', '/x%00', '/%', '/', '/..'])(
    'is none for %s',
    (path) => expect(resolveInside(folder, path)).toBe(null),
  )
})

describe('our page', () => {
  afterEach(() => vi.unstubAllEnvs())

  test.each([
    ['app://bundle/index.html', true],
    ['app://docs/vat-format.md', false],
    ['app://bundle.example.com/', false],
    ['https://bundle/index.html', false],
    ['file:///index.html', false],
    ['about:blank', false],
    ['', false],
  ])('%s: %s', (url, ours) => expect(isOurPage(url)).toBe(ours))

  test('comes from the server of a program that is developed, where there is one', () => {
    expect(isOurPage('http://localhost:5173/index.html')).toBe(false)
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    expect(isOurPage('http://localhost:5173/index.html')).toBe(true)
    expect(isOurPage('http://localhost:5174/index.html')).toBe(false)
  })
})

describe('the documentation', () => {
  test('is a page without scripts, whose headings can be linked to', () => {
    const page = documentationPage('# The `VAT` format, a <b> & c\n\n## 3 The rest mesh\n\nText.\n\n### `layout.guardRows`\n')
    expect(page).toContain('<title>The `VAT` format, a &lt;b> &amp; c</title>')
    expect(page).toContain('<h2 id="3-the-rest-mesh">3 The rest mesh</h2>')
    expect(page).toContain('<h3 id="layoutguardrows"><code>layout.guardRows</code></h3>')
    expect(page).not.toMatch(/<script/)
  })
})

describe('a window’s place', () => {
  const areas = [
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: 0, width: 1280, height: 1024 },
  ]

  test.each([
    [{ x: 100, y: 100, width: 1440, height: 900 }, true],
    [{ x: 2500, y: 500, width: 1440, height: 900 }, true],
    [{ x: -1300, y: 0, width: 1440, height: 900 }, true],
    [{ x: -1400, y: 0, width: 1440, height: 900 }, false],
    [{ x: 3500, y: 0, width: 1440, height: 900 }, false],
    [{ x: 100, y: -500, width: 1440, height: 900 }, false],
    [{ x: 100, y: 1050, width: 1440, height: 900 }, false],
  ])('%j is in sight: %s', (window, seen) => expect(isInSight(window, areas)).toBe(seen))
})
