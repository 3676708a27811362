import { app, session } from 'electron'
import { developmentOrigin, DOCUMENTATION, isOurPage } from './protocol.ts'

/** Takes from every page what no page of ours needs: other places to go, other windows, permissions, and the network. */
export function setupLockdown(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (event, url) => {
      const stays = contents.getURL().startsWith('app://docs/') ? url.split('#')[0] === DOCUMENTATION : isOurPage(url)
      if (!stays) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    // Peer connections are not among the requests below.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })

  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  // Downloads, form posts and whatever else could leave by another way than a page's own requests.
  defaultSession.on('will-download', (event) => event.preventDefault())
  defaultSession.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isLocal(url) }))
}

function isLocal(url: string): boolean {
  if (/^(app|data|blob|devtools|chrome-extension):/.test(url)) return true
  const development = developmentOrigin()
  return development !== null && (url.startsWith(`${development}/`) || url.startsWith(`${development.replace(/^http/, 'ws')}/`))
}
