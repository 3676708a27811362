import '../../../renderer/styles/tokens.css'
import '../../../renderer/styles/window.css'
import type { WindowJobEvent } from '../../../preload/api.ts'
import { acceleratorOf } from '../../../renderer/commands/keys.ts'
import { startWindow } from '../../../renderer/start.ts'
import { unpackTyped } from '../../viewport/harness/typed-json.ts'
import { createFakeApi, type FakeApi, sample } from '../fake-api.ts'
import { RECENTS } from './recents.ts'

/*
 * The window in a browser, with the real preview service and the real bake behind the test's server (serve.ts):
 *
 *     index.html?theme=light&first=Fox.glb        the model to open, or none
 *     &bakes=hold                                 bakes are taken up and never end
 */

declare global {
  interface Window {
    fake: FakeApi
  }
}

const query = new URLSearchParams(location.search)
const first = query.get('first')
const ask = async (address: string, body: unknown) => {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  return unpackTyped(await answer.text())
}

window.fake = createFakeApi(
  {
    preview: (message) => ask('/preview', message),
    async bake(job, id, tell) {
      if (query.get('bakes') === 'hold') return
      const events = (await ask('/bake', { job, id })) as WindowJobEvent[]
      for (const event of events) tell(event)
    },
  },
  {
    theme: query.get('theme') === 'light' ? 'light' : 'dark',
    first: first === null ? null : sample(first),
    recents: query.has('recents') ? RECENTS : [],
    chosen: sample('Fox.glb'),
  },
)
window.vatStudio = window.fake

// In Electron the menu does this.
window.addEventListener('keydown', (event) => {
  const id = acceleratorOf(event)
  if (!id) return
  event.preventDefault()
  window.fake.fire.command(id)
})

await startWindow(document.querySelector('#app')!)
document.body.dataset.ready = 'true'
