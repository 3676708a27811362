import { createApp, h, reactive, ref, type Ref, shallowReactive } from 'vue'
import { createPreviewClient } from '../../../renderer/viewport/preview-client.ts'
import Viewport from '../../../renderer/viewport/Viewport.vue'
import { DEFAULT_CROWD, DEFAULT_OVERLAYS, type ViewMode } from '../../../renderer/viewport/view.ts'
import type { CapturedFrame, Direction } from '../../../renderer/viewport/viewport.ts'
import { httpPort } from './http-port.ts'

/** The viewport alone in a page; `window.harness` is what the tests steer it by. */
const client = createPreviewClient(httpPort('/preview'))
const props = shallowReactive<Record<string, unknown>>({
  client,
  model: null,
  bake: null,
  mode: 'original',
  clip: null,
  overlays: reactive({ ...DEFAULT_OVERLAYS }),
  crowd: reactive({ ...DEFAULT_CROWD }),
})
const events: Record<string, unknown> = { problems: [] }
const time = ref(0)
const playing = ref(false)
/** What the tests call of it; its own type would go round in a circle through the template's. */
interface Methods {
  frameModel(): void
  frameVertex(vertex: number | null): void
  look(direction: Direction): void
  captureFrame(time: number, mode: ViewMode): Promise<CapturedFrame>
  loaded(): Promise<void>
}
const viewport = ref<Methods | null>(null)

createApp({
  render: () =>
    h(Viewport as never, {
      ref: viewport,
      ...props,
      time: time.value,
      'onUpdate:time': (now: number) => (time.value = now),
      playing: playing.value,
      'onUpdate:playing': (now: boolean) => (playing.value = now),
      onCost: (cost: unknown) => (events.cost = cost),
      onError: (reading: unknown) => (events.error = reading),
      onMarker: (point: unknown) => (events.marker = point),
      onGpu: (gpu: unknown) => (events.gpu = gpu),
      onDisplayed: (shown: unknown) => (events.displayed = shown),
      onProblem: (sentence: string) => (events.problems as string[]).push(sentence),
    }),
}).mount('#app')

const captured = new Map<string, Uint8Array>()

/** What the tests find at `window.harness`. */
interface Harness {
  events: Record<string, unknown>
  time: Ref<number>
  playing: Ref<boolean>
  readonly viewport: Methods
  open(token: string): Promise<unknown>
  openBake(token: string): Promise<unknown>
  set(changes: Record<string, unknown>): void
  capture(name: string, at: number, mode: ViewMode): Promise<{ width: number; height: number }>
  compare(a: string, b: string, limit: number): { pixels: number; drawn: number; beyond: number; largest: number }
}

const harness: Harness = {
  events,
  time,
  playing,
  get viewport() {
    return viewport.value!
  },
  async open(token) {
    props.model = await client.open(token)
    await settle()
    return props.model
  },
  async openBake(token) {
    props.bake = await client.openBake(token)
    await settle()
    return props.bake
  },
  set: (changes) => void Object.assign(props, changes),
  async capture(name, at, mode) {
    const { width, height, pixels } = await viewport.value!.captureFrame(at, mode)
    captured.set(name, pixels)
    return { width, height }
  },
  /** How two captured frames differ: pixels that are not empty in either, and those whose channels differ by more than `limit`. */
  compare(a, b, limit) {
    const [one, other] = [captured.get(a)!, captured.get(b)!]
    let drawn = 0
    let beyond = 0
    let largest = 0
    for (let at = 0; at < one.length; at += 4) {
      if (one[at + 3] > 0 || other[at + 3] > 0) drawn++
      const difference = Math.max(...[0, 1, 2, 3].map((channel) => Math.abs(one[at + channel] - other[at + channel])))
      largest = Math.max(largest, difference)
      if (difference > limit) beyond++
    }
    return { pixels: one.length / 4, drawn, beyond, largest }
  },
}

/** Vue passes changed props on after its next tick; then loading begins. */
async function settle() {
  await new Promise((resolve) => setTimeout(resolve))
  await viewport.value!.loaded()
}

declare global {
  interface Window {
    harness: Harness
  }
}
window.harness = harness
