import { type Grant, PREVIEW_PORT, type RecentFile, type Settings, type VatStudioApi, type WindowJobEvent, type WindowJobInput } from '../../preload/api.ts'
import type { CommandId } from '../../preload/commands.ts'

/** What stands behind the fake: how previews are answered and bakes are made. */
export interface FakeBackend {
  /** Answers a message of the preview contract. */
  preview(message: unknown): Promise<unknown>
  /** Makes a bake and tells its events; absent where none is to be finished. */
  bake?(job: Extract<WindowJobInput, { kind: 'bake' }>, id: string, tell: (event: WindowJobEvent) => void): Promise<void>
}

export interface FakeOptions {
  theme?: 'light' | 'dark'
  first?: Grant | null
  recents?: RecentFile[]
  settings?: Partial<Settings>
  /** What the open dialog answers. */
  chosen?: Grant | null
}

/** A main process that lives in the page. What it was asked for is kept, to be looked at. */
export interface FakeApi extends VatStudioApi {
  asked: [name: string, ...args: unknown[]][]
  fire: {
    command(id: CommandId): void
    theme(theme: 'light' | 'dark'): void
    job(event: WindowJobEvent): void
    open(file: Grant): void
    previewLost(): void
  }
}

export function sample(name: string, folder = '/home/mira/vat-studio/samples'): Grant {
  return { token: `model:${name}`, kind: 'model', name, path: `${folder}/${name}` }
}

export const SAMPLES = ['Fox.glb', 'RobotExpressive.glb', 'SimpleSkin.gltf', 'AnimatedMorphCube.glb'].map((name) => sample(name))

/** A `window.vatStudio` without Electron: the window runs in any browser, and in a test's imitation of one. */
export function createFakeApi(backend: FakeBackend, options: FakeOptions = {}): FakeApi {
  const asked: FakeApi['asked'] = []
  const listeners = {
    theme: new Set<(theme: 'light' | 'dark') => void>(),
    open: new Set<(file: Grant) => void>(),
    recents: new Set<(recents: RecentFile[]) => void>(),
    job: new Set<(event: WindowJobEvent) => void>(),
    settings: new Set<(settings: Settings) => void>(),
    command: new Set<(id: CommandId) => void>(),
    lost: new Set<() => void>(),
  }
  const on = <Listener>(set: Set<Listener>) => (listener: Listener) => {
    set.add(listener)
    return () => void set.delete(listener)
  }
  const note = (name: string, ...args: unknown[]) => void asked.push([name, ...args])

  let settings: Settings = { theme: 'system', opensWith: 'sample', interface: {}, ...options.settings }
  let recents = options.recents ?? []
  let jobs = 0
  const tellRecents = () => listeners.recents.forEach((listener) => listener(recents))
  const folder: Grant = { token: 'folder:1', kind: 'folder', name: 'vat', path: '/home/mira/Projects/meadow/vat' }

  return {
    asked,
    fire: {
      command: (id) => listeners.command.forEach((listener) => listener(id)),
      theme: (theme) => listeners.theme.forEach((listener) => listener(theme)),
      job: (event) => listeners.job.forEach((listener) => listener(event)),
      open: (file) => listeners.open.forEach((listener) => listener(file)),
      previewLost: () => listeners.lost.forEach((listener) => listener()),
    },
    app: {
      info: async () => ({ name: 'VAT Studio', version: '1.0.0', platform: 'linux', theme: options.theme ?? 'dark', versions: {} }),
      onTheme: on(listeners.theme),
      showAbout: async () => note('app.showAbout'),
      showDocumentation: async () => note('app.showDocumentation'),
    },
    models: {
      choose: async () => options.chosen ?? null,
      drop: async (file) => sample(file.name),
      samples: async () => SAMPLES,
      first: async () => (options.first === undefined ? SAMPLES[0] : options.first),
      opened: async (token) => note('models.opened', token),
      onOpen: on(listeners.open),
    },
    recents: {
      list: async () => recents,
      async pin(token, pinned) {
        recents = recents.map((recent) => (recent.token === token ? { ...recent, pinned } : recent))
        tellRecents()
      },
      async remove(token) {
        recents = recents.filter((recent) => recent.token !== token)
        tellRecents()
      },
      async clear() {
        recents = recents.filter(({ pinned }) => pinned)
        tellRecents()
      },
      onChange: on(listeners.recents),
    },
    jobs: {
      async submit(job) {
        const id = String(++jobs)
        note('jobs.submit', job)
        if (job.kind === 'bake' && backend.bake) {
          const tell = (event: WindowJobEvent) => listeners.job.forEach((listener) => listener(event))
          setTimeout(() => void backend.bake!(job, id, tell))
        }
        return id
      },
      async cancel(job) {
        note('jobs.cancel', job)
        setTimeout(() => listeners.job.forEach((listener) => listener({ type: 'cancelled', job })))
      },
      onEvent: on(listeners.job),
    },
    folders: {
      choose: async () => folder,
      forModel: async () => folder,
      reveal: async (token) => note('folders.reveal', token),
    },
    clipboard: { writeText: async (text) => note('clipboard.writeText', text) },
    settings: {
      get: async () => settings,
      async set(changes) {
        settings = { ...settings, ...changes, interface: { ...settings.interface, ...changes.interface } }
        listeners.settings.forEach((listener) => listener(settings))
        return settings
      },
      onChange: on(listeners.settings),
    },
    commands: { onCommand: on(listeners.command), setStates: async (states) => note('commands.setStates', states) },
    window: { setDocument: async (document) => note('window.setDocument', document) },
    preview: {
      async connect() {
        const { port1, port2 } = new MessageChannel()
        port2.onmessage = ({ data }: MessageEvent) => void backend.preview(data).then((reply) => port2.postMessage(reply))
        window.dispatchEvent(new MessageEvent('message', { data: PREVIEW_PORT, source: window, ports: [port1] }))
      },
      onLost: on(listeners.lost),
    },
  }
}
