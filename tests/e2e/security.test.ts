import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallName, calls, events } from '../../preload/api.ts'
import { describeProgram, launch, type Program } from './launch.ts'

describeProgram('security', () => {
  let program: Program
  /** Stands for the network. Nothing may ever reach it. */
  let server: Server
  let network: string
  const requests: string[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url!)
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('reached')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    network = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    program = await launch()
  })
  afterAll(async () => {
    await program.end()
    server.close()
  })

  /** What a page that fetches a URL gets: the status, or why not. */
  const statusOf = (url: string) =>
    program.page.evaluate(
      (url) =>
        fetch(url).then(
          ({ status }) => status,
          () => 'refused',
        ),
      url,
    )

  test('the page is sandboxed and knows nothing of Node', async () => {
    const known = await program.page.evaluate(() => ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer'].filter((name) => name in globalThis))
    expect(known).toEqual([])
    const preferences = await program.app.evaluate(({ BrowserWindow }) => {
      // Electron has the method, its types do not.
      const contents = BrowserWindow.getAllWindows()[0].webContents as unknown as { getLastWebPreferences(): Electron.WebPreferences }
      const { sandbox, contextIsolation, nodeIntegration, webSecurity } = contents.getLastWebPreferences()
      return { sandbox, contextIsolation, nodeIntegration, webSecurity }
    })
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true })
  })

  test('the page sees the calls and events of the contract and no others, and cannot change them', async () => {
    const names = await program.page.evaluate(() => {
      const api = window.vatStudio as unknown as Record<string, Record<string, unknown>>
      api.app.info = () => 'changed'
      return Object.entries(api).flatMap(([group, members]) => Object.keys(members).map((member) => `${group}.${member}`))
    })
    expect(names.toSorted()).toEqual([...Object.keys(calls), ...Object.keys(events)].toSorted())
    expect(await program.page.evaluate(() => window.vatStudio.app.info())).toMatchObject({ name: 'VAT Studio' })
  })

  test('every page comes with the content security policy', async () => {
    for (const url of ['app://bundle/index.html', 'app://docs/vat-format.md', 'app://bundle/none.js']) {
      const policy = await program.app.evaluate(async ({ net }, url) => (await net.fetch(url)).headers.get('content-security-policy'), url)
      expect(policy, url).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(policy, url).not.toMatch(/unsafe-eval|https?:|\*|script-src[^;]*unsafe-inline/)
    }
  })

  test('a script in the page’s own text does not run, nor does one that is made at run time', async () => {
    const ran = await program.page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'document.documentElement.dataset.ran = "yes"'
      document.body.append(script)
      const button = document.createElement('button')
      button.setAttribute('onclick', 'document.documentElement.dataset.ran = "yes"')
      button.click()
      // In a task of its own: what the debugger runs, as this function, may do more than the page.
      const made = await new Promise((done) =>
        setTimeout(() => {
          try {
            done(new Function('return "made"')())
          } catch (error) {
            done((error as Error).name)
          }
        }),
      )
      return [document.documentElement.dataset.ran, made]
    })
    expect(ran).toEqual([undefined, 'EvalError'])
  })

  test('a URL that leads out of the program’s folder finds nothing', async () => {
    const out = ['../../package.json', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', '..%5c..%5cpackage.json', '%2e%2e%2f%2e%2e%2fpackage.json', '/etc/passwd', '%']
    for (const path of out) expect(await statusOf(`app://bundle/${path}`), path).toBe(404)
    expect(await statusOf('app://bundle/index.html%00')).not.toBe(200)
    // Another host is another origin, so the page does not even see that.
    for (const url of ['app://docs/vat.schema.json', 'app://none/index.html']) expect(await statusOf(url), url).toBe('refused')
    expect(await statusOf('app://bundle/index.html')).toBe(200)
    const status = (url: string) => program.app.evaluate(async ({ net }, url) => (await net.fetch(url)).status, url)
    expect(await status('app://docs/vat.schema.json')).toBe(200)
    expect(await status('app://docs/..%2f..%2fpackage.json')).toBe(404)
    expect(await status('app://none/index.html')).toBe(404)
  })

  test('files and the network are out of reach', async () => {
    for (const url of ['file:///etc/passwd', `file://${resolve('package.json')}`, network, 'https://127.0.0.1:9/', 'ftp://127.0.0.1/']) {
      expect(await statusOf(url), url).toBe('refused')
    }
    const others = await program.page.evaluate(async (network) => {
      const settled = (element: HTMLElement) => new Promise((done) => ['load', 'error'].forEach((type) => element.addEventListener(type, () => done(type))))
      const image = Object.assign(new Image(), { src: `${network}/image` })
      const imageSettled = settled(image)
      const script = Object.assign(document.createElement('script'), { src: `${network}/script` })
      const scriptSettled = settled(script)
      document.head.append(script)
      const socket = await new Promise((done) => {
        try {
          const opened = new WebSocket(network.replace('http', 'ws'))
          opened.onopen = () => done('open')
          opened.onerror = () => done('error')
        } catch {
          done('error')
        }
      })
      navigator.sendBeacon(`${network}/beacon`)
      return { image: await imageSettled, script: await scriptSettled, socket }
    }, network)
    expect(others).toEqual({ image: 'error', script: 'error', socket: 'error' })
    // Even a page without any policy gets nowhere.
    const loaded = await program.app.evaluate(async ({ BrowserWindow }, network) => {
      const window = new BrowserWindow({ show: false })
      const outcome = await window.loadURL(`${network}/page`).then(() => 'loaded', () => 'refused')
      window.destroy()
      return outcome
    }, network)
    expect(loaded).toBe('refused')
    expect(requests).toEqual([])
  })

  test('the page stays where it is, and opens no other', async () => {
    expect(await program.page.evaluate((url) => window.open(url), network)).toBe(null)
    expect(await program.page.evaluate(() => window.open('app://bundle/index.html'))).toBe(null)
    for (const url of [network, 'file:///etc/passwd', 'app://docs/vat-format.md', 'data:text/html,hello', 'https://example.com/']) {
      await program.page.evaluate((url) => {
        const link = Object.assign(document.createElement('a'), { href: url })
        document.body.append(link)
        link.click()
        link.remove()
      }, url)
      await program.page.waitForTimeout(100)
      expect(program.page.url(), url).toBe('app://bundle/index.html')
    }
    expect(await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    expect(requests).toEqual([])
  })

  test('a frame in the page shows nothing and can call nothing', async () => {
    const inside = await program.page.evaluate(async () => {
      const frame = document.createElement('iframe')
      frame.src = 'app://bundle/index.html'
      document.body.append(frame)
      await new Promise((done) => frame.addEventListener('load', done))
      const blank = document.createElement('iframe')
      document.body.append(blank)
      const api = [frame, blank].map((each) => {
        try {
          return typeof (each.contentWindow)?.vatStudio
        } catch {
          return 'undefined'
        }
      })
      frame.remove()
      blank.remove()
      return api
    })
    expect(inside).toEqual(['undefined', 'undefined'])
  })

  test('permissions are denied', async () => {
    const answers = await program.page.evaluate(async () => ({
      notifications: await Notification.requestPermission(),
      location: await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('given'), () => done('denied'))),
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', () => 'denied'),
      clipboard: await navigator.clipboard.readText().then(() => 'given', () => 'denied'),
    }))
    expect(answers).toEqual({ notifications: 'denied', location: 'denied', camera: 'denied', clipboard: 'denied' })
  })

  test('another page is refused, even with our preload and from our own origin', async () => {
    const answers = await program.app.evaluate(async ({ BrowserWindow }, preload) => {
      const answers: unknown[] = []
      for (const url of ['app://bundle/index.html', 'app://docs/vat.schema.json', 'data:text/html,hello']) {
        const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
        await window.loadURL(url)
        answers.push(await window.webContents.executeJavaScript('vatStudio.recents.list().then(() => "served", (error) => error.message)'))
        window.destroy()
      }
      return answers
    }, resolve('dist/preload/index.cjs'))
    expect(answers).toEqual(Array(3).fill('recents.list is refused to this page.'))
  })

  test('the main process listens to the calls of the contract, and to nothing else that a page could send', async () => {
    const heard = await program.app.evaluate(({ ipcMain }) => {
      // Electron keeps what it answers in here; its types do not tell.
      const { _invokeHandlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> }
      return { calls: [..._invokeHandlers.keys()], messages: ipcMain.eventNames() }
    })
    expect(heard.calls.toSorted()).toEqual(Object.keys(calls).toSorted())
    // Electron's own.
    expect(heard.messages.filter((name) => name !== 'error')).toEqual([])
  })

  /** What a call could be given that it is not made for. */
  const NONSENSE: unknown[][] = [
    [null],
    [undefined, undefined, undefined],
    [NaN],
    [-1],
    [''],
    [[]],
    [{}],
    [{ circle: { circle: {} } }],
    ['Symbol(Symbol.iterator)', {}, []],
    ['x'.repeat(1_000_000)],
    [{ kind: 'bake' }],
    [{ kind: 'bake', model: '/etc/passwd', output: '/tmp', options: {} }],
    [{ kind: 'inspect', model: '../../package.json' }],
    [{ kind: 'verify', sidecar: 7 }],
    [{ theme: 'pink' }, 1],
    [{ interface: { a: { b: 1 } } }],
    [{ name: 7, unsaved: 'yes' }],
    [{ 'file.open': { enabled: 'yes' } }],
    [{ name: 'x'.repeat(2000), unsaved: false }],
    Array(1000).fill(0),
  ]

  /** All that a call could change. */
  const everything = async () => ({
    memory: await program.page.evaluate(async () => [await window.vatStudio.settings.get(), await window.vatStudio.recents.list()]),
    files: readdirSync(program.folder, { recursive: true }).filter((file) => String(file).endsWith('.json')).toSorted(),
    ...(await program.app.evaluate(({ app, BrowserWindow, clipboard, Menu }) => {
      const statesOf = (items: Electron.MenuItem[]): string[] =>
        items.flatMap(({ id, enabled, checked, submenu }) => [`${id} ${enabled} ${checked}`, ...statesOf(submenu?.items ?? [])])
      return {
        windows: BrowserWindow.getAllWindows().map((window) => window.getTitle()),
        menu: statesOf(Menu.getApplicationMenu()!.items),
        clipboard: clipboard.readText(),
        bakes: app.getAppMetrics().filter(({ name }) => name === 'VAT Studio bakes').length,
      }
    })),
  })

  test('nonsense is refused on every channel, and changes nothing', async () => {
    await program.app.evaluate(({ clipboard }) => clipboard.writeText('as it was'))
    const before = await everything()
    // What a contract's schema takes is no nonsense to that call: an empty change, an empty text.
    const attempts = (Object.keys(calls) as CallName[]).flatMap((name) =>
      NONSENSE.filter((args) => !calls[name].safeParse(args).success || name === 'models.drop').map((args) => ({ name, args })),
    )
    expect(attempts.length).toBeGreaterThan(Object.keys(calls).length * (NONSENSE.length - 3))
    const outcomes = await program.page.evaluate(async (attempts) => {
      const api = window.vatStudio as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>
      const outcomes: string[] = []
      for (const { name, args } of attempts) {
        const [group, member] = name.split('.') as [string, string]
        const outcome = await api[group][member](...args).then(
          (value) => `served: ${JSON.stringify(value)}`,
          () => 'refused',
        )
        if (outcome !== 'refused') outcomes.push(`${name}(${JSON.stringify(args).slice(0, 100)}) ${outcome}`)
      }
      return outcomes
    }, attempts)
    expect(outcomes).toEqual([])
    expect(await everything()).toEqual(before)
  })

  test('things that only a page has are refused on every channel, too', async () => {
    const before = await everything()
    const outcomes = await program.page.evaluate(async (names) => {
      const api = window.vatStudio as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>
      const circle: Record<string, unknown> = { kind: 'bake' }
      circle.circle = circle
      const things: unknown[][] = [[circle, 1], [new Date(), new Map(), new Uint8Array(4)], [() => 'called', 1], [document.body, window], [10n, 1]]
      const outcomes: string[] = []
      for (const name of names) {
        const [group, member] = name.split('.') as [string, string]
        for (const [index, args] of things.entries()) {
          // The bridge refuses some at once, before anything is sent.
          const outcome = await Promise.resolve()
            .then(() => api[group][member](...args))
            .then(() => 'served', () => 'refused')
          if (outcome !== 'refused') outcomes.push(`${name} ${index}`)
        }
      }
      return outcomes
    }, Object.keys(calls))
    expect(outcomes).toEqual([])
    expect(await everything()).toEqual(before)
  })

  test('nonsense on the port of the preview service is refused, and the service goes on', async () => {
    const [sample] = await program.page.evaluate(() => window.vatStudio.models.samples())
    const replies = await program.page.evaluate(async (token) => {
      const port = await new Promise<MessagePort>((found) => {
        window.addEventListener('message', ({ ports }) => ports[0] && found(ports[0]), { once: true })
        void window.vatStudio.preview.connect()
      })
      const replies: { id: number; ok: boolean; message?: string; result?: object }[] = []
      port.onmessage = ({ data }) => replies.push(data as (typeof replies)[number])
      const open = { kind: 'open', token }
      const messages: unknown[] = [
        null,
        7,
        'open',
        [],
        {},
        new Uint8Array(1000),
        { id: 'one', request: open },
        { id: 1, request: { kind: 'run', code: 'process.exit()' } },
        { id: 2, request: { kind: 'open', token: '/etc/passwd' } },
        { id: 3, request: { kind: 'openBake', token } },
        { id: 4, request: { kind: 'pose', model: 'none', clip: -1, time: NaN } },
        { id: 5, request: { kind: 'texels', bake: 'none', texture: 1e9, firstRow: 0, rowCount: 1e9 } },
        { type: 'grant', token: 'mine', file: '/etc/passwd' },
        { id: 6, request: { kind: 'open', token: 'mine' } },
        { id: 7, request: open },
      ]
      for (const message of messages) port.postMessage(message)
      while (!replies.some(({ id }) => id === 7) || replies.length < 7) await new Promise((later) => setTimeout(later, 50))
      return replies.map(({ id, ok }) => `${id} ${ok ? 'served' : 'refused'}`)
    }, sample.token)
    expect(replies.toSorted()).toEqual(['1 refused', '2 refused', '3 refused', '4 refused', '5 refused', '6 refused', '7 served'])
  })

  test('a path that nobody chose is refused, however it is written', async () => {
    const { page, folder } = program
    const model = join(folder, 'Secret.glb')
    cpSync(resolve('resources/samples/Fox.glb'), model)
    const note = join(folder, 'note.txt')
    writeFileSync(note, 'secret')
    await program.answerOpenDialog(folder)
    const output = (await page.evaluate(() => window.vatStudio.folders.choose()))!
    const sample = (await page.evaluate(() => window.vatStudio.models.samples()))[0]

    const outcomes = await page.evaluate(
      async ({ model, note, output, sample }) => {
        const { models, jobs, folders, recents } = window.vatStudio
        const attempts: [string, Promise<unknown>][] = [
          ['inspect a path', jobs.submit({ kind: 'inspect', model })],
          ['bake a path', jobs.submit({ kind: 'bake', model, output, options: {} })],
          ['bake into a path', jobs.submit({ kind: 'bake', model: sample, output: '/tmp', options: {} })],
          ['bake into a model', jobs.submit({ kind: 'bake', model: sample, output: sample, options: {} })],
          ['bake with an output among the options', jobs.submit({ kind: 'bake', model: sample, output, options: { output: '/tmp' } as object })],
          ['bake a folder', jobs.submit({ kind: 'bake', model: output, output, options: {} })],
          ['verify a model', jobs.submit({ kind: 'verify', sidecar: sample })],
          ['remember a path', models.opened(model)],
          ['reveal a path', folders.reveal(note)],
          ['pin a path', recents.pin(model, true)],
          ['a folder for a path', folders.forModel(model)],
          ['drop a text', models.drop(model as unknown as File)],
          ['drop a file that the page made', models.drop(new File(['x'], model))],
          ['drop what looks like a file', models.drop({ path: model, name: 'Secret.glb' } as unknown as File)],
        ]
        return Promise.all(attempts.map(async ([name, attempt]) => [name, await attempt.then(() => 'served', (error: Error) => error.message)]))
      },
      { model, note, output: output.token, sample: sample.token },
    )
    for (const [name, outcome] of outcomes) expect(outcome, name).toMatch(/not chosen in this window|is refused: |no file on this computer/)
    expect(await page.evaluate(() => window.vatStudio.recents.list())).toEqual([])
  })
})
