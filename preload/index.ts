import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type CallName, calls, events, PREVIEW_PORT } from './api.ts'

type Method = (...args: unknown[]) => unknown

/** As main answers a call (main/app/ipc.ts). */
type Answer = { ok: true; value: unknown } | { ok: false; message: string }

/** The one call whose argument is a file. */
const FILE_CALL: CallName = 'models.drop'

/** `window.vatStudio`, made from the tables of the contract: a call and an event have the channel of their name. */
const api: Record<string, Record<string, Method>> = {}

function add(name: string, method: Method): void {
  const [group, member] = name.split('.') as [string, string]
  ;(api[group] ??= {})[member] = method
}

for (const name of Object.keys(calls)) {
  const sent = name === FILE_CALL ? sentFile : (args: unknown[]) => args
  add(name, async (...args) => {
    const answer = (await ipcRenderer.invoke(name, ...sent(args))) as Answer
    if (!answer.ok) throw new Error(answer.message)
    return answer.value
  })
}

for (const name of Object.keys(events)) {
  add(name, (listener) => {
    const heard = (_: unknown, ...payload: unknown[]) => (listener as Method)(...payload)
    ipcRenderer.on(name, heard)
    return () => void ipcRenderer.off(name, heard)
  })
}

/**
 * Of a file only its path is sent, which the page itself cannot see. It has to be a file that came from the system: with a
 * text in its place, or a file that it made, the page could name any path. Electron before 29 has the path on the file.
 */
function sentFile([file, ...rest]: unknown[]): unknown[] {
  const path = !(file instanceof File) ? '' : webUtils ? webUtils.getPathForFile(file) : (file as { path?: string }).path
  if (!path) throw new Error('This is no file on this computer. Save it first, then drop it.')
  return [path, ...rest]
}

// A port cannot pass through the bridge, but it can be posted to the page.
ipcRenderer.on(PREVIEW_PORT, (event) => window.postMessage(PREVIEW_PORT, location.origin, event.ports))

contextBridge.exposeInMainWorld('vatStudio', api)
