import { MessageChannel as NodeMessageChannel } from 'node:worker_threads'
import { resolve } from 'node:path'
import { defineComponent, h } from 'vue'
import { vi } from 'vitest'
import { nodeChannel } from '../../main/worker/channel.ts'
import { createGrants, type Grants, servePreview } from '../../main/worker/preview.ts'
import type { PreviewReply } from '../../main/worker/preview-contract.ts'
import { createFakeApi, type FakeApi, type FakeOptions, SAMPLES } from './fake-api.ts'

const samples = resolve(import.meta.dirname, '../../resources/samples')

/** The viewport without a canvas: what floats over it is shown, and its clock stands still. */
export const viewportStandIn = {
  default: defineComponent({
    inheritAttrs: false,
    setup(_props, { slots, expose }) {
      expose({ frameModel() {}, frameVertex() {} })
      return () => h('div', { class: 'viewport' }, slots.default?.())
    },
  }),
}

/**
 * A fake main process with the real preview service behind it, in this process.
 *
 * @param onGrants is given what says which files the service may read: the samples at first
 */
export function createTestApi(options: FakeOptions = {}, onGrants?: (grants: Grants) => void): FakeApi {
  const grants = createGrants(20)
  onGrants?.(grants)
  for (const { token, name } of SAMPLES) grants.add(token, resolve(samples, name))
  const { port1, port2 } = new NodeMessageChannel()
  servePreview(nodeChannel(port2), grants)
  port1.unref()
  const answers = new Map<number, (reply: PreviewReply) => void>()
  port1.on('message', (reply: PreviewReply) => answers.get(reply.id)?.(reply))
  return createFakeApi(
    {
      preview: (message) =>
        new Promise((answer) => {
          answers.set((message as { id: number }).id, answer)
          port1.postMessage(message)
        }),
    },
    options,
  )
}

/** What happy-dom does not have. */
export function fillBrowser(): void {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  Element.prototype.scrollIntoView = () => {}
}
