import type { VatStudioApi } from '../preload/api.ts'

declare global {
  interface Window {
    /** Put there by the preload; by a stand-in where the page runs in a plain browser. */
    vatStudio: VatStudioApi
  }
}

/** The main process, as the window may use it. */
export function vatStudio(): VatStudioApi {
  return window.vatStudio
}

/** The sentence of anything that was thrown. Electron puts words of its own before what a handler threw. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^Error invoking remote method '[^']*': (\w*Error: |Problem: )?/, '')
}
