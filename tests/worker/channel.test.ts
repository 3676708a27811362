import { EventEmitter, once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { electronChannel, nodeChannel } from '../../main/worker/channel.ts'

describe('a channel over a port of worker_threads', () => {
  test('carries plain data both ways', async () => {
    const { port1, port2 } = new MessageChannel()
    const [near, far] = [nodeChannel(port1), nodeChannel(port2)]
    far.onMessage((message) => far.post({ echo: message }))
    const answer = new Promise((resolve) => near.onMessage(resolve))
    near.post({ n: 1 })
    expect(await answer).toEqual({ echo: { n: 1 } })
    near.close()
  })

  test('tells the other end that it was closed', async () => {
    const { port1, port2 } = new MessageChannel()
    const closed = new Promise<void>((resolve) => nodeChannel(port2).onClose(resolve))
    nodeChannel(port1).close()
    await closed
    // Once and not again.
    expect(port2.listenerCount('close')).toBe(0)
  })
})

describe('a channel over a port of Electron', () => {
  /** Behaves as Electron's MessagePortMain: keeps messages until it is started, wraps data in an event. */
  class FakePort extends EventEmitter {
    posted: unknown[] = []
    started = false
    postMessage(message: unknown) {
      this.posted.push(message)
    }
    start() {
      this.started = true
      this.emit('message', { data: 'kept', ports: [] })
    }
    close() {
      this.emit('close')
    }
  }

  test('unwraps the data of events and starts the port once somebody listens', () => {
    const port = new FakePort()
    const channel = electronChannel(port)
    expect(port.started).toBe(false)
    const seen: unknown[] = []
    channel.onMessage((message) => seen.push(message))
    port.emit('message', { data: { n: 1 }, ports: [] })
    expect(seen).toEqual(['kept', { n: 1 }])
    channel.post('answer')
    expect(port.posted).toEqual(['answer'])
  })

  test('passes on that it was closed', async () => {
    const port = new FakePort()
    const closed = once(port, 'close')
    let told = 0
    const channel = electronChannel(port)
    channel.onClose(() => told++)
    channel.close()
    await closed
    expect(told).toBe(1)
  })
})
