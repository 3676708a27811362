import { parentPort } from 'node:worker_threads'
import { electronChannel, type ElectronPort, nodeChannel } from './channel.ts'
import { serve } from './serve.ts'
import { works } from './works.ts'

/** The part of Electron's `process.parentPort` that is used: whoever starts the worker sends it one end of a pipe. */
interface ElectronParent {
  on(event: 'message', listener: (event: { ports: ElectronPort[] }) => void): unknown
}

const electronParent = (process as { parentPort?: ElectronParent }).parentPort

if (electronParent) {
  electronParent.on('message', ({ ports }) => {
    for (const port of ports) serve(electronChannel(port), works)
  })
} else if (parentPort) {
  serve(nodeChannel(parentPort), works)
} else {
  throw new Error('This file has to be started as a worker thread or as a utility process of Electron.')
}
