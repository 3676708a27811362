import type { ChildProcess } from 'node:child_process'
import type { MessagePort, Worker } from 'node:worker_threads'

/** A two-way pipe of plain data between a worker and whoever started it. */
export interface Channel {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  close(): void
  /** The other end is gone: closed, ended or killed. */
  onClose(listener: () => void): void
}

/** A channel over a port of worker_threads, or over a worker thread seen from outside (closing it ends the thread). */
export function nodeChannel(port: MessagePort | Worker): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
    close: () => void ('terminate' in port ? port.terminate() : port.close()),
    onClose: (listener) => void port.once('terminate' in port ? 'exit' : 'close', listener),
  }
}

/** Last argument of a process that was forked to be a worker. Any other process may have a parent that it can talk to, too. */
export const FORKED = 'forked-worker'

/** A channel between a process and one that it has forked, seen from either end. */
export function processChannel(other: ChildProcess | NodeJS.Process): Channel {
  return {
    // Without a listener, a message to a process that has just died would be an error of ours.
    post: (message) => void other.send?.(message as object, undefined, undefined, () => {}),
    onMessage: (listener) => void other.on('message', listener),
    close: () => other.disconnect?.(),
    onClose: (listener) => void other.once('disconnect', listener),
  }
}

/** What is needed of Electron's `MessagePortMain`; spelled out so that nothing below main/app imports electron. */
export interface ElectronPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  once(event: 'close', listener: () => void): unknown
  start(): void
  close(): void
}

/** A channel over a port of Electron's main or utility process. Messages that came before `onMessage` are kept. */
export function electronChannel(port: ElectronPort): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', (event) => listener(event.data))
      port.start()
    },
    close: () => port.close(),
    onClose: (listener) => void port.once('close', listener),
  }
}
