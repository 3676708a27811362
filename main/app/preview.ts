import { type BrowserWindow, MessageChannelMain, type UtilityProcess } from 'electron'
import { PREVIEW_PORT } from '../../preload/api.ts'
import type { PreviewGrant } from '../worker/preview-contract.ts'
import type { Grants } from './grants.ts'
import type { Handlers, Tell } from './ipc.ts'
import { forkWorker } from './worker-process.ts'

export interface Preview {
  handlers: Pick<Handlers, 'preview.connect'>
  close(): void
}

/**
 * The preview service: a process of its own, so that the viewport is served while a bake runs. The window talks to it
 * directly, through a port, and knows tokens only; the paths they stand for are told from here.
 */
export function createPreview(window: () => BrowserWindow, grants: Grants, tell: Tell): Preview {
  let child: UtilityProcess | null = null

  const grantMessage = ({ token, path }: { token: string; path: string }): PreviewGrant => ({ type: 'grant', token, file: path })
  grants.onGive((grant) => {
    if (grant.kind !== 'folder') child?.postMessage(grantMessage(grant))
  })

  function start(): UtilityProcess {
    const started = forkWorker('VAT Studio previews')
    for (const grant of grants.all()) {
      if (grant.kind !== 'folder') started.postMessage(grantMessage(grant))
    }
    started.once('exit', () => {
      if (child !== started) return
      child = null
      tell('preview.onLost')
    })
    return started
  }

  return {
    handlers: {
      'preview.connect': () => {
        child ??= start()
        const { port1, port2 } = new MessageChannelMain()
        child.postMessage({ type: 'preview' }, [port1])
        window().webContents.postMessage(PREVIEW_PORT, null, [port2])
      },
    },
    close() {
      const ended = child
      child = null
      ended?.kill()
    },
  }
}
