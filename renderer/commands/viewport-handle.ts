import { type ShallowRef, shallowRef } from 'vue'

/** What the window asks of the viewport; its methods, as Viewport.vue describes them. */
export interface ViewportHandle {
  frameModel(): unknown
  frameVertex(vertex: number | null): unknown
}

const handle = shallowRef<ViewportHandle | null>(null)

/** The viewport, once it is there. There is one window, so there is one viewport. */
export function useViewport(): ShallowRef<ViewportHandle | null> {
  return handle
}
