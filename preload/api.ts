import { z } from 'zod'
import { bakeOptions } from '../main/bake/options.ts'
import type { JobEvent } from '../main/jobs/contract.ts'
import type { CommandId } from './commands.ts'

/*
 * The one contract between the window and the main process: `window.vatStudio` follows `VatStudioApi`, and both ends are made
 * from the tables below it. A path never comes from the window: it holds grants, and main refuses tokens that it did not give.
 * A call that is refused or fails rejects with an `Error` whose message is whole sentences for a person.
 */

/** A file or folder that a person chose: by a dialog, a drop, the recent list or as a sample. */
export interface Grant {
  /** Stands for the path in every call. Holds until the program ends. */
  token: string
  kind: 'model' | 'sidecar' | 'folder'
  /** Base name, for people. */
  name: string
  /** The whole path, for people: tooltips, and the command line that can be copied. */
  path: string
}

export interface RecentFile extends Grant {
  /** Milliseconds since 1970. */
  openedAt: number
  pinned: boolean
  /** There is nothing at the path any more. */
  missing: boolean
}

export type Theme = 'light' | 'dark'

export interface AppInfo {
  name: string
  version: string
  platform: 'win32' | 'darwin' | 'linux'
  /** What the window has to look like now; `app.onTheme` tells of changes. */
  theme: Theme
  /** Parts of the program and their versions, for the about box: Electron, Chromium, Node. */
  versions: Record<string, string>
}

const token = z.string().min(1).max(100)
const jobId = z.string().min(1).max(100)

/** A job as the window asks for it: as a `jobRequest`, with tokens in place of paths. */
const windowJob = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bake'), model: token, output: token, options: bakeOptions.omit({ output: true }) }),
  z.strictObject({ kind: z.literal('plan'), model: token, output: token, options: bakeOptions.omit({ output: true }) }),
  z.strictObject({ kind: z.literal('verify'), sidecar: token, model: token.optional(), maxError: bakeOptions.shape.maxError }),
  z.strictObject({ kind: z.literal('inspect'), model: token }),
])

export type WindowJob = z.output<typeof windowJob>
export type WindowJobInput = z.input<typeof windowJob>

/** A job's event as the window gets it. */
export type WindowJobEvent = JobEvent & {
  /** With the finished event of a bake: what may be opened and revealed from now on. */
  written?: { sidecar: Grant; folder: Grant }
}

export const settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** What a window shows first. */
  opensWith: z.enum(['sample', 'start']).default('sample'),
  /** Where the interface keeps what it remembers: widths, open sections, the last view mode. */
  interface: z.record(z.string().max(60), z.union([z.string().max(1000), z.number(), z.boolean()])).default({}),
})

export type Settings = z.output<typeof settings>

/** Whether a command can be used now, and whether it is ticked. */
const commandState = z.strictObject({ enabled: z.boolean().optional(), checked: z.boolean().optional() })

export type CommandState = z.output<typeof commandState>

/** Methods that return a promise are calls; methods named `on…` take a listener and return what stops listening. */
export interface VatStudioApi {
  app: {
    info(): Promise<AppInfo>
    onTheme(listener: (theme: Theme) => void): () => void
    showAbout(): Promise<void>
    /** Opens the VAT format's documentation in a window of its own. */
    showDocumentation(): Promise<void>
  }
  models: {
    /** Asks for a model by the system's dialog. Null where the person changed their mind. */
    choose(): Promise<Grant | null>
    /** A file that was dropped on the window. Rejects with a sentence where it is no model. */
    drop(file: File): Promise<Grant>
    samples(): Promise<Grant[]>
    /** What to show first: the file that the program was started with, else the sample, else (by the settings) nothing. */
    first(): Promise<Grant | null>
    /** The model is shown: puts it at the head of the recent list (samples are left out). */
    opened(token: string): Promise<void>
    /** A model that main wants shown: from Open Recent, the system, or a second start of the program. */
    onOpen(listener: (model: Grant) => void): () => void
  }
  recents: {
    list(): Promise<RecentFile[]>
    pin(token: string, pinned: boolean): Promise<void>
    remove(token: string): Promise<void>
    clear(): Promise<void>
    onChange(listener: (recents: RecentFile[]) => void): () => void
  }
  jobs: {
    /** Puts a job at the end of the queue and answers with its id. Plans and inspections do not wait for bakes. */
    submit(job: WindowJobInput): Promise<string>
    /** Gives a job up; its cancelled (or finished) event tells when it is over. */
    cancel(job: string): Promise<void>
    /** Every event of every job. None comes before `submit` has answered with the job's id. */
    onEvent(listener: (event: WindowJobEvent) => void): () => void
  }
  folders: {
    /** Asks for an output folder by the system's dialog. Null where the person changed their mind. */
    choose(): Promise<Grant | null>
    /** Where bakes of a model go until another folder is chosen: `vat` beside the model, or below the documents for samples. */
    forModel(token: string): Promise<Grant>
    /** Shows a file or folder in the system's file manager. */
    reveal(token: string): Promise<void>
  }
  clipboard: {
    writeText(text: string): Promise<void>
  }
  settings: {
    get(): Promise<Settings>
    /** Changes the settings that are given; `interface` is merged key by key. Answers with all of them. */
    set(changes: Partial<Settings>): Promise<Settings>
    onChange(listener: (settings: Settings) => void): () => void
  }
  commands: {
    /** A menu entry was chosen. */
    onCommand(listener: (id: CommandId) => void): () => void
    /** Enables and ticks menu entries; commands that are not given stay as they are. */
    setStates(states: Partial<Record<CommandId, CommandState>>): Promise<void>
  }
  window: {
    /** Name of the open document for the title bar (null: none), and whether closing it would lose work. */
    setDocument(document: { name: string | null; unsaved: boolean }): Promise<void>
  }
  preview: {
    /**
     * Asks for a new port to the preview service (main/worker/preview-contract.ts). It arrives as a `message` event of the
     * window whose data is `PREVIEW_PORT` and whose `ports[0]` is the port, after or before this call has answered.
     */
    connect(): Promise<void>
    /** The preview service has ended unexpectedly: its ports are dead and its handles forgotten. `connect` starts another. */
    onLost(listener: () => void): () => void
  }
}

