import { parentPort } from 'node:worker_threads'
import { electronChannel, type ElectronPort, nodeChannel } from './channel.ts'
import { createGrants, servePreview } from './preview.ts'
import { previewGrant, previewServing } from './preview-contract.ts'
import { serve } from './serve.ts'
import { works } from './works.ts'

/** The part of Electron's `process.parentPort` that is used: whoever starts the worker sends it one end of a pipe. */
interface ElectronParent {
  on(event: 'message', listener: (event: { data: unknown; ports: ElectronPort[] }) => void): unknown
}

const electronParent = (process as { parentPort?: ElectronParent }).parentPort

if (electronParent) {
  const grants = createGrants()
  // Ports come with what is to be served over them: previews where the message says so, jobs otherwise.
  electronParent.on('message', ({ data, ports }) => {
    const grant = previewGrant.safeParse(data).data
    if (grant) grants.add(grant.token, grant.file)
    const isPreview = previewServing.safeParse(data).success
    for (const port of ports) {
      if (isPreview) servePreview(electronChannel(port), grants)
      else serve(electronChannel(port), works)
    }
  })
} else if (parentPort) {
  serve(nodeChannel(parentPort), works)
} else {
  throw new Error('This file has to be started as a worker thread or as a utility process of Electron.')
}
