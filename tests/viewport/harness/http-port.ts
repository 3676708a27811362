import type { PreviewPort } from '../../../renderer/viewport/preview-client.ts'
import { unpackTyped } from './typed-json.ts'

/** A message port whose other end is behind an address of the test's server. */
export function httpPort(address: string): PreviewPort {
  const port: PreviewPort = {
    onmessage: null,
    postMessage(message) {
      void fetch(address, { method: 'POST', body: JSON.stringify(message) })
        .then((answer) => answer.text())
        .then((text) => port.onmessage?.({ data: unpackTyped(text) }))
    },
    close() {},
  }
  return port
}
