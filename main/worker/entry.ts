import { parentPort, workerData } from 'node:worker_threads'
import { electronChannel, type ElectronPort, FORKED, nodeChannel, processChannel } from './channel.ts'
import { type LaneData, serveLane } from './lane-thread.ts'
import { createGrants, servePreview } from './preview.ts'
import { previewGrant, previewServing } from './preview-contract.ts'
import { serve } from './serve.ts'
import { works, worksBeside } from './works.ts'

/** The part of Electron's `process.parentPort` that is used: whoever starts the worker sends it one end of a pipe. */
interface ElectronParent {
  on(event: 'message', listener: (event: { data: unknown; ports: ElectronPort[] }) => void): unknown
}

const entry = new URL(import.meta.url)
const isLane = (data: unknown): data is LaneData => typeof data === 'object' && data !== null && 'lane' in data

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
} else if (parentPort && isLane(workerData)) {
  serveLane(parentPort, workerData.lane)
} else if (parentPort) {
  serve(nodeChannel(parentPort), worksBeside(entry))
} else if (process.send && process.argv.at(-1) === FORKED) {
  // Ctrl-C reaches every process of a terminal. What becomes of a job is for the one to say that has asked for it.
  process.on('SIGINT', () => {})
  serve(processChannel(process), worksBeside(entry))
} else {
  throw new Error('This file has to be started as a worker thread, a forked process or a utility process of Electron.')
}