/** Marks the `message` event of the window that carries a port to the preview service. */
export const PREVIEW_PORT = 'vat-studio.preview-port'

type Api = VatStudioApi
type Groups = keyof Api & string
/** `group.method` of every method whose type extends `Shape`. */
type MethodNames<Shape> = { [Group in Groups]: NamesIn<Group, keyof Api[Group] & string, Shape> }[Groups]
type NamesIn<Group extends Groups, Methods extends keyof Api[Group] & string, Shape> = {
  [Method in Methods]: Api[Group][Method] extends Shape ? `${Group}.${Method}` : never
}[Methods]
type MethodOf<Name> = Name extends `${infer Group extends Groups}.${infer Method}` ? Api[Group][Method & keyof Api[Group]] : never
/** Arguments on their way: of a file only its path is sent. */
type Sent<Args> = { [Index in keyof Args]: Args[Index] extends File ? string : Args[Index] }

export type CallName = MethodNames<(...args: never[]) => Promise<unknown>>
export type EventName = MethodNames<(listener: never) => () => void>

/** The arguments of a call as the window sends them. */
export type CallInput<Name extends CallName> = MethodOf<Name> extends (...args: infer Args) => unknown ? Sent<Args> : never
/** The arguments of a call as its handler gets them: validated, with defaults filled in. */
export type CallArguments<Name extends CallName> = z.output<(typeof calls)[Name]>
export type CallResult<Name extends CallName> = MethodOf<Name> extends (...args: never[]) => Promise<infer Result> ? Result : never
export type EventPayload<Name extends EventName> =
  MethodOf<Name> extends (listener: (...payload: infer Payload) => void) => unknown ? Payload : never

/** Every call with the schema of its arguments. Its channel has the same name. */
export const calls = {
  'app.info': z.tuple([]),
  'app.showAbout': z.tuple([]),
  'app.showDocumentation': z.tuple([]),
  'models.choose': z.tuple([]),
  'models.drop': z.tuple([z.string().min(1).max(32_767)]),
  'models.samples': z.tuple([]),
  'models.first': z.tuple([]),
  'models.opened': z.tuple([token]),
  'recents.list': z.tuple([]),
  'recents.pin': z.tuple([token, z.boolean()]),
  'recents.remove': z.tuple([token]),
  'recents.clear': z.tuple([]),
  'jobs.submit': z.tuple([windowJob]),
  'jobs.cancel': z.tuple([jobId]),
  'folders.choose': z.tuple([]),
  'folders.forModel': z.tuple([token]),
  'folders.reveal': z.tuple([token]),
  'clipboard.writeText': z.tuple([z.string().max(100_000)]),
  'settings.get': z.tuple([]),
  // Not `settings.partial()`: an absent field would come back as its default.
  'settings.set': z.tuple([
    z.strictObject({
      theme: settings.shape.theme.unwrap().optional(),
      opensWith: settings.shape.opensWith.unwrap().optional(),
      interface: settings.shape.interface.unwrap().optional(),
    }),
  ]),
  'commands.setStates': z.tuple([z.record(z.string().max(60), commandState)]),
  'window.setDocument': z.tuple([z.strictObject({ name: z.string().max(1000).nullable(), unsaved: z.boolean() })]),
  'preview.connect': z.tuple([]),
} satisfies { [Name in CallName]: z.ZodType<unknown[], CallInput<Name>> }

/** Every event that main sends to the window. Its channel has the same name. */
export const events: Record<EventName, true> = {
  'app.onTheme': true,
  'models.onOpen': true,
  'recents.onChange': true,
  'jobs.onEvent': true,
  'settings.onChange': true,
  'commands.onCommand': true,
  'preview.onLost': true,
}
