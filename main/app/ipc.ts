import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import { type CallArguments, type CallName, type CallResult, calls, type EventName, type EventPayload } from '../../preload/api.ts'
import { Problem } from '../model/problem.ts'
import { isOurPage } from './protocol.ts'

/** What serves the calls of the window. Arguments are validated before they come here. */
export type Handlers = { [Name in CallName]: (...args: CallArguments<Name>) => CallResult<Name> | Promise<CallResult<Name>> }

/** Sends an event to the window; nobody hears it where there is none. */
export type Tell = <Name extends EventName>(name: Name, ...payload: EventPayload<Name>) => void

/** How a call is answered. Electron would put its own words before the message of an error that is thrown. */
export type Answer = { ok: true; value: unknown } | { ok: false; message: string }

/**
 * Serves every call of the contract to the one page that may call: the top frame of the program's window, showing our page.
 * What anybody else sends, and what does not follow the contract, is refused before a handler sees it.
 */
export function setupIpc(handlers: Handlers, windowContents: () => WebContents | undefined): void {
  for (const name of Object.keys(calls) as CallName[]) {
    ipcMain.handle(name, async (event, ...args: unknown[]): Promise<Answer> => {
      try {
        if (!isTrusted(event.senderFrame, windowContents())) throw new Problem('usage', `${name} is refused to this page.`)
        const parsed = calls[name].safeParse(args)
        if (!parsed.success) {
          const { path, message } = parsed.error.issues[0]
          throw new Problem('usage', `${name} is refused: ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}.`)
        }
        const handler = handlers[name] as (...args: unknown[]) => unknown
        return { ok: true, value: await handler(...parsed.data) }
      } catch (error) {
        if (!(error instanceof Problem)) console.error(error)
        return { ok: false, message: (error as Error).message }
      }
    })
  }
}

function isTrusted(frame: WebFrameMain | null, contents: WebContents | undefined): boolean {
  return frame !== null && contents !== undefined && frame === contents.mainFrame && isOurPage(frame.url)
}
