import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'

const host = process as { parentPort?: EventEmitter }

afterEach(() => {
  delete host.parentPort
  vi.resetModules()
})

/** One end of a pipe as Electron hands it over. */
class FakePort extends EventEmitter {
  told: { type: string }[] = []
  postMessage(message: { type: string }) {
    this.told.push(message)
    this.emit('told', message)
  }
  start() {}
  close() {}
}

test('as a utility process of Electron it serves the works of the core over every port that it is sent', async () => {
  host.parentPort = new EventEmitter()
  await import('../../main/worker/entry.ts')
  const port = new FakePort()
  host.parentPort.emit('message', { data: null, ports: [port] })
  const over = new Promise<void>((resolve) => port.on('told', ({ type }) => type !== 'accepted' && type !== 'progress' && resolve()))
  port.emit('message', { data: { type: 'start', job: '1', request: { kind: 'inspect', model: 'resources/samples/SimpleSkin.gltf' } }, ports: [] })
  await over
  expect(port.told.at(-1)).toMatchObject({ type: 'finished', job: '1', result: { vertexCount: 10, meshes: [{ movedBy: 'skin' }] } })
})

test('it serves previews of the files that it was granted over the ports that come with that word', async () => {
  host.parentPort = new EventEmitter()
  await import('../../main/worker/entry.ts')
  const port = new FakePort()
  host.parentPort.emit('message', { data: { type: 'grant', token: 'skin', file: 'resources/samples/SimpleSkin.gltf' }, ports: [] })
  host.parentPort.emit('message', { data: { type: 'preview' }, ports: [port] })
  const answered = new Promise((resolve) => port.once('told', resolve))
  port.emit('message', { data: { id: 5, request: { kind: 'open', token: 'skin' } }, ports: [] })
  expect(await answered).toMatchObject({ id: 5, ok: true, result: { file: 'SimpleSkin.gltf', meshes: [{ vertexCount: 10 }] } })
})

test('as a program of its own it says how it has to be started', async () => {
  await expect(import('../../main/worker/entry.ts')).rejects.toThrow('worker thread')
})
